"""What an option that takes a song offers before anything is typed: the songs that its member has just played."""

import pytest
from harness import Person
from pydantic import SecretStr
from world import World


async def offered(
    world: World, person: Person, command: str = "song", option: str = "title", *, typed: str = ""
) -> list[str]:
    return [
        str(choice["name"])
        for choice in await person.autocomplete(world.discord.channel, command, **{option: typed})
    ]


async def recent_titles(world: World, person: Person) -> list[str]:
    reply = await world.best(person, slot="recent")
    return list(dict.fromkeys(title for _, title in reply.charts))


@pytest.mark.parametrize(
    ("command", "option"), [("song", "title"), ("score", "song"), ("stats", "song"), ("whatif", "song")]
)
async def test_song_options_open_with_ones_recent_songs(world: World, command: str, option: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    before = await offered(world, alice, command, option)
    recent = await recent_titles(world, alice)
    found = await offered(world, alice, command, option)
    assert [name.split(" — ")[0] for name in found[: len(recent)]] == recent
    assert len(found) == 25
    assert len(set(found)) == 25
    assert found != before


async def test_what_was_played_stays_ones_own(world: World) -> None:
    alice, bob, carol = (world.discord.person(name) for name in ("Alice", "Bob", "Carol"))
    await world.link(alice, "DrBeat")
    await world.link(bob, "minamo_plays")
    await recent_titles(world, alice)
    assert await offered(world, bob) == await offered(world, carol)
    await alice.slash(world.discord.channel, "unlink")
    assert await offered(world, alice) == await offered(world, carol)


async def test_a_keystroke_spends_no_request_and_what_it_offers_survives_a_restart(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    recent = await recent_titles(world, alice)
    world.clock.advance(600)  # what is kept is no longer fresh
    asked = world.log.text.count("service.access: GET")
    for _ in range(3):
        assert (await offered(world, alice))[0].startswith(recent[0])
    assert world.log.text.count("service.access: GET") == asked
    await world.start_bot()
    await world.stop_service()
    assert (await offered(world, alice))[0].startswith(recent[0])


async def test_who_types_has_the_catalogue_read_with_their_own_token_where_there_is_no_other(
    world: World,
) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat")
    world.settings = world.settings.model_copy(update={"record_token": SecretStr("")})
    await world.discord.stop()
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    assert await offered(world, bob) == []
    assert await offered(world, alice)
    assert await offered(world, bob)


async def test_of_songs_with_the_same_initials_the_askers_own_lead(world: World) -> None:
    await world.discord.stop()
    await world.rename_song("Paper Drive", "Quick Zebra")
    await world.rename_song("Infinite Tempest -神楽-", "Quiet Zone")
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat")
    assert await offered(world, alice, typed="qz") == ["Quiet Zone", "Quick Zebra"]
    await world.best(alice)  # from now on their slots are in memory
    assert await offered(world, alice, typed="qz") == ["Quick Zebra", "Quiet Zone"]
    assert await offered(world, bob, typed="qz") == ["Quiet Zone", "Quick Zebra"]
