"""The circuit breaker: sends no requests while the record service is known to be away."""

import logging
from typing import Final

from bot.base.backoff import doubled_wait
from bot.base.clock import Clock

_logger = logging.getLogger(__name__)

_FIRST_OPEN_SECONDS: Final = 60.0
"""The first pause; each further one is longer."""


class CircuitBreaker:
    """Blocks requests once the service is down or refuses, for longer and longer while it stays so."""

    def __init__(self, clock: Clock, *, longest: float) -> None:
        self._clock = clock
        self._longest = longest
        self._until = 0.0
        """The moment, by the monotonic clock, until which requests are blocked."""
        self._count = 0

    @property
    def is_open(self) -> bool:
        """Whether requests are blocked now."""
        return self._clock.monotonic() < self._until

    @property
    def seconds_open(self) -> float:
        """The seconds until it closes."""
        return max(0.0, self._until - self._clock.monotonic())

    @property
    def is_half_open(self) -> bool:
        """Whether the service has not answered since the last pause: only one request should test it."""
        return self._count > 0

    def trip(self, why: str) -> None:
        """Block requests for a while, unless they are blocked already."""
        if self.is_open:
            return
        self._count += 1
        seconds = doubled_wait(_FIRST_OPEN_SECONDS, self._count, self._longest)
        self._until = self._clock.monotonic() + seconds
        _logger.info("no requests for %.0f seconds: %s", seconds, why)

    def reset(self) -> None:
        """Note that the service has answered."""
        self._count = 0
