"""The time, passed in: nobody else asks what time it is."""

import time
from datetime import UTC, datetime, timedelta, timezone
from typing import Protocol

JST = timezone(timedelta(hours=9))
"""The service's own time zone. Source: specification, rule 5 (UTC+9)."""


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
        return time.monotonic()


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
