"""When each member was looked at in the background, and when they are next."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Select, Subquery, Table, and_, case, select, union_all

from bot.database.engine import Database
from bot.database.tables import DAILY_MEMBERS, FEED_MEMBERS, LINKS, POST_PLANS, POSTS, ROUNDS
from bot.database.upsert import upsert
from bot.domain.ids import MemberId
from bot.domain.members import AccountLink, Visibility
from bot.domain.posts import PostKind
from bot.domain.refresh_schedule import LEAD, TURNS, turns_gone
from bot.store.parts import in_parts

_MILLISECOND: Final = 2**22
"""The part of a Discord id above this is its time of creation in milliseconds: as good as random."""
_SHIFT_TURNS: Final = 389
"""The daily shift of everybody's turn, so that nobody is always among the first."""
_AT: Final = POSTS.c.look_at.label("at")


class DueLook(NamedTuple):
    """A member whose turn has come."""

    member: MemberId
    failures: int
    """The number of failed looks since the last successful one."""


class RefreshSchedule:
    """The repository of looks, in the table `rounds`. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch_waiting(self, now: datetime, *, most: int) -> list[DueLook]:
        """Return some members whose turn has come, in time for the posts that need them."""
        needs = _needs(now)
        async with self._database.read() as connection:
            moments = (await connection.execute(select(needs.c.at).distinct())).scalars().all()
            if not moments:
                return []
            gone = case({at: turns_gone(at, now) for at in moments}, value=needs.c.at)
            query = (
                select(needs.c.member_id, ROUNDS.c.failures)
                .distinct()
                .join(LINKS, LINKS.c.member_id == needs.c.member_id)
                .outerjoin(ROUNDS, ROUNDS.c.member_id == needs.c.member_id)
                .where(_turn(needs.c.member_id, now) < gone)
                .where(ROUNDS.c.again_at.is_(None) | (ROUNDS.c.again_at <= now))
                .limit(most)
            )
            rows = (await connection.execute(query)).all()
        return [DueLook(MemberId(row.member_id), row.failures or 0) for row in rows]

    async def find(self, members: Collection[MemberId]) -> Mapping[MemberId, datetime]:
        """Return when the records of each member were last looked at, if ever."""
        known = select(ROUNDS.c.member_id, ROUNDS.c.looked_at).where(ROUNDS.c.looked_at.is_not(None))
        found: dict[MemberId, datetime] = {}
        for some in in_parts(members):
            rows = await self._database.fetch(known.where(ROUNDS.c.member_id.in_(some)))
            found.update((MemberId(row.member_id), row.looked_at) for row in rows)
        return found

    async def note(self, link: AccountLink, looked_at: datetime, *, again_at: datetime) -> None:
        """Store a look while the member has the account linked."""
        is_theirs = LINKS.c.user_id == link.user_id
        await self._write(link.member, is_theirs, looked_at=looked_at, again_at=again_at, failures=0)

    async def put_off(self, member: MemberId, again_at: datetime, *, failures: int) -> None:
        """Store that a look failed, and when to try again."""
        await self._write(member, again_at=again_at, failures=failures)

    async def _write(self, member: MemberId, *conditions: ColumnElement[bool], **values: object) -> None:
        # Locks the link: a concurrent erasure waits or is already done.
        locked = select(LINKS.c.user_id).with_for_update(read=True, key_share=True)
        async with self._database.write() as connection:
            if (await connection.execute(locked.where(LINKS.c.member_id == member, *conditions))).first():
                await upsert(connection, ROUNDS, {"member_id": member, **values})


def _needs(now: datetime) -> Subquery:
    """Return which members have to be looked at soon, and by when: those in a post or feed, or with direct messages."""
    soon = and_(POSTS.c.look_at.between(now, now + LEAD), POSTS.c.part == "")
    planned = POST_PLANS.join(POSTS, POSTS.c.plan_id == POST_PLANS.c.id)

    def joined(table: Table, which: ColumnElement[bool]) -> Select[Any, Any]:
        members = planned.join(table, table.c.guild_id == POST_PLANS.c.guild_id)
        seen = members.join(LINKS, LINKS.c.member_id == table.c.member_id)
        can_be_seen = LINKS.c.visibility != Visibility.ONLY_ME.value
        return select(table.c.member_id, _AT).select_from(seen).where(soon, which, can_be_seen)

    is_feed = POST_PLANS.c.what == PostKind.FEED.value
    written_to = select(POST_PLANS.c.member_id, _AT).select_from(planned)
    return union_all(
        joined(DAILY_MEMBERS, ~is_feed),
        joined(FEED_MEMBERS, is_feed),
        written_to.where(soon, POST_PLANS.c.member_id.is_not(None)),
    ).subquery()


def _turn(member: ColumnElement[int], now: datetime) -> ColumnElement[int]:
    return (member // _MILLISECOND + now.toordinal() * _SHIFT_TURNS % TURNS) % TURNS
