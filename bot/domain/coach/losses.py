"""The scale on which scores are compared: the logarithm of the points lost.

On it a step between players, or between charts, is about as long among good scores as among poor ones, and the scores of
one player on equal charts lie about as they would in a bell.
"""

from math import exp, log
from typing import Final

from bot.domain.ranks import MAX_SCORE

_ADDED_POINTS: Final = 20
"""Points added to each loss, so that a perfect score is not endlessly far from the next one: about two JUSTICE."""


def log_points_lost(score: float) -> float:
    """Return the place of a score, or of an average of scores, on the scale: less is better."""
    return log(MAX_SCORE - score + _ADDED_POINTS)


def score_at(place: float) -> int:
    """Return the score at a place of the scale, in points."""
    return max(0, min(MAX_SCORE, MAX_SCORE + _ADDED_POINTS - round(exp(place))))


MIN_LOG_LOSS: Final = log_points_lost(MAX_SCORE)
MAX_LOG_LOSS: Final = log_points_lost(0)
