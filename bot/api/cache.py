"""Answers kept for a while: freshness, single flight, and the last known answer when the service is away."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import TracebackType
from typing import Final, Generic, NamedTuple, Self, TypeVar, cast

from bot.clock import JST, Clock
from bot.domain.errors import BudgetSpent, ServiceDown, UnreadableReply

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_REFRESH_HOURS: Final = (12, 21)
_REFRESH_MARGIN: Final = timedelta(minutes=10)
_KEPT: Final = 2_000
"""Answers kept at most; the one not used for longest goes first."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """What the service said, and when."""

    value: T_co
    fetched_at: datetime
    is_stale: bool = False
    """The service could not be asked now; this is the last known answer."""


class Key(NamedTuple):
    """What was asked, and on whose behalf: nobody is answered from what another was allowed to see."""

    account: Hashable
    """The asker's account, or None for what is the same for everyone."""
    question: Hashable


class AnswerCache:
    """Keeps answers and lets equal questions share one request."""

    def __init__(self, clock: Clock, *, fresh_for: timedelta) -> None:
        self._clock = clock
        self._fresh_for = fresh_for
        self._answers: OrderedDict[Key, tuple[Answer[object], datetime]] = OrderedDict()
        self._flights: dict[Key, asyncio.Task[object]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        flights = list(self._flights.values())
        for flight in flights:
            flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)

    async def get(
        self, key: Key, fetch: Callable[[], Awaitable[T]], *, fresh_until: datetime | None = None
    ) -> Answer[T]:
        """Return a fresh answer, or the last known one if the service cannot be asked.

        `fresh_until` replaces the default freshness of an answer fetched now.
        Raises: what `fetch` raises, where no earlier answer can stand in.
        """
        now = self._clock.now()
        kept = self._answers.get(key)
        if kept is not None and now < kept[1]:
            self._answers.move_to_end(key)
            return cast("Answer[T]", kept[0])
        try:
            value = await self._join(key, fetch)
        except (ServiceDown, BudgetSpent, UnreadableReply):
            if kept is None:
                raise
            last = cast("Answer[T]", kept[0])
            return Answer(last.value, last.fetched_at, is_stale=True)
        answer = Answer(value, self._clock.now())
        self._keep(key, answer, fresh_until or answer.fetched_at + self._fresh_for)
        return answer

    def forget(self, account: Hashable) -> None:
        """Drop every answer that was given to an account, and those on their way."""
        for key in [key for key in self._answers if key.account == account]:
            del self._answers[key]
        for key in [key for key in self._flights if key.account == account]:
            self._flights.pop(key).cancel()

    async def _join(self, key: Key, fetch: Callable[[], Awaitable[T]]) -> T:
        flight = self._flights.get(key)
        if flight is None:
            flight = asyncio.ensure_future(_run(fetch))
            self._flights[key] = flight
            flight.add_done_callback(lambda done: self._land(key, done))
        # Shielded: the caller who is cancelled leaves the others waiting for the same request undisturbed.
        return cast("T", await asyncio.shield(flight))

    def _land(self, key: Key, flight: asyncio.Task[object]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]
        if not flight.cancelled():
            flight.exception()  # marks it as seen, should every caller have gone

    def _keep(self, key: Key, answer: Answer[object], fresh_until: datetime) -> None:
        self._answers[key] = (answer, fresh_until)
        self._answers.move_to_end(key)
        while len(self._answers) > _KEPT:
            self._answers.popitem(last=False)


async def _run(fetch: Callable[[], Awaitable[object]]) -> object:
    return await fetch()


def next_catalogue_refresh(now: datetime) -> datetime:
    """Return when the service's catalogue will be newer than now, with ten minutes for it to settle.

    Source: specification, rule 5 (daily at 12:00 and 21:00, UTC+9).
    """
    local = now.astimezone(JST)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    refreshes = [midnight + timedelta(hours=hour) + _REFRESH_MARGIN for hour in (*_REFRESH_HOURS, 24 + 12)]
    return next(moment for moment in refreshes if moment > local)
