"""Clocks, which are passed in: no other code asks for the time."""

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
"""A monotonic clock that also runs while the machine sleeps, where there is one (Linux), as the service's windows do."""


class Clock(Protocol):
    """The interface of a clock."""

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
    """The clock of the machine, shifted into the future."""

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
    """A clock that advances at least by the time slept, so that a stopped machine clock keeps nobody waiting."""

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
        """Return the time of day at the zero of `monotonic`, by the current time: it moves when the machine's clock is set."""
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
        """Set the time of day back, as a correction of the machine's clock does."""
        self._now -= timedelta(seconds=seconds)
