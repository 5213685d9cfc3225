"""The members who joined a server's daily post."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, delete, select, update

from bot.domain.daily import DailyMember
from bot.domain.ids import GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.store.engine import Database
from bot.store.members import Members
from bot.store.tables import DAILY_MEMBERS, LINKS
from bot.store.upsert import upsert


class DailyMembers:
    """The repository of who joined which server's daily post."""

    def __init__(self, database: Database, members: Members) -> None:
        self._database = database
        self._members = members

    async def join(self, guild: GuildId, member: MemberId, *, openly: bool = False) -> Visibility | None:
        """Add a member who is not set to "only me"; return who may look them up, None where nothing is linked.

        `openly` lets members of shared servers look up one who was set to "only me".
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
            await upsert(connection, DAILY_MEMBERS, {"guild_id": guild, "member_id": member})
        return Visibility(visibility)

    async def leave(self, guild: GuildId, member: MemberId) -> bool:
        """Take a member out; return whether they were in."""
        async with self._database.write() as connection:
            result = await connection.execute(delete(DAILY_MEMBERS).where(*_one(guild, member)))
        return result.rowcount > 0

    async def fetch_members(self, guild: GuildId) -> list[DailyMember]:
        """Return who joined a server's post and may be seen there, in order of their ids."""
        query = (
            select(DAILY_MEMBERS.c.member_id, DAILY_MEMBERS.c.rating)
            .join(LINKS, LINKS.c.member_id == DAILY_MEMBERS.c.member_id)
            .where(DAILY_MEMBERS.c.guild_id == guild, LINKS.c.visibility != Visibility.ONLY_ME.value)
            .order_by(DAILY_MEMBERS.c.member_id)
        )
        async with self._database.read() as connection:
            return [
                DailyMember(MemberId(row.member_id), None if row.rating is None else Hundredths(row.rating))
                for row in await connection.execute(query)
            ]

    async def count_joined(self, member: MemberId) -> int:
        """Return how many servers' posts a member is in."""
        async with self._database.read() as connection:
            query = select(DAILY_MEMBERS.c.guild_id).where(DAILY_MEMBERS.c.member_id == member)
            return len((await connection.execute(query)).all())

    async def keep_ratings(self, guild: GuildId, ratings: Mapping[MemberId, Hundredths]) -> None:
        """Note which ratings a server's post has shown."""
        async with self._database.write() as connection:
            for member, rating in ratings.items():
                await connection.execute(
                    update(DAILY_MEMBERS).where(*_one(guild, member)).values(rating=int(rating))
                )


def _one(guild: GuildId, member: MemberId) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (DAILY_MEMBERS.c.guild_id == guild, DAILY_MEMBERS.c.member_id == member)
