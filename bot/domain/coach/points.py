"""A chart's statistics as points on the scale of losses. Source: music/stat."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

from bot.domain.coach.chart_features import ChartFeatures
from bot.domain.coach.losses import log_points_lost
from bot.domain.coach.summaries import ChartSummary
from bot.domain.coach.usual import harder_of
from bot.domain.history import ChartKey

A_UNIT: Final = 10
"""The steps in a unit of constants and ratings, in which the service gives both."""
CONSTANTS: Final = 20 * A_UNIT
RATINGS: Final = 20 * A_UNIT
_MAX_WEIGHT: Final = 20.0
"""The highest weight of an average, in players: beyond that, charts differ by more than chance."""
_TELLING_LOSSES: Final = (6.4, 11.5)
"""The range of losses in which a score says how well a player plays."""
_OUTGROWN_UNITS: Final = 2.0
"""The threshold in units: players of an outgrown rating play this much better than it says, relative to the most
telling ratings."""
_USUAL_QUANTILE: Final = 0.25


@dataclass(frozen=True, slots=True)
class ChartPoints:
    """The statistics of one chart, on the scale of losses."""

    key: ChartKey
    constant: int
    """The chart's constant in tenths."""
    points: list[tuple[int, float, float]]
    """The points, each with rating in tenths, log loss and weight."""

    @classmethod
    def of(cls, chart: ChartFeatures, summary: ChartSummary) -> "ChartPoints":
        """Return the points of a chart.

        The service does not say how many players are behind an average. Their number is assumed to be larger in the
        middle of a chart's steps than at the ends.
        """
        steps = [(min(rating * A_UNIT // 100, RATINGS - 1), average) for rating, average in summary.steps]
        constant = min(round(chart.constant * A_UNIT), CONSTANTS - 2)
        if not steps or not summary.players:
            return cls(chart.key, constant, [])
        low, high = min(steps)[0], max(steps)[0]
        shares = [1 - ((2 * rating - low - high) / (high - low + 2)) ** 2 for rating, _ in steps]
        one = summary.players / sum(shares)
        return cls(
            chart.key,
            constant,
            [
                (rating, log_points_lost(average), min(_MAX_WEIGHT, one * share))
                for (rating, average), share in zip(steps, shares, strict=True)
            ],
        )


def all_points(
    charts: Iterable[ChartFeatures], summaries: Mapping[ChartKey, ChartSummary]
) -> list[ChartPoints]:
    """Return the points of every chart with statistics.

    A new version takes two fifths of every rating, and players who stop keep what is left: some ratings then do not
    show how well their players play, and scores at those are left out.
    """
    known = [
        found
        for each in charts
        if (summary := summaries.get(each.key)) is not None
        and (found := ChartPoints.of(each, summary)).points
    ]
    outgrown = _find_outgrown(known)
    kept = (
        replace(each, points=[point for point in each.points if point[0] not in outgrown]) for each in known
    )
    return [each for each in kept if each.points] if outgrown else known


def _find_outgrown(charts: Iterable[ChartPoints]) -> Collection[int]:
    """Return the ratings, in tenths, whose players play far better than their rating says."""
    sums: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    least, most = _TELLING_LOSSES
    for chart in charts:
        for rating, loss, weight in chart.points:
            if least < loss < most:
                found = sums[rating]
                found[0] += weight
                found[1] += weight * ((chart.constant - rating) / A_UNIT - harder_of(loss))
    better = sorted((total / weight, weight, rating) for rating, (weight, total) in sums.items())
    reached = [*accumulate(weight for _, weight, _ in better)]
    usual = next(
        (
            each
            for (each, _, _), so_far in zip(better, reached, strict=True)
            if so_far >= _USUAL_QUANTILE * reached[-1]
        ),
        0.0,
    )
    return {rating for each, _, rating in better if each > usual + _OUTGROWN_UNITS}
