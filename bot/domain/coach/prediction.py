"""The prediction for one chart: two separate distributions, of the next try and of the final record."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from math import erf, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from bot.domain.coach.losses import log_points_lost, score_at
from bot.domain.coach.score_table import LEVELS, SCORES
from bot.domain.ranks import MAX_SCORE

_BELL: Final = NormalDist()
_MIN_CHANCE: Final = 1e-9
MIN_SHARE: Final = 1e-5
_ROOT_OF_TWO: Final = sqrt(2)
_RISING_LEVELS: Final = tuple(-level for level in LEVELS)


@lru_cache(maxsize=1024)  # those of ranks and of scores near them
def _column_of(least: int) -> tuple[int, float]:
    """Return the index of the table's score below a score, and how far it is on the way to the next."""
    level = -log_points_lost(least - 0.5)
    at = bisect_right(_RISING_LEVELS, level)
    if at in (0, len(SCORES)):
        return (0, 0.0) if at == 0 else (len(SCORES) - 2, 1.0)
    low, high = _RISING_LEVELS[at - 1], _RISING_LEVELS[at]
    return at - 1, (level - low) / (high - low)


class Form(StrEnum):
    """The kind of day for which a try is shown: a quarter of tries are worse than `MODEST`, three quarters than `TOP`."""

    MODEST = "modest"
    USUAL = "usual"
    TOP = "top"

    @property
    def luck(self) -> float:
        """The luck on such a day, in spreads."""
        return _LUCK[self]


_LUCK: Final = {Form.MODEST: _BELL.inv_cdf(0.25), Form.USUAL: 0.0, Form.TOP: _BELL.inv_cdf(0.75)}


@dataclass(frozen=TYPE_CHECKING, slots=True, unsafe_hash=True)
class Chances:
    """The probability of each score; frozen only for the type checker, as records are."""

    quantiles: Sequence[float] = field(repr=False)
    """The normal quantile of the probability to miss each score of the table."""
    shift: float
    """The number of spreads by which the chart is harder than its constant says."""
    width: float = 1.0
    least: int = 0
    """A score that is already reached."""
    share: float = 1.0
    """The probability of that score, by which others are divided."""

    @property
    def score(self) -> int:
        """The median score, in points."""
        return max(self.least, self.score_by(0.0 if self.share >= 1 else self._half_of_share()))

    def score_by(self, luck: float) -> int:
        """Return the score with this much luck, in spreads: 0 is a usual day, more is better."""
        wanted = luck * self.width - self.shift
        at = bisect_right(self.quantiles, wanted)
        if at in (0, len(SCORES)):
            return SCORES[max(0, at - 1)]
        low, high = self.quantiles[at - 1], self.quantiles[at]
        way = (wanted - low) / (high - low)
        return score_at(LEVELS[at - 1] + way * (LEVELS[at] - LEVELS[at - 1]))

    def chance(self, least: int) -> float:
        """Return the probability of a score of at least `least` points, 0 to 1."""
        if least <= self.least:
            return 1.0
        if least > MAX_SCORE:
            return 0.0
        return min(1.0, self.plain_chance(least) / self.share)

    def plain_chance(self, least: int) -> float:
        """Return the same, regardless of what is already reached."""
        return 0.5 - 0.5 * erf(self.luck_for(least) / _ROOT_OF_TWO)

    def luck_for(self, least: int) -> float:
        """Return the luck needed to score at least `least` points, in spreads."""
        at, way = _column_of(least)
        quantile = self.quantiles[at] * (1 - way) + self.quantiles[at + 1] * way
        return (quantile + self.shift) / self.width

    def _half_of_share(self) -> float:
        """Return the median luck among those who reach the already reached score."""
        return -_BELL.inv_cdf(min(1 - _MIN_CHANCE, max(_MIN_CHANCE, self.share / 2)))


@dataclass(frozen=TYPE_CHECKING, slots=True, unsafe_hash=True)
class Prediction:
    """The prediction for a member on one chart; frozen only for the type checker, as records are."""

    next_try: Chances
    """The distribution of today's next try by itself, whether or not there is a record already."""
    later: float = 0.0
    """The number of spreads by which the next try is below the final record."""
    standing: int = 0
    """The current score; 0 if unplayed."""
    hardness: float = 0.0
    """The difficulty of the chart for the member, as a constant."""

    @property
    def in_the_end(self) -> Chances:
        """The distribution of the record once the member is done with the chart."""
        quantiles, width = self.next_try.quantiles, self.next_try.width
        plain = Chances(quantiles, self.next_try.shift - self.later, width)
        if not self.standing:
            return plain
        share = max(MIN_SHARE, plain.chance(self.standing))
        return Chances(quantiles, plain.shift, width, self.standing, share)
