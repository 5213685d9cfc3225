"""The outbox of posts: which are due, who sends each, and its outcome.

Each plan has one unsettled post of a day in the table, its next one; settling it plans the one after. A feed also has a
post for each sitting, see `bot.store.feed`. A claimed post refers to the row of its process, as a lease does: it is free
once the process is dead. Its content is stored with each claim, because the process that later finds it delivered may
know nothing else of it.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, and_, case, cast, delete, func, or_, select, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import Database, hold
from bot.database.tables import POST_PLANS, POSTS, SITTINGS, SNOWFLAKE
from bot.database.upsert import insert_into
from bot.domain.ids import MessageId
from bot.domain.posts import LATEST, PlanId, Post, PostFailure, PostPlan
from bot.store.post_reading import KEY, ORDER, PostReader
from bot.store.tellings import add_tellings, delete_tellings, hold_joined, mark_told

MAX_POSTS_PER_READ: Final = 1000
"""The batch size where all posts are read or written."""
CLOCK_TOLERANCE: Final = timedelta(minutes=1)
"""The clocks of two machines may differ by this much."""
_KNOWN_FOR: Final = timedelta(days=14)
"""The outcome of a post is kept for this long."""
_UNREADABLE_RETRY_DELAY: Final = timedelta(hours=1)
"""An unreadable plan is tried again after this long: the machine may know its time zone by then."""

_DUE, _SENDING, _SENT, _SKIPPED = "due", "sending", "sent", "skipped"
_IS_FREE: Final = or_(POSTS.c.state == _DUE, and_(POSTS.c.state == _SENDING, POSTS.c.owner.is_(None)))
"""The condition that no living process is about to send a post."""


class Posts:
    """The outbox: the repository of posts, each delivered once. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database, reader: PostReader) -> None:
        self._database = database
        self._reader = reader

    async def find_next(self, plan: PlanId) -> datetime | None:
        """Return when a plan's next post is due; None if the plan is off."""
        query = select(POSTS.c.due_at).where(POSTS.c.plan_id == plan, POSTS.c.look_at.is_not(None))
        return await self._database.find_value(query.order_by(POSTS.c.day).limit(1))

    async def find_last(self, plan: PostPlan, day: date) -> datetime:
        """Return when the last sent post before a day was due; if none is known, when the one before that day would be."""
        sent = and_(POSTS.c.plan_id == plan.id, POSTS.c.day < day, POSTS.c.state == _SENT)
        query = select(POSTS.c.due_at).where(sent).order_by(POSTS.c.day.desc()).limit(1)
        found: datetime | None = await self._database.find_value(query)
        return found or plan.due_at(plan.day_before(day))

    async def hurry(self, plan: PostPlan, day: date, now: datetime) -> bool:
        """Make a day's post due now; return whether it was still unsent."""
        async with self._database.write() as connection:
            await connection.execute(
                delete(POSTS).where(POSTS.c.plan_id == plan.id, POSTS.c.state == _DUE, POSTS.c.part == "")
            )
            await connection.execute(
                delete(POSTS).where(POSTS.c.plan_id == plan.id, POSTS.c.day == day, POSTS.c.state == _SKIPPED)
            )
            is_new = await add_post(connection, Post(plan=plan, day=day, due_at=now), now)
            if not is_new:
                await plan_anew(connection, plan, now)
        return is_new

    async def keep_until(self, moment: datetime) -> None:
        """Let posts that would be too late by a moment be made then, as if requested by hand."""
        waits = POSTS.c.look_at <= moment, POSTS.c.state == _DUE, POSTS.c.tried_at.is_(None)
        over = and_(*waits, POSTS.c.due_at <= moment - LATEST)
        kept = update(POSTS).where(over).values(due_at=moment, look_at=moment, planned_at=moment)
        await self._database.change(kept)

    async def fetch_due(
        self,
        now: datetime,
        *,
        shards: tuple[Collection[int], int],
        most: int,
        after: Post | None = None,
    ) -> list[Post]:
        """Return at most `most` free posts that are to be looked at by now, those that have waited longest first.

        `shards` are the shards of this process, and the number of all; `after` continues behind a post.
        """
        served, of = shards
        # As `bot.domain.ids.shard_of`: direct messages are the first shard's.
        shard = func.coalesce(POST_PLANS.c.guild_id, 0) // (1 << 22) % of
        which = [POSTS.c.look_at <= now, _IS_FREE]
        if len(served) < of:
            which.append(shard.in_(served))
        if after is not None:
            which.append(POSTS.c.look_at >= after.look_at)  # for the index
            which.append(tuple_(*ORDER) > (after.look_at, *after.key))
        posts, unreadable = await self._reader.fetch_posts(and_(*which), most)
        if unreadable:
            later = update(POSTS).where(POSTS.c.plan_id.in_(unreadable), POSTS.c.look_at <= now)
            await self._database.change(later.values(look_at=now + _UNREADABLE_RETRY_DELAY))
        return posts

    async def note_due(self) -> None:
        """Recompute when posts are due, for time zones whose rules have changed.

        A post that was due when it was planned stays due: somebody requested it by hand.
        """
        last = PlanId(0)
        while True:
            by_the_day = POSTS.c.due_at.is_distinct_from(POSTS.c.planned_at)
            which = and_(POSTS.c.plan_id > last, POSTS.c.state == _DUE, POSTS.c.part == "", by_the_day)
            posts, unreadable = await self._reader.fetch_posts(which, MAX_POSTS_PER_READ, by=KEY)
            moved = [post for post in posts if post.due_at != post.plan.due_at(post.day)]
            if moved:
                async with self._database.write() as connection:
                    for post in moved:
                        due_at = post.plan.due_at(post.day)
                        its = and_(_is(post), POSTS.c.state == _DUE)
                        await connection.execute(
                            update(POSTS).where(its).values(due_at=due_at, look_at=due_at)
                        )
            seen = [*(post.plan.id for post in posts), *unreadable]
            if not seen:
                return
            last = max(seen)

    async def claim(self, posts: Sequence[Post], owner: int | None, now: datetime) -> list[Post]:
        """Claim posts for a process, as returned by `fetch_due`; return those that it now owns.

        Posts that were postponed since are left out: a sitting may have been extended. Their content is stored with the
        claim.
        """
        plans = POSTS.c.plan_id.in_({post.plan.id for post in posts})  # for the index
        keys = tuple_(*KEY).in_([post.key for post in posts])
        is_due = and_(_IS_FREE, POSTS.c.look_at <= now)
        free = select(*KEY).where(plans, keys, is_due).order_by(*KEY).with_for_update(skip_locked=True)
        taken = (
            update(POSTS)
            .where(plans, tuple_(*KEY).in_(free))
            .values(
                state=_SENDING,
                owner=owner,
                tries=POSTS.c.tries + 1,
                tried_at=func.coalesce(POSTS.c.tried_at, now),
                # PostgreSQL takes a column of only None for text.
                channel_id=cast(
                    case({post.plan.id: post.target for post in posts}, value=POSTS.c.plan_id), SNOWFLAKE
                ),
                look_at=now,
            )
            .returning(*KEY, POSTS.c.tries, POSTS.c.tried_at)
        )
        try:
            async with self._database.write() as connection:
                joined = await hold_joined(connection, posts)
                rows = {(row.plan_id, row.day, row.part): row for row in await connection.execute(taken)}
                mine = [
                    replace(post, owner=owner, tries=rows[post.key].tries, tried_at=rows[post.key].tried_at)
                    for post in posts
                    if post.key in rows
                ]
                await add_tellings(connection, mine, joined)
        except IntegrityError:  # this process was reaped
            return []
        return mine

    async def mark_delivered(
        self, post: Post, message: MessageId | None, now: datetime, *, claim: int | None = None
    ) -> bool:
        """Note that a post was delivered, and plan the next; return whether this process still owned it.

        The content of its `claim`, by default the last one, is noted as told.
        """
        sent = {"message_id": message, "late": post.is_late(now), "reason": post.reason, "tried_at": None}
        async with self._database.write() as connection:
            await hold_joined(connection, [post])
            if not await _change(connection, post, {**_settled(_SENT), **sent}):
                return False
            await mark_told(connection, post, post.tries if claim is None else claim)
            plan = replace(post.plan, refused=0)
            if plan != post.plan:
                await _note_refused(connection, plan)
            if post.announces is not None:
                its = POST_PLANS.c.id == plan.id
                await connection.execute(update(POST_PLANS).where(its).values(announced=post.announces))
            await _plan_next(connection, plan, post, now)
        return True

    async def mark_skipped(
        self, post: Post, reason: PostFailure, now: datetime, *, refused: bool = False
    ) -> PostPlan | None:
        """Note that a post is skipped, and plan the next unless the plan is now off.

        Return the plan, None if the post could not be settled. Several posts `refused` on one day count once.
        """
        plan = post.plan
        async with self._database.write() as connection:
            if refused and not await _was_refused(connection, post):
                plan = replace(plan, refused=plan.refused + 1)
            if not await _change(connection, post, {**_settled(_SKIPPED), "reason": reason.value}):
                return None
            if plan != post.plan:
                await _note_refused(connection, plan)
            if not plan.is_off:
                await _plan_next(connection, plan, post, now)
        return plan

    async def retry_later(
        self, post: Post, until: datetime, reason: PostFailure, *, stands: bool = True
    ) -> bool:
        """Postpone a post; `stands` is false if it cannot have been delivered. Return whether it was unchanged."""
        values: dict[str, Any] = {"state": _DUE, "owner": None, "look_at": until, "reason": reason.value}
        if not stands:
            values |= {"tried_at": None}
        async with self._database.write() as connection:
            return await _change(connection, post, values)


