"""What ends with a process, however it ends: a lock that the others can look at.

Beside SQLite's file it is a lock of the system on one byte of another file, in PostgreSQL an advisory lock of a
connection. Both are gone in the moment in which a process is killed.
"""

import sys
from collections.abc import Collection
from typing import Final, Protocol

from sqlalchemy import BigInteger, bindparam, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from bot.store.connection import AsyncConnection
from bot.store.engine import Database
from bot.store.leases import ProcessId

_HELD: Final = text(
    "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""Source: PostgreSQL's documentation of pg_locks, the key of an advisory lock by one bigint."""


class Lifeline(Protocol):
    """One process's lock, and a look at those of the others."""

    async def hold(self, process: ProcessId) -> None:
        """Take the lock of a process, unless it is held already: until `close`, or until the process ends."""
        ...

    async def find_gone(self, others: Collection[ProcessId]) -> set[ProcessId]:
        """Return those whose lock nobody holds."""
        ...

    async def close(self) -> None:
        """Let go."""
        ...


def lifeline_of(database: Database) -> Lifeline:
    """Return the kind that a database has."""
    if database.is_server:
        return _AdvisoryLine(database)
    if sys.platform == "linux" and database.file is not None:
        from bot.store.filelock import FileLine  # noqa: PLC0415 - other systems lack what it needs

        return FileLine(database.file.with_name(f"{database.file.name}-lives"))
    return _NoLine()


class _AdvisoryLine:
    """A lock of a connection that does nothing else."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: AsyncConnection | None = None

    async def hold(self, process: ProcessId) -> None:
        if self._connection is not None:
            try:
                await self._connection.execute(select(1))
            except (SQLAlchemyError, OSError):
                await self.close()
        if self._connection is None:
            self._connection = await self._database.connection_apart()
            key = bindparam(None, process, BigInteger())
            await self._connection.execute(select(func.pg_advisory_lock(key)))

    async def find_gone(self, others: Collection[ProcessId]) -> set[ProcessId]:
        async with self._database.read() as connection:
            return set(others) - set((await connection.execute(_HELD)).scalars())

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.invalidate()  # back in the pool, it would go on holding the lock
            self._connection = None


class _NoLine:
    """Where none can be had: a database in memory, which no other process sees, or another system than Linux.

    All others count as gone, so that nobody waits for who was killed.
    """

    async def hold(self, process: ProcessId) -> None:
        pass

    async def find_gone(self, others: Collection[ProcessId]) -> set[ProcessId]:
        return set(others)

    async def close(self) -> None:
        pass
