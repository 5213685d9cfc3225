"""What is expected on one chart: two chances, never mixed, of the next try and in the end."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import erf, sqrt
from typing import Final

from bot.domain.coach.hits import LEVELS, SCORES
from bot.domain.coach.losses import log_loss, score_at
from bot.domain.ranks import MAX_SCORE

_ROOT_OF_TWO: Final = sqrt(2)
_RISING_LEVELS: Final = tuple(-level for level in LEVELS)


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
        wanted = -self.shift if self.share >= 1 else self._half_of_share()
        at = bisect_left(self.places, wanted)
        if at in (0, len(SCORES)):
            return max(self.least, SCORES[min(at, len(SCORES) - 1)])
        low, high = self.places[at - 1], self.places[at]
        way = (wanted - low) / (high - low) if high > low else 0.0
        return max(self.least, score_at(LEVELS[at - 1] + way * (LEVELS[at] - LEVELS[at - 1])))

    def chance(self, least: int) -> float:
        """Return how likely a score of at least so many points is, 0 to 1."""
        if least <= self.least:
            return 1.0
        if least > MAX_SCORE:
            return 0.0
        return min(1.0, self.plain_chance(least) / self.share)

    def plain_chance(self, least: int) -> float:
        """Return the same as if nothing were reached."""
        level = -log_loss(least - 0.5)
        at = bisect_right(_RISING_LEVELS, level)
        if at in (0, len(SCORES)):
            place = self.places[min(at, len(SCORES) - 1)]
        else:
            low, high = _RISING_LEVELS[at - 1], _RISING_LEVELS[at]
            way = (level - low) / (high - low)
            place = self.places[at - 1] * (1 - way) + self.places[at] * way
        return 0.5 - 0.5 * erf((place + self.shift) / (self.width * _ROOT_OF_TWO))

    def _half_of_share(self) -> float:
        """Return the place of the score that half of those reach who reach what is reached already."""
        low, high = -10.0, 10.0
        for _ in range(24):
            middle = (low + high) / 2
            chance = 0.5 - 0.5 * erf((middle + self.shift) / (self.width * _ROOT_OF_TWO))
            low, high = (middle, high) if chance > self.share / 2 else (low, middle)
        return low


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a member is expected to score on one chart."""

    next_try: Chances
    """Today, from a first play or on top of what stands: of the try alone, whatever stands."""
    in_the_end: Chances
    """What the record will be once the member is through with the chart."""
