"""Snapshots of members' ratings, one a day at most; what answers need of them is in memory."""

from datetime import date
from typing import Final

from sqlalchemy import Row, select

from bot.domain.charts import Difficulty
from bot.domain.history import Past, Snapshot
from bot.domain.ids import MemberId, Region, SongId, UserId
from bot.domain.numbers import Hundredths
from bot.store.at_hand import AtHand
from bot.store.engine import COURTESY_SECONDS, Database
from bot.store.news import MEMBER, News
from bot.store.tables import LINKS, SNAPSHOTS
from bot.store.upsert import upsert

AT_HAND: Final = 500
"""Members whose past is in memory at most, 15 kilobytes each and as many again for every 100 days in it."""


class Snapshots:
    """The repository of snapshots."""

    def __init__(self, database: Database, news: News) -> None:
        self._database = database
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
        # Whoever erases the link meanwhile waits, or has erased it.
        locked = select(LINKS).with_for_update(read=True, key_share=True)
        linked = locked.where(LINKS.c.member_id == snapshot.member, LINKS.c.user_id == account)
        try:
            async with self._database.write(seconds=COURTESY_SECONDS) as connection:
                if (await connection.execute(linked)).first() is not None:
                    await upsert(connection, SNAPSHOTS, row)
                    await self._news.tell(connection, MEMBER, snapshot.member)
        finally:  # one that is cancelled may have been committed
            self.forget(snapshot.member)

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

    async def _read(self, member: MemberId, region: Region, until: date) -> Past:
        table = SNAPSHOTS.c
        newest = (
            select(SNAPSHOTS)
            .where(table.member_id == member, table.region == region, table.day <= until)
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
