"""How much of a budget may be spent before its state has to be written to the database again.

If this process is lost, another one continues from the last written state, and counts this many more requests as spent.
"""

import math
from typing import Final

MAX_UNWRITTEN_REQUESTS: Final = 8
"""The most requests that are sent between two writes of a budget's state."""


class UnwrittenSpendBound:
    """Tells when so many requests of one budget are spent that its state has to be written before the next."""

    __slots__ = ("floor",)

    def __init__(self) -> None:
        self.floor = -math.inf
        """The number of requests left below which the state has to be written first."""

    def raise_floor(self, left: int) -> None:
        """Raise the floor where more is `left` than before, as at the beginning of a window: readers see that too."""
        self.floor = max(self.floor, left - MAX_UNWRITTEN_REQUESTS)

    def is_exceeded(self, left: int) -> bool:
        """Return whether so little is `left` that the state has to be written before a request is sent."""
        return left < self.floor

    def reset_after_write(self, left: int, floor: float) -> None:
        """Lower the floor after a write that began with `left` requests left and with this `floor`, if it is still that."""
        if self.floor == floor:
            self.floor = left - MAX_UNWRITTEN_REQUESTS
