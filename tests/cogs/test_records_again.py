"""Records that stand as they were sent: where the profile says that nothing was uploaded since, they are not sent again."""

import asyncio
import re
import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
from dailies import play
from harness import Person
from world import World

from bot.domain.ids import JP2
from bot.features.shared import askers, chronicle
from service.options import ServiceOptions

_DAY = 86_400


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(access_log=True)


def times_sent(world: World) -> int:
    return len(re.findall(r"service.access: GET \S+/records/showall", world.log.text))


async def counted_from_now(world: World, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list that grows with each look that is weighed against what is remembered, once all is noted."""
    weighed, look = list[object](), chronicle._looked

    def counted(*given: object) -> object:
        weighed.append(given)
        return look(*given)  # pyright: ignore[reportArgumentType]  # passed on

    await asyncio.gather(*world.bot.features.chronicle._notes)
    monkeypatch.setattr(chronicle, "_looked", counted)
    return weighed


async def scores(world: World, person: Person) -> str:
    return (await person.slash(world.discord.channel, "scores", sort="updated")).everything


@pytest.fixture
async def alice(world: World) -> Person:
    """Return a member whose records were looked at on the day after their last upload."""
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    world.clock.advance(_DAY)
    await scores(world, alice)
    return alice


async def test_they_are_not_sent_again_until_something_was_uploaded(world: World, alice: Person) -> None:
    sent, before = times_sent(world), await scores(world, alice)
    world.clock.advance(2 * _DAY)
    again = await scores(world, alice)
    assert times_sent(world) == sent
    assert before.splitlines()[:8] == again.splitlines()[:8]
    await play(world, "DrBeat", points=1)
    world.clock.advance(600)
    assert (await scores(world, alice)).splitlines()[:8] != again.splitlines()[:8]
    assert times_sent(world) == sent + 1


async def test_nor_after_a_restart(world: World, alice: Person) -> None:
    await world.start_bot()
    await alice.autocomplete(world.discord.channel, "song", title="a")  # which has the catalogue at hand
    world.clock.advance(_DAY)
    sent = times_sent(world)
    assert "Dr.Beat" in await scores(world, alice)
    assert times_sent(world) == sent


async def test_they_are_where_the_catalogue_has_changed(world: World, alice: Person) -> None:
    def harder() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            database.execute("UPDATE charts SET constant = constant + 10 WHERE constant > 0")

    sent = times_sent(world)
    await asyncio.to_thread(harder)
    world.clock.advance(_DAY)
    await world.bot.features.catalogues.refresh(JP2)
    await scores(world, alice)
    assert times_sent(world) == sent + 1


async def test_they_are_where_the_profile_takes_too_long(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(askers, "_PROFILE_SECONDS", 0.05)
    world.clock.advance(_DAY)
    world.log.lines.clear()
    async with world.unanswered("/1.3/users/"):
        shown = asyncio.create_task(scores(world, alice))
        await world.log.until("records/showall", seconds=6)  # patience is over after ten
        assert not shown.done(), "it waits for the profile, which the records did not"
    assert "Dr.Beat" in await shown


async def test_they_are_where_nothing_but_an_old_profile_is_had(world: World, alice: Person) -> None:
    world.settings = world.settings.model_copy(update={"patience_seconds": 0.5})
    await world.start_bot()
    await alice.autocomplete(world.discord.channel, "song", title="a")
    world.clock.advance(_DAY)
    sent = times_sent(world)
    async with world.unanswered("/1.3/users/"):
        await scores(world, alice)
    assert times_sent(world) == sent + 1


async def test_the_same_again_is_not_weighed_against_what_is_remembered(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    weighed = await counted_from_now(world, monkeypatch)
    world.clock.advance(_DAY)
    await scores(world, alice)
    world.clock.advance(_DAY)
    await alice.slash(world.discord.channel, "session")
    assert not weighed, "whether or not World's End is among them"
    await world.change_database("DELETE FROM snapshots")
    world.clock.advance(_DAY)
    await alice.slash(world.discord.channel, "session")
    assert weighed, "what was noted was erased"


async def test_they_are_where_the_profile_is_not_of_now(world: World, alice: Person) -> None:
    """Whoever has uploaded since it was told has come to see that."""
    world.clock.advance(_DAY)
    before = await scores(world, alice)
    world.clock.advance(600)
    sent = times_sent(world)
    await alice.slash(world.discord.channel, "history", what="rating")  # which asks for the profile alone
    await play(world, "DrBeat", points=1)
    world.clock.advance(30)
    assert (await scores(world, alice)).splitlines()[:8] != before.splitlines()[:8]
    assert times_sent(world) == sent + 1


async def test_what_another_process_has_noted_since_is_weighed(
    world: World, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    noting, weighed = world.bot.features.chronicle, await counted_from_now(world, monkeypatch)
    ((whose, noted),) = noting._noted.items()
    noting._noted[whose] = noted._replace(at=noted.at - timedelta(days=9))  # before what is remembered
    world.clock.advance(_DAY)
    await alice.slash(world.discord.channel, "session")
    assert weighed
