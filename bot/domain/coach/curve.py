"""The player's own curve: what they lose by how hard charts are, drawn towards what is usual by how little is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import exp, inf, pi, sqrt
from operator import mul
from statistics import NormalDist
from typing import Final, NamedTuple

from bot.domain.coach.regression import Regression
from bot.domain.coach.usual import USUAL_KNOTS

_MIDDLE_KNOT: Final = USUAL_KNOTS.index(-2.5)
_USUAL_DISTANCE: Final = 0.8
"""How far a player's curve lies from the usual one at the middle knot: a standard deviation, on the scale of losses."""
_CLIFF_HARDER: Final = -2.2
"""Constant minus rating above which curves wander further."""
_CLIFF_WALK: Final = 0.9
_MAX_STEP: Final = 1.5
_PRIOR_RECORDS: Final = 15.0
"""How many records the usual spread is worth against the player's own."""
_NEAR_HARDER: Final = -3.0
_BLEND_UNITS: Final = 2.0
"""Easier charts have a spread of their own, the less of the others' the further they are below: nearly perfect scores
of one player may lie close, and the others apart."""
_OUTLIER_SPREADS: Final = 2.5
"""A record further off weighs less: a dropped play is no measure of the rest."""
_CUT_SPREADS: Final = 3.5
_ROUNDS: Final = 3
_ROUNDS_OF_BEST: Final = 10
_MIN_LEFT: Final = 0.08
_BELL: Final = NormalDist()


class CurvePoint(NamedTuple):
    """One record, as the curve sees it."""

    row: int
    """Which of the constants its chart has."""
    log_points_lost: float
    weight: float
    """1 for a record of today, less for an older one."""
    limit: float = inf
    """A log loss from which on the record would not be known: where only the best ones are."""
    shift: float = 0.0
    """How many spreads harder than its constant says the chart's kind makes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCurve:
    """What a player's records come to, by constant."""

    losses: Sequence[float] = field(repr=False)
    """Log losses, rising."""
    spreads: Sequence[float] = field(repr=False)
    doubts: Sequence[float] = field(repr=False)
    """How far the curve itself may be wrong: standard deviations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePrior:
    """What is taken for likely before any record is looked at, by constant."""

    harder: Sequence[float] = field(repr=False)
    """Constant minus rating."""
    losses: Sequence[float] = field(repr=False)
    spreads: Sequence[float] = field(repr=False)
    walk: float
    """How far curves wander from the usual one for each unit of the constant: a standard deviation."""
    cliff_walk: float = _CLIFF_WALK


def fit_curve(prior: CurvePrior, points: Sequence[CurvePoint]) -> OwnCurve:
    """Return the curve that explains the records best, made to rise with the constant."""
    bends = [_bends(harder) for harder in prior.harder]
    pulls = _pulls(prior)
    is_limited = any(point.limit < inf for point in points)
    means = prior.losses
    times = [1.0] * len(bends)
    easy = [max(0.0, min(1.0, (_NEAR_HARDER - harder) / _BLEND_UNITS)) for harder in prior.harder]
    says_of_easy = [point.weight * easy[point.row] for point in points]
    says = [point.weight - each for point, each in zip(points, says_of_easy, strict=True)]
    weights = [point.weight for point in points]
    found = Regression([], [], [], pulls)
    for _ in range(_ROUNDS_OF_BEST if is_limited else _ROUNDS):
        sizes = [*map(mul, times, prior.spreads)]
        seen = _all_seen(points, weights, means, sizes)
        found = _regression(prior, bends, pulls, seen)
        means = [loss + found.explain(row) for loss, row in zip(prior.losses, bends, strict=True)]
        rests = [_rest(point, means[point.row], sizes[point.row]) for point in points]
        units = [times[point.row] * abs(rest) for point, rest in zip(points, rests, strict=True)]
        near = _times_usual(units, says, 1.0)
        far = _times_usual(units, says_of_easy, near)
        times = [near + share * (far - near) for share in easy]
        weights = [
            point.weight * min(1.0, _OUTLIER_SPREADS / abs(rest)) if rest else point.weight
            for point, rest in zip(points, rests, strict=True)
        ]
    return OwnCurve(
        losses=list(accumulate(means, max)),
        spreads=[*map(mul, times, prior.spreads)],
        doubts=[sqrt(found.leverage(row)) for row in bends],
    )


class _SeenRow(NamedTuple):
    """What the records of one constant say of the curve."""

    weight: float
    """The inverse of the variance of their mean."""
    log_points_lost: float
    """Their mean, by weight."""


def _all_seen(
    points: Sequence[CurvePoint], weights: Sequence[float], means: Sequence[float], sizes: Sequence[float]
) -> Mapping[int, _SeenRow]:
    """Return by constant what records say of the mean, each as if its chart were of no kind.

    That one is known at all may be luck.
    """
    masses, totals = [0.0] * len(means), [0.0] * len(means)
    for (row, loss, _, limit, shift), weight in zip(points, weights, strict=True):
        size = sizes[row]
        says, seen = weight / size**2, loss - shift * size
        if limit < inf:
            mean = means[row]
            lifted, left = _of_limited((limit - shift * size - mean) / size)
            says, seen = says * left, mean + (seen - mean + size * lifted) / left
        masses[row] += says
        totals[row] += says * seen
    return {row: _SeenRow(mass, totals[row] / mass) for row, mass in enumerate(masses) if mass > 0}


def _regression(
    prior: CurvePrior, bends: Sequence[Sequence[float]], pulls: Sequence[float], seen: Mapping[int, _SeenRow]
) -> Regression:
    """Explain what the records differ by from the usual losses."""
    return Regression(
        [bends[row] for row in seen],
        [each.log_points_lost - prior.losses[row] for row, each in seen.items()],
        [each.weight for each in seen.values()],
        pulls,
    )


def _bends(harder: float) -> list[float]:
    """Return where a constant lies on the way from the middle knot: the first column is the whole curve's."""
    row = [1.0]
    for at, (low, high) in enumerate(pairwise(USUAL_KNOTS)):
        way = (harder - low if at >= _MIDDLE_KNOT else high - harder) / (high - low)
        row.append(max(0.0, min(1.0, way)))
    return row


