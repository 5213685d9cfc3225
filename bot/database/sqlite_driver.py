"""SQLite's driver for SQLAlchemy, with one call to its thread per statement.

Plain aiosqlite needs four calls, to get a cursor, execute, fetch and close, and one more to roll back a transaction that
never began. Each call wakes up both the event loop and the thread, which takes longer than most statements.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, Final, Self

import aiosqlite
from typing_extensions import override

_CHUNK_ROWS: Final = 64
"""The number of rows that aiosqlite fetches at a time for iteration over its own cursors."""
_END_SECONDS: Final = 1.0
"""The longest wait for the thread of a connection that could not be opened."""


class _Rows(list[Any]):
    """All rows of a statement, with the final attributes of its cursor."""

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
    """A cursor for SQLAlchemy, which has all rows as soon as it has executed."""

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
        """Execute a statement without results once for each set of parameters."""
        self.rowcount = await self._connection.ask_often(statement, parameters)
        return self

    async def fetchall(self) -> list[Any]:
        """Return the rows, which are already fetched."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: a statement whose rows are fetched is over."""


class SqliteConnection(aiosqlite.Connection):
    """A connection with one call to its thread per statement."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, _CHUNK_ROWS)
        self._thread.daemon = True  # as SQLAlchemy does: an unclosed connection then lets the program end
        self._is_settled = True
        """Whether every awaited statement has ended."""
        self.ended: asyncio.Future[Any] | None = None
        """Resolves when the thread ends, once it was told to stop."""

    @override
    def stop(self) -> asyncio.Future[Any] | None:
        self.ended = super().stop()  # pyright: ignore[reportUnknownMemberType] - its future has no type there
        return self.ended

    @override
    def cursor(self) -> Any:
        return _Cursor(self)

    async def ask(self, statement: str, parameters: Iterable[Any]) -> _Rows:
        """Execute a statement and return its rows."""
        self._is_settled = False
        rows: Any = await self.execute_fetchall(statement, parameters)
        self._is_settled = True
        return rows

    async def ask_often(self, statement: str, parameters: Iterable[Iterable[Any]]) -> int:
        """Execute a statement for each set of parameters; return the number of rows changed."""
        self._is_settled = False
        cursor = await self.executemany(statement, parameters)
        self._is_settled = True
        return cursor.rowcount

    @override
    async def rollback(self) -> None:
        """Roll back, if there is a transaction: an abandoned statement may still begin one."""
        if self.in_transaction or not self._is_settled:
            await super().rollback()
            self._is_settled = True


async def open_sqlite(database: str, *, script: str, **options: Any) -> SqliteConnection:
    """Return an open connection to a file that has executed a script; the options are those of `sqlite3.connect`."""
    connection = SqliteConnection(lambda: sqlite3.connect(database, factory=_ThreadConnection, **options))
    try:
        await connection
        await connection.executescript(script)
    except BaseException:  # also if the caller is cancelled: nobody else could close it
        ended = connection.ended or connection.stop()
        if ended is not None:
            # The thread notifies this loop when it ends, which prints a traceback if the loop is closed before.
            await asyncio.wait({ended}, timeout=_END_SECONDS)
        raise
    return connection
