"""bot/database/sqlite_driver.py: how often SQLite's thread is asked, and what becomes of a statement that is given up."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.database.engine import Database
from bot.database.sqlite_driver import open_sqlite

pytestmark = pytest.mark.sqlite
NUMBERS = """CREATE VIEW numbers AS
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT i FROM n"""
SLOW = "SELECT count(*) FROM numbers"
SLOW_INSERT = "INSERT INTO things (name) SELECT 'z' FROM numbers WHERE i % 1000 = 0"


@pytest.fixture
async def database(tmp_path: Path) -> AsyncGenerator[Database]:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'some.db'}")
    database.make_file()
    await database.connect()
    async with database.write() as connection:
        await connection.execute(text("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)"))
        await connection.execute(text(NUMBERS))
    yield database
    await database.close()


def asked(caplog: pytest.LogCaptureFixture) -> int:
    """Return how often the thread was asked, and begin to count anew."""
    count = sum(record.getMessage().startswith("executing") for record in caplog.records)
    caplog.clear()
    return count


async def test_the_thread_is_asked_once_for_a_statement(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "aiosqlite"):
        async with database.read() as connection:
            assert (await connection.execute(text("SELECT 1, 'a'"))).all() == [(1, "a")]
        assert asked(caplog) == 1
        async with database.write() as connection:
            asked(caplog)
            await connection.execute(text("INSERT INTO things (name) VALUES ('b')"))
            assert asked(caplog) == 1
        assert asked(caplog) == 1  # the commit


async def test_what_a_statement_has_done_is_told(database: Database) -> None:
    insert = text("INSERT INTO things (id, name) VALUES (:id, :name)")
    async with database.write() as connection:
        many = await connection.execute(insert, [{"id": number, "name": "a"} for number in (1, 2, 3)])
        assert many.rowcount == 3
        assert (await connection.execute(insert, {"id": 7, "name": "b"})).lastrowid == 7
        updated = await connection.execute(text("UPDATE things SET name = 'c' WHERE id < 3 RETURNING id"))
        assert updated.scalars().all() == [1, 2]
        assert (await connection.execute(text("DELETE FROM things WHERE id > 1"))).rowcount == 3
        found = await connection.execute(text("SELECT id, name AS called FROM things"))
        assert (tuple(found.keys()), found.all()) == (("id", "called"), [(1, "c")])
        assert (await connection.execute(text("SELECT id FROM things WHERE id = 9"))).first() is None


async def test_what_is_given_up_is_rolled_back(database: Database) -> None:
    """Also what was still being done: only then the connection is anybody else's."""

    async def write(statement: str) -> None:
        async with database.write() as connection:
            await connection.execute(text(statement))

    for _ in range(3):
        writing = asyncio.create_task(write(SLOW_INSERT))
        await asyncio.sleep(0.02)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        async with database.write() as connection:
            assert (await connection.execute(text("SELECT count(*) FROM things"))).scalar_one() == 0


async def test_a_beginning_that_nobody_waits_for_is_rolled_back(database: Database) -> None:
    """It was not begun yet when the connection was given back, and is when somebody else has it."""
    async with database.write() as first:
        raw = (await first.get_raw_connection()).driver_connection
        assert raw is not None
        await first.rollback()
        asking = [asyncio.create_task(raw.ask(each, ())) for each in (SLOW, "BEGIN")]
        await asyncio.sleep(0)
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        await raw.rollback()
        assert not raw.in_transaction
        await raw.ask("BEGIN", ())


async def test_an_open_connection_lets_the_program_end(database: Database) -> None:
    async with database.read() as connection:
        await connection.execute(text("SELECT 1"))
        threads = [each for each in threading.enumerate() if "_connection_worker_thread" in each.name]
        assert threads
        assert all(each.daemon for each in threads)


def test_what_cannot_be_opened_ends_its_thread_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is refused ends at once, and its loop with it: a thread that still told that loop something had a traceback."""
    faults: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    for _ in range(20):
        before = set(threading.enumerate())
        with pytest.raises(sqlite3.OperationalError, match="unable to open"):
            asyncio.run(open_sqlite(str(tmp_path), script=""))
        for thread in set(threading.enumerate()) - before:
            thread.join(10)
    assert faults == []
