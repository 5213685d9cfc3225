"""Snapshots of members' ratings, one a day at most."""

from datetime import date

from sqlalchemy import Row, select

from bot.domain.charts import Difficulty
from bot.domain.history import Snapshot
from bot.domain.ids import MemberId, Region, SongId, UserId
from bot.domain.numbers import Hundredths
from bot.store.engine import COURTESY_SECONDS, Database
from bot.store.tables import LINKS, SNAPSHOTS
from bot.store.upsert import upsert


class Snapshots:
    """The repository of snapshots."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        linked = select(LINKS).where(LINKS.c.member_id == snapshot.member, LINKS.c.user_id == account)
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            if (await connection.execute(linked)).first() is not None:
                await upsert(connection, SNAPSHOTS, row)

    async def find_newest(self, member: MemberId, region: Region, *, until: date) -> Snapshot | None:
        """Return the newest snapshot of `until` or before, or None."""
        query = (
            select(SNAPSHOTS)
            .where(SNAPSHOTS.c.member_id == member, SNAPSHOTS.c.region == region, SNAPSHOTS.c.day <= until)
            .order_by(SNAPSHOTS.c.day.desc())
            .limit(1)
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        return None if row is None else _to_snapshot(row)

    async def fetch_all(self, member: MemberId) -> list[Snapshot]:
        """Return a member's snapshots of every region, oldest first."""
        query = select(SNAPSHOTS).where(SNAPSHOTS.c.member_id == member).order_by(SNAPSHOTS.c.taken_at)
        async with self._database.read() as connection:
            return [_to_snapshot(row) for row in await connection.execute(query)]


def _to_snapshot(row: Row[tuple[object, ...]]) -> Snapshot:
    return Snapshot(
        member=MemberId(row.member_id),
        region=Region(row.region),
        day=row.day,
        taken_at=row.taken_at,
        rating=Hundredths(row.rating),
        scores={(SongId(song), Difficulty(difficulty)): score for song, difficulty, score in row.scores},
    )
