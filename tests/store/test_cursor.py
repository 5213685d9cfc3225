"""Holds `bot/database/cursor.py`."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, Text, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.database.engine import Database

pytestmark = pytest.mark.sqlite
SONGS = Table(
    "songs",
    MetaData(),
    Column("id", Integer, primary_key=True),
    Column("title", Text, unique=True),
    Column("face", LargeBinary),
)


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    made = Database("sqlite+aiosqlite://")
    async with made.write() as connection:
        await connection.run_sync(SONGS.metadata.create_all)
    yield made
    await made.close()


def visits_of(caplog: pytest.LogCaptureFixture) -> int:
    """Return how often somebody went to the thread of the connection since the last time, and forget it."""
    count = sum(message.startswith("executing") for message in caplog.messages)
    caplog.clear()
    return count


async def test_a_statement_is_one_visit(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "aiosqlite")
    async with database.write() as connection:
        caplog.clear()
        await connection.execute(insert(SONGS), [{"title": "a"}, {"title": "b"}])
        assert visits_of(caplog) == 1
        await connection.execute(update(SONGS).values(face=b"f"))
        assert visits_of(caplog) == 1
        assert len((await connection.execute(select(SONGS))).all()) == 2
        assert visits_of(caplog) == 1


async def test_what_it_tells_of_a_statement(database: Database) -> None:
    async with database.write() as connection:
        made = await connection.execute(insert(SONGS), {"title": "a", "face": b"\0"})
        assert made.inserted_primary_key == (1,)
        many = await connection.execute(insert(SONGS), [{"title": "b"}, {"title": "c"}])
        assert many.rowcount == 2
        changed = await connection.execute(update(SONGS).values(face=b"f").where(SONGS.c.id > 1))
        assert changed.rowcount == 2
        returned = await connection.execute(insert(SONGS).values(title="d").returning(SONGS.c.id))
        assert returned.scalar_one() == 4
        assert (await connection.execute(select(SONGS).where(SONGS.c.id > 9))).all() == []


async def test_rows_are_handed_out_one_by_one_some_and_all(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(insert(SONGS), [{"title": title} for title in "abcdefg"])
        found: Any = await connection.execute(select(SONGS.c.title).order_by(SONGS.c.title))
        assert found.fetchone() == ("a",)
        assert found.fetchmany(2) == [("b",), ("c",)]
        assert found.fetchmany() == [("d",)]
        assert next(iter(found)) == ("e",)
        assert found.fetchall() == [("f",), ("g",)]


async def test_what_sqlite_refuses_is_an_error_of_its_kind(database: Database) -> None:
    with pytest.raises(IntegrityError):
        async with database.write() as connection:
            await connection.execute(insert(SONGS), [{"title": "a"}, {"title": "a"}])
    with pytest.raises(OperationalError, match="no such table"):
        async with database.read() as connection:
            await connection.execute(text("SELECT * FROM plays"))
    async with database.read() as connection:
        assert (await connection.execute(select(SONGS))).all() == []
