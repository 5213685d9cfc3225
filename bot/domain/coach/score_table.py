"""The probability that a player reaches each score, by constant: from their curve, and their records near a constant.

Records cluster at the borders of ranks, because people stop there. Records near a constant show that; the curve gives
the expectation where there are few. A score that would raise the player's rating is as rare on the next constant as the
score of the same value there, not as the same score: thirty SSS above the cliff would be a higher rating.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate, chain
from math import erf, exp, sqrt
from operator import mul
from statistics import NormalDist
from typing import Final, NamedTuple

from bot.domain.coach.curve import OwnCurve
from bot.domain.coach.losses import MAX_LOG_LOSS, log_points_lost, score_at
from bot.domain.coach.monotone import falling_isotonic_fit
from bot.domain.coach.top import RatingTop
from bot.domain.ranks import MAX_SCORE

TENTHS: Final = 10
"""The rows of the table for each unit of the constant, the service's resolution."""
_SCORE_STEP: Final = 0.35
"""The distance between scores of the table, on the scale of losses."""
_BORDERS: Final = (975_000, 990_000, 1_000_000, 1_005_000, 1_007_500, 1_009_000)
"""The borders of the upper ranks, where records cluster."""
_LOWEST: Final = (1, 100_000)
_TAIL_SHARE: Final = 0.15
"""The share of plays in a wider normal distribution: heavy tails."""
_TAIL_WIDTH: Final = 2.0
_BODY_WIDTH: Final = 0.9
_WIDE_UNITS: Final = 0.3
_NARROW_UNITS: Final = 0.1
"""The range of constants in which own records count, in units: first wide, then narrow."""
_WIDE_PRIOR: Final = 8.0
_NARROW_PRIOR: Final = 6.0
"""The number of records that the prior is worth at each width."""
_REACH: Final = 2.5
_MIN_CHANCE: Final = 1e-5
_MAX_CHANCE: Final = 1 - _MIN_CHANCE
_MIN_OWN_CHANCE: Final = 0.004
_BELL: Final = NormalDist()
_ROOT_OF_TWO: Final = sqrt(2)


def _scores() -> tuple[int, ...]:
    losses = [log_points_lost(MAX_SCORE - 1) + step * _SCORE_STEP for step in range(60)]
    steps = (score_at(loss) for loss in losses if loss < MAX_LOG_LOSS)
    return tuple(sorted({*_LOWEST, *steps, *_BORDERS, MAX_SCORE}))


