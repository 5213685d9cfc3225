"""bot/ui/posts.py: by what the bot finds its own posts again."""

from dataclasses import replace
from datetime import UTC, date, datetime, time

import pytest
from discord import Embed

from bot.domain.posts import PlanId, Post, PostPlan
from bot.ui.posts import claim_of, marked

PLAN = PostPlan(id=PlanId(26), post_at=time(21), timezone="UTC")
POST = Post(plan=PLAN, day=date(2026, 11, 2), due_at=datetime(2026, 11, 2, 21, tzinfo=UTC))


@pytest.mark.parametrize("footer", [None, "Kiroku · 21:00"])
@pytest.mark.parametrize("part", ["", "9f"])
@pytest.mark.parametrize("tries", [1, 2, 40])
def test_a_message_says_which_post_it_is_and_which_claim_has_made_it(
    footer: str | None, part: str, tries: int
) -> None:
    post = replace(POST, part=part, tries=tries)
    embed = Embed(title="a").set_footer(text=footer)
    shown = marked(embed, post)
    assert claim_of([Embed(), shown], replace(post, tries=50)) == tries
    assert claim_of([shown], replace(post, part="a")) is None
    assert claim_of([shown], replace(post, day=date(2026, 11, 3))) is None
    assert claim_of([marked(shown, replace(post, tries=3))], post) == 3
    assert embed.footer.text == footer, "drawn once, and perhaps sent again"


def test_what_an_earlier_version_has_made_was_the_first() -> None:
    assert claim_of([Embed().set_footer(text=f"Kiroku · {POST.nonce}")], POST) == 1
