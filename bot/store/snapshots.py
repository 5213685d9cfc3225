"""Snapshots of members' ratings, at most one a day; what answers need of them is cached."""

from collections import defaultdict
from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import asynccontextmanager
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import Row, delete, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.cluster.invalidation import MEMBER_TOPIC, InvalidationBus
from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import EARLIER_LOOKS, LINKS, SCORE_BLOCKS, SNAPSHOTS
from bot.database.upsert import upsert
from bot.domain.charts import Difficulty
from bot.domain.chronicle.retention import Retention, superfluous
from bot.domain.history import Past, Snapshot
from bot.domain.ids import MemberId, Region, SongId, UserId
from bot.domain.numbers import Hundredths
from bot.domain.recap import KeptRecap
from bot.store.earlier import delete_old_looks, keep_look, note_seen_at
from bot.store.row_cache import RowCache

_OF_SLOTS: Final = ("member_id", "region", "day", "taken_at", "rating", "scores", "recent_average")
_AVERAGE: Final = 10_000
_MEMBERS_AT_ONCE: Final = 50
"""Members whose old days are deleted in one transaction."""
_LOOKS_FOR: Final = timedelta(days=40)
"""All looks at a day are kept for this long: longer than the time between two monthly posts."""
AT_HAND: Final = 500
"""The most members whose history is in memory, with what was computed from it: 15 kilobytes each, and 15 more for every
100 days in it."""


