"""SQLite's driver for SQLAlchemy: its thread is asked once for a statement.

aiosqlite alone is asked four times, for a cursor, to execute, for the rows and to close, and once more to roll back what
did not begin. Each time both the event loop and the thread have to wake up, which takes longer than most statements.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, Final, Self

import aiosqlite
from typing_extensions import override

_CHUNK_ROWS: Final = 64
"""Rows that aiosqlite would fetch at a time for whoever goes through a cursor of its own."""
_END_SECONDS: Final = 1.0
"""What could not be opened is waited for this long, until its thread has ended."""


class _Rows(list[Any]):
    """All rows of a statement, with what its cursor knew in the end."""

    def __init__(self, cursor: sqlite3.Cursor, rows: Iterable[Any]) -> None:
        super().__init__(rows)
        self.description = cursor.description
        self.rowcount = cursor.rowcount
        self.lastrowid = cursor.lastrowid


class _ThreadCursor(sqlite3.Cursor):
    @override
    def fetchall(self) -> _Rows:
        return _Rows(self, super().fetchall())


class _ThreadConnection(sqlite3.Connection):
    @override
    def execute(self, *statement: Any) -> _ThreadCursor:
        return self.cursor(_ThreadCursor).execute(*statement)


class _Cursor:
    """A cursor as SQLAlchemy wants one, which has all rows as soon as it has executed."""

    arraysize = 1
    description: Any = None
    rowcount = -1
    lastrowid: int | None = None

    def __init__(self, connection: "SqliteConnection") -> None:
        self._connection = connection
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    async def execute(self, statement: str, parameters: Iterable[Any] = ()) -> Self:
        """Execute a statement, and fetch what it returns."""
        rows = await self._connection.ask(statement, parameters)
        self.description, self.rowcount, self.lastrowid = rows.description, rows.rowcount, rows.lastrowid
        self._rows = rows
        return self

    async def executemany(self, statement: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Execute a statement that returns nothing once for each of some parameters."""
        self.rowcount = await self._connection.ask_often(statement, parameters)
        return self

    async def fetchall(self) -> list[Any]:
        """Return the rows, which are there."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: a statement whose rows are fetched is over."""


class SqliteConnection(aiosqlite.Connection):
    """A connection whose thread is asked once for a statement."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, _CHUNK_ROWS)
        self._thread.daemon = True  # as SQLAlchemy does: what was not closed lets the program end
        self._is_settled = True
        """Whether every statement has ended that somebody waited for."""
        self.ended: asyncio.Future[Any] | None = None
        """The end of the thread, once that was told to stop."""

    @override
    def stop(self) -> asyncio.Future[Any] | None:
        self.ended = super().stop()  # pyright: ignore[reportUnknownMemberType] - its future has no type there
        return self.ended

    @override
    def cursor(self) -> Any:
        return _Cursor(self)

    async def ask(self, statement: str, parameters: Iterable[Any]) -> _Rows:
        """Return what a statement returns."""
        self._is_settled = False
        rows: Any = await self.execute_fetchall(statement, parameters)
        self._is_settled = True
        return rows

    async def ask_often(self, statement: str, parameters: Iterable[Iterable[Any]]) -> int:
        """Execute a statement for each of some parameters; return how many rows it has changed."""
        self._is_settled = False
        cursor = await self.executemany(statement, parameters)
        self._is_settled = True
        return cursor.rowcount

    @override
    async def rollback(self) -> None:
        """Roll back, where there is anything: a statement that nobody waits for any more may yet begin something."""
        if self.in_transaction or not self._is_settled:
            await super().rollback()
            self._is_settled = True


async def open_sqlite(database: str, *, script: str, **options: Any) -> SqliteConnection:
    """Return an open connection to a file that has executed a script; the options are those of `sqlite3.connect`."""
    connection = SqliteConnection(lambda: sqlite3.connect(database, factory=_ThreadConnection, **options))
    try:
        await connection
        await connection.executescript(script)
    except BaseException:  # also where its caller is cancelled: nobody else has it, and would close it
        ended = connection.ended or connection.stop()
        if ended is not None:
            # The thread tells this loop that it ends: with a traceback, where the loop is closed before.
            await asyncio.wait({ended}, timeout=_END_SECONDS)
        raise
    return connection
