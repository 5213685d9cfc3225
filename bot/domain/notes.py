"""The cost of single notes, and the notes that a score lacks to a better one. Source: the game, loss per note."""

from collections.abc import Mapping
from enum import Enum
from typing import Final

from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Lamps


class Judgement(Enum):
    """The judgement of a note, below JUSTICE CRITICAL; the value divided by a chart's notes is the points lost."""

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


def notes_to_improve(score: int, goal: int, notes: int, lamps: Lamps | None) -> Mapping[Judgement, int]:
    """Return how many notes of each kind, made perfect, raise a play to `goal`; only kinds that it can have that often.

    ALL JUSTICE has no ATTACK, FULL COMBO has no MISS, and no play has more of either than its lost points allow.
    JUSTICE is always included: it makes up the rest of any loss.
    """
    counts = {each: count_for(goal - score, each, notes) for each in _possible(lamps)}
    lost = (MAX_SCORE - score) * notes
    return {
        each: count
        for each, count in counts.items()
        if each is Judgement.JUSTICE or count * each.value <= lost
    }


def _possible(lamps: Lamps | None) -> tuple[Judgement, ...]:
    if lamps is not None and lamps.is_all_justice:
        return (Judgement.JUSTICE,)
    if lamps is not None and lamps.is_full_combo:
        return (Judgement.JUSTICE, Judgement.ATTACK)
    return JUDGEMENTS
