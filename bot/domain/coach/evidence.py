"""The evidence of one chart's averages about its difficulty, and how reliable it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from bot.domain.coach.losses import MAX_LOG_LOSS
from bot.domain.coach.points import A_UNIT, CONSTANTS, ChartPoints
from bot.domain.coach.population import MAX_DISTANCE, PopulationModel
from bot.domain.history import ChartKey

CHART_SPREAD: Final = 0.23
"""The standard deviation of charts' true difficulty from their constant, in its units, before any evidence."""
TILT_SPREAD: Final = 0.06
"""The standard deviation of the change of that with a unit of the rating."""
USUAL_NOISE: Final = 0.8**2
_MIN_SLOPE: Final = 0.3
"""The least loss for a unit of the constant, on the scale of losses, at which scores say anything of difficulty."""
_MEAN_OF_ONE_BIAS: Final = 0.3
"""The bias of the logarithm of one score against that of a mean of many, on the scale of losses; for n scores, an nth
of it."""
_NO_SPREAD: Final = 1e-6
_MAX_TILT: Final = 0.5
_STEPS_A_LOSS: Final = 2
"""The number of bins for each unit of expected loss, on the scale of losses; averages of each bin have a spread of
their own."""
_PRIOR_AVERAGES: Final = 100.0
"""The number of averages that the usual spread is worth."""
_MAX_SQUARE: Final = 9 * USUAL_NOISE
"""The limit of the square that one average contributes."""


@dataclass(frozen=True, slots=True)
class ChartEvidence:
    """The combined evidence of one chart's averages; sums are weighted by how much each average says."""

    key: ChartKey
    constant: float
    count: int
    low: float
    high: float
    """The lowest and the highest rating with an average."""
    middle: float
    """The mean rating."""
    weight: float
    harder: float
    """The mean of how much harder they show the chart to be."""
    rating_squares: float
    """The weighted sum of squares of ratings around the middle."""
    tilt: float
    """The change of `harder` with a unit of the rating."""
    rest: float
    """The sum of squares that `harder` and `tilt` leave unexplained."""
    steepness: float
    """The mean square of the additional loss for a unit of the constant."""

    @property
    def said(self) -> tuple[float, float]:
        """The weight of `harder` against other charts', and its bounded value."""
        weight = 1 / (1 + USUAL_NOISE / self.weight / CHART_SPREAD**2)
        return weight, max(-MAX_DISTANCE, min(MAX_DISTANCE, self.harder))

    @property
    def leant(self) -> tuple[float, float]:
        """The weight of the tilt, and its bounded value."""
        if not self.rating_squares:
            return 0.0, 0.0
        weight = 1 / (1 + USUAL_NOISE / self.rating_squares / TILT_SPREAD**2)
        return weight, max(-_MAX_TILT, min(_MAX_TILT, self.tilt))

    @classmethod
    def of(
        cls, chart: ChartPoints, surface: Sequence[Sequence[float]], near: float, sizes: Sequence[float]
    ) -> "ChartEvidence | None":
        """Return the evidence of a chart; None if there is none.

        `near` is an estimate of how much harder the chart is, `sizes` are the spreads of averages by expected loss.
        """
        at = _row_of(chart, near)
        low = max(0, at - 1)
        taken = (at - chart.constant) / A_UNIT
        looks: list[tuple[float, float, float]] = []
        total = 0.0
        for rating, loss, count in chart.points:
            row = surface[rating]
            slope = (row[at + 1] - row[low]) * A_UNIT / (at + 1 - low)
            size = sizes[_step(row[at])]
            if slope > _MIN_SLOPE * size:
                varied = size * size
                said = taken + (loss + _MEAN_OF_ONE_BIAS * varied / max(1.0, count) - row[at]) / slope
                looks.append(((rating + 0.5) / A_UNIT, said, count / varied * slope * slope))
                total += count / varied
        weight = sum(each for _, _, each in looks)
        if weight <= 0:
            return None
        middle = sum(part * rating for rating, _, part in looks) / weight
        harder = sum(part * said for _, said, part in looks) / weight
        rating_squares = sum(part * (rating - middle) ** 2 for rating, _, part in looks)
        rating_squares = rating_squares if rating_squares > _NO_SPREAD else 0.0
        leant = sum(part * (rating - middle) * (said - harder) for rating, said, part in looks)
        tilt = leant / rating_squares if rating_squares else 0.0
        rest = sum(part * (said - harder - tilt * (rating - middle)) ** 2 for rating, said, part in looks)
        ratings = [rating for rating, _, _ in looks]
        return cls(
            chart.key,
            chart.constant / A_UNIT,
            len(looks),
            min(ratings),
            max(ratings),
            middle,
            weight,
            harder,
            rating_squares,
            tilt,
            rest,
            weight / total,
        )


def evidence_of(points: Sequence[ChartPoints], population: PopulationModel) -> list[ChartEvidence]:
    """Return the evidence of each chart that has some."""
    sizes = _sizes(points, population)
    looks = (
        ChartEvidence.of(each, population.surface, population.reputations[each.key].harder, sizes)
        for each in points
    )
    return [each for each in looks if each]


def _row_of(chart: ChartPoints, harder: float) -> int:
    """Return the estimated difficulty of a chart as a constant in tenths, within the surface."""
    return max(0, min(CONSTANTS - 3, chart.constant + round(harder * A_UNIT)))


def _step(loss: float) -> int:
    return int(loss * _STEPS_A_LOSS)


def _sizes(points: Sequence[ChartPoints], population: PopulationModel) -> list[float]:
    """Return, by expected loss, the spread of averages around their expectation, relative to the usual one.

    Nearly perfect scores are close together: a slightly higher loss of many on an easy chart says as much as a much
    higher one on a hard chart.
    """
    squares = [[_PRIOR_AVERAGES, _PRIOR_AVERAGES * USUAL_NOISE] for _ in range(_step(MAX_LOG_LOSS) + 1)]
    for chart in points:
        at = _row_of(chart, population.reputations[chart.key].harder)
        for rating, loss, weight in chart.points:
            expected = population.surface[rating][at]
            found = squares[_step(expected)]
            found[0] += 1
            found[1] += min(_MAX_SQUARE, weight * (loss - expected) ** 2)
    return [sqrt(total / count / USUAL_NOISE) for count, total in squares]
