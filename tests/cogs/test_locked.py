"""Songs that a member has not unlocked are left out of what is planned, drawn and added up for them."""

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import pytest
from harness import Person
from reading import Reply
from troubled import read_only
from world import World

from bot.database.tables import LOCKED_SONGS
from bot.domain.charts import Song
from bot.domain.filters import parse_filter
from bot.domain.ids import MemberId, SongId

UNPLAYED = "played:no diff:mas"


async def lock(world: World, alice: Person, title: str) -> Reply:
    return await alice.slash(world.discord.channel, "locked add", song=title)


async def unplayed_song(world: World, alice: Person) -> str:
    """Return the title of a song of which the member has played nothing."""
    listed = await alice.slash(world.discord.channel, "search", filter=UNPLAYED)
    return next(title for _, title in listed.charts if re.fullmatch(r"[A-Za-z ]+", title))


async def test_a_locked_song_is_found_by_its_word_and_left_out_by_it(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    title = await unplayed_song(world, alice)
    said = await lock(world, alice, title)
    assert said.is_private
    assert title in said.everything

    async def found(wanted: str) -> list[str]:
        reply = await alice.slash(
            world.discord.channel, "search", filter=f'{wanted} title="{title}" diff:mas'
        )
        return [title for _, title in reply.charts]

    assert title in await found("locked")
    assert title not in await found("-locked")
    listed = (await alice.slash(world.discord.channel, "locked list")).everything
    assert title in listed
    assert "/locked remove" in listed
    drawn = await alice.slash(world.discord.channel, "random", filter=f'title="{title}" diff:mas')
    assert title not in [each for _, each in drawn.charts]
    assert title in await found("locked:yes")
    await alice.slash(world.discord.channel, "locked remove", song=title)
    assert title not in await found("locked")
    assert "counts" in (await alice.slash(world.discord.channel, "locked list")).everything


async def test_the_total_of_over_power_is_without_locked_songs_until_they_are_played(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")

    async def songs() -> int:
        reply = await alice.slash(world.discord.channel, "overpower")
        counted = re.search(r"of ([\d,]+) songs", reply.everything)
        assert counted, reply.everything
        return int(counted[1].replace(",", ""))

    before = await songs()
    await lock(world, alice, await unplayed_song(world, alice))
    assert await songs() == before - 1
    best = await alice.slash(world.discord.channel, "scores", sort="score-")
    await lock(world, alice, best.charts[0][1])
    assert await songs() == before - 1


async def test_plans_tiers_and_practice_leave_locked_songs_out(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    features, me = world.bot.features, MemberId(alice.id)

    async def unplayed_in_plan() -> list[Song]:
        found = await features.plan.report(me, None)
        every = [await features.plan.report(me, None, number=number) for number in range(found.part.count)]
        return [step.entry.song for each in every for step in each.part.items if step.entry.played is None]

    first = (await unplayed_in_plan())[0]
    practised = f'title="{first.title}" diff:mas'
    charts = (await features.practice.report(me, practised, 1, None)).charts
    laid_out = (await features.tiers.report(me, practised, None, None)).count
    assert charts
    assert laid_out
    await lock(world, alice, first.id)
    assert first not in await unplayed_in_plan()
    assert (await features.practice.report(me, practised, 1, None)).charts == charts - 1
    assert (await features.tiers.report(me, practised, None, None)).count == laid_out - 1
    assert (await features.tiers.report(me, f"{practised} locked", None, None)).count == 1


async def test_the_way_to_a_goal_leaves_locked_songs_out(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    features, me = world.bot.features, MemberId(alice.id)
    steps = (await features.plan.report(me, None)).part.items
    unplayed = dict.fromkeys(step.entry.song for step in steps if step.entry.played is None)
    left_out = [each for each in unplayed if "Left out" in (await lock(world, alice, each.id)).everything]
    song, other, *_ = left_out
    for each in left_out:
        if each is not other:
            await alice.slash(world.discord.channel, "locked remove", song=each.id)
    goals = ("rating 16.50", f'title="{song.title}" diff:mas rank>=s 100%', "locked diff:mas rank>=s 100%")
    for goal in goals:
        await alice.slash(world.discord.channel, "goal add", goal=goal)

    async def find_next() -> list[set[Song]]:
        standings = (await features.goals.report(me)).standings
        climbs = [{step.entry.song for step in each.climb.steps} for each in standings if each.climb]
        charts = [{near.entry.song for near in each.nearest} for each in standings if not each.climb]
        return [*climbs, *charts]

    climb, of_title, of_locked = await find_next()
    assert song in climb
    assert other not in climb
    assert of_title == {song}
    assert of_locked == {other}
    await lock(world, alice, song.id)
    climb, of_title, of_locked = await find_next()
    assert song not in climb
    assert not of_title
    assert of_locked == {song, other}


async def test_scores_that_are_missing_go_by_the_word_too(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    title = await unplayed_song(world, alice)
    await lock(world, alice, title)

    async def find_missing(word: str) -> list[tuple[str, str]]:
        wanted = f'played:no {word} title="{title}" diff:mas'
        return (await alice.slash(world.discord.channel, "scores", filter=wanted)).charts

    assert await find_missing("locked") == [("MASTER", title)]
    assert await find_missing("-locked") == []


@pytest.mark.own
async def test_locks_end_with_the_link(world: World) -> None:
    alice = world.discord.person("Alice")
    refused = await lock(world, alice, "AETHER")
    assert "/link" in refused.text
    await world.link(alice, "DrBeat")
    await lock(world, alice, "AETHER")
    assert len(await world.rows(LOCKED_SONGS)) == 1
    assert (
        "Songs that you have not unlocked"
        in (await alice.slash(world.discord.channel, "privacy show")).everything
    )
    await alice.slash(world.discord.channel, "unlink")
    assert not await world.rows(LOCKED_SONGS)


async def test_whoever_has_played_a_song_is_told_that_it_counts(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    assert (
        "Left out" in (await lock(world, alice, "AETHER")).everything
    )  # nothing is in memory, and nothing is asked
    played = (await alice.slash(world.discord.channel, "scores")).charts[0][1]
    said = await lock(world, alice, played)
    assert "counts all the same" in said.everything
    assert played in said.everything
    assert played not in (await alice.slash(world.discord.channel, "locked list")).everything


@pytest.mark.parametrize("trouble", [World.locked, read_only])
async def test_a_song_that_cannot_be_kept_is_said_so(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    trouble: Callable[[World], AbstractAsyncContextManager[None]],
) -> None:
    monkeypatch.setattr("bot.database.engine.WRITE_SECONDS", 0.3)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    title = await unplayed_song(world, alice)
    async with trouble(world):
        refused = await lock(world, alice, title)
    assert refused.is_private
    assert "Nothing can be saved right now" in refused.everything
    assert not await world.rows(LOCKED_SONGS)


async def test_what_is_not_locked_cannot_be_unlocked(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    refused = await alice.slash(world.discord.channel, "locked remove", song="AETHER")
    assert "**AETHER** is not one of the songs that you have left out" in refused.text
    nobody_knows = await alice.slash(world.discord.channel, "locked remove", song="qqzzq")
    assert "Nothing was found" in nobody_knows.text


async def test_what_was_played_meanwhile_is_not_suggested_to_be_unlocked(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    played, *_ = await alice.autocomplete(world.discord.channel, "song", title="")
    title = await unplayed_song(world, alice)
    await lock(world, alice, title)
    await world.bot.features.locked._members.lock_song(
        MemberId(alice.id), SongId(str(played["value"])), most=9
    )

    async def suggested(typed: str) -> list[str]:
        choices = await alice.autocomplete(world.discord.channel, "locked remove", song=typed)
        return [str(each["value"]) for each in choices]

    shown = (await alice.slash(world.discord.channel, "locked list")).everything
    assert title in shown
    (only,) = await suggested("")
    assert only != played["value"]
    assert await suggested(title) == [only]
    assert await suggested(str(played["name"]).partition(" (")[0]) == []


@pytest.mark.parametrize("typed", ["-locked", "-未解禁", "-locked:yes", "locked:no", "-미해금"])
def test_a_word_alone_is_a_condition(typed: str) -> None:
    wanted = parse_filter(typed)
    assert wanted.names_locked
    assert parse_filter(str(wanted)) == wanted
    assert not parse_filter('"locked"').names_locked
    assert parse_filter(str(parse_filter('"locked"'))) == parse_filter('"locked"')
