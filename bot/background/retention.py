"""The retention sweep: one process deletes expired history once a day, a few members at a time."""

from datetime import date, timedelta
from typing import Final

from bot.base.clock import JST, Clock
from bot.domain.ids import MemberId
from bot.store import LeaderLease, Store

_TICK_SECONDS: Final = 600.0
"""Seconds between checks whether a new day has begun."""
_BATCH_PAUSE_SECONDS: Final = 0.5
"""Seconds between two batches, in which others can write."""
_MAX_CLOCK_LEAP: Final = timedelta(days=31)
"""The longest plausible time between two runs: after a longer one the clock may be wrong, so the sweep waits a day."""
_SWEPT_ON: Final = "forgotten_on"
_SWEPT_UNTIL: Final = "forgotten_until"
_NOBODY: Final = MemberId(-1)


class RetentionSweep:
    """Goes through all members once a day, and continues where this or another process stopped."""

    def __init__(self, store: Store, leader: LeaderLease, clock: Clock) -> None:
        self._snapshots = store.snapshots
        self._leader = leader
        self._clock = clock

    async def delete_some(self) -> float:
        """Delete expired data of some members; return the seconds until the next run. Raises: CannotKeep, CannotRead."""
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
