"""The state of a budget as it travels from one process to another: as JSON can say it, by a clock that all share."""

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

SharedState = Mapping[str, Any]

REQUEST_ARRIVAL_SECONDS: Final = 2.0
"""Seconds after which a request that was sent has been counted, or never will be: replies to later ones know. Our choice."""


class ClockOffset(NamedTuple):
    """How far one clock is ahead of another, in seconds: by so much at least, and at most."""

    least: float
    most: float

    @property
    def inverse(self) -> "ClockOffset":
        """Return the way from the other clock to the one."""
        return ClockOffset(-self.most, -self.least)

    def convert_not_early(self, moment: float | None) -> float | None:
        """Return a moment by the other clock, never too early; None for none, and for what never was."""
        return None if moment is None or moment == -math.inf else moment + self.most

    def convert_not_late(self, moment: float | None) -> float | None:
        """Return a moment by the other clock, never too late."""
        return None if moment is None else moment + self.least
