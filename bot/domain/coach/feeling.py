"""Felt difficulty for one member: at their rating, and separately for three ranks."""

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
"""The usual trust in statistics before any record is known: more trust does not raise certainty here."""
_APART_UNITS: Final = 0.15
"""The least difference of felt difficulty between ranks for which they are shown separately."""
_SURE_CHANCE: Final = 0.95
_NO_DOUBT: Final = 1e-6
_BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class FeltChart:
    """The felt difficulty of one chart for a member."""

    at_rating: Felt
    by_rank: tuple[tuple[Rank, Felt], ...] = ()
    """The same for players whose usual score is each rank; empty if it is the same or unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltByMember:
    """The felt difficulty of charts for one member."""

    difficulty: FeltDifficulty = field(repr=False)
    rating: float
    trust: float
    """The degree to which their records confirm the statistics, 0 to 1."""

    def of(self, key: ChartKey, constant: float) -> Felt:
        """Return the felt difficulty of a chart at the member's rating."""
        return self.difficulty.at(key, constant, self.rating, self._held)

    @property
    def is_known(self) -> bool:
        """Whether the felt difficulty of any chart is known."""
        difficulty, rating = self.difficulty, self.rating
        return rating > 0 and any(
            difficulty.at(key, rating, rating, self._held).is_known for key in difficulty.charts
        )

    def on_entry(self, entry: ChartEntry) -> ChartEntry:
        """Return an entry with its felt constant, to a tenth; its own constant if that is uncertain, None if unknown."""
        constant = entry.chart.constant
        felt = self.of((entry.song.id, entry.chart.difficulty), constant / 100) if constant else None
        if felt is None or not felt.is_known:
            return replace(entry, felt=None)
        if felt.certainty is Certainty.OPEN:
            return replace(entry, felt=constant)
        shown = Hundredths(round(to_hundredths(felt.felt), -1))
        return replace(entry, felt=shown, is_felt_in_doubt=felt.certainty is Certainty.LIKELY)

    def is_easier(self, entry: ChartEntry) -> bool:
        """Return whether a chart is certainly easier than its constant says, by at least a tenth."""
        found = self.on_entry(entry)
        return not found.is_felt_in_doubt and (felt_beside(found) or 0) < 0

    def on_entries(self, entries: Iterable[ChartEntry]) -> list[ChartEntry]:
        """Return entries with their felt difficulty."""
        return [*map(self.on_entry, entries)]

    def on_chart(self, key: ChartKey, constant: float) -> FeltChart:
        """Return the felt difficulty of a chart, also by rank if it certainly differs between ranks."""
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
