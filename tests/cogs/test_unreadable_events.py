"""What discord.py cannot read of the gateway costs itself: the bot goes on, counts it and says so in the log."""

import inspect
from typing import Any

import pytest
from discord.state import ConnectionState
from harness import Person
from world import World

from bot.chat.gateway.events import CONNECTION

pytestmark = pytest.mark.shared

WHO = {"id": "7", "username": "ken", "discriminator": "0", "avatar": None, "global_name": None}
PARSERS = [
    name.removeprefix("parse_").upper()
    for name, _ in inspect.getmembers(ConnectionState, inspect.isfunction)
    if name.startswith("parse_")
]


def message(world: World, **odd: Any) -> dict[str, Any]:
    """Return a message as Discord tells of it, but for what is odd."""
    return {
        "id": str(world.discord.channel.id + 1),
        "channel_id": str(world.discord.channel.id),
        "guild_id": str(world.discord.home.id),
        "author": WHO,
        "content": "hello",
        "timestamp": "2026-11-23T12:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": 0,
        **odd,
    }


def poll(world: World) -> dict[str, Any]:
    """Discord's documentation calls the expiry of a poll nullable."""
    question, answer = {"text": "?"}, {"answer_id": 1, "poll_media": {"text": "yes"}}
    return message(
        world,
        poll={
            "question": question,
            "answers": [answer],
            "expiry": None,
            "allow_multiselect": False,
            "layout_type": 1,
        },
    )


def metadata(world: World) -> dict[str, Any]:
    said: dict[str, Any] = {"id": "9", "type": 2, "authorizing_integration_owners": {}}
    return message(world, interaction_metadata=said)


def interaction(world: World, channel: dict[str, Any], **data: Any) -> dict[str, Any]:
    return {
        "id": "99",
        "application_id": "1",
        "type": 2,
        "token": "x",
        "version": 1,
        "guild_id": str(world.discord.home.id),
        "channel": channel,
        "channel_id": str(world.discord.channel.id),
        "member": {"user": WHO, "roles": [], "joined_at": None, "flags": 0, "permissions": "0"},
        "locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {},
        "attachment_size_limit": 1,
        "data": {"id": "1", "name": "about", "type": 1, **data},
    }


def channel(world: World) -> dict[str, Any]:
    said = {"id": str(world.discord.channel.id), "name": "x", "type": 0}
    return interaction(world, said, resolved={"channels": {said["id"]: said}}, options=[{"type": 7}])


def pressed(world: World) -> dict[str, Any]:
    """A button below a message that cannot be read."""
    return interaction(world, {"id": "1", "type": 1}) | {"type": 3, "message": metadata(world)}


@pytest.fixture
def alice(world: World) -> Person:
    return world.discord.person("Alice")


def counts(world: World) -> dict[str, int]:
    return dict(world.bot.unreadable)


async def tell(world: World, alice: Person, event: str, said: Any) -> None:
    """Tell the bot of an event, and wait until it has heard one that came after."""
    world.discord._gateway._deliver(event, said)
    assert (await alice.slash(world.discord.channel, "calc", constant=13.7)).everything


@pytest.mark.parametrize(
    ("event", "odd"),
    [
        ("MESSAGE_CREATE", poll),
        ("MESSAGE_CREATE", metadata),
        ("INTERACTION_CREATE", channel),
        ("INTERACTION_CREATE", pressed),
    ],
)
async def test_an_event_of_each_kind_that_has_ended_bots(
    world: World, alice: Person, event: str, odd: Any
) -> None:
    before = counts(world)
    await tell(world, alice, event, odd(world))
    assert counts(world) == {**before, event: before[event] + 1}
    assert f"a Discord event could not be read: {event}" in world.log.text


async def test_a_channel_without_a_position_does_not_cost_its_server(world: World, alice: Person) -> None:
    before = counts(world)
    named = {"id": "4242", "name": "Odd", "preferred_locale": "ja", "channels": [{"id": "1", "type": 0}]}
    await tell(world, alice, "GUILD_CREATE", named)
    assert counts(world) == before
    assert world.bot.get_guild(4242) is not None
    await tell(world, alice, "GUILD_DELETE", {"id": "4242"})


@pytest.mark.parametrize("event", PARSERS)
async def test_nothing_that_discord_tells_of_ends_the_bot(world: World, alice: Person, event: str) -> None:
    before = counts(world)
    session = {"session_id": "x", "resume_gateway_url": world.discord._gateway._gateway_url}
    odd: dict[str, Any] = {"id": "x", "guild_id": [], "channel_id": None, "guilds": 1, "user": {}}
    for said in (session, session | odd):
        await tell(world, alice, event, said)
    assert counts(world)[CONNECTION] == before[CONNECTION]
    if event == "READY":  # the gateway has them all, and RESUMED alone is nothing but its name
        assert counts(world)[event] == before[event] + 2


@pytest.mark.own
async def test_what_a_connection_says_beside_events_costs_the_connection_alone(
    world: World, alice: Person
) -> None:
    world.discord._gateway._connected.clear()
    world.discord._gateway._deliver("READY", {})
    await world.discord._gateway.bot_connected(60)
    await tell(world, alice, "READY_NOT", {})
    assert counts(world)[CONNECTION] == 1
    assert "what Discord said could not be read" in world.log.text
