"""The history of a chart, by `/history` and below `/score`: what is told, to whom, and what is asked for it."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from dailies import next_day, settled
from harness import Person, Reply
from turning import begin_version
from world import World

from bot.domain.members import Visibility
from service.accounts import get_account

PLAYER = "DrBeat"


async def lowest(world: World) -> tuple[str, int]:
    """Return the title of the chart that `play` raises, and its score."""

    def read() -> tuple[str, int]:
        with closing(sqlite3.connect(world.service_database)) as database:
            row = database.execute(
                "SELECT title, score FROM records JOIN charts USING (chart_id) JOIN songs USING (song_id)"
                " WHERE user_id = ? AND difficulty = 'MAS' AND charts.region = 'jp2' AND constant > 0 ORDER BY score LIMIT 1",
                [get_account(database, PLAYER).user_id],
            ).fetchone()
            return str(row[0]), int(row[1])

    return await asyncio.to_thread(read)


async def look(person: Person, world: World) -> None:
    await person.slash(world.discord.channel, "session")
    await settled(world)


async def history(person: Person, world: World, **options: object) -> Reply:
    return await person.slash(world.discord.channel, "history", **options)  # pyright: ignore[reportArgumentType]  # whatever is tried


@pytest.fixture
async def alice(world: World) -> Person:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER, Visibility.SERVERS)
    return alice


async def test_a_score_that_rose_is_told_with_its_days_and_its_picture(world: World, alice: Person) -> None:
    title, score = await lowest(world)
    await look(alice, world)
    await next_day(world, PLAYER, points=500)
    await look(alice, world)
    shown = await history(alice, world, chart=title, difficulty="MAS")
    assert "First seen on" in shown.everything
    assert f"**{score:,}**" in shown.everything
    assert f"**{score + 500:,}** (+500)" in shown.everything
    assert "2 looks" in shown.everything
    (picture,) = shown.files
    assert f"{score + 500:,}" in str(picture.description)
    phone = await alice.click(shown, "For phones")
    assert world.discord.content(phone.files[0]) != world.discord.content(picture)


async def test_a_button_below_the_scores_leads_there_and_asks_the_service_for_nothing(
    world: World, alice: Person
) -> None:
    title, _ = await lowest(world)
    await look(alice, world)
    await next_day(world, PLAYER)
    scores = await alice.slash(world.discord.channel, "score", song=title)
    await settled(world)
    await world.stop_service()
    shown = await alice.click(scores, "History")
    assert shown.is_private
    assert "(+500)" in shown.everything
    shared = await alice.click(shown, "Share")
    assert not shared.is_private
    assert shared.components == ()


async def test_one_look_tells_that_nothing_before_it_is_known(world: World, alice: Person) -> None:
    title, score = await lowest(world)
    nothing = await history(alice, world, chart=title, difficulty="MAS")
    assert "None of your records are remembered yet" in nothing.everything
    await look(alice, world)
    one = await history(alice, world, chart=title, difficulty="MAS")
    assert f"**{score:,}**" in one.everything
    assert "nothing before is known" in one.everything
    assert not one.files


async def test_versions_and_constants_are_told_beside_the_scores(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    title, _ = await lowest(world)
    version = begin_version(world, monkeypatch)
    await look(alice, world)

    def harder() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            database.execute("UPDATE charts SET constant = constant + 10 WHERE constant > 0")

    await asyncio.to_thread(harder)
    await next_day(world, PLAYER)
    world.clock.advance(timedelta(days=1).total_seconds())
    await look(alice, world)
    shown = await history(alice, world, chart=title, difficulty="MAS")
    assert f"**{version.name}** began on" in shown.everything
    assert "constant " in shown.everything
    assert f"{version.name} began on" in str(shown.files[0].description)


async def test_others_see_what_their_owner_allows(world: World, alice: Person) -> None:
    title, score = await lowest(world)
    await look(alice, world)
    bob = world.discord.person("Bob")
    await world.link(bob, "minamo_plays", Visibility.ONLY_ME)
    shown = await history(bob, world, chart=title, difficulty="MAS", member=alice)
    assert "Alice" in shown.everything
    assert f"{score:,}" in shown.everything
    refused = await history(alice, world, chart=title, member=bob)
    assert "has not linked an account that you may look up" in refused.posts[-1].text
    own = await history(bob, world, chart=title)
    assert own.is_private


async def test_what_belongs_to_figures_alone_is_refused_in_a_sentence(world: World, alice: Person) -> None:
    title, _ = await lowest(world)
    for options in ({"from": "2026-11-01"}, {"member2": alice}):
        said = await history(alice, world, chart=title, **options)
        assert "leave the other options out" in said.posts[-1].text


@pytest.mark.parametrize("locale", ["ja", "ko", "zh-TW"])
async def test_in_other_languages(world: World, alice: Person, locale: str) -> None:
    title, score = await lowest(world)
    await look(alice, world)
    await next_day(world, PLAYER)
    await look(alice, world)
    alice.speaks(locale)
    shown = await history(alice, world, chart=title, difficulty="MAS")
    assert f"{score:,}" in shown.everything
    assert "look" not in shown.everything
