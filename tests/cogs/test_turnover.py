"""`/version`: the day, the rating on the day after, what moves, and what brings the rating back."""

import asyncio
import re
from datetime import timedelta

import pytest
from explained import explain_player
from harness import Person, Reply
from turning import begin_version, go_to, version_of
from world import World

from bot.demo.days import play_day
from bot.domain.game_rating import NEW_PLACES, PLACES
from bot.domain.game_versions import VersionTable, game_day
from bot.domain.ids import JP, MemberId

PLAYER = "minamo_plays"


async def ask(world: World, person: Person) -> Reply:
    return await person.slash(world.discord.channel, "version")


async def linked(world: World, locale: str = "en-US") -> Person:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, PLAYER)
    return alice


@pytest.mark.own
@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_the_rating_of_the_day_after_is_what_it_then_is(
    world: World, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    alice = await linked(world, locale)
    version = begin_version(world, monkeypatch, days=9)
    before = explain_player(world.service_database, PLAYER, game_day(world.clock.now()))
    assert "is older than" not in (await alice.slash(world.discord.channel, "rating")).everything
    shown = await ask(world, alice)
    assert f"**{version.name}**" in shown.everything
    assert f"<t:{int(version.begins_at.timestamp())}:R>" in shown.everything
    then, after = re.findall(r"(\d+\.\d\d) → \*\*(\d+\.\d\d)\*\*", shown.everything)[-1]
    assert int(then.replace(".", "")) == before.worked_out.rating
    go_to(world, version.begins_at + timedelta(hours=1))
    turned = await ask(world, alice)
    from_before = "is older than that" if locale == "en-US" else "切り替わる前のもの"
    assert from_before in turned.everything
    for command in ("rating", "plan"):  # which count by the version that is over
        assert from_before in (await alice.slash(world.discord.channel, command)).everything
    assert re.findall(r"→ \*\*(\d+\.\d\d)\*\*: ", turned.everything) == [after]


@pytest.mark.own
@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_each_chart_that_comes_back_is_counted_as_the_lowest_of_the_best(
    world: World, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    alice = await linked(world, locale)
    version = begin_version(world, monkeypatch)
    go_to(world, version.begins_at + timedelta(hours=1))
    await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    table = world.bot.features.game_ratings.versions
    found = explain_player(world.service_database, PLAYER, version.first_day, table).worked_out
    shown = await ask(world, alice)
    assert f"{(found.rating or 0) / 100:.2f}" in shown.everything
    told = dict(re.findall(r"(\d+) (?:charts?|譜面) → \*\*(\d+\.\d\d)\*\*", shown.everything))
    free = NEW_PLACES - len(found.new)
    assert found.version == version
    assert list(map(int, told)) == [each for each in (1, 5, 10, 20) if each < free] + [free]
    for count, rating in told.items():
        assert (found.sum + int(count) * found.best[-1].rating) // PLACES == int(rating.replace(".", ""))


@pytest.mark.own
async def test_who_plays_an_earlier_version_is_told_that_the_next_has_begun_in_japan(world: World) -> None:
    alice = await linked(world)
    ratings = world.bot.features.game_ratings
    version = version_of(game_day(world.clock.now()), "Next")
    ratings.versions = VersionTable.of([*ratings.versions.versions, version])
    world.clock.advance(2 * 86_400)
    await asyncio.to_thread(play_day, world.service_database, [PLAYER], world.clock.now())
    shown = await ask(world, alice)
    assert "**Next** began on" in shown.everything
    assert "Your edition of the game gets it later" in shown.everything


async def test_without_a_next_version_the_day_is_not_known(world: World) -> None:
    alice = await linked(world)
    shown = await ask(world, alice)
    assert "not known yet" in shown.everything
    assert "the day after" in shown.everything
    leads = await alice.click(shown, "New songs")
    assert "NEW 20" in leads.everything


async def test_the_older_game_knows_no_new_songs(world: World) -> None:
    alice = await linked(world)
    await world.bot.features.preferences.set_game(MemberId(alice.id), JP, None)
    assert "counts no new songs" in (await ask(world, alice)).everything


@pytest.mark.own
async def test_from_who_has_played_no_new_song_nothing_is_taken(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    nobody = world.discord.person("Nobody")
    await world.link(nobody, "yuzu_new")
    version = begin_version(world, monkeypatch, days=9)
    shown = (await ask(world, nobody)).everything
    assert f"**{version.name}** begins on" in shown
    assert "the day after" not in shown
