"""Statistics of all players on a chart. Source: specification, "Chart statistics"."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from typing import Final

from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, Rank

_USUAL_STEP: Final = 10
"""The width of a step, in hundredths of a rating, if there is only one step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartStatistics:
    """The service's statistics of one chart, in one shape for all versions."""

    players: int
    ranks: Mapping[str, int] = field(repr=False)
    """Players per rank, keyed as the service writes it: max, sss, ss+, ss, s, <s."""
    lamps: Mapping[str, int] = field(repr=False)
    """Players per lamp: aj, fc, other."""
    averages: Mapping[Hundredths, Decimal | None] = field(repr=False)
    """Average score of the players at each step of rating, lowest step first; None if nobody played."""

    def place_of(self, score: int) -> "ScorePlace | None":
        """Return the range of places in which a score lies; None if nobody is counted."""
        better = 0
        for key, least in RANK_GROUPS:
            same = self.ranks.get(key, 0)
            if score >= least:
                return (
                    ScorePlace(better + 1, better + max(same, 1), max(self.players, better + 1))
                    if same or better
                    else None
                )
            better += same
        return None

    def average_at(self, rating: Hundredths) -> Decimal | None:
        """Return the average score of the players at the step of `rating`; None if there is no such step or player.

        The players of lower steps are others: a rating within a gap does not belong to the last step before it.
        """
        step = max((step for step in self.averages if step <= rating), default=None)
        if step is None or rating - step >= self._step_width:
            return None
        return self.averages[step]

    @property
    def _step_width(self) -> int:
        """The width of a step, in hundredths: the least difference between two."""
        return min((after - before for before, after in pairwise(sorted(self.averages))), default=_USUAL_STEP)


@dataclass(frozen=True, slots=True)
class ScorePlace:
    """The place of a score among all players: the service only reports ranks, so it is a range."""

    first: int
    last: int
    of: int


RANK_GROUPS: Final = (
    ("max", MAX_SCORE),
    ("sss", Rank.SSS.least_score),
    ("ss+", Rank.SS_PLUS.least_score),
    ("ss", Rank.SS.least_score),
    ("s", Rank.S.least_score),
    ("<s", 0),
)
"""The ranks that the service counts and their least scores, highest first; a score counts once, for the highest rank
that it reaches: our reading."""
