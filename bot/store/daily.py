"""Whom posts are about: who joined those of a server, and what was shown of each."""

from sqlalchemy import select

from bot.database.engine import Database
from bot.database.tables import DAILY_MEMBERS, LINKS, POSTED_RATINGS
from bot.domain.daily import DailyMember, Posted
from bot.domain.ids import MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.store.joined import Joined
from bot.store.members import Members


class DailyMembers(Joined):
    """The repository of who joined which server's daily post."""

    def __init__(self, database: Database, members: Members) -> None:
        super().__init__(database, members, DAILY_MEMBERS)

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
        return [
            DailyMember(
                MemberId(row.member_id),
                None if row.rating is None else Posted(Hundredths(row.rating), row.until),
            )
            for row in await self._database.fetch(query)
        ]
