"""Reads plans and posts from rows; an unreadable one does not affect the others."""

import logging
from collections.abc import Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Row, select

from bot.database.engine import Database
from bot.database.tables import POST_PLANS, POSTS
from bot.domain.chronicle.state import LampFlags
from bot.domain.feed import Worth
from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.numbers import Hundredths
from bot.domain.posts import PlanId, Post, PostFailure, PostKind, PostOption, PostPlan
from bot.domain.ranks import Rank

_logger = logging.getLogger(__name__)

UNREADABLE: Final = (ValueError, TypeError, KeyError, OSError)
"""The errors of a row with an invalid time, date or time zone."""
KEY: Final = (POSTS.c.plan_id, POSTS.c.day, POSTS.c.part)
ORDER: Final = (POSTS.c.look_at, *KEY)
_COLUMNS: Final = (
    *POST_PLANS.c,
    *(POSTS.c[name] for name in ("day", "part", "due_at", "look_at", "tries", "owner", "tried_at", "reason")),
    POSTS.c.channel_id.label("stands_in"),
)


class PostReader:
    """Reads plans and posts, and logs each unreadable plan once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unreadable: set[PlanId] = set()
        """The unreadable plans that were logged."""

    async def fetch_plans(self, which: ColumnElement[bool]) -> list[PostPlan]:
        """Return the readable plans, the first one first."""
        query = select(POST_PLANS).order_by(POST_PLANS.c.id)
        async with self._database.read() as connection:
            try:
                return [to_plan(row) for row in await connection.execute(query.where(which))]
            except UNREADABLE:
                ids = (await connection.execute(select(POST_PLANS.c.id).where(which))).scalars().all()
            plans: list[PostPlan] = []
            for each in sorted(ids):
                try:
                    rows = (await connection.execute(query.where(POST_PLANS.c.id == each))).all()
                    plans += map(to_plan, rows)
                except UNREADABLE as error:
                    self._tell_unreadable(PlanId(each), error)
            return plans

    async def fetch_posts(
        self, which: ColumnElement[bool], most: int, *, by: Sequence[ColumnElement[Any]] = ORDER
    ) -> tuple[list[Post], list[PlanId]]:
        """Return posts with their plans, and the ids of unreadable plans."""
        joined = POSTS.join(POST_PLANS, POST_PLANS.c.id == POSTS.c.plan_id)
        query = select(*_COLUMNS).select_from(joined)
        some = query.where(which).order_by(*by).limit(most)
        async with self._database.read() as connection:
            try:
                return [to_post(row) for row in await connection.execute(some)], []
            except UNREADABLE:
                ids = select(POSTS.c.plan_id).select_from(joined).where(which).order_by(*by)
                plans = (await connection.execute(ids.limit(most))).scalars().all()
            posts: list[Post] = []
            unreadable: list[PlanId] = []
            for each in dict.fromkeys(plans):
                try:
                    rows = (await connection.execute(query.where(which, POSTS.c.plan_id == each))).all()
                    posts += map(to_post, rows)
                except UNREADABLE as error:
                    unreadable.append(PlanId(each))
                    self._tell_unreadable(PlanId(each), error)
            return posts, unreadable

    def _tell_unreadable(self, plan: PlanId, error: Exception) -> None:
        if plan not in self._unreadable:
            _logger.warning("plan %d of posts cannot be read: %s", plan, error)
        self._unreadable.add(plan)


def to_plan(row: Row[Any]) -> PostPlan:
    """Return a plan. Raises: one of UNREADABLE, also if this machine does not know the time zone."""
    ZoneInfo(row.timezone)
    return PostPlan(
        id=PlanId(row.id),
        what=PostKind(row.what),
        guild=None if row.guild_id is None else GuildId(row.guild_id),
        channel=None if row.channel_id is None else ChannelId(row.channel_id),
        member=None if row.member_id is None else MemberId(row.member_id),
        post_at=row.post_at,
        timezone=row.timezone,
        language=row.language,
        options=frozenset(map(PostOption, row.options.split())),
        worth=Worth(
            gain=None if row.least_gain is None else Hundredths(row.least_gain),
            rank=None if row.least_rank is None else Rank[row.least_rank],
            lamp=None if row.least_lamp is None else LampFlags[row.least_lamp],
        ),
        refused=row.refused,
        set_up_by=None if row.set_up_by is None else MemberId(row.set_up_by),
        announced=row.announced,
    )


def to_post(row: Row[tuple[object, ...]]) -> Post:
    """Return a post with its plan. Raises: as `to_plan`."""
    return Post(
        plan=to_plan(row),
        day=row.day,
        part=row.part,
        due_at=row.due_at,
        look_at=row.look_at,
        tries=row.tries,
        owner=row.owner,
        tried_at=row.tried_at,
        channel=None if row.stands_in is None else ChannelId(row.stands_in),
        reason=None if row.reason is None else PostFailure(row.reason),
    )
