"""Hundredths: ratings, chart constants and levels as integers, to avoid rounding errors."""

from decimal import ROUND_HALF_EVEN, Decimal
from typing import NewType

Hundredths = NewType("Hundredths", int)
"""A number times 100: 14.7 is 1470."""

_HALF_STEP = 50


def to_hundredths(number: float | Decimal | str) -> Hundredths:
    """Return `number` in hundredths, rounded to the nearest.

    Raises: decimal.InvalidOperation, ValueError or OverflowError if it is not a finite number.
    """
    return Hundredths(int((Decimal(str(number)) * 100).to_integral_value(ROUND_HALF_EVEN)))


def format_hundredths(value: Hundredths, *, places: int = 2) -> str:
    """Return 1677 as "16.77", or with one place as "16.8"."""
    return f"{round(value, places - 2) / 100:.{places}f}"


def format_level(level: Hundredths) -> str:
    """Return a level as players write it: 1300 is "13", 1350 is "13+"."""
    whole, part = divmod(level, 100)
    return f"{whole}+" if part >= _HALF_STEP else str(whole)
