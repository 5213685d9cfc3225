"""How much of a budget may be spent beyond what is written down, which others go on from should this process be lost."""

import math
from typing import Final

UNWRITTEN_REQUESTS_MAX: Final = 8
"""Requests; whoever goes on from what a lost process wrote counts so many as spent."""


class UnwrittenSpendBound:
    """Of one budget: how low what is left may fall before the next writing."""

    __slots__ = ("floor",)

    def __init__(self) -> None:
        self.floor = -math.inf

    def raise_floor(self, sure: int) -> None:
        """Note what is left for certain, before something is sent: where it has grown, it has for who reads as well."""
        self.floor = max(self.floor, sure - UNWRITTEN_REQUESTS_MAX)

    def is_exceeded(self, sure: int) -> bool:
        """Return whether less is left than may be without being written."""
        return sure < self.floor

    def reset_after_write(self, sure: int, floor: float) -> None:
        """Go on from what is written: what was left, and the floor, when that began."""
        if self.floor == floor:
            self.floor = sure - UNWRITTEN_REQUESTS_MAX
