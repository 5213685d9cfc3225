"""What is learnt of all players from a chart's statistics, in some hundred bytes: there are thousands of charts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from struct import Struct
from typing import Final

from bot.domain.ranks import MAX_SCORE
from bot.domain.statistics import ChartStatistics

_STEP: Final = Struct("<HI")
_MAX_TWO_BYTES: Final = 2**16 - 1
_MAX_PLAYERS: Final = 10**9
"""A service that counts more of them says no more than that there are many."""


@dataclass(frozen=True, slots=True)
class ChartSummary:
    """How many play a chart, and what they score."""

    players: int
    averages: bytes = field(repr=False)
    """The averages by step of rating, lowest first: both in hundredths, two bytes and four."""

    @classmethod
    def of(cls, statistics: ChartStatistics) -> "ChartSummary":
        """Return what can be learnt, without steps at which nobody stands and averages that cannot be."""
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
