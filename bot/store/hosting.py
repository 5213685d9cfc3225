"""What concerns whoever hosts the bot: servers that they have blocked, and when they were told of what is wrong."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, func, select

from bot.database.engine import Database
from bot.database.tables import BLOCKED_SERVERS, HOST_ALERTS, LINKS
from bot.database.upsert import insert_into, upsert
from bot.domain.ids import GuildId


class HostBook:
    """The repository of the host's affairs. All that writes may raise CannotKeep, all that reads CannotRead."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def block(self, guild: GuildId, now: datetime) -> None:
        """Note that the bot stays in a server no more."""
        async with self._database.write() as connection:
            await upsert(connection, BLOCKED_SERVERS, {"server_id": guild, "blocked_at": now})

    async def unblock(self, guild: GuildId) -> bool:
        """Let a server have the bot again; return whether it was blocked."""
        async with self._database.write() as connection:
            gone = delete(BLOCKED_SERVERS).where(BLOCKED_SERVERS.c.server_id == guild)
            return (await connection.execute(gone)).rowcount > 0

    async def fetch_blocked(self) -> Collection[GuildId]:
        """Return all servers that are blocked."""
        async with self._database.read() as connection:
            return [GuildId(each) for each in await connection.scalars(select(BLOCKED_SERVERS.c.server_id))]

    async def count_members(self) -> int:
        """Return how many members have linked an account."""
        async with self._database.read() as connection:
            return (await connection.execute(select(func.count()).select_from(LINKS))).scalar_one()

    async def claim_alert(self, cause: str, now: datetime, *, unless_since: datetime) -> bool:
        """Return whether the host is to be told of a cause now, by whoever asks first, and not told after a moment."""
        async with self._database.write() as connection:
            old = (HOST_ALERTS.c.cause == cause) & (HOST_ALERTS.c.told_at <= unless_since)
            await connection.execute(delete(HOST_ALERTS).where(old))
            insert = insert_into(HOST_ALERTS, dialect=connection.dialect.name).on_conflict_do_nothing()
            return (await connection.execute(insert, {"cause": cause, "told_at": now})).rowcount > 0
