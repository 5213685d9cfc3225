"""Of `bot.database.engine`: connections of those who are cancelled while they wait for the database."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENT_SECONDS
from sqlalchemy import event, select, text
from sqlalchemy.util import await_only

from bot.database.engine import Database
from bot.database.sqlite_driver import SqliteConnection
from bot.store import Store


class Gate:
    """Where something stands still until the test lets it go on."""

    def __init__(self) -> None:
        self.reached, self._opened = asyncio.Event(), asyncio.Event()
        self.passed = 0

    def pass_(self, *_: Any) -> None:
        self.reached.set()
        await_only(self._opened.wait())
        self.passed += 1

    async def cancel_before_it_opens(self, task: asyncio.Task[None]) -> None:
        await self.reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert self.passed == 0


@pytest.mark.sqlite  # with PostgreSQL others open some meanwhile
@pytest.mark.parametrize("moment", ["checkout", "before_cursor_execute"])
async def test_one_whose_caller_is_cancelled_is_given_back(store: Store, moment: str) -> None:
    gate, engine = Gate(), store._database._engine.sync_engine

    async def write() -> None:
        async with store._database.write():
            pytest.fail("nobody waits for it")

    event.listen(engine, moment, gate.pass_)
    await gate.cancel_before_it_opens(asyncio.create_task(write()))
    event.remove(engine, moment, gate.pass_)
    pool: Any = engine.pool
    assert pool.checkedout() == 0
    async with store._database.write(seconds=0):
        pass


@pytest.mark.sqlite
async def test_one_whose_caller_is_cancelled_while_it_is_opened_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLAlchemy loses it: it would stay open, with its thread, until garbage is collected."""
    made: list[SqliteConnection] = []
    reached = asyncio.Event()

    async def stand_still(connection: SqliteConnection, _script: str) -> None:
        made.append(connection)
        reached.set()
        await asyncio.Event().wait()

    async def read() -> None:
        async with database.read():
            pytest.fail("nobody waits for it")

    monkeypatch.setattr(SqliteConnection, "executescript", stand_still)
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'any.db'}")
    task = asyncio.create_task(read())
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(made[0]._thread.join, PATIENT_SECONDS)
    assert not made[0]._thread.is_alive()
    await database.close()


async def test_one_that_is_apart_is_cut_off(store: Store) -> None:
    """Whoever ends waits for no statement of it."""
    connection, gate = await store._database.connection_apart(), Gate()
    await gate.cancel_before_it_opens(
        asyncio.create_task(connection.run_sync(lambda _connection: gate.pass_()))
    )
    await connection.invalidate()


@pytest.mark.sqlite  # with PostgreSQL the driver is told so once, when it connects
async def test_a_read_begins_no_transaction(store: Store) -> None:
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        sent.append(statement)

    engine = store._database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    await store.links.are_kept()
    event.remove(engine, "before_cursor_execute", note)
    assert [statement.split()[0] for statement in sent] == ["SELECT"]


@pytest.mark.sqlite
async def test_a_read_whose_caller_is_cancelled_keeps_no_old_pages(store: Store) -> None:
    """SQLite empties its log once nobody reads, and here somebody who is gone would read until garbage is collected."""
    begun = asyncio.Event()
    slow = text(
        "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300000)"
        " SELECT count(*) FROM numbers, alembic_version"
    )

    async def read() -> None:
        async with store._database.read() as connection:
            await connection.execute(select(1))
            begun.set()
            await connection.execute(slow)

    await store.links.are_kept()
    reading = asyncio.create_task(read())
    await begun.wait()
    for _ in range(5):  # until the statement has been handed over
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError) as cancelled:
        await reading
    async with store._database.write() as connection:
        await connection.execute(text("CREATE TABLE anything (number INTEGER)"))
    assert await store.purge_deleted()
    assert cancelled  # with all that the exception still refers to
