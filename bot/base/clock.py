"""The time, passed in: nobody else asks what time it is."""

import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import Final, Protocol

from typing_extensions import override

JST = timezone(timedelta(hours=9))
"""The service's own time zone. Source: specification, rule 5 (UTC+9)."""
_seconds: Final[Callable[[], float]] = (
    partial(time.clock_gettime, time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic
)
"""This clock goes on while the machine sleeps, where there is one (Linux): the service's windows go on too."""


class Clock(Protocol):
    """What asks the time is given one of these."""

    def now(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds since an arbitrary point; never goes back."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return seconds since an arbitrary point; never goes back."""
        return _seconds()


class ShiftedClock(SystemClock):
    """The clock of the machine, as it will be after a while."""

    def __init__(self) -> None:
        self._ahead = 0.0

    @override
    def now(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return super().now() + timedelta(seconds=self._ahead)

    @override
    def monotonic(self) -> float:
        """Return seconds since an arbitrary point; never goes back."""
        return super().monotonic() + self._ahead

    def advance(self, seconds: float) -> None:
        """Move ahead of the machine by `seconds` more."""
        self._ahead += seconds


class SteadyClock:
    """A clock by which at least as much time passes as is slept: one that stands still keeps nobody waiting."""

    def __init__(self, clock: Clock, sleep: Callable[[float], Awaitable[None]]) -> None:
        self._clock = clock
        self._sleep = sleep
        self._behind = 0.0

    def now(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return self._clock.now() + timedelta(seconds=self._behind)

    def monotonic(self) -> float:
        """Return seconds since an arbitrary point; never goes back."""
        return self._clock.monotonic() + self._behind

    def origin(self) -> datetime:
        """Return the time of day at that point, as far as is known now: it moves when the machine's clock is set."""
        return self._clock.now() - timedelta(seconds=self._clock.monotonic())

    async def sleep(self, seconds: float) -> None:
        """Let this much time pass."""
        until = self.monotonic() + seconds
        await self._sleep(seconds)
        self._behind += max(0.0, until - self.monotonic())


class ManualClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, start: datetime) -> None:
        self._now = start.astimezone(UTC)
        self._monotonic = 0.0

    def now(self) -> datetime:
        """Return the time of day, aware, in UTC."""
        return self._now

    def monotonic(self) -> float:
        """Return the seconds that this clock was moved by."""
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Move forward by `seconds`."""
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds

    def set_back(self, seconds: float) -> None:
        """Have an earlier time of day, as when the machine's clock is corrected."""
        self._now -= timedelta(seconds=seconds)
