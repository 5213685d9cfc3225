"""A database server that goes away under the bot: people get what memory knows, or one sentence, and it is found again."""

from collections.abc import Generator

import pytest
from cluster import Cluster, create_database
from harness import Person
from world import World

from bot.domain.members import Visibility

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("cluster")]


@pytest.fixture
def own() -> Generator[Cluster]:
    """Run a server that nobody else uses."""
    with Cluster() as server:
        yield server


@pytest.fixture
def url(own: Cluster) -> str:
    return create_database(own.folder, "own")


async def said(world: World, person: Person, command: str, **options: str) -> str:
    return (await person.slash(world.discord.channel, command, **options)).everything


async def test_people_get_what_memory_knows_or_one_sentence(world: World, own: Cluster) -> None:
    alice, bob = world.discord.person("Alice", manager=True), world.discord.person("Bob")
    await world.link(alice, "DrBeat", Visibility.ANYONE)
    await world.link(bob, "minamo_plays")
    for command in ("rating", "best"):
        await alice.slash(world.discord.channel, command)
    await world.change_database("UPDATE links SET region = 'jp' WHERE user_name = 'minamo_plays'")
    await world.start_bot()
    await said(world, bob, "settings")
    alice_knows = [await said(world, alice, command) for command in ("rating", "best")]
    assert "AETHER" in await said(world, bob, "song", title="AETHER")
    own.stop()
    assert [await said(world, alice, command) for command in ("rating", "best")] == alice_knows
    world.clock.advance(600)
    # Whether the service is asked again depends on a lease that lapses after some seconds: she is answered either way.
    assert "Rainy Garden" in await said(world, alice, "best")
    assert "Dr.Beat" in await said(world, alice, "rating")
    assert "You: **" in await said(
        world, alice, "song", title="Rainy Garden"
    )  # whose records `/best` asked for
    assert "cannot look up what it has kept" in await said(world, bob, "rating")
    # The catalogue stands in memory; which songs are one's own is not known.
    assert "AETHER" in await said(world, bob, "song", title="AETHER")
    assert await bob.autocomplete(world.discord.channel, "song", title="")
    assert "nothing was changed" in await said(world, alice, "settings", timezone="Europe/Paris")
    await world.tick()
    own.start()
    assert "cannot" not in await said(world, alice, "rating")
    assert "ＭＩＮＡＭＯ" in await said(world, bob, "rating")
    assert "Europe/Paris" in await said(world, alice, "settings", timezone="Europe/Paris")
    assert "fault" not in world.log.text
    assert "Traceback" not in world.log.text
