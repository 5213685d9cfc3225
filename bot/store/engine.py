"""The database connection: one engine, read and write transactions, and SQLite's traps."""

import asyncio
import contextlib
import logging
import os
import sqlite3
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from sqlalchemy import Connection, CursorResult, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry
from typing_extensions import override

from bot.domain.errors import CannotKeep

T = TypeVar("T")

_log = logging.getLogger(__name__)

_WRITES: Final = "kiroku_writes"
_NO_TRANSACTION: Final = "kiroku_no_transaction"
_PRAGMAS: Final = ("journal_mode = WAL", "foreign_keys = ON", "busy_timeout = 5000", "secure_delete = ON")
_UNWRITABLE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
    }
)
"""Primary result codes."""
WRITE_SECONDS: Final = 5.0
COURTESY_SECONDS: Final = 0.5
"""For what an answer can do without."""
_WAITS: Final = (0.0, 0.1, 0.2, 0.4, 0.8)
"""Seconds before each attempt to empty the log while somebody waits for it."""
_AGAIN: Final = 2.0
"""Seconds between two attempts afterwards."""

OWNER_ALONE: Final = 0o600
"""The mode of a database file; SQLite gives its write-ahead log and index the same."""
_OTHERS: Final = 0o077


async def _to_the_end(step: Coroutine[Any, Any, T]) -> T:
    """Return what a step of a transaction gives; who is cancelled meanwhile is so once it is done."""
    task = asyncio.ensure_future(step)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # seen: whoever asked is gone
        raise cancelled
    return task.result()


class _Connection(AsyncConnection):
    """A connection whose statements are not cut off where they are waited for.

    One that is cut off leaves its connection, and the lock of its transaction, to the garbage collector: nobody
    could write until that had come by.
    """

    @override
    async def start(self, is_ctxmanager: bool = False) -> Self:
        try:
            await _to_the_end(super().start(is_ctxmanager))
        except asyncio.CancelledError:
            if self.sync_connection is not None:
                await self.close()
            raise
        return self

    @override
    async def close(self) -> None:
        await _to_the_end(super().close())

    @override
    async def execute(self, *arguments: Any, **options: Any) -> CursorResult[Any]:
        return await _to_the_end(super().execute(*arguments, **options))

    @override
    async def exec_driver_sql(self, *arguments: Any, **options: Any) -> CursorResult[Any]:
        return await _to_the_end(super().exec_driver_sql(*arguments, **options))


class Database:
    """An engine and its transactions."""

    def __init__(self, url: str) -> None:
        self._engine = create_async_engine(url, hide_parameters=True)
        self._emptying: asyncio.Task[None] | None = None
        self._is_writable = True
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine.sync_engine, "connect", _prepare_sqlite)
            event.listen(self._engine.sync_engine, "begin", _begin_sqlite)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for another database, or one in memory."""
        name = self._engine.url.database
        is_file = self._engine.dialect.name == "sqlite" and name and name != ":memory:"
        return Path(name) if is_file and name and not name.startswith("file:") else None

    @property
    def is_server(self) -> bool:
        """Whether it is a program of its own, which several machines may ask."""
        return self._engine.dialect.name != "sqlite"

    async def connection_apart(self) -> AsyncConnection:
        """Return a connection that is in no transaction, and that whoever asks gives back themselves."""
        connection = await self._engine.connect()
        return await connection.execution_options(isolation_level="AUTOCOMMIT")

    def make_file(self) -> None:
        """Make the file of an SQLite database with its folder; it, and what stands beside, is its owner's alone."""
        if self.file is None:
            return
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # One that is there is not opened: closing it would let go of the locks that SQLite has on it.
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE))
        for each in (self.file, *beside(self.file)):
            if each.exists() and each.stat().st_mode & _OTHERS:
                with contextlib.suppress(PermissionError):  # somebody else's file, which is theirs to close
                    each.chmod(OWNER_ALONE)

    async def connect(self) -> None:
        """Open a connection and keep it at hand."""
        async with self._engine.connect():
            pass

    async def close(self) -> None:
        """Close every connection."""
        if self._emptying is not None:
            self._emptying.cancel()
            await asyncio.gather(self._emptying, return_exceptions=True)
            await self._empty_log()
        await self._engine.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that only reads."""
        async with _Connection(self._engine) as connection:
            yield connection

    @asynccontextmanager
    async def write(self, *, seconds: float | None = None) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that writes; committed at the end, rolled back on an exception.

        `seconds` is how long to wait at most while somebody else writes, by default WRITE_SECONDS.
        Raises: CannotKeep.
        """
        try:
            async with _Connection(self._engine) as connection:
                await connection.execution_options(**{_WRITES: WRITE_SECONDS if seconds is None else seconds})
                transaction = connection.begin()
                await _to_the_end(transaction.start())
                try:
                    yield connection
                except BaseException:
                    await _to_the_end(transaction.rollback())
                    raise
                await _to_the_end(transaction.commit())
        except OperationalError as error:
            if not _says_unwritable(error):
                raise
            if self._is_writable:  # told once: the budgets are written every second
                _log.warning("the database cannot be written: %s", error.orig)
            self._is_writable = False
            raise CannotKeep from error
        if not self._is_writable:
            _log.info("the database can be written again")
            self._is_writable = True

    async def forget_deleted(self) -> bool:
        """Empty SQLite's write-ahead log, where old pages of what was deleted would stay; return whether it is empty.

        Who reads the database keeps the log. Where nobody ends soon, it is emptied once they have.
        """
        if self._engine.dialect.name != "sqlite":
            return True
        for seconds in _WAITS:
            await asyncio.sleep(seconds)
            if await self._empty_log():
                return True
        if self._emptying is None or self._emptying.done():
            self._emptying = asyncio.create_task(self._empty_log_later())
        return False

    async def _empty_log_later(self) -> None:
        _log.warning("deleted data stays on the disk until whoever reads the database is done")
        while not await self._empty_log():  # noqa: ASYNC110 - SQLite tells nobody when a reader ends
            await asyncio.sleep(_AGAIN)
        _log.info("what was deleted is gone from the disk")

    async def _empty_log(self) -> bool:
        async with _Connection(self._engine) as connection:
            await connection.execution_options(**{_NO_TRANSACTION: True})
            # While it waits for readers, SQLite lets nobody write: it must not wait.
            await connection.exec_driver_sql(_busy_timeout(0))
            try:
                busy, *_ = (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).one()
            except OperationalError as error:
                _log.warning("the write-ahead log cannot be emptied: %s", error.orig)
                return False
            finally:
                await connection.exec_driver_sql(_busy_timeout(WRITE_SECONDS))
        return not busy


def _prepare_sqlite(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    # The driver would commit before DDL by itself; with no isolation level, it leaves BEGIN to us.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A write transaction that reads first must lock at once, or two of them deadlock at their first write.
    options: Any = connection.get_execution_options()
    if options.get(_NO_TRANSACTION):
        return
    seconds = options.get(_WRITES)
    if seconds is None:
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(_busy_timeout(seconds))
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _busy_timeout(seconds: float) -> str:
    return f"PRAGMA busy_timeout = {seconds * 1000:.0f}"


def _says_unwritable(error: OperationalError) -> bool:
    """Return whether a database refuses to be written, and not what it was asked."""
    code: int | None = getattr(error.orig, "sqlite_errorcode", None)  # other databases have no such code
    return code is None or code & 0xFF in _UNWRITABLE


def beside(file: Path) -> tuple[Path, Path]:
    """Return SQLite's write-ahead log and its index, which stand beside a database in use."""
    return file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")
