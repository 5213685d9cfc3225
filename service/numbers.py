"""Writes numbers and times as replies have them."""

from datetime import datetime

from bot.base.clock import JST
from bot.domain.numbers import Hundredths


def number(value: Hundredths) -> int | float:
    """Return hundredths as a JSON number; a whole one without a point, as the real service does."""
    whole, rest = divmod(value, 100)
    return value / 100 if rest else whole


def timestamp(seconds: int) -> str:
    """Return Unix seconds as version 2.0 writes a moment; 0 is how "unavailable" is written.

    Source: specification, updated_at. The offset is the service's own time zone: our choice.
    """
    return datetime.fromtimestamp(seconds, JST).strftime("%Y-%m-%dT%H:%M:%S%z")


def day(seconds: int) -> str:
    """Return Unix seconds as version 1.3 writes a day."""
    return datetime.fromtimestamp(seconds, JST).strftime("%Y-%m-%d")


def day_with_slashes(seconds: int) -> str:
    """Return Unix seconds as version 1.0 writes a day."""
    return datetime.fromtimestamp(seconds, JST).strftime("%Y/%m/%d")