class Snapshots:
    """The repository of snapshots."""

    def __init__(self, database: Database, bus: InvalidationBus, keeping: Retention) -> None:
        self._database = database
        self._keeping = keeping
        self._bus = bus
        self.at_hand: RowCache[MemberId, Past] = RowCache(AT_HAND, bus, MEMBER_TOPIC, MemberId)
        self.recaps: RowCache[MemberId, KeptRecap] = RowCache(AT_HAND, bus, MEMBER_TOPIC, MemberId)
        """The last recap of each member."""

    async def save(self, snapshot: Snapshot, *, account: UserId) -> None:
        """Save a snapshot in place of one of the same day, while the member has the account linked."""
        scores = [(song, difficulty, score) for (song, difficulty), score in snapshot.scores.items()]
        average = to_number(snapshot.recent_average)
        row: dict[str, object] = {
            "member_id": snapshot.member,
            "region": snapshot.region,
            "day": snapshot.day,
            "taken_at": snapshot.taken_at,
            "rating": snapshot.rating,
            "scores": scores,
            **({} if average is None else {"recent_average": average}),
        }
        async with self.writing(snapshot.member, account=account) as connection:
            if connection is not None:
                # The day's records keep the moment at which they were seen, and the rating of that moment.
                table, whose = SNAPSHOTS.c, (snapshot.member, snapshot.region, snapshot.day)
                await keep_look(connection, *whose, table.rating != snapshot.rating)
                await note_seen_at(connection, *whose)
                await upsert(connection, SNAPSHOTS, row)

    @asynccontextmanager
    async def writing(
        self, member: MemberId, *, account: UserId | None, is_patient: bool = False
    ) -> AsyncGenerator[AsyncConnection | None]:
        """Open a transaction that writes a day of a member; yield None if the account, or any, is not linked.

        `is_patient` waits for other writers as long as any: for writes that nobody waits for.
        """
        # Locks the link: a concurrent erasure waits or is already done.
        locked = select(LINKS).with_for_update(read=True, key_share=True)
        linked = locked.where(LINKS.c.member_id == member)
        if account is not None:
            linked = linked.where(LINKS.c.user_id == account)
        try:
            seconds = None if is_patient else COURTESY_SECONDS
            async with self._database.write(seconds=seconds) as connection:
                is_linked = (await connection.execute(linked)).first() is not None
                yield connection if is_linked else None
                if is_linked:
                    await self._bus.publish(connection, MEMBER_TOPIC, member)
        finally:  # a cancelled transaction may have been committed
            self.drop(member)

    async def get(self, member: MemberId, region: Region, *, until: date) -> Past:
        """Return a member's history as of the last change, from memory if cached."""
        return await self.at_hand.get(
            member,
            lambda: self._read(member, region, until),
            fits=lambda past: (past.region, past.until) == (region, until),
        )

    def drop(self, member: MemberId) -> None:
        """Drop a member's history from memory."""
        self.at_hand.drop(member)
        self.recaps.drop(member)

    async def delete_old(self, after: MemberId, today: date) -> MemberId | None:
        """Delete expired days of the next members by id; return the last of them, None at the end.

        Days whose full state other days refer to stay. Raises: CannotKeep, CannotRead.
        """
        table, earlier = SNAPSHOTS.c, EARLIER_LOOKS.c
        next_ones = select(table.member_id).where(table.member_id > after).group_by(table.member_id)
        async with self._database.read() as connection:
            query = next_ones.order_by(table.member_id).limit(_MEMBERS_AT_ONCE)
            members = [MemberId(each) for each in (await connection.execute(query)).scalars()]
            limit = today - timedelta(days=self._keeping.all_days)
            query = select(table.member_id, table.region, table.day).where(
                table.member_id.in_(members), table.day < limit
            )
            days = defaultdict[tuple[MemberId, Region], set[date]](set)
            for row in await connection.execute(query):
                days[MemberId(row.member_id), Region(row.region)].add(row.day)
            looks = await connection.execute(
                select(earlier.member_id).where(
                    earlier.member_id.in_(members), earlier.day < today - _LOOKS_FOR
                )
            )
            have_old_looks = {MemberId(member) for member in looks.scalars()}
        old = {whose: gone for whose in days if (gone := superfluous(days[whose], today, self._keeping))}
        if old or have_old_looks:
            await self._delete(old, have_old_looks, today)
        return members[-1] if len(members) == _MEMBERS_AT_ONCE else None

    async def fetch_ratings(self) -> set[Hundredths]:
        """Return the last seen ratings of linked members."""
        table = SNAPSHOTS.c
        newest = (
            select(table.rating)
            .where(table.member_id == LINKS.c.member_id, table.region == LINKS.c.region)
            .order_by(table.day.desc())
            .limit(1)
            .scalar_subquery()
        )
        async with self._database.read() as connection:
            found = (await connection.execute(select(newest).distinct().select_from(LINKS))).scalars()
            return {Hundredths(rating) for rating in found if rating is not None}

    async def _delete(
        self,
        days: Mapping[tuple[MemberId, Region], set[date]],
        have_old_looks: Collection[MemberId],
        today: date,
    ) -> None:
        table, earlier = SNAPSHOTS.c, EARLIER_LOOKS.c
        try:
            async with self._database.write() as connection:
                if have_old_looks:
                    await delete_old_looks(
                        connection,
                        have_old_looks,
                        before=today - _LOOKS_FOR,
                        first_before=today - timedelta(days=self._keeping.days),
                    )
                for (member, region), gone in days.items():
                    theirs = (table.member_id == member, table.region == region)
                    kept = select(table.whole_day).where(*theirs, table.day.not_in(gone))
                    looks = select(earlier.whole_day).where(
                        earlier.member_id == member, earlier.region == region
                    )
                    needed = (await connection.execute(union(kept, looks))).scalars()
                    await connection.execute(
                        delete(SNAPSHOTS).where(*theirs, table.day.in_(gone.difference(needed)))
                    )
                    scores, left = SCORE_BLOCKS.c, select(table.day).where(*theirs)
                    await connection.execute(
                        delete(SCORE_BLOCKS).where(
                            scores.member_id == member, scores.region == region, ~left.exists()
                        )
                    )
                    await self._bus.publish(connection, MEMBER_TOPIC, member)
        finally:
            for member, _ in days:
                self.drop(member)

    async def _read(self, member: MemberId, region: Region, until: date) -> Past:
        table = SNAPSHOTS.c
        newest = (
            select(*(table[name] for name in _OF_SLOTS))
            .where(table.member_id == member, table.region == region, table.day <= until)
            .where(table.scores.is_not(None))
            .order_by(table.day.desc())
            .limit(2)
        )
        looks = (
            select(table.day, table.taken_at, table.rating)
            .where(table.member_id == member)
            .order_by(table.taken_at)
        )
        async with self._database.read() as connection:
            snapshots = tuple(_to_snapshot(row) for row in await connection.execute(newest))
            ratings = {
                row.day: (row.taken_at, Hundredths(row.rating)) for row in await connection.execute(looks)
            }
        return Past(region=region, until=until, newest=snapshots, ratings=tuple(ratings.values()))


def _to_snapshot(row: Row[tuple[object, ...]]) -> Snapshot:
    return Snapshot(
        member=MemberId(row.member_id),
        region=Region(row.region),
        day=row.day,
        taken_at=row.taken_at,
        rating=Hundredths(row.rating),
        scores={(SongId(song), Difficulty(difficulty)): score for song, difficulty, score in row.scores},
        recent_average=to_average(row.recent_average),
    )


def to_number(average: Decimal | None) -> int | None:
    """Return an average as stored, in ten-thousandths."""
    return None if average is None else int(average * _AVERAGE)


def to_average(number: int | None) -> Decimal | None:
    """Return an average from its stored form."""
    return None if number is None else Decimal(number) / _AVERAGE
