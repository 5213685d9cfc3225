"""Other names of songs that members have suggested, until those who manage their server decide."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Row, delete, func, insert, select

from bot.database.engine import Database
from bot.database.tables import ALIAS_SUGGESTIONS
from bot.domain.ids import GuildId, MemberId, SongId

_KEPT_FOR: Final = timedelta(days=30)
"""A suggestion expires after this time."""

_TABLE = ALIAS_SUGGESTIONS.c


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A pending suggestion."""

    number: int
    """The number by which buttons refer to it."""
    member: MemberId
    name: str
    """As it was typed."""
    song: SongId


class KeptSuggestions:
    """The repository of suggestions. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(
        self, guild: GuildId, member: MemberId, name: str, song: SongId, at: datetime, *, most: int
    ) -> Suggestion | None:
        """Save a suggestion, and delete expired ones; return None if `most` of the member's are pending there."""
        row = {"guild_id": guild, "member_id": member, "name": name, "song_id": song, "suggested_at": at}
        theirs = select(func.count()).where(_TABLE.guild_id == guild, _TABLE.member_id == member)
        async with self._database.write() as connection:
            await connection.execute(delete(ALIAS_SUGGESTIONS).where(_TABLE.suggested_at < at - _KEPT_FOR))
            if (await connection.execute(theirs)).scalar_one() >= most:
                return None
            made = await connection.execute(insert(ALIAS_SUGGESTIONS).returning(ALIAS_SUGGESTIONS), row)
            return _kept(made.one())

    async def fetch(self, guild: GuildId) -> list[Suggestion]:
        """Return the pending suggestions of a server, the oldest first."""
        query = select(ALIAS_SUGGESTIONS).where(_TABLE.guild_id == guild).order_by(_TABLE.id)
        return [_kept(row) for row in await self._database.fetch(query)]

    async def find(self, guild: GuildId, number: int) -> Suggestion | None:
        """Return a suggestion of a server, if it is still pending."""
        query = select(ALIAS_SUGGESTIONS).where(_TABLE.guild_id == guild, _TABLE.id == number)
        row = await self._database.find(query)
        return None if row is None else _kept(row)

    async def delete(self, guild: GuildId, number: int) -> None:
        """Delete a suggestion."""
        await self._database.change(
            delete(ALIAS_SUGGESTIONS).where(_TABLE.guild_id == guild, _TABLE.id == number)
        )


def _kept(row: Row[Any]) -> Suggestion:
    return Suggestion(number=row.id, member=MemberId(row.member_id), name=row.name, song=SongId(row.song_id))
