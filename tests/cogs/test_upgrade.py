"""From a database of an earlier version to this one, in use, and back by the copy that the upgrade makes by itself.

The databases in `tests/samples/databases` were made by the demo as it was on those days, on sixty invented songs, with
the key and the tokens below: people linked, asked, joined a daily post, named a song and set goals.
"""

import lzma
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from harness import Person
from pydantic import SecretStr
from world import World

from bot.base.clock import ManualClock
from bot.database.migrate import known_revisions
from bot.store import restore_copy
from service.tokens import digest

pytestmark = [pytest.mark.own, pytest.mark.sqlite]
SAMPLES: Final = Path(__file__).parents[1] / "samples" / "databases"
KEY: Final = f"{'0' * 43}="
TOKEN: Final = "01" * 32
"""Alice's, whose account on the service is that of this name."""
PLAYER: Final = "minamo_plays"
SOON: Final = datetime(2026, 11, 25, 6, tzinfo=UTC)
"""A day after the last look in them."""
DAYS: Final = {"2026-11-21": "0004", "2026-11-23": "0022"}
"""Of each, and its shape."""
TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table'"


def rows_of(database: Path) -> dict[str, list[str]]:
    with closing(sqlite3.connect(database)) as connection:
        names = [name for (name,) in connection.execute(TABLES)]
        return {name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}"))) for name in names}  # noqa: S608 - its own names


def rename(connection: sqlite3.Connection, column: str, old: int, new: int) -> None:
    """Let somebody or some place have another id on Discord."""
    for (table,) in connection.execute(TABLES).fetchall():
        if any(row[1] == column for row in connection.execute(f"PRAGMA table_info({table})")):
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new, old))  # noqa: S608 - as above


@pytest.fixture(params=DAYS)
async def former(
    request: pytest.FixtureRequest, own_world: World, tmp_path: Path
) -> tuple[Path, str, Person]:
    """Return a database of a day, its shape, and Alice, who is at home in it; the bot is about to start with it."""
    world, database = own_world, tmp_path / "former" / "kiroku.db"
    database.parent.mkdir()
    database.write_bytes(lzma.decompress((SAMPLES / f"{request.param}.db.xz").read_bytes()))
    alice = world.discord.person("Alice", manager=True)
    with closing(sqlite3.connect(database)) as connection, connection:
        (member,) = connection.execute("SELECT member_id FROM links WHERE user_name = ?", [PLAYER]).fetchone()
        (guild,) = connection.execute("SELECT guild_id FROM aliases").fetchone()
        plans = "daily_posts" if request.param == "2026-11-21" else "post_plans"
        (channel,) = connection.execute(f"SELECT DISTINCT channel_id FROM {plans}").fetchone()  # noqa: S608 - one of two
        rename(connection, "member_id", member, alice.id)
        rename(connection, "guild_id", guild, world.discord.home.id)
        rename(connection, "channel_id", channel, world.discord.channel.id)
    with closing(sqlite3.connect(world.service_database)) as service, service:
        service.execute(
            "INSERT INTO tokens (digest, user_id, issued_at) VALUES (?, ?, 0)",
            [digest(TOKEN), world.players[PLAYER].user_id],
        )
    await world.discord.stop()
    world.clock = ManualClock(SOON)
    world.settings = world.settings.model_copy(
        update={"database_url": f"sqlite+aiosqlite:///{database}", "token_keys": (SecretStr(KEY),)}
    )
    return database, DAYS[request.param], alice


async def test_what_people_kept_is_there_and_the_way_back_leads_to_what_was(
    own_world: World, former: tuple[Path, str, Person]
) -> None:
    world, (database, shape, alice) = own_world, former
    before, channel = rows_of(database), world.discord.channel

    await world.start_bot()
    assert known_revisions()[-1] in await world.bot.describe()
    assert PLAYER in (await alice.slash(channel, "account")).everything
    assert (await world.best(alice)).embed.title is not None
    assert "the first one" in (await alice.slash(channel, "alias list")).everything
    assert channel.mention in (await alice.slash(channel, "daily list")).everything
    assert (
        "(Sep 2" in (await alice.slash(channel, "history")).everything
    )  # the first of nine looks, 58 days before
    assert "Europe/Berlin" in (await alice.slash(channel, "settings")).everything
    if shape > "0019":
        assert "count" in (await alice.slash(channel, "goal list")).everything

    await world.discord.stop()
    (copy,) = database.parent.glob("kiroku.db.at-*")
    assert copy.name.startswith(f"kiroku.db.at-{shape}-")
    assert copy.stat().st_mode & 0o777 == 0o600
    restore_copy(copy, database, SOON + timedelta(days=1))
    assert rows_of(database) == before
