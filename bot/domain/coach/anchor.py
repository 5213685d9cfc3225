"""The rating from which charts are seen: how far a constant lies above or below it says how hard a chart is."""

from collections.abc import Iterable
from heapq import nlargest
from statistics import fmean
from typing import Final

_BEST_PLACES: Final = 30
_STILL_TO_COME: Final = 0.3
"""What the mean of fewer than thirty records rises by until there are thirty."""


def anchor_rating(rating: float, song_ratings: Iterable[float]) -> float:
    """Return the profile's rating, or what the thirty best records come to where that is more.

    An empty place counts as none, so the rating of who has played little says how little that is, not how well they
    play; a version's turn empties twenty places overnight; and services count by older rules.
    """
    best = nlargest(_BEST_PLACES, song_ratings)
    if not best:
        return rating
    return max(rating, fmean(best) + (_STILL_TO_COME if len(best) < _BEST_PLACES else 0.0))
