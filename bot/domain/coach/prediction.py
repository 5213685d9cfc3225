"""What is expected on one chart: two chances, never mixed, of the next try and in the end."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import erf, sqrt
from statistics import NormalDist
from typing import Final

from bot.domain.coach.hits import LEVELS, SCORES
from bot.domain.coach.losses import log_loss, score_at
from bot.domain.ranks import MAX_SCORE

_BELL: Final = NormalDist()
_LEAST_CHANCE: Final = 1e-9
_ROOT_OF_TWO: Final = sqrt(2)
_RISING_LEVELS: Final = tuple(-level for level in LEVELS)


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


@dataclass(frozen=True, slots=True)
class Chances:
    """How likely each score is."""

    places: Sequence[float] = field(repr=False)
    """Of each score of the table, where a bell has the chance not to reach it."""
    shift: float
    """By how many spreads the chart is harder than its constant says."""
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
        """Return what is reached with so much luck, in spreads: 0 is the usual day, more is better."""
        wanted = luck * self.width - self.shift
        at = bisect_right(self.places, wanted)
        if at in (0, len(SCORES)):
            return SCORES[max(0, at - 1)]
        low, high = self.places[at - 1], self.places[at]
        way = (wanted - low) / (high - low)
        return score_at(LEVELS[at - 1] + way * (LEVELS[at] - LEVELS[at - 1]))

    def chance(self, least: int) -> float:
        """Return how likely a score of at least so many points is, 0 to 1."""
        if least <= self.least:
            return 1.0
        if least > MAX_SCORE:
            return 0.0
        return min(1.0, self.plain_chance(least) / self.share)

    def plain_chance(self, least: int) -> float:
        """Return the same as if nothing were reached."""
        return 0.5 - 0.5 * erf(self.luck_for(least) / _ROOT_OF_TWO)

    def luck_for(self, least: int) -> float:
        """Return how much luck at least so many points take, in spreads."""
        level = -log_loss(least - 0.5)
        at = bisect_right(_RISING_LEVELS, level)
        if at in (0, len(SCORES)):
            place = self.places[min(at, len(SCORES) - 1)]
        else:
            low, high = _RISING_LEVELS[at - 1], _RISING_LEVELS[at]
            way = (level - low) / (high - low)
            place = self.places[at - 1] * (1 - way) + self.places[at] * way
        return (place + self.shift) / self.width

    def _half_of_share(self) -> float:
        """Return the luck that half of those have who reach what is reached already."""
        return -_BELL.inv_cdf(min(1 - _LEAST_CHANCE, max(_LEAST_CHANCE, self.share / 2)))


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a member is expected to score on one chart."""

    next_try: Chances
    """Today, from a first play or on top of what stands: of the try alone, whatever stands."""
    in_the_end: Chances
    """What the record will be once the member is through with the chart."""