SCORES: Final = _scores()
"""The scores of the table, rising."""
LEVELS: Final = tuple(log_points_lost(score - 0.5) for score in SCORES)
"""The same on the scale of losses, falling: reaching a score means a log loss below its level."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One record, by its position in the table."""

    row: int
    reached: int
    """The number of the table's scores that it reaches."""
    weight: float
    shift: float = 0.0
    """The number of spreads by which the chart's kind makes it harder than its constant says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """The score distribution of one player, by constant."""

    quantiles: Sequence[Sequence[float]] = field(repr=False)
    """The normal quantile of the probability to miss a score, by constant and score: it rises with both."""
    own: Sequence[float] = field(repr=False)
    """The quantile of each record as if it were not known; more is worse."""


def score_table(
    curve: OwnCurve, observations: Sequence[Observation], top: RatingTop, prior_times: float = 1.0
) -> ScoreTable:
    """Return the table; `prior_times` is a factor on the number of records that the curve is worth."""
    chances = [
        top.held_down(row, _curve_chances(loss, sqrt(spread * spread + doubt * doubt)))
        for row, (loss, spread, doubt) in enumerate(
            zip(curve.losses, curve.spreads, curve.doubts, strict=True)
        )
    ]
    own: list[float] = []
    masses = [0.0] * len(chances)
    if observations:
        known = _known_rows(observations)
        wide = _gathered(chances, known, top, _WIDE_UNITS)
        for row, (mass, more) in wide.items():
            worth = mass + _WIDE_PRIOR * prior_times
            chances[row] = _moved(chances[row], more, worth)
        narrow = _gathered(chances, known, top, _NARROW_UNITS)
        prior = _NARROW_PRIOR * prior_times
        own = [
            _own_quantile(observation, chances[observation.row], *narrow[observation.row], prior)
            for observation in observations
        ]
        for row, (mass, more) in narrow.items():
            masses[row] = mass
            chances[row] = _moved(chances[row], more, mass + prior)
    return ScoreTable(quantiles=_quantiles(chances, [mass + _NARROW_PRIOR for mass in masses]), own=own)


def _curve_chances(loss: float, size: float) -> list[float]:
    body, tail = _BODY_WIDTH * size * sqrt(2), _TAIL_WIDTH * size * sqrt(2)
    return [
        0.5
        + 0.5 * ((1 - _TAIL_SHARE) * erf((level - loss) / body) + _TAIL_SHARE * erf((level - loss) / tail))
        for level in LEVELS
    ]


class _KnownRow(NamedTuple):
    """The records on charts of one constant."""

    weight: float
    reached: Sequence[float]
    """The weight of the records that reach each score."""
    shift: float
    """The mean number of spreads by which their charts are harder than others of the constant."""

    def expected(self, chances: Sequence[float]) -> Sequence[float]:
        """Return the probability of each score on such charts."""
        if not self.shift:
            return chances
        shift, quantiles = self.shift, map(_BELL.inv_cdf, _all_bounded(chances))
        return [0.5 * (1 + erf((quantile - shift) / _ROOT_OF_TWO)) for quantile in quantiles]


def _known_rows(observations: Sequence[Observation]) -> Mapping[int, _KnownRow]:
    counts: dict[int, list[float]] = {}
    shifts: dict[int, float] = defaultdict(float)
    for observation in observations:
        counts.setdefault(observation.row, [0.0] * (len(SCORES) + 1))[observation.reached] += (
            observation.weight
        )
        shifts[observation.row] += observation.weight * observation.shift
    return {
        row: _KnownRow(
            weight := sum(count), [*accumulate(reversed(count[1:]))][::-1], shifts[row] / (weight or 1.0)
        )
        for row, count in counts.items()
    }


def _gathered(
    chances: Sequence[Sequence[float]],
    known: Mapping[int, _KnownRow],
    top: RatingTop,
    width: float,
) -> dict[int, tuple[float, list[float]]]:
    """Return, by constant, the weight of records near it, and how much more often than expected they reached each score.

    Deviations from the expectation are smoothed, not records: those would leak upwards next to a cliff.
    """
    kernel = _kernel(width)
    near: dict[int, list[tuple[float, float, Sequence[float]]]] = defaultdict(list)
    for row, each in known.items():
        expected = each.expected(chances[row])
        more = [
            reached - each.weight * chance for reached, chance in zip(each.reached, expected, strict=True)
        ]
        for away, part in kernel:
            if 0 <= (at := row + away) < len(chances):
                near[at].append((part, part * each.weight, top.as_seen_from(at, away, more)))
    found: dict[int, tuple[float, list[float]]] = {}
    for at, rows in near.items():
        parts, masses, seen = zip(*rows, strict=True)
        found[at] = sum(masses), [sum(map(mul, parts, column)) for column in zip(*seen, strict=True)]
    return found


@cache
def _kernel(width: float) -> tuple[tuple[int, float], ...]:
    reach = int(_REACH * width * TENTHS)
    return tuple((away, exp(-((away / TENTHS / width) ** 2) / 2)) for away in range(-reach, reach + 1))


def _own_quantile(
    observation: Observation, chances: Sequence[float], mass: float, more: Sequence[float], prior: float
) -> float:
    """Return the quantile of a record as if it were not known; otherwise it would explain itself."""
    here: list[float] = []
    for column, was_reached in ((observation.reached - 1, 1.0), (observation.reached, 0.0)):
        if 0 <= column < len(SCORES):
            rest = more[column] - observation.weight * (was_reached - chances[column])
            here.append(
                max(1e-3, min(1 - 1e-3, chances[column] + rest / (mass - observation.weight + prior)))
            )
        else:
            here.append(was_reached)
    return _BELL.inv_cdf(max(_MIN_OWN_CHANCE, min(1 - _MIN_OWN_CHANCE, sum(here) / 2)))


def _moved(chances: Sequence[float], more: Sequence[float], worth: float) -> list[float]:
    """Return the probabilities adjusted by deviations, which are divided by `worth`, within their bounds."""
    return _all_bounded([chance + each / worth for chance, each in zip(chances, more, strict=True)])


def _all_bounded(chances: Iterable[float]) -> list[float]:
    """Return probabilities within their bounds; inlined for speed, as a table has thousands."""
    least, most = _MIN_CHANCE, _MAX_CHANCE
    return [each if least <= each <= most else least if each < least else most for each in chances]


def _quantiles(chances: Sequence[Sequence[float]], weights: Sequence[float]) -> list[Sequence[float]]:
    """Return the table of quantiles, made monotone: a probability falls with the constant and with the score."""
    columns = [falling_isotonic_fit(column, weights) for column in zip(*chances, strict=True)]
    rows = [_all_bounded(accumulate(row, min)) for row in zip(*columns, strict=True)]
    # Four of five probabilities appear more than once.
    quantiles = {chance: -_BELL.inv_cdf(chance) for chance in {*chain.from_iterable(rows)}}
    return [array("d", map(quantiles.__getitem__, row)) for row in rows]
