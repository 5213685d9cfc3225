"""Feeds: their members, and the sittings that wait to be posted there.

A sitting has a post of its own, and is stored beside it until that is settled: once a later look of the day replaces the
look that found it, its content cannot be reconstructed.
"""

from collections.abc import Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import and_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.engine import Database, hold
from bot.database.tables import FEED_MEMBERS, LINKS, POST_PLANS, SITTINGS
from bot.database.upsert import upsert
from bot.domain.charts import Difficulty
from bot.domain.chronicle.session import RecordChange
from bot.domain.chronicle.state import RecordMark
from bot.domain.feed import Sitting, gone_on, played_after
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import REFUSALS, Post, PostKind, PostPlan
from bot.store.joined import Joined
from bot.store.members import Members
from bot.store.post_reading import UNREADABLE, to_plan
from bot.store.posts import add_post, wait_longer


class FeedMembers(Joined):
    """The repository of the members of feeds, and of their waiting sittings."""

    def __init__(self, database: Database, members: Members) -> None:
        super().__init__(database, members, FEED_MEMBERS)

    async def find_sitting(self, post: Post) -> Sitting | None:
        """Return the sitting of a post; None if its member has left the feed, or hides."""
        its = and_(
            SITTINGS.c.plan_id == post.plan.id, SITTINGS.c.day == post.day, SITTINGS.c.part == post.part
        )
        query = (
            select(SITTINGS.c.member_id, SITTINGS.c.content)
            .join(LINKS, LINKS.c.member_id == SITTINGS.c.member_id)
            .where(its, LINKS.c.visibility != Visibility.ONLY_ME.value)
        )
        row = await self._database.find(query)
        return None if row is None else _to_sitting(MemberId(row.member_id), row.content)


async def note_sitting(
    connection: AsyncConnection, sitting: Sitting, *, due_at: datetime, now: datetime
) -> None:
    """Queue a sitting in every feed that its member is in, to be posted at `due_at` unless more is found by then.

    A sitting of the member that waits there, and that nobody has tried to send, is extended instead.
    """
    # Locks the rows: a member who leaves, or a manager who removes a feed, waits or is already done.
    query = (
        select(POST_PLANS, FEED_MEMBERS.c.joined_at)
        .join(FEED_MEMBERS, FEED_MEMBERS.c.guild_id == POST_PLANS.c.guild_id)
        .where(FEED_MEMBERS.c.member_id == sitting.member)
        .where(POST_PLANS.c.what == PostKind.FEED.value, POST_PLANS.c.refused < REFUSALS)
        .order_by(POST_PLANS.c.id)
        .with_for_update(read=True, key_share=True)
    )
    feeds = (await connection.execute(query)).all()
    if feeds:
        await hold(connection, f"feed:{sitting.member}")
    for row in feeds:
        told = played_after(sitting, row.joined_at)
        try:
            plan = to_plan(row)
        except UNREADABLE:
            continue
        if told is not None and not await _go_on(connection, plan, told, due_at, now):
            await _begin(connection, plan, told, due_at, now)


async def _go_on(
    connection: AsyncConnection, plan: PostPlan, sitting: Sitting, due_at: datetime, now: datetime
) -> bool:
    """Extend the member's waiting sitting in a feed; return whether there is one."""
    theirs = (SITTINGS.c.member_id == sitting.member, SITTINGS.c.plan_id == plan.id)
    columns = (SITTINGS.c.day, SITTINGS.c.part, SITTINGS.c.content)
    for row in (await connection.execute(select(*columns).where(*theirs))).all():
        post = Post(plan=plan, day=row.day, part=row.part, due_at=due_at)
        if await wait_longer(connection, post, due_at, now):
            whole = gone_on(_to_sitting(sitting.member, row.content), sitting)
            its = and_(*theirs, SITTINGS.c.day == row.day, SITTINGS.c.part == row.part)
            await connection.execute(update(SITTINGS).where(its).values(content=_to_content(whole)))
            return True
    return False


async def _begin(
    connection: AsyncConnection, plan: PostPlan, sitting: Sitting, due_at: datetime, now: datetime
) -> None:
    # Random: the post's row stays for weeks, also when its member's data has been erased.
    day, part = now.astimezone(ZoneInfo(plan.timezone)).date(), token_hex(8)
    if not await add_post(connection, Post(plan=plan, day=day, part=part, due_at=due_at), now):
        return
    row = {
        "plan_id": plan.id,
        "day": day,
        "part": part,
        "joined_in": plan.guild,
        "member_id": sitting.member,
        "content": _to_content(sitting),
    }
    await upsert(connection, SITTINGS, row)


def _to_content(sitting: Sitting) -> dict[str, Any]:
    return {
        "player_name": sitting.player_name,
        "region": sitting.region,
        "since": sitting.since.isoformat(),
        "rating": sitting.rating,
        "rating_before": sitting.rating_before,
        "plays": [
            [*play.chart, play.before, play.after, play.chart in sitting.best] for play in sitting.plays
        ],
    }


def _to_sitting(member: MemberId, content: Any) -> Sitting:
    plays = [
        (RecordChange((SongId(song), Difficulty(difficulty)), _to_mark(before), _to_mark(after)), is_best)
        for song, difficulty, before, after, is_best in content["plays"]
    ]
    before: int | None = content["rating_before"]
    return Sitting(
        member=member,
        player_name=content["player_name"],
        region=Region(content["region"]),
        since=datetime.fromisoformat(content["since"]),
        rating=Hundredths(content["rating"]),
        rating_before=before if before is None else Hundredths(before),
        plays=tuple(play for play, _ in plays),
        best=frozenset(play.chart for play, is_best in plays if is_best),
    )


def _to_mark(numbers: Sequence[int] | None) -> RecordMark | None:
    return None if numbers is None else RecordMark(*numbers)
