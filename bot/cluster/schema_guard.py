"""Guards the database schema: serving processes keep it as it is, and a newer version upgrades it once none uses the old one.

A newer version that only adds to the schema does not wait, and older processes keep serving beside it.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cluster.invalidation import SCHEMA_TOPIC, InvalidationBus
from bot.cluster.liveness import lock_file_beside
from bot.database.engine import Database
from bot.database.migrate import COPYING, adds_alone, find_applied, find_oldest, known_revisions, upgrade
from bot.database.progress import UpgradeProgress
from bot.database.trouble import StoreHeld, StoreTooNew, StoreUnavailable

_logger = logging.getLogger(__name__)

_KEY: Final[ColumnElement[Any]] = func.hashtextextended("shape", 0)
_POLL_SECONDS: Final = 0.5
"""How often it is checked whether the other processes have ended."""
_MAX_POLLS: Final = 60
"""A command checks this many times before it gives up: serving processes finish what they have begun."""
_WAITING_REASONS: Final[dict[type[StoreUnavailable], str]] = {
    StoreTooNew: "the database is newer than this version of Kiroku: waiting, for nothing here can read it",
    StoreHeld: "waiting until the database can be brought up to date: another process still uses it as it is",
}


class SchemaLock(Protocol):
    """The lock that all serving processes share, and that a process takes exclusively to upgrade the schema."""

    def acquire_shared(self) -> bool:
        """Share the lock, until `release`; return whether nobody has it exclusively."""
        ...

    async def acquire_exclusive(self) -> bool:
        """Take the lock exclusively, until `release`; return whether nobody else has it at all."""
        ...

    async def release(self) -> None:
        """Release the lock."""
        ...


class SchemaGuard:
    """Upgrades the schema of a database to this version's when nobody else serves, and keeps it while this process serves."""

    def __init__(
        self,
        database: Database,
        bus: InvalidationBus,
        *,
        before_upgrade: Callable[[str], Awaitable[None]],
    ) -> None:
        """Guard a database; `before_upgrade` is called with its revision before it is changed."""
        self._database = database
        self._before_upgrade = before_upgrade
        self._bus = bus
        self._known = known_revisions()
        self._lock = _lock_of(database)
        self._outdated = asyncio.Event()
        self.progress: UpgradeProgress | None = None
        """The progress of the upgrade that is under way; None where none is."""
        bus.subscribe(SCHEMA_TOPIC, self._look_at)
        bus.on_listening(self._keep)

    async def upgrade_or_refuse(self, *, serves: bool) -> None:
        """Upgrade the schema to this version; an upgrade that changes what others use waits until none does.

        A process that `serves` then keeps the schema, and waits as long as it takes; a command gives up.
        Raises: StoreNotWhole; in a command also StoreTooNew, and StoreHeld if another process keeps serving.
        """
        looks, said = 0, ""
        while (reason := await self._try_to_settle(serves=serves)) is not None:
            looks += 1
            if not serves and (looks == _MAX_POLLS or isinstance(reason, StoreTooNew)):
                raise reason
            if said != (said := _WAITING_REASONS[type(reason)]):
                _logger.warning(said)
            await asyncio.sleep(_POLL_SECONDS)

    async def until_outdated(self) -> None:
        """Wait until a newer version wants to upgrade the schema, or has: it cannot while this process serves."""
        await self._outdated.wait()

    async def close(self) -> None:
        """Release the lock, so that others may upgrade the schema."""
        await self._lock.release()

    async def _try_to_settle(self, *, serves: bool) -> StoreUnavailable | None:
        """Upgrade the schema if that is possible now; return the obstacle, or None."""
        if serves and not self._lock.acquire_shared():
            return StoreHeld()
        async with self._database.read() as connection:
            applied = await connection.run_sync(find_applied)
        if applied == self._known[-1] or (serves and await self.may_serve_with(applied)):
            return None
        await self._lock.release()
        if self._is_unknown(applied):
            return StoreTooNew()
        missing = [each for each in self._known if applied is None or each > applied]
        # A migration that only adds changes nothing for serving processes.
        disturbs = applied is not None and not all(map(adds_alone, missing))
        if disturbs and not await self._lock.acquire_exclusive():
            async with self._database.write() as connection:
                await self._bus.publish(connection, SCHEMA_TOPIC, self._known[-1])
            return StoreHeld()
        try:
            # A new database needs no copy and no report, and an incomplete copy is refused.
            if applied is not None and not applied.startswith(COPYING):
                await self._before_upgrade(applied)
                self.progress = UpgradeProgress(missing)
            await upgrade(self._database, self.progress)
        finally:
            self.progress = None
            await self._lock.release()
        return await self._try_to_settle(serves=serves)

    async def _keep(self, connection: AsyncConnection) -> None:
        """Share the lock as long as a connection lasts, and look at the schema: it may have changed before."""
        shared = select(func.pg_try_advisory_lock_shared(_KEY))
        if not (await connection.execute(shared)).scalar_one():
            raise StoreHeld
        applied = await connection.run_sync(find_applied)
        if await connection.run_sync(find_oldest) not in self._known:
            self._look_at(applied)

    async def may_serve_with(self, applied: str | None) -> bool:
        """Return whether this version may serve with a newer schema, because that only added to it. Raises: CannotRead."""
        if not self._is_unknown(applied):
            return False
        async with self._database.read() as connection:
            return await connection.run_sync(find_oldest) in self._known

    def _look_at(self, revision: str | None) -> None:
        if self._is_unknown(revision):
            self._outdated.set()

    def _is_unknown(self, revision: str | None) -> bool:
        return revision is not None and not revision.startswith(COPYING) and revision not in self._known


def _lock_of(database: Database) -> SchemaLock:
    if database.is_server:
        return _ServerLock(database)
    if sys.platform == "linux" and database.file is not None:
        from bot.cluster.file_locks import FileSchemaLock  # noqa: PLC0415 - other systems lack what it needs

        return FileSchemaLock(lock_file_beside(database.file))
    return _NoLock()


class _ServerLock:
    """PostgreSQL's advisory lock; it is shared by the connection that listens."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._connection: AsyncConnection | None = None

    def acquire_shared(self) -> bool:
        return True

    async def acquire_exclusive(self) -> bool:
        self._connection = await self._database.connection_apart()
        taken = (await self._connection.execute(select(func.pg_try_advisory_lock(_KEY)))).scalar_one()
        if not taken:
            await self.release()
        return bool(taken)

    async def release(self) -> None:
        if self._connection is not None:
            await self._connection.invalidate()  # back in the pool, it would go on holding the lock
            self._connection = None


class _NoLock:
    """No lock at all, for a database in memory and other systems than Linux: it never waits."""

    def acquire_shared(self) -> bool:
        return True

    async def acquire_exclusive(self) -> bool:
        return True

    async def release(self) -> None:
        pass
