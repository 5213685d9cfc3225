"""Leaving the record service alone while it is known to be away."""

import logging
from typing import Final

from bot.base.backoff import doubled_wait
from bot.base.clock import Clock

_logger = logging.getLogger(__name__)

_FIRST_OPEN_SECONDS: Final = 60.0
"""Seconds."""


class CircuitBreaker:
    """For how long nothing is asked once the service is down or refuses: ever longer while it still is."""

    def __init__(self, clock: Clock, *, longest: float) -> None:
        self._clock = clock
        self._longest = longest
        self._until = 0.0
        """The moment, by the monotonic clock, until which nothing is let through."""
        self._count = 0

    @property
    def is_open(self) -> bool:
        """Whether the service is to be left alone now."""
        return self._clock.monotonic() < self._until

    @property
    def seconds_open(self) -> float:
        """For how many seconds more it is."""
        return max(0.0, self._until - self._clock.monotonic())

    @property
    def is_half_open(self) -> bool:
        """Whether the service has not answered since the last rest: one asks, and not many."""
        return self._count > 0

    def trip(self, why: str) -> None:
        """Leave the service alone for a while, unless it is already."""
        if self.is_open:
            return
        self._count += 1
        seconds = doubled_wait(_FIRST_OPEN_SECONDS, self._count, self._longest)
        self._until = self._clock.monotonic() + seconds
        _logger.info("nothing is asked for %.0f seconds: %s", seconds, why)

    def reset(self) -> None:
        """Note that the service has answered."""
        self._count = 0
