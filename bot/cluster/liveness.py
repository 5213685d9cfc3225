"""What ends with a process, however it ends: a lock that the others can look at.

Beside SQLite's file it is a lock of the system on one byte of another file, in PostgreSQL an advisory lock of a
connection. Both are gone in the moment in which a process is killed.
"""

import asyncio
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, Protocol

from sqlalchemy import BigInteger, bindparam, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cluster.leases import ProcessId
from bot.database.engine import Database

_HELD: Final = text(
    "SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""Source: PostgreSQL's documentation of pg_locks, the key of an advisory lock by one bigint."""


class LivenessLock(Protocol):
    """One process's lock, and a look at those of the others."""

    @property
    def is_held(self) -> bool:
        """Whether it is held, as far as can be told without asking."""
        ...

    async def acquire(self, process: ProcessId) -> bool:
        """Take the lock of a process: until `close`, or until the process ends; return whether it was not held."""
        ...

    async def until_broken(self) -> None:
        """Wait until it is held no more."""
        ...

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        """Return those whose lock nobody holds."""
        ...

    async def close(self) -> None:
        """Let go."""
        ...


def liveness_lock_of(database: Database) -> LivenessLock:
    """Return the kind that a database has."""
    if database.is_server:
        return _AdvisoryLivenessLock(database)
    if sys.platform == "linux" and database.file is not None:
        from bot.cluster.file_locks import FileLivenessLock  # noqa: PLC0415 - other systems lack what it needs

        return FileLivenessLock(lock_file_beside(database.file), database.file)
    return _NoLivenessLock()


def lock_file_beside(file: Path) -> Path:
    """Return the file whose bytes are locked, for nothing may be locked in SQLite's own."""
    return file.with_name(f"{file.name}-lives")


class _AdvisoryLivenessLock:
    """A lock of a connection that does nothing else."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: AsyncConnection | None = None
        self._broken = asyncio.Event()
        self._broken.set()

    @property
    def is_held(self) -> bool:
        return not self._broken.is_set()

    async def acquire(self, process: ProcessId) -> bool:
        if self._broken.is_set():
            await self.close()
        is_new = self._connection is None
        connection = self._connection = self._connection or await self._database.connection_apart()
        # Again at each call: while the server has not noticed that a former connection is gone, that one holds the lock.
        lock = select(func.pg_try_advisory_lock(bindparam(None, process, BigInteger())))
        try:
            await connection.execute(lock)
        except BaseException:
            self._broken.set()
            raise
        if is_new:
            self._broken = broken = asyncio.Event()
            driver: Any = (await connection.get_raw_connection()).driver_connection

            def notice(_driver: object) -> None:
                broken.set()

            driver.add_termination_listener(notice)
        return is_new

    async def until_broken(self) -> None:
        await self._broken.wait()

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        async with self._database.read() as connection:
            return set(others) - set((await connection.execute(_HELD)).scalars())

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.invalidate()  # back in the pool, it would go on holding the lock
            self._connection = None


class _NoLivenessLock:
    """Where none can be had: a database in memory, which no other process sees, or another system than Linux.

    All others count as gone, so that nobody waits for who was killed.
    """

    is_held = True

    async def acquire(self, process: ProcessId) -> bool:  # noqa: ARG002 - as LivenessLock.hold
        return True

    async def until_broken(self) -> None:
        await asyncio.Event().wait()

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        return set(others)

    async def close(self) -> None:
        pass
