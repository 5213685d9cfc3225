"""What single notes cost, and how many of them a number of points is. Source: the game, loss per note."""

from enum import Enum
from typing import Final

from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE


class Judgement(Enum):
    """What a note was judged, below JUSTICE CRITICAL; the value divided by a chart's notes is the points lost."""

    JUSTICE = 10_000
    ATTACK = 510_000
    MISS = 1_010_000


JUDGEMENTS: Final = tuple(Judgement)
"""Mildest first."""


def loss_of_one(judgement: Judgement, notes: int) -> Hundredths:
    """Return the points that one such note costs on a chart of `notes` notes, in hundredths, floored."""
    return Hundredths(judgement.value * 100 // notes)


def count_for(points: int, judgement: Judgement, notes: int) -> int:
    """Return the least number of such notes that together cost `points` or more."""
    return -(-points * notes // judgement.value)


def count_allowed(score: int, judgement: Judgement, notes: int) -> int:
    """Return how many such notes a play that is perfect otherwise may hold and still reach `score`."""
    return (MAX_SCORE - score) * notes // judgement.value
