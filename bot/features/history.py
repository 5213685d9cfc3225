"""What members' ratings were: noted when they look at their own, shown to them alone."""

import logging
from datetime import datetime, timedelta
from typing import Final

from bot.clock import JST
from bot.domain.errors import CannotKeep
from bot.domain.history import Snapshot, scores_of
from bot.domain.ids import MemberId
from bot.domain.members import Link
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.scores import RatingData, SlotName
from bot.store import Store

_log = logging.getLogger(__name__)

_DAY: Final = timedelta(days=1)


class History:
    """Keeps a snapshot a day, of the days on which something had changed."""

    def __init__(self, store: Store) -> None:
        self._snapshots = store.snapshots

    async def note(
        self, link: Link, player: Player, data: RatingData, fetched_at: datetime
    ) -> Snapshot | None:
        """Keep what a member sees of their own; return the newest snapshot of an earlier day, if any."""
        now = Snapshot(
            member=link.member,
            region=link.region,
            day=fetched_at.astimezone(JST).date(),
            taken_at=fetched_at,
            rating=player.rating,
            scores=scores_of(data[SlotName.BEST], data[SlotName.RECENT]),
        )
        last = await self._snapshots.find_newest(link.member, link.region, until=now.day)
        if last is None or not last.says_the_same(now):
            try:
                await self._snapshots.save(now, account=link.user_id)
            except CannotKeep:
                _log.warning("a day of somebody's history could not be kept")
        if last is None or last.day != now.day:
            return last
        return await self._snapshots.find_newest(link.member, link.region, until=now.day - _DAY)

    async def fetch_ratings(self, member: MemberId) -> list[tuple[datetime, Hundredths]]:
        """Return when a member's rating was what, oldest first, the last look at a day alone.

        A rating is the profile's and no region's, whichever slots were looked at with it.
        """
        days = {each.day: each for each in await self._snapshots.fetch_all(member)}
        return [(each.taken_at, each.rating) for each in days.values()]
