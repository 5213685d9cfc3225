"""Members' past ratings: saved when they look at their own rating, and shown to them only."""

from bot.base.clock import JST
from bot.domain.age import Age
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.history import Past, Snapshot, scores_of
from bot.domain.members import AccountLink
from bot.domain.players import Player
from bot.domain.scores import RatingData, Slot, SlotName
from bot.store import Store


class History:
    """Stores one snapshot a day, for days on which something changed."""

    def __init__(self, store: Store) -> None:
        self._snapshots = store.snapshots
        self._backlog = store.backlog

    async def note(
        self,
        link: AccountLink,
        player: Player,
        data: RatingData,
        age: Age,
        *,
        best: Slot | None = None,
        new: Slot | None = None,
    ) -> Past:
        """Save a member's own rating data, unless it is stale; return their stored past.

        `best` and `new` are the slots as shown; without `best`, their current content is unknown.
        """
        day = age.fetched_at.astimezone(JST).date()
        recent = data[SlotName.RECENT]
        scores = scores_of(best or data[SlotName.BEST], recent, new)
        try:
            past = await self._snapshots.get(link.member, link.region, until=day)
        except CannotRead:
            return Past(region=link.region, until=day, newest=(), ratings=())
        if best is None:  # assume that the slots still have their last known content
            if not past.newest:
                return past
            scores = {**past.newest[0].scores, **scores}
        if age.is_stale or (past.newest and past.newest[0].says(player.rating, scores)):
            return past
        now = Snapshot(
            member=link.member,
            region=link.region,
            day=day,
            taken_at=age.fetched_at,
            rating=player.rating,
            scores=scores,
            recent_average=recent.average,
        )
        try:
            await self._snapshots.save(now, account=link.user_id)
            return await self._snapshots.get(link.member, link.region, until=day)
        except CannotKeep:
            key = ("snapshot", link.member, link.region, day.isoformat())
            self._backlog.add(key, lambda: self._snapshots.save(now, account=link.user_id), of=link.member)
            return past
        except CannotRead:
            return past
