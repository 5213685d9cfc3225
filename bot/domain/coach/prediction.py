"""What is expected on one chart: two chances, never mixed, of the next try and in the end."""

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


@lru_cache(maxsize=1024)  # those of ranks and of what is looked at beside them
def _column_of(least: int) -> tuple[int, float]:
    """Return after which score of the table a score stands, and how far on the way to the next."""
    level = -log_points_lost(least - 0.5)
    at = bisect_right(_RISING_LEVELS, level)
    if at in (0, len(SCORES)):
        return (0, 0.0) if at == 0 else (len(SCORES) - 2, 1.0)
    low, high = _RISING_LEVELS[at - 1], _RISING_LEVELS[at]
    return at - 1, (level - low) / (high - low)


class Form(StrEnum):
    """On which kind of day a try is read: a quarter of all tries are poorer than on a modest one, three are in top form."""

    MODEST = "modest"
    USUAL = "usual"
    TOP = "top"

    @property
    def luck(self) -> float:
        """How much luck that is, in spreads."""
        return _LUCK[self]


_LUCK: Final = {Form.MODEST: _BELL.inv_cdf(0.25), Form.USUAL: 0.0, Form.TOP: _BELL.inv_cdf(0.75)}


@dataclass(frozen=TYPE_CHECKING, slots=True, unsafe_hash=True)
class Chances:
    """How likely each score is; frozen for the type checker alone, as records are."""

    quantiles: Sequence[float] = field(repr=False)
    """The normal quantile of the chance not to reach each score of the table."""
    shift: float
    """How many spreads harder the chart is than its constant says."""
    width: float = 1.0
    least: int = 0
    """A score that is reached already."""
    share: float = 1.0
    """The chance of that score, by which others are divided."""

    @property
    def score(self) -> int:
        """What is reached as often as not, in points."""
        return max(self.least, self.score_by(0.0 if self.share >= 1 else self._half_of_share()))

    def score_by(self, luck: float) -> int:
        """Return what is reached with this much luck, in spreads: 0 is the usual day, more is better."""
        wanted = luck * self.width - self.shift
        at = bisect_right(self.quantiles, wanted)
        if at in (0, len(SCORES)):
            return SCORES[max(0, at - 1)]
        low, high = self.quantiles[at - 1], self.quantiles[at]
        way = (wanted - low) / (high - low)
        return score_at(LEVELS[at - 1] + way * (LEVELS[at] - LEVELS[at - 1]))

    def chance(self, least: int) -> float:
        """Return how likely a score of at least this many points is, 0 to 1."""
        if least <= self.least:
            return 1.0
        if least > MAX_SCORE:
            return 0.0
        return min(1.0, self.plain_chance(least) / self.share)

    def plain_chance(self, least: int) -> float:
        """Return the same as if nothing were reached."""
        return 0.5 - 0.5 * erf(self.luck_for(least) / _ROOT_OF_TWO)

    def luck_for(self, least: int) -> float:
        """Return how much luck it takes to score at least this many points, in spreads."""
        at, way = _column_of(least)
        quantile = self.quantiles[at] * (1 - way) + self.quantiles[at + 1] * way
        return (quantile + self.shift) / self.width

    def _half_of_share(self) -> float:
        """Return the luck that half of those have who reach what is reached already."""
        return -_BELL.inv_cdf(min(1 - _MIN_CHANCE, max(_MIN_CHANCE, self.share / 2)))


@dataclass(frozen=TYPE_CHECKING, slots=True, unsafe_hash=True)
class Prediction:
    """What a member is expected to score on one chart; frozen for the type checker alone, as records are."""

    next_try: Chances
    """Today, from a first play or on top of what stands: of the try alone, whatever stands."""
    later: float = 0.0
    """How many spreads the next try lies below what the record will be."""
    standing: int = 0
    """What stands; 0 where nothing was played."""
    hardness: float = 0.0
    """As hard as which constant the chart is for the member."""

    @property
    def in_the_end(self) -> Chances:
        """What the record will be once the member is through with the chart."""
        quantiles, width = self.next_try.quantiles, self.next_try.width
        plain = Chances(quantiles, self.next_try.shift - self.later, width)
        if not self.standing:
            return plain
        share = max(MIN_SHARE, plain.chance(self.standing))
        return Chances(quantiles, plain.shift, width, self.standing, share)
