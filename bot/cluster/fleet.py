"""The processes that serve one bot side by side: which of them has which shards, and when one may begin a session."""

from collections.abc import Callable
from typing import Final

from sqlalchemy import ColumnElement, func, select, update

from bot.cluster.invalidation import InvalidationBus
from bot.cluster.leases import NOW, Lease
from bot.cluster.member import ClusterMember
from bot.database.engine import Database, hold
from bot.database.tables import LEASES, PROCESSES, SESSION_STARTS
from bot.database.upsert import insert_into
from bot.domain.shares import ShardAssignment

_TOPIC: Final = "shards"
_SESSION_START_INTERVAL_SECONDS: Final = 5.5
"""Two sessions of one bucket begin at least this many seconds apart: Discord says 5, by its own clock."""


class ShardFleet:
    """This process among those that share the shards of one bot. All async methods may raise CannotKeep or CannotRead."""

    def __init__(self, database: Database, member: ClusterMember, bus: InvalidationBus) -> None:
        self._database = database
        self._bus = bus
        self.member = member
        self.is_shared = database.is_server
        """Whether other processes may serve at the same time."""
        self._shards = 0

    async def join(self, shards: int) -> int:
        """Begin to serve; return the number of shards: the agreed one if others serve already, else `shards`."""
        await self.member.reap_dead()
        me = update(PROCESSES).where(PROCESSES.c.id == self.member.me)
        async with self._database.write() as connection:
            await hold(connection, "how many shards there are")
            agreed = (await connection.execute(select(func.max(PROCESSES.c.shards)))).scalar_one()
            self._shards = agreed or shards
            await connection.execute(me.values(shards=self._shards))
            await self._bus.publish(connection, _TOPIC, "joined")
        return self._shards

    async def leave(self) -> None:
        """Cease to serve: all shards that this process still has are free."""
        process = self.member.me
        async with self._database.write() as connection:
            await connection.execute(
                update(LEASES).where(LEASES.c.owner == process, _is_shard(self._shards)).values(owner=None)
            )
            await connection.execute(update(PROCESSES).where(PROCESSES.c.id == process).values(shards=None))
            await self._bus.publish(connection, _TOPIC, "left")

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Call this whenever another process has joined or left, or has released a shard."""

        def take(_text: str) -> None:
            callback()

        self._bus.subscribe(_TOPIC, take)

    async def publish_released(self) -> None:
        """Tell the other processes that a shard is free now, so that they need not wait until they look."""
        async with self._database.write() as connection:
            await self._bus.publish(connection, _TOPIC, "gave")

    async def fetch_assignment(self) -> ShardAssignment:
        """Free the shards of dead processes, and return which process has which."""
        await self.member.reap_dead()
        shards = (LEASES.c.owner == PROCESSES.c.id) & _is_shard(self._shards)
        query = select(PROCESSES.c.id, PROCESSES.c.shards, LEASES.c.name).outerjoin(LEASES, shards)
        rows = await self._database.fetch(query)
        return ShardAssignment(
            shards=self._shards,
            serving={row.id for row in rows if row.shards is not None},
            owners={int(row.name.split()[1]): row.id for row in rows if row.name is not None},
        )

    async def acquire_shard(self, shard: int) -> Lease | None:
        """Take the lease of a shard; return None where another process has it."""
        return await self.member.acquire(_name(shard, self._shards))

    async def start_session(self, bucket: int) -> float:
        """Take the right to begin a session in a bucket of shards now; return 0, or the seconds after which to ask again."""
        at = SESSION_STARTS.c.at
        async with self._database.write() as connection:
            new = insert_into(SESSION_STARTS, dialect=connection.dialect.name).values(bucket=bucket, at=NOW)
            # A moment in the future comes from a clock that was ahead.
            is_over = (at < NOW - _SESSION_START_INTERVAL_SECONDS) | (at > NOW)
            begin = new.on_conflict_do_update(
                index_elements=[SESSION_STARTS.c.bucket], set_={"at": NOW}, where=is_over
            )
            if (await connection.execute(begin.returning(at))).one_or_none():
                return 0.0
            left = select(at + _SESSION_START_INTERVAL_SECONDS - NOW).where(SESSION_STARTS.c.bucket == bucket)
            return max(0.01, (await connection.execute(left)).scalar_one())


def _name(shard: int, shards: int) -> str:
    return f"shard {shard} of {shards}"


def _is_shard(shards: int) -> ColumnElement[bool]:
    return LEASES.c.name.like(f"shard % of {shards}")
