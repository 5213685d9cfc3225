import re

import pytest
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared

SONG = "rainy horizon"


async def test_without_an_account_what_each_rank_takes(world: World) -> None:
    carol = world.discord.person("Carol")
    reply = await carol.slash(world.discord.channel, "border", song=SONG, difficulty="MAS")
    assert not reply.is_private
    assert re.search(r"\*\*SSS\+\*\* 1,009,000 · JUSTICE\s\d+ / ATTACK\s\d+", reply.everything)
    assert "never below 1,000,000 SS." in reply.everything
    assert "→" not in reply.everything
    assert "Your own mix" not in reply.everything


async def test_in_ones_own_mix_which_is_ones_own(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "border", song=SONG, difficulty="MAS")
    assert reply.is_private
    assert re.search(r"^→ JUSTICE\s[\d,]+ \+ ", reply.everything, re.MULTILINE)
    assert "いつもの内訳" in reply.everything
    shared = await hanako.click(reply, "みんなに見せる")
    assert "→" in shared.everything


async def test_the_hardest_chart_where_none_is_named(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays", Visibility.ANYONE)
    shown = await alice.slash(world.discord.channel, "song", title=SONG)
    reply = await alice.slash(world.discord.channel, "border", song=SONG)
    assert not reply.is_private
    hardest = str(shown.embed.fields[-1].name).split(" ")[0]
    assert f"**{hardest}" in reply.everything


async def test_too_few_scores_tell_no_mix(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new")
    reply = await alice.slash(world.discord.channel, "border", song=SONG)
    assert "not known well enough yet" in reply.everything
    assert "→" not in reply.everything


async def test_what_each_rank_would_add_to_ones_rating_is_what_whatif_says(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    chart = {"song": SONG, "difficulty": "MAS"}
    reply = await alice.slash(world.discord.channel, "border", **chart)
    told = re.findall(r"^\*\*SSS\+\*\* 1,009,000 · (\*\*\+\d\.\d{3}\*\*) ·", reply.everything, re.MULTILINE)
    assert told
    asked = await alice.slash(world.discord.channel, "whatif", **chart, score=1_009_000)
    assert told[0] in asked.everything
    assert "add to your rating" in reply.everything
