"""How far the statistics of all players hold for one player: they are evidence, not truth.

The player's own records show where they are on the axis of ratings, whether the surface explains their records better
than the usual curve, and whether charts differ from their constants for them as they do for all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Final, NamedTuple

from bot.domain.coach.population import USUAL_SPREAD, PopulationModel
from bot.domain.coach.usual import usual_loss, usual_spread

_TENTHS: Final = 10
_AVERAGE_ABOVE_MIDDLE: Final = USUAL_SPREAD**2 / 2
"""The distance of the mean score's log loss above the median's."""
_STEPS: Final = tuple(step / 4 for step in range(-32, 5))
"""The possible shifts of the axis of ratings: a new version takes two fifths of every rating overnight."""
_AXIS_DOUBT: Final = 0.5
_MAX_AXIS_COST: Final = 14.0
_MAX_COST: Final = 9.0
"""The highest cost of one record, in squares of spreads."""
_MAX_RECORDS: Final = 120
"""The most records used, spread evenly over all of them."""
_COST_PER_LOG_ODDS: Final = 6.0
"""The difference of costs for which the odds change by a factor of e: one player's records are correlated."""
_PRIOR_LOG_ODDS: Final = 2.0
"""The logarithm of the odds that statistics hold, before any record is considered."""
_MIN_RISE: Final = 2.0
"""The rise over five units of the constant, on the scale of losses, below which statistics do not reflect constants."""
_RISE_ODDS: Final = 4.0
_HARDNESS_PRIOR: Final = 12.0
"""The weight of the prior that a chart is as hard for one player as for all, in squares of spreads."""


@dataclass(frozen=True, slots=True)
class PlayedChart:
    """One record for comparison with the statistics."""

    constant: float
    harder: float
    """The chart's `harder` from the statistics, in units of the constant."""
    log_points_lost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsReliability:
    """How far the statistics hold for one player."""

    losses: Sequence[float] = field(repr=False)
    """Their expected log losses before their records are considered in detail, by tenths of the constant from 0."""
    trust: float
    """The share of the statistics in `losses`, against the usual curve: 0 to 1."""
    hardness: float
    """The share of the statistics' chart difficulties that holds."""
    borne_out: float
    """The degree to which records confirm the statistics where these cover such players: 0 to 1."""


def reliability_of(
    population: PopulationModel, anchor: float, played: Sequence[PlayedChart]
) -> StatisticsReliability:
    """Return how far the statistics hold for a player with this anchor rating and these records."""
    constants = [row / _TENTHS for row in range(population.constants)]
    usual = [usual_loss(constant - anchor) for constant in constants]
    if not population.reputations:
        return StatisticsReliability(losses=usual, trust=0.0, hardness=0.0, borne_out=0.0)
    looked_at = played[:: max(1, len(played) // _MAX_RECORDS)]
    curves = {
        step: [loss - _AVERAGE_ABOVE_MIDDLE for loss in population.losses_at(anchor + step)]
        for step in _STEPS
    }
    points = [_point(each.constant + each.harder, each, anchor, len(usual)) for each in looked_at]
    costs = {step: _cost(curve, points) for step, curve in curves.items()}
    step = min(costs, key=lambda step: costs[step] + min(_MAX_AXIS_COST, (step / _AXIS_DOUBT) ** 2))
    found = curves[step]
    rise = found[_row(anchor - 1)] - found[_row(anchor - 6)]
    odds = _PRIOR_LOG_ODDS - _RISE_ODDS * max(0.0, _MIN_RISE - rise)
    plain = [_point(each.constant, each, anchor, len(usual)) for each in looked_at]
    against = (costs[step] - _cost(usual, plain)) / _COST_PER_LOG_ODDS
    # Outside the range of counted players the surface is a guess; records that contradict it there contradict no chart.
    near = exp(-population.find_distance(anchor + step))
    trust = near * _share(odds - against)
    losses = [trust * one + (1 - trust) * other for one, other in zip(found, usual, strict=True)]
    borne_out = _share(odds - near * against)
    hardness = borne_out * _hardness(losses, looked_at, anchor)
    return StatisticsReliability(losses=losses, trust=trust, hardness=hardness, borne_out=borne_out)


def _share(log_odds: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, log_odds))))


def _row(constant: float) -> int:
    return max(0, min(20 * _TENTHS - 1, round(constant * _TENTHS)))


def _loss(curve: Sequence[float], constant: float) -> float:
    row, way = _place(constant, len(curve))
    return curve[row] + way * (curve[row + 1] - curve[row])


def _place(constant: float, constants: int) -> tuple[int, float]:
    """Return the row below a constant, and how far it is on the way to the next."""
    at = max(0.0, min(constants - 1.001, constant * _TENTHS))
    return int(at), at - int(at)


class _Point(NamedTuple):
    """One record, prepared for comparison with any curve."""

    row: int
    way: float
    log_points_lost: float
    size: float
    """The spread there."""


def _point(constant: float, each: PlayedChart, anchor: float, constants: int) -> _Point:
    return _Point(*_place(constant, constants), each.log_points_lost, usual_spread(each.constant - anchor))


def _cost(curve: Sequence[float], points: Sequence[_Point]) -> float:
    """Return how badly a curve explains records, as a sum of bounded squares of spreads."""
    return sum(
        [
            min(_MAX_COST, ((loss - curve[row] - way * (curve[row + 1] - curve[row])) / size) ** 2)
            for row, way, loss, size in points
        ]
    )


def _hardness(curve: Sequence[float], played: Sequence[PlayedChart], anchor: float) -> float:
    """Return the ratio of charts' difficulty for the player to that in the statistics, both relative to constants."""
    steps: list[float] = []
    rests: list[float] = []
    for each in played:
        plain = _loss(curve, each.constant)
        size = usual_spread(each.constant - anchor)
        steps.append((_loss(curve, each.constant + each.harder) - plain) / size)
        rests.append(max(-3.0, min(3.0, (each.log_points_lost - plain) / size)))
    if not steps:
        return 1.0
    middle, mean = sum(steps) / len(steps), sum(rests) / len(rests)
    product = sum((step - middle) * (rest - mean) for step, rest in zip(steps, rests, strict=True))
    span = sum((step - middle) ** 2 for step in steps)
    return max(0.0, min(1.0, (product + _HARDNESS_PRIOR) / (span + _HARDNESS_PRIOR)))
