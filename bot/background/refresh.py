"""The background refresh: looks at members of posts and feeds once a day, before the data is needed."""

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
"""Seconds between checks whose turn has come."""
_MAX_MEMBERS_PER_READ: Final = 500
"""Members read from the database at a time."""
_MAX_CONCURRENT_LOOKS: Final = 4
_RETRY_DELAY: Final = timedelta(minutes=15)
"""A member whose look failed, perhaps through no trouble of their own, is tried again after this time."""
_MAX_OPEN_SECONDS: Final = 1800.0
"""The longest time that the circuit breaker stays open, however often the service was away."""


class BackgroundRefresh:
    """Looks at members whose turn has come: in one process only, and never in the way of people."""

    def __init__(
        self,
        store: Store,
        look: Callable[[MemberId], Awaitable[bool]],
        leader: LeaderLease,
        clock: Clock,
        requests: Counter[str],
    ) -> None:
        """Start nothing yet; `look` returns whether records were requested, `requests` counts the service's 429s."""
        self._schedule = store.refresh_schedule
        self._look = look
        self._leader = leader
        self._clock = clock
        self._requests = requests
        self._breaker = CircuitBreaker(clock, longest=_MAX_OPEN_SECONDS)
        self.counts: Counter[str] = Counter()
        """Members since the start: looked (at), fetched (their records too), failed, put_off."""

    async def run_once(self) -> float:
        """Look at members whose turn has come; return the seconds until the next run. Raises: CannotKeep, CannotRead."""
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
        except Exception as error:  # one unreadable member must not affect the others
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
