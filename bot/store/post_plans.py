"""Plans of posts: what is posted automatically, where and when."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import delete, func, insert, select, update

from bot.database.engine import Database
from bot.database.tables import POST_PLANS, POSTS
from bot.domain.ids import GuildId, MemberId
from bot.domain.posts import PlanId, PostKind, PostPlan
from bot.store.post_reading import PostReader
from bot.store.posts import CLOCK_TOLERANCE, MAX_POSTS_PER_READ, plan_anew


class PostPlans:
    """The repository of plans. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database, reader: PostReader) -> None:
        self._database = database
        self._reader = reader

    async def find(self, guild: GuildId, what: PostKind = PostKind.DAILY) -> PostPlan | None:
        """Return a server's first plan of a kind; None also if it cannot be read, so that it can be set up again."""
        plans = [plan for plan in await self.fetch(guild) if plan.what is what]
        return plans[0] if plans else None

    async def fetch(self, guild: GuildId) -> list[PostPlan]:
        """Return all plans of a server, the first one first."""
        return await self._reader.fetch_plans(POST_PLANS.c.guild_id == guild)

    async def fetch_direct(self, member: MemberId) -> list[PostPlan]:
        """Return all plans of a member's direct messages, the first one first."""
        return await self._reader.fetch_plans(POST_PLANS.c.member_id == member)

    async def save(self, plan: PostPlan, now: datetime) -> PostPlan:
        """Save a plan, as a new one if it has no id; its next post is due at its time, on the next day without one."""
        row: dict[str, object] = {
            "what": plan.what.value,
            "guild_id": plan.guild,
            "channel_id": plan.channel,
            "member_id": plan.member,
            "post_at": plan.post_at,
            "timezone": plan.timezone,
            "language": plan.language,
            "options": " ".join(sorted(plan.options)),
            "least_gain": plan.worth.gain,
            "least_rank": plan.worth.rank and plan.worth.rank.name,
            "least_lamp": plan.worth.lamp and plan.worth.lamp.name,
            "refused": plan.refused,
            "set_up_by": plan.set_up_by,
        }
        async with self._database.write() as connection:
            if not plan.id:
                made = insert(POST_PLANS).values(row).returning(POST_PLANS.c.id)
                plan = replace(plan, id=PlanId((await connection.execute(made)).scalar_one()))
            else:
                await connection.execute(update(POST_PLANS).where(POST_PLANS.c.id == plan.id).values(row))
            await plan_anew(connection, plan, now)
        return plan

    async def save_first(self, plan: PostPlan, now: datetime) -> PostPlan:
        """Save a plan in place of a server's first plan of that kind, even an unreadable one."""
        of_guild = (POST_PLANS.c.guild_id == plan.guild) & (POST_PLANS.c.what == plan.what.value)
        first = select(func.min(POST_PLANS.c.id)).where(of_guild)
        found = await self._database.find_value(first)
        return await self.save(replace(plan, id=PlanId(found or 0)), now)

    async def delete(self, plan: PlanId) -> bool:
        """Delete a plan and its posts; return whether there was one."""
        return await self._database.change(delete(POST_PLANS).where(POST_PLANS.c.id == plan)) > 0

    async def fetch_doubted(self, now: datetime) -> list[PostPlan]:
        """Return the plans whose next post was planned by a clock that was ahead of now."""
        which = (
            select(POSTS.c.plan_id)
            .where(POSTS.c.planned_at > now + CLOCK_TOLERANCE)
            .limit(MAX_POSTS_PER_READ)
        )
        return await self._reader.fetch_plans(POST_PLANS.c.id.in_(which))

    async def plan_anew(self, plan: PostPlan, now: datetime) -> None:
        """Plan a plan's next post again from now; sent posts stay sent."""
        async with self._database.write() as connection:
            await plan_anew(connection, plan, now)