def _pulls(prior: CurvePrior) -> list[float]:
    steps = (
        (prior.cliff_walk if low >= _CLIFF_HARDER else prior.walk) ** 2 * min(_MAX_STEP, high - low)
        for low, high in pairwise(USUAL_KNOTS)
    )
    return [1 / _USUAL_DISTANCE**2, *(1 / step for step in steps)]


def _rest(point: CurvePoint, mean: float, size: float) -> float:
    """Return how many spreads a record lies from what was to be expected of it."""
    rest = (point.log_points_lost - mean) / size - point.shift
    if point.limit == inf:
        return rest
    lifted, left = _of_limited((point.limit - mean) / size - point.shift)
    return (rest + lifted) / sqrt(left)


def _of_limited(limit: float) -> tuple[float, float]:
    """Return of a bell cut off above a limit how far its mean lies below, and which share of its variance is left."""
    below = max(1e-9, _BELL.cdf(limit))
    lifted = exp(-limit * limit / 2) / sqrt(2 * pi) / below
    return lifted, max(_MIN_LEFT, 1 - limit * lifted - lifted * lifted)


def _times_usual(units: Sequence[float], says: Sequence[float], usual: float) -> float:
    """Return a player's spread beside the usual one, by how many usual spreads each record lies off.

    What lies far out is cut, and few records move it little from what is taken for usual.
    """
    squares = sum([weight * min(unit, _CUT_SPREADS) ** 2 for weight, unit in zip(says, units, strict=True)])
    return sqrt((squares + _PRIOR_RECORDS * usual**2) / (sum(says) + _PRIOR_RECORDS))
