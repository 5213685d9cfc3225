"""How often a player reaches each score, by constant: their curve, and beside it their own records near a constant.

Records bunch at the borders of ranks, because people stop there. The records near a constant tell that; the curve says
what to expect where there are few. What would raise a player's rating is as rare on the next constant at the score that
earns as much, not at the same score: thirty SSS above the cliff would be a higher rating.
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
"""Rows of the table in a unit of the constant, as constants are given."""
_SCORE_STEP: Final = 0.35
"""One score of the table is this far from the next, on the scale of losses."""
_BORDERS: Final = (975_000, 990_000, 1_000_000, 1_005_000, 1_007_500, 1_009_000)
"""Where records bunch: the borders of the upper ranks."""
_LOWEST: Final = (1, 100_000)
_TAIL_SHARE: Final = 0.15
"""Share of plays that lie in a wider bell: heavy tails."""
_TAIL_WIDTH: Final = 2.0
_BODY_WIDTH: Final = 0.9
_WIDE_UNITS: Final = 0.3
_NARROW_UNITS: Final = 0.1
"""How far own records count, in units of the constant: first widely, then narrowly."""
_WIDE_PRIOR: Final = 8.0
_NARROW_PRIOR: Final = 6.0
"""How many records what was known before is worth against them."""
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
"""The same on the scale of losses, falling: at least such a score means a log loss below."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One record, by where it stands in the table."""

    row: int
    reached: int
    """How many of the scores it is at least."""
    weight: float
    shift: float = 0.0
    """How many spreads harder than its constant says the chart's kind makes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """How hard each score is for one player, by constant."""

    quantiles: Sequence[Sequence[float]] = field(repr=False)
    """The normal quantile of the chance not to reach a score, by constant and score: it rises with both."""
    own: Sequence[float] = field(repr=False)
    """The same of each record had it not been looked at; more is worse."""


def score_table(
    curve: OwnCurve, observations: Sequence[Observation], top: RatingTop, prior_times: float = 1.0
) -> ScoreTable:
    """Return the table; `prior_times` is how many times the usual number of records the curve is worth."""
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
    """The weight of those that reach each score."""
    shift: float
    """How many spreads harder than others of the constant their charts are in the mean."""

    def expected(self, chances: Sequence[float]) -> Sequence[float]:
        """Return how likely each score is on such charts."""
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
    """Return by constant how much is known near it, and by how much more than expected each score was reached there.

    What is smoothed are records beyond expectation, not records: beside a cliff those would leak upwards.
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
    """Return the quantile of a record as if it had not been seen: else it would explain itself."""
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
    """Return chances by what was reached beyond them, of this many records, within their bounds."""
    return _all_bounded([chance + each / worth for chance, each in zip(chances, more, strict=True)])


def _all_bounded(chances: Iterable[float]) -> list[float]:
    """Return chances within their bounds: thousands of a table, so nothing is called for each."""
    least, most = _MIN_CHANCE, _MAX_CHANCE
    return [each if least <= each <= most else least if each < least else most for each in chances]


def _quantiles(chances: Sequence[Sequence[float]], weights: Sequence[float]) -> list[Sequence[float]]:
    """Return the table made monotone, in spreads: a chance falls with the constant and with the score."""
    columns = [falling_isotonic_fit(column, weights) for column in zip(*chances, strict=True)]
    rows = [_all_bounded(accumulate(row, min)) for row in zip(*columns, strict=True)]
    # Four of five chances stand there more than once.
    quantiles = {chance: -_BELL.inv_cdf(chance) for chance in {*chain.from_iterable(rows)}}
    return [array("d", map(quantiles.__getitem__, row)) for row in rows]
