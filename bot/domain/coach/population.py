"""The scores of all players, by rating. Source: specification, "Chart statistics"; music/stat."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from operator import mul
from statistics import median
from typing import Final

from bot.domain.coach.chart_features import ChartFeatures
from bot.domain.coach.losses import MAX_LOG_LOSS, MIN_LOG_LOSS
from bot.domain.coach.monotone import falling_isotonic_fit
from bot.domain.coach.points import A_UNIT, CONSTANTS, RATINGS, ChartPoints, all_points
from bot.domain.coach.regression import Regression
from bot.domain.coach.summaries import ChartSummary
from bot.domain.coach.usual import usual_spread
from bot.domain.history import ChartKey

USUAL_SPREAD: Final = 0.55
"""The spread of one player's scores on equal charts, on the scale of losses."""
_ALL_SPREAD: Final = 0.8
"""The spread of scores of all players of a rating on equal charts: it includes the differences between them."""
_CHART_SPREAD: Final = 0.25
"""The standard deviation of charts' difficulty from their constant, in its units; `evidence` estimates its own."""
MAX_DISTANCE: Final = 1.5
"""The limit of the distance between a chart's difficulty and its constant."""

_USUAL_LEVEL: Final = 8.3
_USUAL_SLOPE: Final = -0.85
_AHEAD_UNITS: Final = 1.5
"""The prior if nothing is known: 4,000 points lost on a chart one and a half below the rating, and less than half of
that for each unit that it is easier."""
_KNOTS: Final = (-8.0, -5.0, -3.0, -1.5, 0.0, 1.5, 3.0, 4.0, 5.0, 6.5, 8.0, 12.0)
"""The knots of the curve of losses, as rating minus constant."""
_PULLS: Final = (0.5, 5.0, 0.5, 0.5, 5.0, *[5.0] * len(_KNOTS))
"""The strength of the prior in players: of the whole surface, its slope, and its knots."""

_MIDDLE: Final = 12 * A_UNIT
_LEVEL: Final = 3 * A_UNIT

_NOBODY_PLAYERS: Final = 0.01
"""The weight of a rating or a constant without players, in players."""
_FEW_SHARE: Final = 0.01
"""The share of players at either end that is too few to learn from."""
_ROUNDS: Final = 2

_FEW_PLAYERS: Final = 2.0
_KNOWN_CHART: Final = 5.0
"""The number of players per average above which it is unknown which averages have few players."""
_USUAL_WORTH: Final = 300.0
"""The number of averages with few players that the usual spread is worth."""
_NEAR_STEPS: Final = 4 * A_UNIT
"""Charts whose constant is further below the rating are nearly perfect for everybody."""
_HALF_WITHIN: Final = 0.6745
"""The spreads within which half of a normal distribution is: a few averages of another chart do not move a median."""
_MAX_WIDTH: Final = 1.5


@dataclass(frozen=True, slots=True)
class Reputation:
    """The real difficulty of a chart."""

    harder: float
    """How much harder it is than its constant says, in units of the constant."""
    doubt: float
    """The standard error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationModel:
    """One surface of losses by constant and rating, and how much harder each chart is than its constant says.

    A chart's curve is that of a harder or easier constant, and the surface falls with the rating, so a higher rating
    never means a lower expected score.
    """

    surface: Sequence[Sequence[float]] = field(repr=False)
    """The log losses by rating and constant, in tenths from 0."""
    reputations: Mapping[ChartKey, Reputation] = field(repr=False)
    lowest: float = 0.0
    """The rating below which one in a hundred players is; predictions outside the range are guesses."""
    highest: float = RATINGS / A_UNIT
    spread_ratio: float = 1.0
    """The ratio of the spread of one player's records to the usual one."""

    @classmethod
    def of(
        cls,
        charts: Sequence[ChartFeatures],
        summaries: Mapping[ChartKey, ChartSummary],
        misattributed: Collection[ChartKey] = (),
    ) -> "PopulationModel":
        """Learn from the statistics, one chart at a time; without any, the prior remains.

        Statistics of `misattributed` charts are probably another chart's: the surface is learnt without them.
        """
        points = all_points(charts, summaries)
        surface = _surface(each for each in points if each.key not in misattributed)
        reputations: dict[ChartKey, Reputation] = {}
        weights = [0.0] * RATINGS
        distances: list[float] = []
        for chart in points:
            reputations[chart.key] = found = _reputation(chart, surface)
            distances += _distances(chart, surface, found.harder)
            for rating, _, weight in chart.points:
                weights[rating] += weight
        lowest, highest = _range(weights)
        return cls(
            surface=surface,
            reputations=reputations,
            lowest=lowest,
            highest=highest,
            spread_ratio=_spread_ratio(distances),
        )

    def find_distance(self, rating: float) -> float:
        """Return how far a rating is outside the range of players."""
        return max(0.0, self.lowest - rating, rating - self.highest)

    @classmethod
    @cache
    def unknown(cls) -> "PopulationModel":
        """Return the prior, for when there are no statistics."""
        return cls.of((), {})

    @property
    def constants(self) -> int:
        """The number of tenths of the constant that the surface spans, from 0."""
        return len(self.surface[0])

    def losses_at(self, rating: float) -> list[float]:
        """Return the log losses of players of this rating, by tenths of the constant from 0."""
        steps = max(0.0, min(RATINGS - 1.0, rating * A_UNIT))
        below = min(int(steps), RATINGS - 2)
        share = steps - below
        return [
            low + share * (high - low)
            for low, high in zip(self.surface[below], self.surface[below + 1], strict=True)
        ]


