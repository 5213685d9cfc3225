"""Whom posts are about: who joined those of a server, and what was shown of each."""

from collections.abc import Mapping

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.exc import IntegrityError

from bot.domain.daily import DailyMember, Posted
from bot.domain.ids import GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.store.engine import Database
from bot.store.members import Members
from bot.store.tables import DAILY_MEMBERS, LINKS, POSTED_RATINGS
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

    async def fetch_members(self, plan: PostPlan) -> list[DailyMember]:
        """Return whom a plan's posts are about, in order of their ids: who joined and may be seen there, or whom it is of."""
        query = (
            select(LINKS.c.member_id, POSTED_RATINGS.c.rating, POSTED_RATINGS.c.until)
            .outerjoin(
                POSTED_RATINGS,
                (POSTED_RATINGS.c.member_id == LINKS.c.member_id) & (POSTED_RATINGS.c.plan_id == plan.id),
            )
            .order_by(LINKS.c.member_id)
        )
        if plan.member is not None:
            query = query.where(LINKS.c.member_id == plan.member)
        else:
            joined = (DAILY_MEMBERS.c.member_id == LINKS.c.member_id) & (
                DAILY_MEMBERS.c.guild_id == plan.guild
            )
            query = query.join(DAILY_MEMBERS, joined).where(LINKS.c.visibility != Visibility.ONLY_ME.value)
        async with self._database.read() as connection:
            return [
                DailyMember(
                    MemberId(row.member_id),
                    None if row.rating is None else Posted(Hundredths(row.rating), row.until),
                )
                for row in await connection.execute(query)
            ]

    async def count_joined(self, member: MemberId) -> int:
        """Return how many servers' posts a member is in."""
        async with self._database.read() as connection:
            query = select(DAILY_MEMBERS.c.guild_id).where(DAILY_MEMBERS.c.member_id == member)
            return len((await connection.execute(query)).all())

    async def keep_posted(self, plan: PostPlan, posted: Mapping[MemberId, Posted]) -> None:
        """Note what a post has shown of those who are in it still."""
        joined = select(DAILY_MEMBERS.c.member_id).where(
            DAILY_MEMBERS.c.guild_id == plan.guild, DAILY_MEMBERS.c.member_id.in_(posted)
        )
        try:
            async with self._database.write() as connection:
                # Whoever leaves meanwhile waits, or has left.
                locked = joined.with_for_update(read=True, key_share=True)
                still = posted if plan.member else (await connection.execute(locked)).scalars().all()
                rows = [
                    {
                        "plan_id": plan.id,
                        "member_id": member,
                        "joined_in": plan.guild,
                        "rating": int(posted[member].rating),
                        "until": posted[member].until,
                    }
                    for member in map(MemberId, still)
                ]
                await upsert(connection, POSTED_RATINGS, *rows)
        except IntegrityError:  # the plan is gone
            return


def _one(guild: GuildId, member: MemberId) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (DAILY_MEMBERS.c.guild_id == guild, DAILY_MEMBERS.c.member_id == member)
