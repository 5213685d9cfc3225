"""The scale on which scores are compared: the logarithm of the points lost.

On it, equal differences between players or charts have about the same size among good and poor scores, and one player's
scores on equal charts are roughly normally distributed.
"""

from math import exp, log
from typing import Final

from bot.domain.ranks import MAX_SCORE

_ADDED_POINTS: Final = 20
"""The points added to each loss, so that a perfect score is at a finite distance from the next one: about two
JUSTICE."""


def log_points_lost(score: float) -> float:
    """Return the place of a score, or of an average score, on the scale: less is better."""
    return log(MAX_SCORE - score + _ADDED_POINTS)


def score_at(place: float) -> int:
    """Return the score at a place on the scale, in points."""
    return max(0, min(MAX_SCORE, MAX_SCORE + _ADDED_POINTS - round(exp(place))))


MIN_LOG_LOSS: Final = log_points_lost(MAX_SCORE)
MAX_LOG_LOSS: Final = log_points_lost(0)
