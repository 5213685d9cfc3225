"""The learnt part of a chart's statistics, in about a hundred bytes: there are thousands of charts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct
from typing import Final

from bot.domain.ranks import MAX_SCORE
from bot.domain.statistics import ChartStatistics

_STEP: Final = Struct("<HI")
_MAX_TWO_BYTES: Final = 2**16 - 1
_MAX_PLAYERS: Final = 10**9
"""The limit of a player count: a larger one from the service means no more than many."""


@dataclass(frozen=True, slots=True)
class ChartSummary:
    """The number of players of a chart, and their average scores."""

    players: int
    averages: bytes = field(repr=False)
    """The averages by step of rating, lowest first: both in hundredths, two bytes and four."""

    @classmethod
    def of(cls, statistics: ChartStatistics) -> "ChartSummary":
        """Return a summary, without empty steps and impossible averages."""
        averages = (
            _STEP.pack(step, round(average * 100))
            for step, average in statistics.averages.items()
            if average is not None and 0 <= average <= MAX_SCORE and step <= _MAX_TWO_BYTES
        )
        return cls(max(0, min(_MAX_PLAYERS, statistics.players)), b"".join(averages))

    @property
    def steps(self) -> Iterator[tuple[int, float]]:
        """Each step of rating, in hundredths, with the average score."""
        for step, average in _STEP.iter_unpack(self.averages):
            yield step, average / 100
