"""A statement on SQLite as one visit to the thread that has its connection.

SQLAlchemy's own cursor goes there for itself, for the statement, for the rows, and to be closed: four times from the
event loop to another thread and back, which takes longer than what most statements are about.
"""
# ruff: noqa: SLF001 - it stands where SQLAlchemy's own cursor does, which reaches for the same

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from sqlite3 import Cursor
from typing import Any

from sqlalchemy import Dialect
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import await_


class OneVisitCursor:
    """A cursor of PEP 249, whose rows are here as soon as its statement was executed."""

    __slots__ = ("_connection", "_rows", "arraysize", "description", "lastrowid", "rowcount")

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._rows = deque[Any]()
        self.arraysize = 1
        self.description: Any = None
        self.lastrowid: int | None = None
        self.rowcount = -1

    def execute(self, operation: str, parameters: Any = None) -> None:
        """Execute a statement."""
        self._visit(lambda cursor: cursor.execute(operation, () if parameters is None else parameters))

    def executemany(self, operation: str, parameters: Sequence[Any]) -> None:
        """Execute a statement once with each of the parameters."""
        self._visit(lambda cursor: cursor.executemany(operation, parameters))

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        return self._rows.popleft() if self._rows else None

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return the next rows, as many as are asked for."""
        wanted = self.arraysize if size is None else size
        return [self._rows.popleft() for _ in range(min(wanted, len(self._rows)))]

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        rows = list(self._rows)
        self._rows.clear()
        return rows

    def __iter__(self) -> Iterator[Any]:
        while self._rows:
            yield self._rows.popleft()

    def close(self) -> None:
        """Forget the rows: that of the database is closed."""
        self._rows.clear()

    def _visit(self, step: Callable[[Cursor], object]) -> None:
        driver = self._connection._connection

        def do() -> list[Any]:
            cursor = driver._conn.cursor()
            try:
                step(cursor)
                rows: list[Any] = cursor.fetchall() if cursor.description else []
                self.description, self.rowcount, self.lastrowid = (
                    cursor.description,
                    cursor.rowcount,
                    cursor.lastrowid,
                )
                return rows
            finally:
                cursor.close()

        try:
            self._rows = deque(await_(driver._execute(do)))
        except Exception as error:  # noqa: BLE001 - SQLAlchemy knows what each of them means
            self._connection._handle_exception(error)


class _Connection(AsyncAdapt_aiosqlite_connection):
    __slots__ = ()
    _cursor_cls: Any = OneVisitCursor


def open_connection(
    dialect: Dialect, _record: ConnectionPoolEntry, where: Sequence[Any], how: dict[str, Any]
) -> Any:
    """Return a connection of such cursors, where SQLAlchemy would open one of its own."""
    opened: Any = dialect.connect(*where, **how)
    return _Connection(opened.dbapi, opened._connection)
