"""The migrations: which there are, and that nothing of Alembic is loaded where all are applied."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import select

from bot.domain.ids import JP, JP2
from bot.store import Store, Vault, new_key
from bot.store.engine import Database
from bot.store.migrate import _MIGRATIONS, _config, known_revisions
from bot.store.tables import SNAPSHOTS

SCORES: Final[list[tuple[str, str, int]]] = [
    (f"{number:016x}" if number % 5 else f"song {number}", "ULT" if number % 2 else "MAS", 1_010_000 - number)
    for number in range(31)
]


def test_they_are_numbered_in_the_order_in_which_alembic_applies_them() -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    walked = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert known_revisions() == walked[::-1]


async def test_alembic_is_loaded_only_where_the_database_is_behind(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/kiroku.db"
    async with Store(url, Vault([new_key()])):
        pass
    code = (
        "import asyncio, sys\n"
        "from bot.store import Store, Vault, new_key\n"
        "async def main():\n"
        f"    async with Store({url!r}, Vault([new_key()])): pass\n"
        "asyncio.run(main())\n"
        "assert not any(name.startswith('alembic') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: ASYNC221 - nothing else waits here


async def test_snapshots_are_packed_and_unpacked_whole(tmp_path: Path) -> None:
    """Those of the version before, more than are carried over at once, and some that fit no row."""
    file = tmp_path / "kiroku.db"
    url = f"sqlite+aiosqlite:///{file}"
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(700)]
    rows = {
        (member, region, str(day), "2026-11-01 12:00:00.000000", 1650, json.dumps(SCORES[: day.day]))
        for member in (1, 2**63 - 1)
        for region in (JP, JP2)
        for day in days
    }
    await move(url, command.upgrade, "0005")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executemany("INSERT INTO snapshots VALUES (?, ?, ?, ?, ?, ?)", rows)
    async with Store(url, Vault([new_key()])) as store, store._database.read() as connection:
        kept = (await connection.execute(select(SNAPSHOTS).where(SNAPSHOTS.c.member_id == 1))).all()
    assert {(each.region, each.day) for each in kept} == {
        (region, day) for region in (JP, JP2) for day in days
    }
    for each in kept:
        assert {*map(tuple, each.scores)} == {*map(tuple, SCORES[: each.day.day])}
    await move(url, command.downgrade, "0005")
    with closing(sqlite3.connect(file)) as connection:
        after = connection.execute("SELECT member_id, region, day, taken_at, rating, scores FROM snapshots")
        assert {(*row[:5], _as_sets(row[5])) for row in after} == {
            (*row[:5], _as_sets(row[5])) for row in rows
        }


def _as_sets(scores: str) -> frozenset[tuple[object, ...]]:
    return frozenset(map(tuple, json.loads(scores)))


async def move(url: str, way: Callable[[Config, str], None], revision: str) -> None:
    """Bring a database to another version of its tables, as `way` does."""
    database = Database(url)
    async with database.write() as connection:
        await connection.run_sync(lambda sync: way(_config(sync), revision))
    await database.close()


async def test_answers_written_another_way_are_dropped(tmp_path: Path) -> None:
    file = tmp_path / "kiroku.db"
    url = f"sqlite+aiosqlite:///{file}"
    await move(url, command.upgrade, "0006")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO kept_answers VALUES (7, 'player', x'00', '2026-11-01 12:00:00')")
    async with Store(url, Vault([new_key()])):
        pass
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT * FROM kept_answers").fetchall() == []


async def test_a_post_of_before_is_due_when_it_was(tmp_path: Path) -> None:
    file = tmp_path / "kiroku.db"
    url = f"sqlite+aiosqlite:///{file}"
    await move(url, command.upgrade, "0007")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(
            "INSERT INTO daily_posts VALUES (7, 5, '21:00:00.000000', 'Asia/Tokyo', '2026-11-01')"
        )
    due_at = datetime(2026, 11, 2, 12, tzinfo=UTC)
    async with Store(url, Vault([new_key()])) as store:
        (schedule,) = await store.daily.fetch_due(due_at)
        assert schedule.due_at == due_at
        await store.daily.note_due()
        assert await store.daily.fetch_due(due_at - timedelta(seconds=1)) == []
        assert await store.daily.fetch_due(due_at) == [schedule]
    await move(url, command.downgrade, "0007")
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT * FROM daily_posts").fetchall()
    assert rows == [(7, 5, "21:00:00.000000", "Asia/Tokyo", "2026-11-01")]
