"""Snapshots of members' ratings, one a day at most; what answers need of them is in memory."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import date, timedelta
from typing import Final

from sqlalchemy import Row, delete, select

from bot.domain.charts import Difficulty
from bot.domain.chronicle import Retention, superfluous
from bot.domain.history import Past, Snapshot
from bot.domain.ids import MemberId, Region, SongId, UserId
from bot.domain.numbers import Hundredths
from bot.store.at_hand import AtHand
from bot.store.connection import AsyncConnection
from bot.store.engine import COURTESY_SECONDS, Database
from bot.store.news import MEMBER, News
from bot.store.tables import LINKS, SNAPSHOTS
from bot.store.upsert import upsert

AT_HAND: Final = 500
"""Members whose past is in memory at most, 15 kilobytes each and as many again for every 100 days in it."""


class Snapshots:
    """The repository of snapshots."""

    def __init__(self, database: Database, news: News, keeping: Retention) -> None:
        self._database = database
        self._keeping = keeping
        self._news = news
        self.at_hand: AtHand[MemberId, Past] = AtHand(AT_HAND, news, MEMBER, MemberId)

    async def save(self, snapshot: Snapshot, *, account: UserId) -> None:
        """Keep a snapshot in place of any of the same day, while the member has the account linked."""
        scores = [(song, difficulty, score) for (song, difficulty), score in snapshot.scores.items()]
        row = {
            "member_id": snapshot.member,
            "region": snapshot.region,
            "day": snapshot.day,
            "taken_at": snapshot.taken_at,
            "rating": snapshot.rating,
            "scores": scores,
        }
        async with self.writing(
            snapshot.member, snapshot.region, snapshot.day, account=account
        ) as connection:
            if connection is not None:
                await upsert(connection, SNAPSHOTS, row)

    @asynccontextmanager
    async def writing(
        self, member: MemberId, region: Region, day: date, *, account: UserId
    ) -> AsyncGenerator[AsyncConnection | None]:
        """Open a transaction that writes a day of a member; None where they have not the account linked.

        At its end all is forgotten that is older than what is kept.
        """
        # Whoever erases the link meanwhile waits, or has erased it.
        locked = select(LINKS).with_for_update(read=True, key_share=True)
        linked = locked.where(LINKS.c.member_id == member, LINKS.c.user_id == account)
        try:
            async with self._database.write(seconds=COURTESY_SECONDS) as connection:
                is_linked = (await connection.execute(linked)).first() is not None
                yield connection if is_linked else None
                if is_linked:
                    await self._forget_old(connection, member, region, day)
                    await self._news.tell(connection, MEMBER, member)
        finally:  # one that is cancelled may have been committed
            self.forget(member)

    async def get(self, member: MemberId, region: Region, *, until: date) -> Past:
        """Return what is kept of a member, as of the last change, from memory where it is there."""
        return await self.at_hand.get(
            member,
            lambda: self._read(member, region, until),
            fits=lambda past: (past.region, past.until) == (region, until),
        )

    def forget(self, member: MemberId) -> None:
        """Have a member's past read anew."""
        self.at_hand.forget(member)

    async def _forget_old(
        self, connection: AsyncConnection, member: MemberId, region: Region, today: date
    ) -> None:
        """Forget days that are superfluous, but for those whose records stand whole for others."""
        table = SNAPSHOTS.c
        theirs = (table.member_id == member, table.region == region)
        limit = today - timedelta(days=self._keeping.all_days)
        old = set((await connection.execute(select(table.day).where(*theirs, table.day < limit))).scalars())
        gone = superfluous(old, today, self._keeping)
        if not gone:
            return
        kept = select(table.whole_day).where(*theirs, table.day.not_in(gone)).distinct()
        gone -= set((await connection.execute(kept)).scalars())
        await connection.execute(delete(SNAPSHOTS).where(*theirs, table.day.in_(gone)))

    async def _read(self, member: MemberId, region: Region, until: date) -> Past:
        table = SNAPSHOTS.c
        newest = (
            select(table.member_id, table.region, table.day, table.taken_at, table.rating, table.scores)
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
    )
