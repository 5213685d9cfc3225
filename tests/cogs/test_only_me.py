"""Whoever is set to "only me" cannot be told from someone who has never linked, whatever another one tries."""

import re
from datetime import timedelta
from functools import partial

import pytest
from harness import Person
from walk import press_everything, suggestions, walk
from world import World

from bot.chat.gateway.guilds import fetch_neighbours
from bot.domain.members import Visibility

pytestmark = pytest.mark.heavy

HIDDEN = "DrBeat"
"""The player whom nobody may find; no friend of the one who looks, whose list is the service's own."""


COUNTED = re.compile(
    r"(?:JUSTICE|ATTACK|MISS|MAX|SSS?\+?|S\+?|A{1,3}|B{1,3}|[CD]|AJ|FC|CHAIN|CLEAR|FAILED|理論値) \d+|\d+\s[JAM]\b"
)
"""How many may be lost, or stand in a list, which may be as many as somebody's number."""


def secrets_of(world: World) -> list[str]:
    return [HIDDEN, "Dr.Beat", str(world.players[HIDDEN].user_id), world.token(HIDDEN)]


def assert_hidden(world: World, said: str, where: str) -> None:
    plain = COUNTED.sub("", said.replace("\\", ""))
    assert not [
        secret for secret in secrets_of(world) if secret in plain.split() or secret in plain.split("`")
    ], where
    assert "Dr.Beat" not in plain, where
    assert HIDDEN not in plain, where


def without_name(said: str, person: Person) -> str:
    return said.replace(person.mention, "<@somebody>").replace(str(person.id), "somebody")


@pytest.fixture
async def alice(world: World) -> Person:
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "ren_STAR")
    return alice


@pytest.mark.parametrize("locale", ["en-US", "ja"])
async def test_no_command_tells_a_hidden_member_from_one_who_never_linked(
    world: World, alice: Person, locale: str
) -> None:
    bob, carol = world.discord.person("Bob"), world.discord.person("Carol")
    await world.link(bob, HIDDEN, Visibility.ONLY_ME)
    for command in ("rating", "best"):
        await bob.slash(world.discord.channel, command)
    alice.speaks(locale)
    # Each is walked twice, and the second answers are compared: by then nothing of the walk itself is new.
    said: dict[Person, dict[str, str]] = {bob: {}, carol: {}}
    for _ in range(2):
        for person, answers in said.items():
            async for name, reply in walk(world, alice, world.discord.channel, person):
                text = "\n".join(post.everything for post in reply.posts)
                assert_hidden(world, text, name)
                answers[name] = without_name(text, person)
    for name, text in said[carol].items():
        if name not in RANDOM:
            assert said[bob][name] == text, name


RANDOM = {"random"}
"""What says something else each time."""


async def test_no_suggestion_names_a_hidden_member(world: World, alice: Person) -> None:
    bob = world.discord.person("Bob")
    await world.link(bob, HIDDEN, Visibility.ONLY_ME)
    await bob.slash(world.discord.channel, "rating")
    asked = 0
    for typed in ("", "Bob", "Dr", HIDDEN, str(bob.id)):
        async for name, choices in suggestions(world, alice, world.discord.channel, typed):
            asked += 1
            offered = " ".join(f"{choice['name']} {choice['value']}" for choice in choices)
            # What Alice typed may be offered back to her; what she did not type may not.
            assert "Dr.Beat" not in offered, name
            assert typed == HIDDEN or HIDDEN not in offered, name
            assert str(bob.id) == typed or str(bob.id) not in offered, name
    assert asked > 20


async def test_no_button_finds_a_member_who_hides_later(world: World, alice: Person) -> None:
    bob = world.discord.person("Bob")
    await world.link(bob, HIDDEN, Visibility.ANYONE)
    seen = [
        (name, reply)
        async for name, reply in walk(world, alice, world.discord.channel, bob)
        if "Dr.Beat" in reply.everything.replace("\\", "")
    ]
    assert len(seen) >= 5
    settings = await bob.slash(world.discord.channel, "settings")
    await bob.choose(settings, "Who may look you up", "Only me")
    pressed = 0
    for name, reply in seen:
        async for answered in press_everything(alice, reply):
            pressed += 1
            assert_hidden(world, answered.posts[-1].everything, name)
    assert pressed > 10


async def test_no_board_names_a_member_who_hides_later(world: World, alice: Person) -> None:
    bob = world.discord.person("Bob")
    channel = world.discord.channel
    await world.link(bob, HIDDEN, Visibility.ANYONE)
    soon = world.clock.now() + timedelta(minutes=5)
    await alice.slash(channel, "daily channel", channel=channel, time=f"{soon:%H:%M}", timezone="UTC")
    await alice.click(
        await alice.slash(channel, "daily join"), "Let members of servers we share look, and join"
    )
    await bob.slash(channel, "daily join")
    settings = await bob.slash(channel, "settings")
    await bob.choose(settings, "Who may look you up", "Only me")
    await world.rest_posts()
    world.clock.advance(24 * 3600 + 600)
    (due,) = await world.bot.features.posts.find_due(world.bot.share)
    guild = world.bot.get_guild(world.discord.home.id)
    assert guild is not None
    post = await world.bot.features.daily.gather(due.plan, due.day, partial(fetch_neighbours, guild))
    assert post is not None
    assert [each.member for each in post.standings] == [alice.id]