def _settled(state: str) -> dict[str, Any]:
    return {"state": state, "owner": None, "look_at": None, "planned_at": None}


def _is(post: Post) -> ColumnElement[bool]:
    return (POSTS.c.plan_id == post.plan.id) & (POSTS.c.day == post.day) & (POSTS.c.part == post.part)


async def _change(connection: AsyncConnection, post: Post, values: dict[str, Any]) -> bool:
    """Update a post if it is still as this process has seen or claimed it; return whether it was."""
    owner = POSTS.c.owner.is_(None) if post.owner is None else POSTS.c.owner == post.owner
    its = and_(_is(post), POSTS.c.tries == post.tries, POSTS.c.look_at.is_not(None), owner)
    is_theirs = (await connection.execute(update(POSTS).where(its).values(values))).rowcount > 0
    if is_theirs and values["state"] == _SKIPPED:
        await delete_tellings(connection, post)
    if is_theirs and post.part and values["look_at"] is None:
        its = (SITTINGS.c.plan_id == post.plan.id, SITTINGS.c.day == post.day, SITTINGS.c.part == post.part)
        await connection.execute(delete(SITTINGS).where(*its))
    return is_theirs


async def _was_refused(connection: AsyncConnection, post: Post) -> bool:
    """Return whether another post of the same day was refused."""
    await hold(connection, f"refused:{post.plan.id}")
    others = and_(POSTS.c.plan_id == post.plan.id, POSTS.c.day == post.day, POSTS.c.part != post.part)
    refused = POSTS.c.reason.in_([PostFailure.REFUSED.value, PostFailure.GONE.value])
    query = select(POSTS.c.day).where(others, POSTS.c.state == _SKIPPED, refused).limit(1)
    return (await connection.execute(query)).first() is not None


