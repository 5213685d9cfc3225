"""Chart statistics. Source: specification, "Chart statistics (music/stat)"."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Final

from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.statistics import ChartStatistics
from bot.wire.fields import (
    MAX_PLAYERS,
    NONE_IF_ODD,
    MaybeNumber,
    MaybeText,
    MaybeWhole,
    Whole,
    bounded,
    short,
)
from bot.wire.replies import Reply

_STEP: Final = re.compile(r"[0-9]{1,4}(\.[0-9]{1,4})?")
_AVERAGE: Final = re.compile(r"[0-9]{1,10}(\.[0-9]{1,20})?")
"""Plain digits alone: an exponent could stand for a number that fills the memory."""

Counts = Annotated[dict[str, MaybeWhole] | None, NONE_IF_ODD]


class StatCounts(Reply):
    """Players per rank and per lamp."""

    rank: Counts = None
    """Keys: max, sss, ss+, ss, s, <s."""
    lamp: Counts = None
    """Keys: aj, fc, other."""


class StatV13(Reply):
    """`music/stat` of version 1.3."""

    users_count: Whole
    count: Annotated[StatCounts | None, NONE_IF_ODD] = None
    avg: Annotated[dict[str, MaybeNumber] | None, NONE_IF_ODD] = None
    """Average score by step of rating, written with two decimals."""

    def to_domain(self) -> ChartStatistics:
        """Return the statistics in the shape common to both versions."""
        return _statistics(self.users_count, self.count, self.avg)


class StatV10(Reply):
    """`music/stat` of version 1.0, which writes averages as strings."""

    users_count: Whole
    count: Annotated[StatCounts | None, NONE_IF_ODD] = None
    avg: Annotated[dict[str, MaybeText] | None, NONE_IF_ODD] = None
    """Average score by step of rating, written with two decimals."""

    def to_domain(self) -> ChartStatistics:
        """Return the statistics in the shape common to both versions."""
        return _statistics(self.users_count, self.count, self.avg)


def _statistics(
    players: int, counts: StatCounts | None, averages: Mapping[str, float | str | None] | None
) -> ChartStatistics:
    said = (averages or {}).items()
    steps = {step: _average(value) for text, value in said if (step := _step(text)) is not None}
    return ChartStatistics(
        players=bounded(players, MAX_PLAYERS),
        ranks=_whole(counts and counts.rank),
        lamps=_whole(counts and counts.lamp),
        averages=dict(sorted(steps.items())),
    )


def _whole(counts: Counts) -> Mapping[str, int]:
    return {
        name: bounded(count or 0, MAX_PLAYERS)
        for name, count in (counts or {}).items()
        if short(name) == name
    }


def _step(text: str) -> Hundredths | None:
    return to_hundredths(text) if _STEP.fullmatch(text) else None


def _average(value: float | str | None) -> Decimal | None:
    text = str(value)
    return min(Decimal(text), Decimal(MAX_SCORE)) if _AVERAGE.fullmatch(text) else None
