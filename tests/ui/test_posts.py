"""bot/ui/posts.py: by what the bot finds its own posts again."""

from argparse import Namespace
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any, cast

import discord
import pytest
from discord import Embed
from discord.ui import View

from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.posts import PlanId, Post, PostKind, PostPlan
from bot.features.shared.subjects import Subject
from bot.ui.kit.pages import ANYBODY, PageButton, Way, lead_of, view_of
from bot.ui.kit.routes import JoinDailyAddress, SessionAddress
from bot.ui.language.text import Languages
from bot.ui.posts import claim_of, marked, turned_off_embed

PLAN = PostPlan(id=PlanId(2**40), post_at=time(21), timezone="UTC")
POST = Post(plan=PLAN, day=date(2026, 11, 2), due_at=datetime(2026, 11, 2, 21, tzinfo=UTC))
THEIRS = SessionAddress(asker=ANYBODY, subject=Subject(member=MemberId(2**62), shares_server=True))


def below() -> View | None:
    buttons = [
        PageButton(JoinDailyAddress(asker=ANYBODY), Way.ASIDE, label="Join"),
        PageButton(THEIRS, Way.ASIDE, label="Session"),
    ]
    return view_of(buttons)


def message(view: View | None, *embeds: Embed) -> discord.Message:
    """Return a message as discord.py reads it, with nothing but what stands in it."""
    rows = view.to_components() if view else []
    components = [discord.ActionRow(cast("Any", row)) for row in rows]
    return cast("discord.Message", Namespace(components=components, embeds=embeds))


@pytest.mark.parametrize("part", ["", "9f" * 8])
@pytest.mark.parametrize("tries", [1, 2, 40])
def test_a_message_says_which_post_it_is_and_which_claim_has_made_it(part: str, tries: int) -> None:
    post, view = replace(POST, part=part, tries=tries), below()
    shown = message(marked(view, post), Embed(title="a"))
    assert claim_of(shown, replace(post, tries=50)) == tries
    assert claim_of(shown, replace(post, part="a")) is None
    assert claim_of(shown, replace(post, day=date(2026, 11, 3))) is None
    assert claim_of(message(marked(view, replace(post, tries=3))), post) == 3
    assert claim_of(message(view), post) is None, "drawn once, and perhaps sent again"


def test_its_buttons_lead_where_they_led() -> None:
    view = marked(below(), replace(POST, part="9f" * 8, tries=40))
    assert view is not None
    buttons = cast("list[discord.ui.Button[Any]]", view.children)
    assert [button.label for button in buttons] == ["Join", "Session"]
    assert all(len(button.custom_id or "") <= 100 for button in buttons)
    assert [lead_of(button.custom_id or "") for button in buttons] == [
        (Way.ASIDE, JoinDailyAddress(asker=ANYBODY)),
        (Way.ASIDE, THEIRS),
    ]


@pytest.mark.parametrize("view", [None, view_of([discord.ui.Button(url="https://example.org")])])
def test_what_could_not_be_found_again_is_not_sent(view: View | None) -> None:
    with pytest.raises(ValueError, match="found again"):
        marked(view, POST)


@pytest.mark.parametrize("claim", ["", ".7"])
def test_what_an_earlier_version_has_made_is_known_by_its_footer(claim: str) -> None:
    before = Embed().set_footer(text=f"Kiroku · {POST.nonce}{claim}")
    assert claim_of(message(None, before), POST) == int(claim[1:] or 1)


@pytest.mark.parametrize(("code", "days"), [("en", "three days"), ("ja", "3日")])
@pytest.mark.parametrize("is_gone", [True, False])
def test_weeks_and_months_are_not_said_to_be_days(code: str, days: str, *, is_gone: bool) -> None:
    for what in (PostKind.DAILY, PostKind.WEEKLY, PostKind.MONTHLY):
        plan = replace(PLAN, what=what, guild=GuildId(1), channel=ChannelId(2))
        embed = turned_off_embed(Languages()[code], plan, is_gone=is_gone)
        assert (days in str(embed.description).lower()) is (what is PostKind.DAILY)
