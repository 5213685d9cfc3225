"""What members' ratings were: noted when they look at their own, shown to them alone."""

import logging

from bot.clock import JST
from bot.domain.age import Age
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.history import Past, Snapshot, scores_of
from bot.domain.members import Link
from bot.domain.players import Player
from bot.domain.scores import RatingData, SlotName
from bot.store import Store

_log = logging.getLogger(__name__)


class History:
    """Keeps a snapshot a day, of the days on which something had changed."""

    def __init__(self, store: Store) -> None:
        self._snapshots = store.snapshots

    async def note(self, link: Link, player: Player, data: RatingData, age: Age) -> Past:
        """Keep what a member sees of their own, unless it stands in for newer; return what is kept of them."""
        now = Snapshot(
            member=link.member,
            region=link.region,
            day=age.fetched_at.astimezone(JST).date(),
            taken_at=age.fetched_at,
            rating=player.rating,
            scores=scores_of(data[SlotName.BEST], data[SlotName.RECENT]),
            recent_average=data[SlotName.RECENT].average,
        )
        try:
            past = await self._get(now)
        except CannotRead:
            return Past(region=now.region, until=now.day, newest=(), ratings=())
        if age.is_stale or (past.newest and past.newest[0].says_the_same(now)):
            return past
        try:
            await self._snapshots.save(now, account=link.user_id)
            return await self._get(now)
        except (CannotKeep, CannotRead):
            _log.warning("a day of somebody's history could not be kept")
            return past

    async def _get(self, now: Snapshot) -> Past:
        return await self._snapshots.get(now.member, now.region, until=now.day)
