"""Other names of songs, each server's own."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import delete, select

from bot.cluster.invalidation import GUILD_TOPIC, InvalidationBus
from bot.database.engine import Database
from bot.database.tables import ALIASES
from bot.database.upsert import upsert
from bot.domain.ids import GuildId, SongId


@dataclass(frozen=True, slots=True)
class Alias:
    """One other name of a song."""

    name: str
    """As it was typed."""
    song: SongId


class Aliases:
    """The repository of aliases."""

    def __init__(self, database: Database, bus: InvalidationBus) -> None:
        self._database = database
        self._bus = bus

    async def fetch(self, guild: GuildId) -> Mapping[str, Alias]:
        """Return a server's aliases by folded name, in the order of their names."""
        query = select(ALIASES).where(ALIASES.c.guild_id == guild).order_by(ALIASES.c.name)
        rows = await self._database.fetch(query)
        return {row.folded: Alias(row.name, SongId(row.song_id)) for row in rows}

    async def save(self, guild: GuildId, folded: str, alias: Alias) -> None:
        """Save an alias in place of one with the same folded name."""
        await self.save_all(guild, {folded: alias})

    async def save_all(self, guild: GuildId, aliases: Mapping[str, Alias]) -> None:
        """Save aliases by folded name, each in place of one with the same folded name."""
        rows = [
            {"guild_id": guild, "folded": folded, "name": alias.name, "song_id": alias.song}
            for folded, alias in aliases.items()
        ]
        async with self._database.write() as connection:
            await upsert(connection, ALIASES, *rows)
            await self._bus.publish(connection, GUILD_TOPIC, guild)

    async def delete(self, guild: GuildId, folded: str) -> bool:
        """Delete an alias; return whether there was one."""
        async with self._database.write() as connection:
            result = await connection.execute(
                delete(ALIASES).where(ALIASES.c.guild_id == guild, ALIASES.c.folded == folded)
            )
            await self._bus.publish(connection, GUILD_TOPIC, guild)
        return result.rowcount > 0
