"""Of `bot.database.write_queue`: writers of one process have their turns in the order in which they came."""

import asyncio

import pytest
from harness import LogBook
from sqlalchemy import insert
from world import MORNING

from bot.database.engine import Database
from bot.database.tables import QUESTIONS
from bot.database.upsert import upsert
from bot.database.write_queue import WriteQueue
from bot.domain.errors import CannotKeep

pytestmark = pytest.mark.sqlite

WRITERS = 120


async def test_who_came_first_is_first() -> None:
    turns, had = WriteQueue(), list[int]()

    async def have(number: int) -> None:
        async with turns.writing(5):
            had.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*map(have, range(20)))
    assert had == [*range(20)]


async def test_who_is_cut_off_while_waiting_keeps_nobody_from_theirs() -> None:
    turns = WriteQueue()
    async with turns.writing(5):
        waiting = [asyncio.create_task(_have(turns)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.sleep(0)
    waiting[0].cancel()  # whose turn has come in this very moment
    await asyncio.gather(*waiting, return_exceptions=True)
    assert not waiting[2].exception()
    async with turns.writing(0.1):
        pass


async def test_behind_one_whom_another_program_keeps_waiting_nobody_waits_longer_than_they_like() -> None:
    turns = WriteQueue()
    async with turns.writing(5):
        with pytest.raises(TimeoutError):
            await _have(turns, seconds=0.01)
        turns.begin()  # and behind one who writes they do
        waiting = asyncio.create_task(_have(turns, seconds=0.01))
        await asyncio.sleep(0.1)
        assert not waiting.done()
    await waiting


async def _have(turns: WriteQueue, seconds: float = 5) -> None:
    async with turns.writing(seconds):
        pass


async def test_a_hundred_writers_at_once_all_write(url: str, log: LogBook) -> None:
    """Without turns SQLite lets them try again at random, each for a second and a half at most."""
    database = Database(url)

    async def write(number: int) -> None:
        async with database.write(seconds=1.5) as connection:
            await upsert(
                connection, QUESTIONS, {"key": str(number), "text": "const>=13", "asked_at": MORNING}
            )
            await asyncio.sleep(0.03)

    await asyncio.gather(*map(write, range(WRITERS)))
    async with database.read() as connection:
        assert len((await connection.execute(QUESTIONS.select())).all()) == WRITERS
    await database.close()
    assert "locked" not in log.text


async def test_another_program_that_writes_is_waited_for_as_long_as_was_said(url: str) -> None:
    one, other = Database(url), Database(url)
    async with other.write() as connection:
        await connection.execute(insert(QUESTIONS).values(key="a", text="b", asked_at=MORNING))
        with pytest.raises(CannotKeep):
            async with one.write(seconds=0.05):
                pass
    async with one.write(seconds=0.05):
        pass
    await one.close()
    await other.close()
