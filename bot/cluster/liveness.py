"""Liveness locks: each process holds one, which is released however the process ends, and others can see whether it is held.

Beside an SQLite file it is the system's lock on one byte of another file, in PostgreSQL an advisory lock of a connection.
Both are released in the moment in which a process is killed.
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
    """The lock by which others see that this process lives, and by which it sees which others do."""

    @property
    def is_held(self) -> bool:
        """Whether the lock is held, as far as is known without asking."""
        ...

    async def acquire(self, process: ProcessId) -> bool:
        """Take the lock of a process, until `close` or until the process ends; return whether it had to be taken anew."""
        ...

    async def until_broken(self) -> None:
        """Wait until the lock is lost."""
        ...

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        """Return those processes whose lock nobody holds."""
        ...

    async def close(self) -> None:
        """Release the lock."""
        ...


def liveness_lock_of(database: Database) -> LivenessLock:
    """Return the kind of lock that fits a database."""
    if database.is_server:
        return _AdvisoryLivenessLock(database)
    if sys.platform == "linux" and database.file is not None:
        from bot.cluster.file_locks import FileLivenessLock  # noqa: PLC0415 - other systems lack what it needs

        return FileLivenessLock(lock_file_beside(database.file), database.file)
    return _NoLivenessLock()


def lock_file_beside(file: Path) -> Path:
    """Return the file whose bytes are locked, beside an SQLite file, in which nothing may be locked."""
    return file.with_name(f"{file.name}-lives")


class _AdvisoryLivenessLock:
    """An advisory lock of a connection that does nothing else."""

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
        # Retried at each call: until the server notices that a former connection is gone, that one holds the lock.
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
    """No lock at all: for a database in memory, which no other process sees, and for other systems than Linux.

    All other processes count as dead, so that nobody waits for one that was killed.
    """

    is_held = True

    async def acquire(self, process: ProcessId) -> bool:  # noqa: ARG002 - as LivenessLock.acquire
        return True

    async def until_broken(self) -> None:
        await asyncio.Event().wait()

    async def find_dead(self, others: Collection[ProcessId]) -> set[ProcessId]:
        return set(others)

    async def close(self) -> None:
        pass
