"""The longest there is: titles of the real catalogue or worse, and names of 100 characters.

What is checked here is in the harness: each reply, form and suggestion is held against Discord's limits.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from discord import AppCommandOptionType
from harness import Person
from known_commands import LAST, commands_with
from saved import CATALOGUES, needs_catalogue
from walk import filled, offered, press_everything, suggestions, walk
from world import World

from bot.domain.members import Visibility
from bot.ui.kit.markdown import display_width
from bot.ui.language.text import Languages
from service.seed import SeedReport, seed

pytestmark = pytest.mark.heavy

PLAYERS = 8
SONGS = 200
TURNING = "\u202e\u2066\u200f\u061c"
HARDEST = "*_~`|<>[]()#@:-\\" + TURNING + "漢字" * 30 + "W" * 25
"""What Markdown stumbles over, what turns writing around, what is widest, and 100 characters and more of it."""


def invented() -> list[dict[str, object]]:
    chart = {"level": 13.5, "const": 13.7, "maxcombo": 1626, "is_const_unknown": 0}
    return [
        {
            "meta": {
                "id": f"{number:016x}",
                "title": f"{HARDEST}{number}",
                "genre": HARDEST,
                "artist": HARDEST * 3,
                "release": "2024-01-01",
                "bpm": 200,
            },
            "data": dict.fromkeys(("BAS", "ADV", "EXP", "MAS", "ULT"), chart),
        }
        for number in range(SONGS)
    ]


def longest_real() -> list[dict[str, object]]:
    songs = json.loads(CATALOGUES[-1].read_text(encoding="utf-8"))
    return sorted(
        songs, key=lambda song: -display_width(song["meta"]["title"] + (song["meta"]["artist"] or ""))
    )[:SONGS]


@pytest.fixture(scope="module", params=["invented", pytest.param("real", marks=needs_catalogue)])
def seeded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, SeedReport]:
    folder = tmp_path_factory.mktemp("longest")
    catalogue = tmp_path_factory.mktemp("catalogue") / "showall.json"
    songs = longest_real() if request.param == "real" else invented()
    catalogue.write_text(json.dumps(songs), encoding="utf-8")
    report = seed(folder / "service.db", catalogue=catalogue, players=PLAYERS)
    with closing(sqlite3.connect(folder / "service.db")) as connection:
        connection.execute("UPDATE accounts SET player_name = ?, honor = ?", (HARDEST[:100], HARDEST[:100]))
        connection.execute("UPDATE accounts SET user_name = user_name || ?", (f"{TURNING}`",))
        connection.execute("UPDATE courses SET name = name || ?", (HARDEST[:100],))
        connection.commit()
    return folder, report


@pytest.mark.parametrize("locale", [each.code for each in Languages()])
async def test_nothing_shown_is_longer_than_discord_takes(world: World, locale: str) -> None:
    channel = world.discord.channel
    alice = world.discord.person("A" * 32, locale=locale, manager=True)
    bob = world.discord.person("B" * 32)
    await world.link(alice, "minamo_plays")
    await world.link(bob, "DrBeat", Visibility.ANYONE)
    icons = 0
    for target in (bob, alice):
        async for _name, reply in walk(world, alice, channel, target):
            assert reply.posts
            icons += sum(post.icons for post in reply.posts)
            for component in reply.components:
                if component.label == world.bot.languages[locale]("List"):
                    icons += (await alice.click(reply, component.custom_id)).posts[-1].icons
    assert icons > 100  # each of them counted as Discord counts it, name and id
    for typed in ("W", TURNING, f"{TURNING}const"):
        async for _name, _choices in suggestions(world, alice, channel, typed):
            pass


async def test_what_is_typed_is_said_again_without_what_turns_it(world: World) -> None:
    channel = world.discord.channel
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "DrBeat")
    for command in offered(world, alice, channel):
        typed = [
            option.display_name
            for option in command.parameters
            if option.type is AppCommandOptionType.string and not option.choices
        ]
        for option in typed:
            options = filled(command, channel, alice)
            others = {name: "aether" for name in typed if name in options}
            options = {name: value for name, value in options.items() if not isinstance(value, Person)}
            options |= others | {option: f"W{TURNING}x"}
            assert (await alice.slash(channel, command.qualified_name, **options)).posts


async def test_nothing_behind_a_button_is_either(world: World) -> None:
    channel = world.discord.channel
    alice = world.discord.person("Alice", manager=True)
    await world.link(alice, "DrBeat")
    ends: set[str] = set()
    async for name, reply in walk(world, alice, channel, alice):
        if reply.embeds and not reply.components:
            ends.add(name)
        if name == "privacy erase":
            continue  # there would be nothing left to show
        async for answered in press_everything(alice, reply):
            assert answered.posts or answered.form
    assert ends <= commands_with(LAST)
