"""Difficulty as one member feels it: at their rating, and for each of three ranks apart."""

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Final

from bot.domain.coach.felt import Felt, FeltDifficulty
from bot.domain.history import ChartKey
from bot.domain.ranks import Rank

_RANKS: Final = (Rank.S, Rank.SS, Rank.SSS)
_USUAL_TRUST: Final = 0.88
"""How far the coach trusts statistics before it has seen a record: what is more is no reason for more doubt here."""
_APART: Final = 0.15
"""Ranks are told apart where a chart is harder for one by so much than for another."""
_SURE: Final = 0.95
_NO_DOUBT: Final = 1e-6
_BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class FeltChart:
    """How hard one chart is for a member."""

    at_rating: Felt
    by_rank: tuple[tuple[Rank, Felt], ...] = ()
    """For those to whom each rank is the usual score; empty where that is the same, or not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltByMember:
    """Difficulty as one member feels it."""

    difficulty: FeltDifficulty = field(repr=False)
    rating: float
    trust: float
    """How far their records bear statistics out, 0 to 1."""

    def of(self, key: ChartKey, constant: float) -> Felt:
        """Return how hard a chart is at the member's rating."""
        return self.difficulty.at(key, constant, self.rating, self._held)

    def on_chart(self, key: ChartKey, constant: float) -> FeltChart:
        """Return the same, and for each rank apart where that is certainly another."""
        at_rating = self.of(key, constant)
        found = self.difficulty.charts.get(key)
        ratings = [self.difficulty.rating_of(constant, rank.least_score) for rank in _RANKS]
        felt = [self.difficulty.at(key, constant, rating, self._held) for rating in ratings]
        if found is None or not all(each.is_known for each in felt):
            return FeltChart(at_rating)
        apart = max(each.harder for each in felt) - min(each.harder for each in felt)
        doubt = sqrt(found.tilt_variance) * (max(ratings) - min(ratings))
        are_apart = apart >= _APART and _BELL.cdf(apart / max(_NO_DOUBT, doubt)) >= _SURE
        return FeltChart(at_rating, tuple(zip(_RANKS, felt, strict=True)) if are_apart else ())

    @property
    def _held(self) -> float:
        return min(1.0, self.trust / _USUAL_TRUST)
