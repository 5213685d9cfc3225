import re
from io import BytesIO

import pytest
from PIL import Image
from world import World

from bot.domain.members import Visibility

pytestmark = pytest.mark.shared


async def test_charts_from_easy_to_hard_with_a_picture_and_what_comes_next(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    reply = await alice.slash(world.discord.channel, "tiers", filter="level>=13+ diff:mas", rank="SSS")
    assert not reply.is_private
    found = re.search(r"\*\*SSS\*\* · (\d+) of (\d+) charts done", reply.everything)
    assert found is not None
    assert 0 < int(found[1]) < int(found[2])
    assert not re.search(r"^\*\*\d+%\*\* ", str(reply.embed.description), re.MULTILINE), "told twice"
    (file,) = reply.files
    assert "From easy to hard: " in str(file.description)
    assert Image.open(BytesIO(world.discord.content(file))).width > 1000


@pytest.mark.parametrize(
    ("command", "said"),
    [("tiers", "The percentage is how likely"), ("overpower", "14+"), ("skill", "Strong")],
)
async def test_what_a_picture_has_is_listed_in_words_instead(world: World, command: str, said: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    options = {"filter": "level>=13+"} if command == "tiers" else {}
    shown = await alice.slash(world.discord.channel, command, **options)
    assert shown.files
    listed = (await alice.click(shown, "List")).posts[-1]
    assert listed.files == ()
    assert said in listed.everything
    assert (await alice.click(listed, "Picture")).files


async def test_every_chart_stands_in_a_row_or_is_counted_beside_them(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    reply = await alice.slash(world.discord.channel, "tiers", filter="level>=11", rank="SSS")
    found = (await alice.slash(world.discord.channel, "search", filter="level>=11")).embed.title
    counted = re.search(r" of ([\d,]+) charts done.*\n+-# (\d+) more are in no row", reply.everything)
    assert counted is not None
    in_rows, left_out = (int(each.replace(",", "")) for each in counted.groups())
    assert found == f"{in_rows + left_out} charts"


async def test_the_next_rank_is_taken_where_none_is_named(world: World) -> None:
    hanako = world.discord.person("Hanako", locale="ja")
    await world.link(hanako, "minamo_plays")
    reply = await hanako.slash(world.discord.channel, "tiers", filter="lv:13")
    assert reply.is_private
    assert re.search(r"\*\*(S|SS|SS\+|SSS|SSS\+)\*\* · ", reply.everything)


async def test_nothing_is_asked_for_what_is_in_memory(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await alice.slash(world.discord.channel, "table", filter="lv:14")
    counts = world.bot.features.catalogues._api.counts
    before = counts["sent"]
    await alice.slash(world.discord.channel, "tiers", filter="lv:14")
    assert counts["sent"] == before


async def test_another_s_ticks_stand_beside_one_s_own_and_what_is_in_memory_is_not_asked_for(
    world: World,
) -> None:
    alice, ken = world.discord.person("Alice"), world.discord.person("Ken")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await world.link(ken, "minamo_plays", Visibility.ANYONE)
    await alice.slash(world.discord.channel, "compare", member=ken)
    counts = world.bot.features.catalogues._api.counts
    before = counts["sent"]
    reply = await alice.slash(world.discord.channel, "tiers", filter="lv:14", rank="SSS", member=ken)
    assert counts["sent"] == before
    assert re.search(
        r"^\*\*SSS\*\* · \d+ of \d+ charts done\n+ＭＩＮＡＭＯ: \d+ done", reply.everything, re.MULTILINE
    )
    assert re.search(r"\d+ : \d+ / \d+", str(reply.files[0].description))
    again = await alice.slash(world.discord.channel, "tiers", filter="lv:14", rank="SSS", member=alice)
    assert ": 0 done" not in again.everything


async def test_who_does_not_allow_it_stands_beside_nobody(world: World) -> None:
    alice, hidden = world.discord.person("Alice"), world.discord.person("Hidden")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await world.link(hidden, "minamo_plays", Visibility.ONLY_ME)
    reply = await alice.slash(world.discord.channel, "tiers", filter="lv:14", member=hidden)
    assert "has not linked an account that you may look up" in reply.everything


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (
            "lv:14 title:nothing-is-called-so",
            "No chart matches this filter. Leave one of its conditions out, or widen one.",
        ),
        ("diff:we", "Nothing can be predicted"),
    ],
)
async def test_what_cannot_be_laid_out_is_said(world: World, wanted: str, said: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    reply = await alice.slash(world.discord.channel, "tiers", filter=wanted)
    assert said in reply.everything
    assert not reply.files


async def test_who_has_nothing_is_told_what_comes_first(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "yuzu_new", Visibility.ANYONE)
    reply = await alice.slash(world.discord.channel, "tiers", filter="lv:14")
    assert "Play some charts and upload them" in reply.everything
    best = await alice.slash(world.discord.channel, "best", filter="lamp:aj")
    assert "have your scores read by the record service" in best.everything
    scores = await alice.slash(world.discord.channel, "scores")
    assert "have your scores read by the record service" in scores.everything
