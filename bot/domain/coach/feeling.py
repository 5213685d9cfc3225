"""Difficulty as one member feels it: at their rating, and for each of three ranks apart."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import sqrt
from statistics import NormalDist
from typing import Final

from bot.domain.coach.felt import Certainty, Felt, FeltDifficulty
from bot.domain.entries import ChartEntry, felt_beside
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.ranks import Rank

_RANKS: Final = (Rank.S, Rank.SS, Rank.SSS)
_USUAL_TRUST: Final = 0.88
"""How far statistics are trusted before any record is known: what is more is no reason for more doubt here."""
_APART_UNITS: Final = 0.15
"""Ranks are told apart where a chart is harder for one by this much than for another."""
_SURE_CHANCE: Final = 0.95
_NO_DOUBT: Final = 1e-6
_BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class FeltChart:
    """How hard one chart is for a member."""

    at_rating: Felt
    by_rank: tuple[tuple[Rank, Felt], ...] = ()
    """The same for those to whom each rank is the usual score; empty where that is the same, or not known."""


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

    @property
    def is_known(self) -> bool:
        """Whether anything can be said of any chart."""
        difficulty, rating = self.difficulty, self.rating
        return rating > 0 and any(
            difficulty.at(key, rating, rating, self._held).is_known for key in difficulty.charts
        )

    def on_entry(self, entry: ChartEntry) -> ChartEntry:
        """Return a chart with the constant that it is as hard as, to a tenth; its own where it may be, None where nobody knows."""
        constant = entry.chart.constant
        felt = self.of((entry.song.id, entry.chart.difficulty), constant / 100) if constant else None
        if felt is None or not felt.is_known:
            return replace(entry, felt=None)
        if felt.certainty is Certainty.OPEN:
            return replace(entry, felt=constant)
        shown = Hundredths(round(to_hundredths(felt.felt), -1))
        return replace(entry, felt=shown, is_felt_in_doubt=felt.certainty is Certainty.LIKELY)

    def is_easier(self, entry: ChartEntry) -> bool:
        """Return whether a chart is certainly easier than its constant says, by a tenth at least."""
        found = self.on_entry(entry)
        return not found.is_felt_in_doubt and (felt_beside(found) or 0) < 0

    def on_entries(self, entries: Iterable[ChartEntry]) -> list[ChartEntry]:
        """Return charts with how hard they feel."""
        return [*map(self.on_entry, entries)]

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
        are_apart = apart >= _APART_UNITS and _BELL.cdf(apart / max(_NO_DOUBT, doubt)) >= _SURE_CHANCE
        return FeltChart(at_rating, tuple(zip(_RANKS, felt, strict=True)) if are_apart else ())

    @property
    def _held(self) -> float:
        return min(1.0, self.trust / _USUAL_TRUST)
