"""What is kept of members for long enough: deleted by one process, once a day, a few members at a time."""

from datetime import date, timedelta
from typing import Final

from bot.base.clock import JST, Clock
from bot.domain.ids import MemberId
from bot.store import LeaderLease, Store

_TICK_SECONDS: Final = 600.0
"""Seconds between looks whether there is another day."""
_BATCH_PAUSE_SECONDS: Final = 0.5
"""Seconds between some members and the next, in which others write."""
_MAX_CLOCK_LEAP: Final = timedelta(days=31)
"""Two runs are at most this far apart; with more between them the clock may be wrong, and a day later it would be no more."""
_SWEPT_ON: Final = "forgotten_on"
_SWEPT_UNTIL: Final = "forgotten_until"
_NOBODY: Final = MemberId(-1)


class RetentionSweep:
    """Goes through all members once a day, and goes on where it stopped, or another process did."""

    def __init__(self, store: Store, leader: LeaderLease, clock: Clock) -> None:
        self._snapshots = store.snapshots
        self._leader = leader
        self._clock = clock

    async def delete_some(self) -> float:
        """Delete what is old of some members; return after how many seconds to go on. Raises: CannotKeep, CannotRead."""
        today = self._clock.now().astimezone(JST).date()
        if not await self._leader.acquire() or self._leader.state.get(_SWEPT_ON) == today.isoformat():
            return _TICK_SECONDS
        left = self._leader.state
        last = None
        if today - date.fromisoformat(left.get(_SWEPT_ON, date.min.isoformat())) <= _MAX_CLOCK_LEAP:
            last = await self._snapshots.delete_old(MemberId(left.get(_SWEPT_UNTIL, _NOBODY)), today)
        if last is None:
            await self._leader.save_progress({**left, _SWEPT_ON: today.isoformat(), _SWEPT_UNTIL: _NOBODY})
            return _TICK_SECONDS
        await self._leader.save_progress({**left, _SWEPT_UNTIL: last})
        return _BATCH_PAUSE_SECONDS
