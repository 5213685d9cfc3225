"""The rating against which constants are compared: their difference says how hard a chart is for the player."""

from collections.abc import Sequence
from heapq import nlargest
from statistics import fmean
from typing import Final

from bot.domain.coach.usual import usual_loss, usual_spread
from bot.domain.game_rating import BEST_PLACES

_RISE_TO_COME: Final = 0.3
"""The rise of the mean of fewer than thirty records until there are thirty."""
_MAX_SPAN: Final = 1.5
_STEPS: Final = tuple(step / 4 for step in range(65))
"""The amounts by which the rating of few records may still rise."""
_USUAL_RATING: Final = 15.3
_UNUSUAL_COST: Final = 1.0
"""The typical rating of players whose records are available, and the cost for each unit of distance from it: perfect
scores on easy charts say nothing of a player's limit."""
_MAX_COST: Final = 9.0
"""The highest cost of one record, in squares of spreads: a dropped play makes nobody a beginner."""


def anchor_rating(
    rating: float, song_ratings: Sequence[float], losses: Sequence[tuple[float, float]]
) -> float:
    """Return the profile's rating, or the rating that the records show if that is higher.

    An empty place counts as zero, so the rating of a player with few records shows how few they are, not how well they
    play; a new version empties twenty places overnight; and some services use older rules. `losses` are the constants
    and log losses of the records: if there are fewer than thirty, they decide which rating fits best.
    """
    best = nlargest(BEST_PLACES, song_ratings)
    if not best:
        return rating
    if len(best) == BEST_PLACES and are_of_many(best):
        return max(rating, fmean(best))
    shown = fmean(best) + _RISE_TO_COME
    if rating >= shown:
        return rating
    return shown + min(
        _STEPS,
        key=lambda step: _cost(losses, shown + step) + _UNUSUAL_COST * abs(shown + step - _USUAL_RATING),
    )


def are_of_many(best: Sequence[float]) -> bool:
    """Return whether ratings, highest first, are as close together as the best of many are; the best of few are not."""
    return best[-1] > fmean(best) - _MAX_SPAN


def _cost(losses: Sequence[tuple[float, float]], anchor: float) -> float:
    """Return how far records are from those of players with a rating, in squares of spreads."""
    return sum(
        min(_MAX_COST, ((loss - usual_loss(constant - anchor)) / usual_spread(constant - anchor)) ** 2)
        for constant, loss in losses
    )
