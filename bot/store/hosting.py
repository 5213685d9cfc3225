"""Data of the host: blocked servers, when the host was alerted, and wanted aliases."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import BLOCKED_SERVERS, HOST_ALERTS, LINKS, WANTED_ALIASES
from bot.database.upsert import insert_into, upsert
from bot.domain.ids import GuildId
from bot.domain.typed import MAX_KEPT_CHARACTERS

_WANTED_FOR: Final = timedelta(days=90)
"""How long a wanted alias is counted after it was last wanted."""
_MAX_WANTED_ALIASES: Final = 1_000
"""The most aliases that are counted; beyond that the least wanted are dropped."""
_MIN_WANTED_TIMES: Final = 3
"""How often an alias has to be wanted to be offered: less may be a typo."""


class HostAffairs:
    """The repository of the host's affairs. Methods that write may raise CannotKeep, those that read CannotRead."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def block(self, guild: GuildId, now: datetime) -> None:
        """Block a server: the bot does not stay in it."""
        async with self._database.write() as connection:
            await upsert(connection, BLOCKED_SERVERS, {"server_id": guild, "blocked_at": now})

    async def unblock(self, guild: GuildId) -> bool:
        """Unblock a server; return whether it was blocked."""
        gone = delete(BLOCKED_SERVERS).where(BLOCKED_SERVERS.c.server_id == guild)
        return await self._database.change(gone) > 0

    async def fetch_blocked(self) -> Collection[GuildId]:
        """Return all servers that are blocked."""
        async with self._database.read() as connection:
            return [GuildId(each) for each in await connection.scalars(select(BLOCKED_SERVERS.c.server_id))]

    async def count_members(self) -> int:
        """Return how many members have linked an account."""
        return await self._database.find_value(select(func.count()).select_from(LINKS)) or 0

    async def claim_alert(self, cause: str, now: datetime, *, unless_since: datetime) -> bool:
        """Return whether the caller, as the first to ask, should alert the host of a cause not alerted since a moment."""
        async with self._database.write() as connection:
            old = (HOST_ALERTS.c.cause == cause) & (HOST_ALERTS.c.told_at <= unless_since)
            await connection.execute(delete(HOST_ALERTS).where(old))
            insert = insert_into(HOST_ALERTS, dialect=connection.dialect.name).on_conflict_do_nothing()
            return (await connection.execute(insert, {"cause": cause, "told_at": now})).rowcount > 0

    async def note_wanted(self, line: str, now: datetime) -> None:
        """Count that an alias, as a line of a pack, would have helped somebody; who it was is not stored."""
        if len(line) > MAX_KEPT_CHARACTERS:
            return
        table = WANTED_ALIASES.c
        beyond = (
            select(table.line)
            .order_by(table.times.desc(), table.chosen_at.desc())
            .offset(_MAX_WANTED_ALIASES)
        )
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            insert = insert_into(WANTED_ALIASES, dialect=connection.dialect.name)
            again = insert.on_conflict_do_update(
                index_elements=[table.line], set_={"times": table.times + 1, "chosen_at": now}
            )
            old = (table.chosen_at < now - _WANTED_FOR) | table.line.in_(beyond)
            await connection.execute(delete(WANTED_ALIASES).where(old))
            await connection.execute(again, {"line": line, "times": 1, "chosen_at": now})


async def fetch_wanted(connection: AsyncConnection) -> Sequence[tuple[str, int]]:
    """Return often wanted aliases as lines of a pack with their counts, the most wanted first."""
    table = WANTED_ALIASES.c
    query = select(table.line, table.times).where(table.times >= _MIN_WANTED_TIMES)
    rows = await connection.execute(query.order_by(table.times.desc(), table.line))
    return [(row.line, row.times) for row in rows]
