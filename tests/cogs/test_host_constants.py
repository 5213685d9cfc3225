"""CONSTANTS_FILE: a host's constants count, and are said to be theirs; what nobody knows counts by its level's band."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from explained import explain_player
from harness import Person, Reply
from world import World

from bot.domain.game_rating import PLACES
from bot.domain.numbers import Hundredths, format_hundredths

PLAYER = "DrBeat"


class Doubtful(NamedTuple):
    """A chart among a player's best whose constant the service does not know."""

    song: str
    title: str
    difficulty: str
    constant: str
    score: int
    band: str
    """What the record counts for, from the least to the most."""


async def forget_constant(world: World) -> Doubtful:
    """Let the service know no constant of the chart that counts most for a player."""
    entry = explain_player(world.service_database, PLAYER).worked_out.best[0]
    song, difficulty = entry.key

    def change() -> None:
        with closing(sqlite3.connect(world.service_database)) as database, database:
            database.execute(
                "UPDATE charts SET constant = 0 WHERE song_id = ? AND difficulty = ?", (song, difficulty)
            )

    await asyncio.to_thread(change)
    await world.restart_service()
    await world.start_bot()
    found = explain_player(world.service_database, PLAYER).worked_out
    doubt = next(each for each in (*found.best, *found.new) if each.key == entry.key)
    return Doubtful(
        song=song,
        title=entry.record.title,
        difficulty=difficulty,
        constant=format_hundredths(entry.record.constant or Hundredths(0), places=1),
        score=entry.record.score,
        band=f"{format_hundredths(doubt.rating)} to {format_hundredths(doubt.highest)}",
    )


async def ask(world: World, alice: Person, command: str, **options: str | int) -> Reply:
    return await alice.slash(world.discord.channel, command, **options)


async def everywhere(world: World, alice: Person, chart: Doubtful) -> Mapping[str, str]:
    """Return what commands say of a chart, or of a rating to which it belongs."""
    name = {"title": chart.song}
    raised = {"song": chart.song, "difficulty": chart.difficulty, "score": 1_010_000}
    return {
        "best": (await world.best(alice)).everything,
        "rating": (await ask(world, alice, "rating")).everything,
        "whatif": (await ask(world, alice, "whatif", **raised)).everything,
        "song": (await ask(world, alice, "song", **name)).everything,
        "score": (await ask(world, alice, "score", song=chart.song)).everything,
        "plan": (await ask(world, alice, "plan")).everything,
    }


async def test_an_unknown_constant_counts_by_the_band_of_its_level_wherever_a_slot_is_shown(
    world: World,
) -> None:
    chart = await forget_constant(world)
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    said = await everywhere(world, alice, chart)
    for command in ("best", "rating", "whatif", "score", "plan"):
        assert chart.band in said[command], command
    found = explain_player(world.service_database, PLAYER).worked_out
    sums = [f"{total / PLACES / 100:.4f}"[:-1] for total in (found.sum, found.highest_sum)]
    assert f"= **{sums[0]}–\N{WORD JOINER}{sums[1]}**" in said["rating"]


async def test_a_hosts_constant_counts_and_is_said_to_be_theirs_until_it_is_taken_away(
    world: World, tmp_path: Path
) -> None:
    chart, file = await forget_constant(world), tmp_path / "constants.txt"
    file.write_text(f"{chart.song}, {chart.difficulty}, {chart.constant}\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"constants_file": file})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    said = await everywhere(world, alice, chart)
    for command in ("best", "whatif", "song", "score"):
        assert f"{chart.constant} (from this bot's host)" in said[command], command
    assert all(chart.band not in each for each in said.values())
    file.write_text("", encoding="utf-8")
    await world.bot.reload()
    again = await everywhere(world, alice, chart)
    assert not any("bot's host" in each for each in again.values())
    assert chart.band in again["best"]


async def test_a_line_that_is_wrong_leaves_what_was_known_and_one_that_fits_no_chart_is_named(
    world: World, tmp_path: Path
) -> None:
    chart, file = await forget_constant(world), tmp_path / "constants.txt"
    file.write_text(f"{chart.title}, {chart.difficulty}, {chart.constant}\n", encoding="utf-8")
    world.settings = world.settings.model_copy(update={"constants_file": file})
    await world.start_bot()
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    file.write_text("Song, MAS\n", encoding="utf-8")
    await world.bot.reload()
    log = world.log.text
    assert "the constants stay as they were: CONSTANTS_FILE is not right: line 1: a line is written" in log
    assert "from this bot's host" in (await ask(world, alice, "song", title=chart.song)).everything
    file.write_text(f"{chart.song}, {chart.difficulty}, 1.0\n", encoding="utf-8")
    await world.bot.reload()
    assert "CONSTANTS_FILE: line 1 fits no chart of one song and of that level" in world.log.text
