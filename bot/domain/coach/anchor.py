"""The rating from which charts are seen: how far a constant lies above or below it says how hard a chart is."""

from collections.abc import Sequence
from heapq import nlargest
from statistics import fmean
from typing import Final

from bot.domain.coach.usual import usual_loss, usual_spread

_BEST_PLACES: Final = 30
_RISE_TO_COME: Final = 0.3
"""What the mean of fewer than thirty records rises by until there are thirty."""
_MAX_SPAN: Final = 1.5
_STEPS: Final = tuple(step / 4 for step in range(65))
"""The rating of few records may still rise by these amounts."""
_USUAL_RATING: Final = 15.3
_UNUSUAL_COST: Final = 1.0
"""What players are rated whose records somebody keeps, and what it costs for each unit to be rated otherwise: perfect
scores on easy charts say nothing of how far somebody gets."""
_MAX_COST: Final = 9.0
"""One record costs no more, in squares of spreads: a dropped play makes nobody a beginner."""


def anchor_rating(
    rating: float, song_ratings: Sequence[float], losses: Sequence[tuple[float, float]]
) -> float:
    """Return the profile's rating, or what the records show where that is more.

    An empty place counts as none, so the rating of who has played little says how little that is, not how well they
    play; a version's turn empties twenty places overnight; and services count by older rules. `losses` are the
    constants and log losses of the records: of fewer than thirty, they say like whose.
    """
    best = nlargest(_BEST_PLACES, song_ratings)
    if not best:
        return rating
    if len(best) == _BEST_PLACES and are_of_many(best):
        return max(rating, fmean(best))
    shown = fmean(best) + _RISE_TO_COME
    if rating >= shown:
        return rating
    return shown + min(
        _STEPS,
        key=lambda step: _cost(losses, shown + step) + _UNUSUAL_COST * abs(shown + step - _USUAL_RATING),
    )


def are_of_many(best: Sequence[float]) -> bool:
    """Tell whether ratings, the highest first, lie as close as the best of many do: of few, some lie far below."""
    return best[-1] > fmean(best) - _MAX_SPAN


def _cost(losses: Sequence[tuple[float, float]], anchor: float) -> float:
    """Return how far records lie from those of players of a rating, in squares of spreads."""
    return sum(
        min(_MAX_COST, ((loss - usual_loss(constant - anchor)) / usual_spread(constant - anchor)) ** 2)
        for constant, loss in losses
    )
