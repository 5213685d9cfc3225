"""Servers that were greeted or left lately, and are not greeted again for a while."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from sqlalchemy import delete, select

from bot.database.engine import Database
from bot.database.tables import GREETINGS, LEASES
from bot.database.upsert import insert_into, upsert
from bot.domain.ids import GuildId

_BEGUN: Final = "greetings"
"""The name of a lease without owner, whose state says since when servers are greeted."""


class Greetings:
    """The repository of greetings. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, guild: GuildId, now: datetime, *, again_at: datetime) -> bool:
        """Return whether the caller, as the first to ask, should greet a server; nobody else should before `again_at`."""
        async with self._database.write() as connection:
            await connection.execute(delete(GREETINGS).where(GREETINGS.c.again_at <= now))
            insert = insert_into(GREETINGS, dialect=connection.dialect.name).on_conflict_do_nothing()
            return (await connection.execute(insert, {"server_id": guild, "again_at": again_at})).rowcount > 0

    async def begin(self, now: datetime) -> datetime:
        """Return the moment since when joined servers are greeted; at the first call that is now."""
        word = {"since": now.isoformat()}
        async with self._database.write() as connection:
            first = insert_into(LEASES, dialect=connection.dialect.name).on_conflict_do_nothing()
            await connection.execute(first, {"name": _BEGUN, "fence": 0, "state": word})
            query = select(LEASES.c.state).where(LEASES.c.name == _BEGUN)
            kept: Mapping[str, str] = (await connection.execute(query)).scalar_one()
        return datetime.fromisoformat(kept["since"])

    async def put_off(self, guild: GuildId, again_at: datetime) -> None:
        """Make sure that nobody greets a server before `again_at`."""
        async with self._database.write() as connection:
            await upsert(connection, GREETINGS, {"server_id": guild, "again_at": again_at})