async def _note_refused(connection: AsyncConnection, plan: PostPlan) -> None:
    its = update(POST_PLANS).where(POST_PLANS.c.id == plan.id)
    await connection.execute(its.values(refused=plan.refused))


async def _plan_next(connection: AsyncConnection, plan: PostPlan, post: Post, now: datetime) -> None:
    """Plan the post after a settled one, and delete old ones."""
    old = and_(POSTS.c.plan_id == plan.id, POSTS.c.day < post.day - _KNOWN_FOR, POSTS.c.look_at.is_(None))
    await connection.execute(delete(POSTS).where(old))
    if not post.part:
        await _plan_after(connection, plan, plan.days_after(post.day), now)


async def plan_anew(connection: AsyncConnection, plan: PostPlan, now: datetime) -> None:
    """Plan the next post after now, whatever was planned later or skipped too early; posts of feeds become due."""
    its = and_(POSTS.c.plan_id == plan.id, POSTS.c.part == "")
    wrong = or_(POSTS.c.state == _DUE, and_(POSTS.c.state == _SKIPPED, POSTS.c.due_at > now))
    await connection.execute(delete(POSTS).where(its, wrong))
    ahead = and_(POSTS.c.plan_id == plan.id, POSTS.c.part != "", POSTS.c.planned_at > now + CLOCK_TOLERANCE)
    await connection.execute(update(POSTS).where(ahead).values(due_at=now, look_at=now, planned_at=now))
    if not plan.is_off:
        await _plan_after(connection, plan, plan.days_from(now), now)


async def _plan_after(
    connection: AsyncConnection, plan: PostPlan, days: Iterable[date], now: datetime
) -> None:
    """Plan the first post of `days` that is not too late yet; those that are too late are marked as skipped.

    Days long ago are not marked: the clock may have been set forward by years.
    """
    known = now.astimezone(ZoneInfo(plan.timezone)).date() - _KNOWN_FOR
    for day in days:
        post = Post(plan=plan, day=day, due_at=plan.due_at(day))
        if post.is_over(now) and day < known:
            continue
        if await add_post(connection, post, now):
            if not post.is_over(now):
                return
        elif (await connection.execute(select(POSTS.c.state).where(_is(post)))).scalar_one() == _DUE:
            return


async def wait_longer(connection: AsyncConnection, post: Post, due_at: datetime, now: datetime) -> bool:
    """Postpone a post that nobody has tried to make yet; return whether there is one."""
    its = and_(_is(post), POSTS.c.state == _DUE, POSTS.c.tried_at.is_(None))
    moved = update(POSTS).where(its).values(due_at=due_at, look_at=due_at, planned_at=now)
    return (await connection.execute(moved)).rowcount > 0


async def add_post(connection: AsyncConnection, post: Post, now: datetime) -> bool:
    """Add a post unless it exists; return whether it is new."""
    row = {
        "plan_id": post.plan.id,
        "day": post.day,
        "part": post.part,
        "due_at": post.due_at,
        "look_at": post.due_at,
        "planned_at": now,
        "state": _DUE,
        "tries": 0,
        "late": False,
    }
    if post.is_over(now):
        row |= {**_settled(_SKIPPED), "reason": PostFailure.AWAY.value}
    new = insert_into(POSTS, dialect=connection.dialect.name).values(row)
    added = new.on_conflict_do_nothing(index_elements=KEY).returning(POSTS.c.plan_id)
    return (await connection.execute(added)).one_or_none() is not None
