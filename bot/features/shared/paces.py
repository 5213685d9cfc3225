"""The growth rate of members' figures, from stored history only."""

from datetime import timedelta
from typing import Final

from bot.base.clock import JST, Clock
from bot.domain.climb import TargetMeasure
from bot.domain.errors import CannotRead
from bot.domain.members import AccountLink
from bot.domain.pace import Pace, pace_of
from bot.store import Store

_LOOKED_BACK: Final = timedelta(days=100)


class Paces:
    """Finds how fast ratings have grown, from stored history."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._chronicle = store.chronicle
        self._clock = clock

    async def find(self, link: AccountLink, aim: TargetMeasure) -> Pace | None:
        """Return how fast a member's rating or best average grows, in hundredths; None if too little is known."""
        today = self._clock.now().astimezone(JST).date()
        is_best = aim is TargetMeasure.BEST_AVERAGE
        try:
            looks = await self._chronicle.fetch_looks(
                [link.member], link.region if is_best else None, first=today - _LOOKED_BACK, last=today
            )
        except CannotRead:
            return None
        seen = (
            (look.taken_at, look.best_average // 100 if is_best and look.best_average else look.rating)
            for look in looks
            if not is_best or look.best_average
        )
        return pace_of(seen)
