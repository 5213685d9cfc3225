"""Prefetches chart statistics in the background with the operator's token, a chart at a time."""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

from bot.base.circuit_breaker import CircuitBreaker
from bot.base.clock import Clock
from bot.base.worker import run_in_worker
from bot.domain.charts import Catalogue
from bot.domain.coach.prefetch_order import next_to_fetch
from bot.domain.coach.summaries import ChartSummary
from bot.domain.errors import BotError, BudgetSpent, CannotRead, NotFound, ServiceDown, TokenRejected
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, Region
from bot.domain.statistics import ChartStatistics
from bot.store import LeaderLease, Store

_logger = logging.getLogger(__name__)

CHART_SPACING_SECONDS: Final = 9.0
"""Seconds from one chart to the next: a hundred in each window of requests, and never two in quick succession."""
_TICK_SECONDS: Final = 600.0
"""Seconds between checks whether any chart's turn has come."""
_REFRESH_AFTER: Final = timedelta(days=7)
"""A chart is asked about again after this time."""
_CLIMB_TIME: Final = timedelta(days=28)
"""The time after a version's turn until ratings reflect skill again; until then older statistics stay."""
_MAX_CHARTS_PER_CHOICE: Final = 100
"""Charts chosen at a time: afterwards members' ratings and the catalogue may have changed."""
_MAX_OPEN_SECONDS: Final = 3600.0
"""The longest time that the circuit breaker stays open, however often the service was away."""
_MAX_UNREADABLE_CHARTS: Final = 3
"""Charts of which nothing can be read, after which that is the service's trouble, and not theirs."""


class _UnreadableStatistics(Exception):
    """The service's reply about a chart cannot be read."""


class StatisticsPrefetch:
    """Fetches chart statistics before they are needed: in one process only, never in the way of people."""

    def __init__(
        self,
        store: Store,
        find_catalogue: Callable[[Region], Awaitable[Catalogue | None]],
        ask: Callable[[ChartKey], Awaitable[ChartStatistics]],
        leader: LeaderLease,
        clock: Clock,
        begun_at: Callable[[Region], datetime],
    ) -> None:
        """Start nothing yet; `begun_at` returns when a region's version has begun."""
        self._begun_at = begun_at
        self._statistics = store.statistics
        self._snapshots = store.snapshots
        self._find_catalogue = find_catalogue
        self._ask = ask
        self._leader = leader
        self._clock = clock
        self._turns = deque[ChartKey]()
        self._breaker = CircuitBreaker(clock, longest=_MAX_OPEN_SECONDS)
        self._unreadable_in_a_row = 0
        """The number of unreadable charts since the last readable one."""

    async def run_once(self) -> float:
        """Ask about the next chart; return the seconds until the next run. Raises: CannotKeep, CannotRead."""
        if not await self._leader.acquire():
            self._turns.clear()
            return _TICK_SECONDS
        since = self._since()
        if not self._turns:
            self._turns.extend(await self._choose(since))
        while self._turns and await self._statistics.is_settled(self._turns[0], since):
            self._turns.popleft()  # a member has asked meanwhile
        if not self._turns:
            return _TICK_SECONDS
        try:
            summary = await self._learn(self._turns[0])
        except (BudgetSpent, ServiceDown, TokenRejected) as error:
            self._breaker.trip(str(error))
            wait = error.retry_at - self._clock.now() if isinstance(error, BudgetSpent) else timedelta()
            return max(self._breaker.seconds_open, wait.total_seconds())
        except _UnreadableStatistics:
            self._unreadable_in_a_row += 1
            if self._unreadable_in_a_row >= _MAX_UNREADABLE_CHARTS:
                self._turns.rotate(-1)
                self._breaker.trip("the statistics of several charts in a row cannot be read")
                return self._breaker.seconds_open
            summary = None
        else:
            self._unreadable_in_a_row = 0
            self._breaker.reset()
        await self._statistics.save(self._turns.popleft(), summary, self._clock.now())
        return CHART_SPACING_SECONDS

    def _since(self) -> datetime:
        """Return the moment since which a chart must have been asked about to be skipped."""
        now, begun = self._clock.now(), self._begun_at(JP2)
        return (begun if begun <= now < begun + _CLIMB_TIME else now) - _REFRESH_AFTER

    async def _choose(self, since: datetime) -> list[ChartKey]:
        catalogue = await self._find_catalogue(JP2)
        if catalogue is None:
            return []
        settled = await self._statistics.fetch_settled(since)
        ratings = await self._snapshots.fetch_ratings()
        return await run_in_worker(next_to_fetch, catalogue, settled, ratings, _MAX_CHARTS_PER_CHOICE)

    async def _learn(self, chart: ChartKey) -> ChartSummary | None:
        """Return the service's statistics of a chart; None if it does not know the chart.

        Raises: _UnreadableStatistics if the reply cannot be read, and the errors of the request.
        """
        try:
            return ChartSummary.of(await self._ask(chart))
        except (BudgetSpent, CannotRead, ServiceDown, TokenRejected):
            raise
        except NotFound:
            return None
        except Exception as error:  # one unreadable chart must not affect the others
            if not isinstance(error, BotError):
                _logger.exception("the statistics of a chart could not be read: %s %s", *chart)
            raise _UnreadableStatistics from error
