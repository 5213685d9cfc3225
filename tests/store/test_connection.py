"""Holds `bot/database/connection.py`."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.util import await_only

from bot.database.connection import connected, create_async_engine
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

    async def open_after_cancelling(self, task: asyncio.Task[None]) -> None:
        await self.reached.wait()
        task.cancel()
        await asyncio.sleep(0)
        self._opened.set()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_a_step_is_done_to_its_end_before_whoever_asked_is_cancelled(store: Store) -> None:
    gate = Gate()

    async def step() -> None:
        async with store._database.read() as connection:
            await connection.run_sync(lambda _connection: gate.pass_())

    await gate.open_after_cancelling(asyncio.create_task(step()))
    assert gate.passed == 1


@pytest.mark.sqlite  # with PostgreSQL others open some meanwhile
async def test_one_that_is_opened_for_somebody_who_is_cancelled_is_given_back(store: Store) -> None:
    gate, engine = Gate(), store._database._engine

    async def open_one() -> None:
        async with connected(engine):
            pytest.fail("nobody waits for it")

    event.listen(engine, "checkout", gate.pass_)
    await gate.open_after_cancelling(asyncio.create_task(open_one()))
    event.remove(engine, "checkout", gate.pass_)
    pool: Any = engine.pool
    assert gate.passed == 1
    assert pool.checkedout() == 0


async def test_one_that_is_apart_is_cut_off(store: Store) -> None:
    """Whoever ends waits for no statement of it."""
    connection, gate = await store._database.connection_apart(), Gate()
    task = asyncio.create_task(connection.run_sync(lambda _connection: gate.pass_()))
    await gate.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert gate.passed == 0
    await connection.run_sync(Connection.invalidate)


def test_a_driver_that_cannot_be_awaited_is_refused() -> None:
    with pytest.raises(InvalidRequestError):
        create_async_engine("sqlite://")
