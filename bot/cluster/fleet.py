"""The processes that serve side by side: how many shards there are, who has which, and who may begin a session."""

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
"""Between two sessions of one bucket: Discord says 5, by its own clock."""


class ShardFleet:
    """This process among those that serve. Everything here may raise CannotKeep or CannotRead."""

    def __init__(self, database: Database, member: ClusterMember, news: InvalidationBus) -> None:
        self._database = database
        self._news = news
        self.presence = member
        self.is_shared = database.is_server
        """Whether others may serve at the same time."""
        self._shards = 0

    async def join(self, shards: int) -> int:
        """Serve from now on; return how many shards there are: as those say who serve already, if any do."""
        await self.presence.reap_dead()
        me = update(PROCESSES).where(PROCESSES.c.id == self.presence.me)
        async with self._database.write() as connection:
            await hold(connection, "how many shards there are")
            agreed = (await connection.execute(select(func.max(PROCESSES.c.shards)))).scalar_one()
            self._shards = agreed or shards
            await connection.execute(me.values(shards=self._shards))
            await self._news.publish(connection, _TOPIC, "joined")
        return self._shards

    async def leave(self) -> None:
        """Serve no more; whatever shard this process still has is free."""
        process = self.presence.me
        async with self._database.write() as connection:
            await connection.execute(
                update(LEASES).where(LEASES.c.owner == process, _is_shard(self._shards)).values(owner=None)
            )
            await connection.execute(update(PROCESSES).where(PROCESSES.c.id == process).values(shards=None))
            await self._news.publish(connection, _TOPIC, "left")

    def subscribe(self, callback: Callable[[], None]) -> None:
        """Call this where another process has joined, or has left or given up something."""

        def take(_text: str) -> None:
            callback()

        self._news.subscribe(_TOPIC, take)

    async def publish_released(self) -> None:
        """Tell the others that something is free now; they would notice by themselves."""
        async with self._database.write() as connection:
            await self._news.publish(connection, _TOPIC, "gave")

    async def fetch_assignment(self) -> ShardAssignment:
        """Return who has which shards, once all that the dead had is free."""
        await self.presence.reap_dead()
        shards = (LEASES.c.owner == PROCESSES.c.id) & _is_shard(self._shards)
        query = select(PROCESSES.c.id, PROCESSES.c.shards, LEASES.c.name).outerjoin(LEASES, shards)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return ShardAssignment(
            shards=self._shards,
            serving={row.id for row in rows if row.shards is not None},
            owners={int(row.name.split()[1]): row.id for row in rows if row.name is not None},
        )

    async def acquire_shard(self, shard: int) -> Lease | None:
        """Take the lease of a shard; None where somebody has it."""
        return await self.presence.acquire(_name(shard, self._shards))

    async def start_session(self, bucket: int) -> float:
        """Take the right to begin a session in a bucket of shards now; return 0, or after how long to ask again."""
        at = SESSION_STARTS.c.at
        async with self._database.write() as connection:
            new = insert_into(SESSION_STARTS, dialect=connection.dialect.name).values(bucket=bucket, at=NOW)
            # A moment to come is that of a clock that was ahead.
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
