"""The player's own curve: their loss by difficulty, shrunk towards the usual curve if little is known."""

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
"""The standard deviation of players' curves from the usual one at the middle knot, on the scale of losses."""
_CLIFF_HARDER: Final = -2.2
"""The constant minus the rating above which curves vary more."""
_CLIFF_WALK: Final = 0.9
_MAX_STEP: Final = 1.5
_PRIOR_RECORDS: Final = 15.0
"""The number of records that the usual spread is worth, against the player's own."""
_NEAR_HARDER: Final = -3.0
_BLEND_UNITS: Final = 2.0
"""The units below that over which easier charts get a spread of their own: a player's nearly perfect scores may be
close together while their other scores are far apart."""
_OUTLIER_SPREADS: Final = 2.5
"""Records further off than this weigh less: a dropped play is no measure of the rest."""
_CUT_SPREADS: Final = 3.5
_ROUNDS: Final = 3
_ROUNDS_OF_BEST: Final = 10
_MIN_LEFT: Final = 0.08
_BELL: Final = NormalDist()


class CurvePoint(NamedTuple):
    """One record, as input to the curve."""

    row: int
    """The index of its chart's constant."""
    log_points_lost: float
    weight: float
    """The weight of the record: 1 if it is recent, less if it is older."""
    limit: float = inf
    """The log loss from which on the record would be unknown, if only the best records are available."""
    shift: float = 0.0
    """The number of spreads by which the chart's kind makes it harder than its constant says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCurve:
    """A player's curve, by constant."""

    losses: Sequence[float] = field(repr=False)
    """The log losses, rising."""
    spreads: Sequence[float] = field(repr=False)
    doubts: Sequence[float] = field(repr=False)
    """The standard errors of the curve itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePrior:
    """The expectation before any record is considered, by constant."""

    harder: Sequence[float] = field(repr=False)
    """The constants minus the rating."""
    losses: Sequence[float] = field(repr=False)
    spreads: Sequence[float] = field(repr=False)
    walk: float
    """The standard deviation of curves from the usual one, for each unit of the constant."""
    cliff_walk: float = _CLIFF_WALK


def fit_curve(prior: CurvePrior, points: Sequence[CurvePoint]) -> OwnCurve:
    """Return the curve that explains the records best, and rises with the constant."""
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
    """The evidence of one constant's records about the curve."""

    weight: float
    """The inverse of the variance of their mean."""
    log_points_lost: float
    """Their weighted mean."""


def _all_seen(
    points: Sequence[CurvePoint], weights: Sequence[float], means: Sequence[float], sizes: Sequence[float]
) -> Mapping[int, _SeenRow]:
    """Return the evidence of records about the mean, by constant, corrected for the kinds of their charts.

    Limited records are corrected too: that one is known at all may be luck.
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
    """Fit the differences between the records and the usual losses."""
    return Regression(
        [bends[row] for row in seen],
        [each.log_points_lost - prior.losses[row] for row, each in seen.items()],
        [each.weight for each in seen.values()],
        pulls,
    )


def _bends(harder: float) -> list[float]:
    """Return the position of a constant between the knots, from the middle one; the first column is the whole curve's."""
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
    """Return how many spreads a record is from its expectation."""
    rest = (point.log_points_lost - mean) / size - point.shift
    if point.limit == inf:
        return rest
    lifted, left = _of_limited((point.limit - mean) / size - point.shift)
    return (rest + lifted) / sqrt(left)


def _of_limited(limit: float) -> tuple[float, float]:
    """Return how far cutting a normal distribution off above a limit lowers its mean, and the share of variance left."""
    below = max(1e-9, _BELL.cdf(limit))
    lifted = exp(-limit * limit / 2) / sqrt(2 * pi) / below
    return lifted, max(_MIN_LEFT, 1 - limit * lifted - lifted * lifted)


def _times_usual(units: Sequence[float], says: Sequence[float], usual: float) -> float:
    """Return the ratio of a player's spread to the usual one, given the distance of each record in usual spreads.

    Outliers are clipped, and few records move the ratio little from the expected one.
    """
    squares = sum([weight * min(unit, _CUT_SPREADS) ** 2 for weight, unit in zip(says, units, strict=True)])
    return sqrt((squares + _PRIOR_RECORDS * usual**2) / (sum(says) + _PRIOR_RECORDS))
