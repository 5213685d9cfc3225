"""What is in memory when somebody types or asks again: nobody at the start, then whoever does."""

import asyncio
import re
from typing import Final

import discord
import pytest
from harness import Person
from statements import statements_of
from world import World

from bot.chat.client import Interaction
from bot.domain.ids import MemberId
from bot.store import Store

_BEHIND: Final = re.compile(
    r"\bkept_|\bposts\b|\bpost_plans\b|links\.user_id IN|^SELECT catalogues\.digest \s*FROM|^(INSERT INTO|UPDATE|DELETE FROM) catalogues"
)


def store_of(world: World) -> Store:
    return world.bot.features.accounts._store


async def key_pressed(world: World, person: Person, command: str, **typed: str) -> list[str]:
    """Type into an option, and return what was read from the database for it; something may be written behind."""
    await world.begun()
    with statements_of(store_of(world)) as sent:
        assert await person.autocomplete(world.discord.channel, command, **typed)
    read = [statement for statement, _ in sent if statement.startswith("SELECT")]
    return [statement for statement in read if not _BEHIND.search(statement)]


@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("song", {"title": "a"}),
        ("score", {"song": "a"}),
        ("scores", {"filter": "const>"}),
        ("settings", {"timezone": "Tokyo"}),
        ("alias remove", {"alias": "our"}),
    ],
)
async def test_a_keystroke_reads_nothing(world: World, command: str, typed: dict[str, str]) -> None:
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "alias add", alias="our song", song="a")
    await key_pressed(world, alice, command, **typed)
    assert await key_pressed(world, alice, command, **typed) == []


async def test_a_keystroke_after_a_start_reads_who_types_alone(world: World) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, "DrBeat")
    await world.link(bob, "minamo_plays")
    await world.start_bot()
    assert not [*store_of(world).members.at_hand]
    await key_pressed(world, alice, "song", title="a")
    assert [*store_of(world).members.at_hand] == [MemberId(alice.id)]


@pytest.mark.parametrize(
    ("command", "asked"),
    [
        ("rating", {}),
        ("best", {}),
        ("best", {"player": "minamo_plays"}),
        ("song", {"title": "Ruby"}),
        ("score", {"song": "Ruby"}),
        ("scores", {"filter": "const>=13"}),
        ("courses", {}),
        ("friends", {}),
        ("plan", {}),
        ("overpower", {}),
        ("compare", {"player": "minamo_plays"}),
    ],
)
async def test_an_answer_that_is_kept_asks_the_database_nothing(
    world: World, command: str, asked: dict[str, str]
) -> None:
    """Something may be written behind it: what is kept of answers and of requests."""
    await world.begun()
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, command, **asked)
    await asyncio.gather(*world.bot.features.chronicle._notes)  # what is remembered of the first answer
    await alice.slash(world.discord.channel, command, **asked)  # reads anew what that has changed
    with statements_of(store_of(world)) as sent:
        await alice.slash(world.discord.channel, command, **asked)
    assert [statement for statement, _ in sent if not _BEHIND.search(statement)] == []


async def test_a_command_is_told_to_the_tree_alone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[discord.InteractionType] = []
    hear = world.bot.on_interaction

    async def heard(interaction: Interaction) -> None:
        told.append(interaction.type)
        await hear(interaction)

    monkeypatch.setattr(world.bot, "on_interaction", heard)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    linked = len(told)
    shown = await alice.slash(world.discord.channel, "rating")
    await key_pressed(world, alice, "song", title="a")
    assert len(told) == linked
    await alice.click(shown, "Refresh")
    assert told[linked:] == [discord.InteractionType.component]
