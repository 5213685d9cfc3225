"""The members of daily posts, and what was last shown of each."""

from typing import Final

from sqlalchemy import bindparam, select

from bot.database.engine import Database
from bot.database.tables import DAILY_MEMBERS, LINKS, POSTED_RATINGS
from bot.domain.daily import DailyMember, Posted
from bot.domain.ids import MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import PostPlan
from bot.store.joined import Joined
from bot.store.members import Members

_SHOWN: Final = (POSTED_RATINGS.c.member_id == LINKS.c.member_id) & (
    POSTED_RATINGS.c.plan_id == bindparam("plan")
)
_KNOWN: Final = (
    select(LINKS.c.member_id, POSTED_RATINGS.c.rating, POSTED_RATINGS.c.until)
    .outerjoin(POSTED_RATINGS, _SHOWN)
    .order_by(LINKS.c.member_id)
)
# Built once: thousands of servers choose the same minute, and building a query takes longer than running it.
_LINKED: Final = _KNOWN.where(LINKS.c.member_id == bindparam("member"))
_JOINED: Final = _KNOWN.join(
    DAILY_MEMBERS,
    (DAILY_MEMBERS.c.member_id == LINKS.c.member_id) & (DAILY_MEMBERS.c.guild_id == bindparam("guild")),
).where(LINKS.c.visibility != Visibility.ONLY_ME.value)


class DailyMembers(Joined):
    """The repository of who joined which server's daily post."""

    def __init__(self, database: Database, members: Members) -> None:
        super().__init__(database, members, DAILY_MEMBERS)

    async def fetch_members(self, plan: PostPlan) -> list[DailyMember]:
        """Return the members of a plan's posts by id: those who joined and may be seen there, or the recipient."""
        found = (
            await self._database.fetch(_JOINED, plan=plan.id, guild=plan.guild)
            if plan.member is None
            else await self._database.fetch(_LINKED, plan=plan.id, member=plan.member)
        )
        return [
            DailyMember(
                MemberId(row.member_id),
                None if row.rating is None else Posted(Hundredths(row.rating), row.until),
            )
            for row in found
        ]
