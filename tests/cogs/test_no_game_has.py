"""What people are answered where the service says scores and titles that no game has."""

import re
import sqlite3
from contextlib import closing

import pytest
from world import World

PLAYED = """songs.title FROM records JOIN charts USING (chart_id) JOIN songs USING (song_id, region)
    WHERE user_id = (SELECT user_id FROM accounts WHERE user_name = 'minamo_plays') ORDER BY score DESC LIMIT 3"""
"""The three songs on which the player has scored most."""


async def say(world: World, statements: list[str]) -> str:
    """Have the service say otherwise, to a bot that has asked nothing yet; return the title of a song played."""
    with closing(sqlite3.connect(world.service_database)) as service, service:
        ((title,), *_) = service.execute(f"SELECT {PLAYED}")
        for statement in statements:
            service.execute(statement)
    await world.restart_service()
    # On a slow machine the bot has looked at the songs of before by itself.
    await world.change_database("DELETE FROM catalogues")
    await world.start_bot()
    return title


@pytest.mark.parametrize(
    "changed",
    [
        [f"UPDATE {table} SET score = {score}" for table in ("records", "recents")]  # noqa: S608 - constants
        for score in ("score + 1010020", "9007199254740991", "-score", "-1", "-9007199254740991")
    ]
    + [[f"UPDATE songs SET title = title || '{'漢字仮名' * 1000}' WHERE title IN (SELECT {PLAYED})"]],  # noqa: S608 - a constant
    ids=["above", "far above", "negative", "below", "far below", "title"],
)
async def test_every_command_about_a_player_answers(world: World, changed: list[str]) -> None:
    alice, channel = world.discord.person("Alice"), world.discord.channel
    await world.link(alice, "minamo_plays")
    title = await say(world, changed)
    song = (await alice.autocomplete(channel, "score", song=title))[0]["value"]
    best = await alice.slash(channel, "best")
    shown = [
        await alice.slash(channel, "plan"),
        await alice.slash(channel, "plan", target=16.5),
        await alice.slash(channel, "practice"),
        await alice.slash(channel, "skill"),
        await alice.slash(channel, "score", song=str(song)),
        await alice.click(best, "List"),
    ]
    assert best.files
    for reply in shown:
        assert reply.embed.title, reply.everything
        for number in re.findall(r"\d,\d\d\d,\d\d\d|[−-]\d+,\d\d\d", reply.everything):
            assert 0 <= int(number.replace(",", "").replace("−", "-")) <= 1_010_000
    assert "Which song" not in shown[4].everything
    assert "fault" not in world.log.text
    assert "Traceback" not in world.log.text


async def test_what_nobody_can_see_is_no_title_and_no_name(world: World) -> None:
    """As of a song or a player called by gaps alone: no sentence has a hole where either would stand."""
    alice, channel = world.discord.person("Alice"), world.discord.channel
    song = f"SELECT song_id FROM songs WHERE title IN (SELECT {PLAYED})"  # noqa: S608 - a constant
    with closing(sqlite3.connect(world.service_database)) as service:
        ((known, *_),) = service.execute(f"{song} LIMIT 1")
    gaps = ["UPDATE songs SET title = '\u3000'", "UPDATE accounts SET player_name = '\u3000\u200b'"]
    await say(world, gaps)
    await world.link(alice, "minamo_plays")
    for command in ("locked add", "leaderboard", "score"):
        assert known in (await alice.slash(channel, command, song=known)).everything
    for command in ("account", "scores", "session"):
        shown = await alice.slash(channel, command)
        assert "minamo" in f"{shown.embed.title}\n{shown.embed.description}"
        assert "****" not in shown.everything
