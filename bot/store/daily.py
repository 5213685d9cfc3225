"""Daily posts: a server's schedule, and the members who joined."""

import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import ColumnElement, Row, delete, or_, select, update

from bot.domain.daily import DailyMember
from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import LONGEST_WAIT, PostPlan
from bot.store.connection import AsyncConnection
from bot.store.engine import Database
from bot.store.members import Members
from bot.store.tables import DAILY_MEMBERS, DAILY_POSTS, LINKS
from bot.store.upsert import upsert

_log = logging.getLogger(__name__)

_AT_ONCE: Final = 1000
"""Schedules looked at in one transaction, where all are."""
_UNREADABLE: Final = (ValueError, TypeError, KeyError, OSError)
"""What comes of a row that holds no time, no date, or no time zone."""


class DailySchedules:
    """The repository of the schedules of daily posts, and of who joined."""

    def __init__(self, database: Database, members: Members) -> None:
        self._database = database
        self._members = members
        self._unreadable: set[GuildId] = set()
        """Those told in the log: once, not at every look at the clock."""

    async def find(self, guild: GuildId) -> PostPlan | None:
        """Return a server's schedule, or None; also where it cannot be read, so that it can be set up anew."""
        async with self._database.read() as connection:
            return await self._find(connection, guild)

    async def fetch_due(self, now: datetime) -> list[PostPlan]:
        """Return the schedules that may be due, but for those that cannot be read; none of the others is looked at.

        Among them are those whose next post is further away than any can be: their last one is marked for a day to
        come.
        """
        due_at = DAILY_POSTS.c.due_at
        async with self._database.read() as connection:
            rows = await self._fetch(connection, or_(due_at <= now, due_at > now + LONGEST_WAIT))
        return [schedule for schedule, _ in rows]

    async def save(self, schedule: PostPlan) -> None:
        """Keep a schedule in place of any the server had; who joined stays."""
        row = {
            "guild_id": schedule.guild,
            "channel_id": schedule.channel,
            "post_at": schedule.post_at,
            "timezone": schedule.timezone,
            "posted_on": schedule.posted_on,
            "due_at": schedule.due_at,
        }
        async with self._database.write() as connection:
            await upsert(connection, DAILY_POSTS, row)

    async def note_due(self) -> None:
        """Note of every schedule when it is due, where the rules of its zone have changed. Raises: CannotKeep."""
        last = GuildId(0)
        while True:
            guild = DAILY_POSTS.c.guild_id
            some = select(guild).where(guild > last).order_by(guild).limit(_AT_ONCE)
            async with self._database.write() as connection:
                guilds = (await connection.execute(some)).scalars().all()
                if not guilds:
                    return
                last = GuildId(guilds[-1])
                for schedule, due_at in await self._fetch(
                    connection, guild.between(guilds[0], last), locked=True
                ):
                    if due_at != schedule.due_at:
                        await _mark(connection, schedule)

    async def delete(self, guild: GuildId) -> bool:
        """Forget a server's schedule; who joined stays. Return whether there was one."""
        async with self._database.write() as connection:
            result = await connection.execute(delete(DAILY_POSTS).where(DAILY_POSTS.c.guild_id == guild))
        return result.rowcount > 0

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

    async def claim(self, guild: GuildId, day: date) -> bool:
        """Mark a day as posted; return whether it was not yet: whoever marks it makes the post."""
        async with self._database.write() as connection:
            schedule = await self._find(connection, guild, locked=True)
            if schedule is None or schedule.posted_on >= day:
                return False
            await _mark(connection, replace(schedule, posted_on=day))
            return True

    async def mark_posted(self, guild: GuildId, day: date, ratings: Mapping[MemberId, Hundredths]) -> None:
        """Note that a day's post was made and which ratings it showed."""
        async with self._database.write() as connection:
            schedule = await self._find(connection, guild, locked=True)
            if schedule is not None:
                await _mark(connection, replace(schedule, posted_on=day))
            for member, rating in ratings.items():
                await connection.execute(
                    update(DAILY_MEMBERS).where(*_one(guild, member)).values(rating=int(rating))
                )

    async def _find(
        self, connection: AsyncConnection, guild: GuildId, *, locked: bool = False
    ) -> PostPlan | None:
        rows = await self._fetch(connection, DAILY_POSTS.c.guild_id == guild, locked=locked)
        return rows[0][0] if rows else None

    async def _fetch(
        self, connection: AsyncConnection, which: ColumnElement[bool], *, locked: bool = False
    ) -> list[tuple[PostPlan, datetime]]:
        """Return schedules, and when they were known to be due, but for those that cannot be read.

        `locked` lets nobody else write them until the transaction is over.
        """
        query = select(DAILY_POSTS).where(which)
        found = await connection.execute(
            query.order_by(DAILY_POSTS.c.guild_id).with_for_update() if locked else query
        )
        try:
            return [(_to_schedule(row), row.due_at) for row in found]
        except _UNREADABLE as error:
            guilds = (await connection.execute(select(DAILY_POSTS.c.guild_id).where(which))).scalars().all()
            if len(guilds) > 1:
                each = [
                    await self._fetch(connection, DAILY_POSTS.c.guild_id == guild, locked=locked)
                    for guild in guilds
                ]
                return [row for rows in each for row in rows]
            for guild in {*guilds} - self._unreadable:
                _log.warning("the daily post of server %s cannot be read: %s", guild, error)
            self._unreadable.update(guilds)
            return []


async def _mark(connection: AsyncConnection, schedule: PostPlan) -> None:
    """Keep a schedule's last day, and when the next post is due."""
    await connection.execute(
        update(DAILY_POSTS)
        .where(DAILY_POSTS.c.guild_id == schedule.guild)
        .values(posted_on=schedule.posted_on, due_at=schedule.due_at)
    )


def _one(guild: GuildId, member: MemberId) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (DAILY_MEMBERS.c.guild_id == guild, DAILY_MEMBERS.c.member_id == member)


def _to_schedule(row: Row[tuple[object, ...]]) -> PostPlan:
    """Return a schedule. Raises: one of _UNREADABLE, also where this machine does not know the time zone."""
    ZoneInfo(row.timezone)
    return PostPlan(
        guild=GuildId(row.guild_id),
        channel=ChannelId(row.channel_id),
        post_at=row.post_at,
        timezone=row.timezone,
        posted_on=row.posted_on,
    )
