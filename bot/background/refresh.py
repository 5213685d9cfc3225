"""Members looked at in the background: whoever joined what needs it, once a day, before it is needed."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from typing import Final

from bot.base.circuit_breaker import CircuitBreaker
from bot.base.clock import Clock
from bot.domain.errors import BotError, BudgetSpent, CannotKeep, CannotRead, NotLinked, ServiceDown
from bot.domain.ids import MemberId
from bot.domain.refresh_schedule import pause_after
from bot.store import DueLook, LeaderLease, Store

_logger = logging.getLogger(__name__)

_TICK_SECONDS: Final = 60.0
"""Seconds between looks whose turn has come."""
_MAX_MEMBERS_PER_READ: Final = 500
"""Members read from the database at a time."""
_MAX_CONCURRENT_LOOKS: Final = 4
_RETRY_DELAY: Final = timedelta(minutes=15)
"""Somebody whose own trouble it need not be is tried again after this time."""
_MAX_OPEN_SECONDS: Final = 1800.0
"""The circuit breaker stays open no longer, however often the service was away."""


class BackgroundRefresh:
    """Looks at all whose turn has come: by one process, and never in the way of people."""

    def __init__(
        self,
        store: Store,
        look: Callable[[MemberId], Awaitable[bool]],
        leader: LeaderLease,
        clock: Clock,
        requests: Counter[str],
    ) -> None:
        """Look at nobody yet; `look` returns whether records were asked for, `requests` counts the service's 429s."""
        self._schedule = store.refresh_schedule
        self._look = look
        self._leader = leader
        self._clock = clock
        self._requests = requests
        self._breaker = CircuitBreaker(clock, longest=_MAX_OPEN_SECONDS)
        self.counts: Counter[str] = Counter()
        """Members since the start: looked (at), fetched (their records too), failed, put_off."""

    async def run_once(self) -> float:
        """Look at those whose turn has come; return after how many seconds to go on. Raises: CannotKeep, CannotRead."""
        if self._breaker.is_open or not await self._leader.acquire():
            return _TICK_SECONDS
        waiting = await self._schedule.fetch_waiting(self._clock.now(), most=_MAX_MEMBERS_PER_READ)
        refused = self._requests["too_many"]
        turns = iter(waiting)
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(1 if self._breaker.is_half_open else _MAX_CONCURRENT_LOOKS):
                    tasks.create_task(self._look_at_turns(turns))
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        if self._requests["too_many"] > refused:
            self._breaker.trip("it refuses")
        return _TICK_SECONDS if self._breaker.is_open or len(waiting) < _MAX_MEMBERS_PER_READ else 0.0

    async def _look_at_turns(self, turns: Iterator[DueLook]) -> None:
        for each in turns:
            if self._breaker.is_open or not self._leader.is_held:
                return
            await self._look_at(each)

    async def _look_at(self, waiting: DueLook) -> None:
        member, failures = waiting
        try:
            is_fetched = await self._look(member)
        except (CannotKeep, CannotRead):
            raise
        except NotLinked:
            return
        except ServiceDown as error:
            self._breaker.trip(str(error))
            await self._put_off(member, failures)
        except BudgetSpent:
            await self._put_off(member, failures)
        except Exception as error:  # of one who cannot be read the others must not suffer
            if not isinstance(error, BotError):
                _logger.exception("a member could not be looked at: member %s", member)
            self.counts["failed"] += 1
            again_at = self._clock.now() + pause_after(failures + 1)
            await self._schedule.put_off(member, again_at, failures=failures + 1)
        else:
            self._breaker.reset()
            self.counts["looked"] += 1
            self.counts["fetched"] += is_fetched

    async def _put_off(self, member: MemberId, failures: int) -> None:
        self.counts["put_off"] += 1
        await self._schedule.put_off(member, self._clock.now() + _RETRY_DELAY, failures=failures)
