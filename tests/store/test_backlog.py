"""Of `bot.database.backlog`: what could not be written is written as soon as it can be, the newest of each alone."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from harness import LogBook

from bot.database import backlog as room
from bot.domain.errors import CannotKeep
from bot.domain.ids import MemberId
from bot.store import WriteBacklog


class Shelf:
    """Takes nothing until it is open."""

    def __init__(self) -> None:
        self.is_open = False
        self.written: list[str] = []
        self.tried = asyncio.Event()

    def writing(self, what: str) -> Callable[[], Awaitable[None]]:
        async def write() -> None:
            self.tried.set()
            if not self.is_open:
                raise CannotKeep
            self.written.append(what)

        return write


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr(room, "_RETRY_SECONDS", 0.001)
    return Shelf()


async def test_the_newest_of_each_is_written_once_that_can_be(shelf: Shelf) -> None:
    async with WriteBacklog() as backlog:
        backlog.add(("a",), shelf.writing("old"))
        backlog.add(("b",), shelf.writing("other"))
        backlog.add(("a",), shelf.writing("new"))
        await shelf.tried.wait()
        assert len(backlog) == 2
        shelf.is_open = True
        while len(backlog):  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0)
    assert shelf.written == ["other", "new"]


async def test_what_a_member_has_erased_is_written_no_more(shelf: Shelf) -> None:
    shelf.is_open = True
    async with WriteBacklog() as backlog:
        backlog.add(("a", 1), shelf.writing("hers"), of=MemberId(1))
        backlog.add(("a", 2), shelf.writing("his"), of=MemberId(2))
        backlog.drop(MemberId(1))
    assert shelf.written == ["his"]


async def test_what_is_left_at_the_end_is_tried_once_more_and_else_told(shelf: Shelf, log: LogBook) -> None:
    async with WriteBacklog() as backlog:
        backlog.add(("a",), shelf.writing("x"))
    assert "1 queued writes are lost" in log.text


async def test_one_that_fails_costs_no_other(shelf: Shelf, log: LogBook) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    shelf.is_open = True
    async with WriteBacklog() as backlog:
        backlog.add(("a",), fail)
        backlog.add(("b",), shelf.writing("x"))
    assert shelf.written == ["x"]
    assert "a queued write is lost" in log.text


async def test_beyond_so_many_the_oldest_is_given_up(
    shelf: Shelf, log: LogBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "MAX_WRITINGS", 2)
    async with WriteBacklog() as backlog:
        for number in range(4):
            backlog.add((number,), shelf.writing(str(number)))
        shelf.is_open = True
    assert shelf.written == ["2", "3"]
    assert log.text.count("too many writes are queued") == 1