def _reputation(chart: ChartPoints, surface: Sequence[Sequence[float]]) -> Reputation:
    """Return the difficulty whose curve fits best, shrunk towards the chart's constant."""
    harder = 0.0
    lever = pull = (_ALL_SPREAD / _CHART_SPREAD) ** 2
    for _ in range(_ROUNDS):
        at = max(0, min(CONSTANTS - 2, chart.constant + round(harder * A_UNIT)))
        taken = (at - chart.constant) / A_UNIT
        right, lever = 0.0, pull
        for rating, loss, weight in chart.points:
            here = surface[rating][at]
            slope = (surface[rating][at + 1] - here) * A_UNIT
            right += weight * slope * (loss - here + slope * taken)
            lever += weight * slope * slope
        harder = max(-MAX_DISTANCE, min(MAX_DISTANCE, right / lever))
    return Reputation(harder, _ALL_SPREAD / lever**0.5)


def _distances(chart: ChartPoints, surface: Sequence[Sequence[float]], harder: float) -> Iterator[float]:
    """Yield the distances, in usual spreads, of those averages of a chart that have one or two records."""
    if sum(weight for _, _, weight in chart.points) > _KNOWN_CHART * len(chart.points):
        return
    at = max(0, min(CONSTANTS - 2, chart.constant + round(harder * A_UNIT)))
    for rating, loss, weight in chart.points:
        if weight <= _FEW_PLAYERS and chart.constant > rating - _NEAR_STEPS:
            size = usual_spread((chart.constant - rating) / A_UNIT) / max(1.0, weight) ** 0.5
            yield abs(loss - surface[rating][at]) / size


def _spread_ratio(distances: Sequence[float]) -> float:
    """Return the ratio of one player's spread to the usual one; 1 if too many are counted to see single records."""
    share = len(distances) / (len(distances) + _USUAL_WORTH)
    return 1 + share * (min(_MAX_WIDTH, median(distances) / _HALF_WITHIN) - 1) if distances else 1.0


def _range(weights: Sequence[float]) -> tuple[float, float]:
    """Return the range of ratings of most players."""
    reached = [*accumulate(weights)]
    ends = (bisect_right(reached, share * reached[-1]) for share in (_FEW_SHARE, 1 - _FEW_SHARE))
    low, high = ends if reached[-1] else (0, RATINGS)
    return low / A_UNIT, high / A_UNIT


def _surface(known: Iterable[ChartPoints]) -> list[list[float]]:
    """Return the surface that explains all statistics best, and rises with the constant and falls with the rating."""
    cells: dict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0])
    for chart in known:
        for rating, loss, weight in chart.points:
            cell = cells[chart.constant, rating]
            cell[0] += weight
            cell[1] += weight * loss
    _, _, hard, very_hard, crossed, *_ = coefficients = Regression(
        [_row(constant, rating) for constant, rating in cells],
        [total / weight - _usual(rating - constant) for (constant, rating), (weight, total) in cells.items()],
        [weight for weight, _ in cells.values()],
        _PULLS,
    ).coefficients
    curve = {
        ahead: _usual(ahead) + sum(map(mul, coefficients, _row(_MIDDLE, _MIDDLE + ahead)))
        for ahead in range(-CONSTANTS, RATINGS)
    }
    by_constant: list[list[float]] = []
    for constant in range(CONSTANTS):
        level = _level(constant)
        added, bent = level * (hard + very_hard * level), crossed * level
        losses = (
            curve[rating - constant] + added + bent * _bounded(rating - constant) for rating in range(RATINGS)
        )
        by_constant.append([max(MIN_LOG_LOSS, min(MAX_LOG_LOSS, loss)) for loss in losses])
    return _made_monotone(by_constant, cells)


def _made_monotone(
    by_constant: Iterable[Sequence[float]], cells: Mapping[tuple[int, int], Sequence[float]]
) -> list[list[float]]:
    """Return the monotone surface by rating: it changes least where many players are counted, most where none are."""
    of_constant, of_rating = [_NOBODY_PLAYERS] * CONSTANTS, [_NOBODY_PLAYERS] * RATINGS
    for (constant, rating), (weight, _) in cells.items():
        of_constant[constant] += weight
        of_rating[rating] += weight
    fallen = (falling_isotonic_fit(losses, of_rating) for losses in by_constant)
    of_constant.reverse()
    return [falling_isotonic_fit(losses[::-1], of_constant)[::-1] for losses in zip(*fallen, strict=True)]


def _usual(ahead: int) -> float:
    return max(MIN_LOG_LOSS, min(MAX_LOG_LOSS, _USUAL_LEVEL + _USUAL_SLOPE * _units(ahead)))


def _units(ahead: int) -> float:
    """Return how easy a chart is for players in the middle of a step of ratings, `ahead` tenths above its constant."""
    return (ahead + 0.5) / A_UNIT - _AHEAD_UNITS


def _bounded(ahead: int) -> float:
    return max(_KNOTS[0], min(_KNOTS[-1], _units(ahead)))


def _level(constant: int) -> float:
    return (constant - _MIDDLE) / _LEVEL


def _row(constant: int, rating: int) -> list[float]:
    """Return the columns of the surface: its level, its slope, the change of both with the constant, and each knot."""
    ahead, level = _bounded(rating - constant), _level(constant)
    row = [1.0, ahead, level, level * level, ahead * level, *[0.0] * len(_KNOTS)]
    at = min(bisect_right(_KNOTS, ahead), len(_KNOTS) - 1)
    share = (ahead - _KNOTS[at - 1]) / (_KNOTS[at] - _KNOTS[at - 1])
    row[4 + at], row[5 + at] = 1 - share, share
    return row
