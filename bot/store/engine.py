"""The database connection: one engine, read and write transactions, and SQLite's traps."""

import asyncio
import contextlib
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

_log = logging.getLogger(__name__)

_WRITES: Final = "kiroku_writes"
_NO_TRANSACTION: Final = "kiroku_no_transaction"
_BUSY_TIMEOUT: Final = "PRAGMA busy_timeout = 5000"
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA foreign_keys = ON",
    _BUSY_TIMEOUT,
    "PRAGMA secure_delete = ON",
)
_WAITS: Final = (0.0, 0.1, 0.2, 0.4, 0.8)
"""Seconds before each attempt to empty the log while somebody waits for it."""
_AGAIN: Final = 2.0
"""Seconds between two attempts afterwards."""

OWNER_ALONE: Final = 0o600
"""The mode of a database file; SQLite gives its write-ahead log and index the same."""
_OTHERS: Final = 0o077


class Database:
    """An engine and its transactions."""

    def __init__(self, url: str) -> None:
        self._engine = create_async_engine(url, hide_parameters=True)
        self._emptying: asyncio.Task[None] | None = None
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine.sync_engine, "connect", _prepare_sqlite)
            event.listen(self._engine.sync_engine, "begin", _begin_sqlite)

    @property
    def file(self) -> Path | None:
        """The file of an SQLite database; None for another database, or one in memory."""
        name = self._engine.url.database
        is_file = self._engine.dialect.name == "sqlite" and name and name != ":memory:"
        return Path(name) if is_file and name and not name.startswith("file:") else None

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
        async with self._engine.connect() as connection:
            yield connection

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncConnection]:
        """Open a transaction that writes; committed at the end, rolled back on an exception."""
        async with self._engine.connect() as connection:
            await connection.execution_options(**{_WRITES: True})
            async with connection.begin():
                yield connection

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
        async with self._engine.connect() as connection:
            await connection.execution_options(**{_NO_TRANSACTION: True})
            # While it waits for readers, SQLite lets nobody write: it must not wait.
            await connection.exec_driver_sql("PRAGMA busy_timeout = 0")
            try:
                busy, *_ = (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).one()
            except OperationalError as error:
                _log.warning("the write-ahead log cannot be emptied: %s", error.orig)
                return False
            finally:
                await connection.exec_driver_sql(_BUSY_TIMEOUT)
        return not busy


def _prepare_sqlite(connection: DBAPIConnection, _record: ConnectionPoolEntry) -> None:
    # The driver would commit before DDL by itself; with no isolation level, it leaves BEGIN to us.
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    # A write transaction that reads first must lock at once, or two of them deadlock at their first write.
    options: Any = connection.get_execution_options()
    if options.get(_NO_TRANSACTION):
        return
    connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_WRITES) else "BEGIN")


def beside(file: Path) -> tuple[Path, Path]:
    """Return SQLite's write-ahead log and its index, which stand beside a database in use."""
    return file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")
