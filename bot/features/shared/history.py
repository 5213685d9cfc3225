"""What members' ratings were: noted when they look at their own, shown to them alone."""

from bot.base.clock import JST
from bot.domain.age import Age
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.history import Past, Snapshot, scores_of
from bot.domain.members import AccountLink
from bot.domain.players import Player
from bot.domain.scores import RatingData, Slot, SlotName
from bot.store import Store


class History:
    """Keeps a snapshot a day, of the days on which something had changed."""

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
        """Keep what a member sees of their own, unless it stands in for newer; return what is kept of them.

        `best` and `new` are the slots as they are shown; without `best` nobody knows now what stands in them.
        """
        day = age.fetched_at.astimezone(JST).date()
        recent = data[SlotName.RECENT]
        scores = scores_of(best or data[SlotName.BEST], recent, new)
        try:
            past = await self._snapshots.get(link.member, link.region, until=day)
        except CannotRead:
            return Past(region=link.region, until=day, newest=(), ratings=())
        if best is None:  # what stood in the slots last is taken to stand there still
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
