"""Members who joined a server's posts: by themselves, and only while they let others look."""

from sqlalchemy import ColumnElement, Table, delete, select, update

from bot.database.engine import Database
from bot.database.tables import LINKS
from bot.database.upsert import upsert
from bot.domain.ids import GuildId, MemberId
from bot.domain.members import Visibility
from bot.store.members import Members


class Joined:
    """The repository of the members who joined one kind of post, by server."""

    def __init__(self, database: Database, members: Members, table: Table) -> None:
        self._database = database
        self._members = members
        self._table = table

    async def join(
        self, guild: GuildId, member: MemberId, *, openly: bool = False, **beside: object
    ) -> Visibility | None:
        """Add a member who is not set to "only me"; return their visibility, None if they are not linked.

        `openly` lets members of shared servers look up one who was set to "only me"; `beside` are other columns.
        """
        query = select(LINKS.c.visibility).where(LINKS.c.member_id == member)
        async with self._members.write(member) as connection:
            visibility = (await connection.execute(query)).scalar_one_or_none()
            if visibility is None:
                return None
            if visibility == Visibility.ONLY_ME:
                if not openly:
                    return Visibility.ONLY_ME
                visibility = Visibility.SERVERS
                await connection.execute(
                    update(LINKS).where(LINKS.c.member_id == member).values(visibility=visibility.value)
                )
            await upsert(connection, self._table, {"guild_id": guild, "member_id": member, **beside})
        return Visibility(visibility)

    async def leave(self, guild: GuildId, member: MemberId) -> bool:
        """Remove a member; return whether they were in it."""
        return await self._database.change(delete(self._table).where(*self._one(guild, member))) > 0

    async def is_in(self, guild: GuildId, member: MemberId) -> bool:
        """Return whether a member is in it."""
        query = select(self._table.c.member_id).where(*self._one(guild, member))
        return await self._database.find(query) is not None

    async def count_joined(self, member: MemberId) -> int:
        """Return in how many servers a member is in it."""
        query = select(self._table.c.guild_id).where(self._table.c.member_id == member)
        return len(await self._database.fetch(query))

    def _one(self, guild: GuildId, member: MemberId) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        return (self._table.c.guild_id == guild, self._table.c.member_id == member)
