"""The usual scores of players of whom only the rating is known, by constant minus rating.

Source: four players of real data; nothing is known of players below 16.00, whose own records soon say more.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

USUAL_KNOTS: Final = (
    -16.0, -8.0, -6.0, -5.0, -4.0, -3.5, -3.0, -2.5, -2.1, -1.95, -1.8, -1.65, -1.4, -1.0, 0.0, 3.0, 6.0,
)  # fmt: skip
"""The knots, constant minus rating. The cliff is between -2.1 and -1.4: thirty SSS there would be a higher rating."""
_USUAL_LOSSES: Final = (
    5.7, 5.8, 6.1, 6.2, 6.4, 6.9, 7.35, 7.6, 8.0, 8.45, 8.9, 9.2, 9.7, 10.2, 11.0, 12.1, 12.7,
)  # fmt: skip
"""The usual log losses of records at the knots."""
_USUAL_SPREADS: Final = (
    1.2, 1.1, 1.0, 1.0, 1.0, 1.0, 0.95, 0.85, 0.75, 0.75, 0.75, 0.73, 0.7, 0.7, 0.7, 0.7, 0.7,
)  # fmt: skip
"""The spreads of records around that, on the same scale."""


def usual_loss(harder: float) -> float:
    """Return the usual log loss of a record on a chart this much harder than the rating."""
    return interpolate(USUAL_KNOTS, _USUAL_LOSSES, harder)


def harder_of(loss: float) -> float:
    """Return how much harder than the rating a chart with this log loss usually is."""
    return interpolate(_USUAL_LOSSES, USUAL_KNOTS, loss)


def usual_spread(harder: float) -> float:
    """Return the usual spread of records on such a chart."""
    return interpolate(USUAL_KNOTS, _USUAL_SPREADS, harder)


def interpolate(knots: Sequence[float], values: Sequence[float], at: float) -> float:
    """Return the linear interpolation between knots; beyond the outermost knots their values stay."""
    above = bisect_right(knots, at)
    if above == 0:
        return values[0]
    if above == len(knots):
        return values[-1]
    share = (at - knots[above - 1]) / (knots[above] - knots[above - 1])
    return values[above - 1] + share * (values[above] - values[above - 1])
