"""The servers in which members who let others look have used the bot: the basis of boards."""

from collections.abc import Collection, Sequence

from sqlalchemy import delete, select

from bot.database.engine import Database
from bot.database.tables import LINKS, SIGHTINGS
from bot.database.upsert import upsert
from bot.domain.ids import GuildId, MemberId
from bot.domain.members import Visibility
from bot.store.members import Members

IS_SHOWN = (LINKS.c.visibility != Visibility.ONLY_ME.value) & ~LINKS.c.is_protected
"""The SQL of `AccountLink.is_on_boards`."""


class Sightings:
    """The repository of sightings; members who hide or unlink have none."""

    def __init__(self, database: Database, members: Members) -> None:
        self._database = database
        self._members = members

    async def note(self, guild: GuildId, member: MemberId) -> None:
        """Store that a member was in a server, if they let others look. Raises: CannotKeep."""
        async with self._members.write(member) as connection:
            shown = select(LINKS.c.member_id).where(LINKS.c.member_id == member, IS_SHOWN)
            if (await connection.execute(shown)).first() is not None:
                await upsert(connection, SIGHTINGS, {"guild_id": guild, "member_id": member})

    async def delete(self, guild: GuildId, members: Collection[MemberId]) -> None:
        """Delete members who have left a server. Raises: CannotKeep."""
        for member in members:
            async with self._members.write(member) as connection:
                await connection.execute(
                    delete(SIGHTINGS).where(SIGHTINGS.c.guild_id == guild, SIGHTINGS.c.member_id == member)
                )

    async def fetch(self, guild: GuildId) -> Sequence[MemberId]:
        """Return the members who were in a server and let others look now, by id."""
        query = (
            select(SIGHTINGS.c.member_id)
            .join(LINKS, LINKS.c.member_id == SIGHTINGS.c.member_id)
            .where(SIGHTINGS.c.guild_id == guild, IS_SHOWN)
            .order_by(SIGHTINGS.c.member_id)
        )
        return [MemberId(row.member_id) for row in await self._database.fetch(query)]
