"""The state of a budget as one process hands it to another: JSON, with moments by the clock of the database that all share."""

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

SharedState = Mapping[str, Any]
"""The state of one budget, or of all versions by version, as JSON can say it."""

REQUEST_ARRIVAL_SECONDS: Final = 2.0
"""A request has been counted by the service after this many seconds, or never will be. Our choice."""


class ClockOffset(NamedTuple):
    """How many seconds one clock is ahead of another: at least, and at most, for a reading of it takes a while."""

    least: float
    most: float

    @property
    def inverse(self) -> "ClockOffset":
        """The offset in the other direction."""
        return ClockOffset(-self.most, -self.least)

    def convert_not_early(self, moment: float | None) -> float | None:
        """Convert a moment to the other clock, never too early; None for none, and for minus infinity."""
        return None if moment is None or moment == -math.inf else moment + self.most

    def convert_not_late(self, moment: float | None) -> float | None:
        """Convert a moment to the other clock, never too late; None for none."""
        return None if moment is None else moment + self.least
