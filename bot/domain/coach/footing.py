"""The rating from which a member's outlooks start.

An empty place of the rating counts as a score of none, so that the rating of who has played little says how little that
is, not how well they play: with one record of 14.00 it is 0.70.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from bot.domain.coach.crowd import PopulationModel
from bot.domain.coach.exercises import ChartFeatures, ChartFeatureSet
from bot.domain.coach.losses import log_loss
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating

_FEW: Final = 30
"""Records that fill the best slot: with fewer, a part of the rating counts none."""
_RECENT: Final = 10
"""Of which the best count once more, as recent ones."""
_MOST_EARNED: Final = 1.5
"""Times what the known records earn: a higher rating has others in it."""
_RATINGS: Final = [step / 5 for step in range(100)]
"""Which are tried, 0.0 to 19.8."""


def prior_rating_of(
    syllabus: ChartFeatureSet, crowd: PopulationModel, rating: float, scores: Mapping[ChartKey, int]
) -> float:
    """Return the member's own rating; of who has few records, that of the players who would score most like them.

    A rating well above what the known records earn was earned with others too, and says how well the member plays.
    """
    played = [exercise for exercise in syllabus.exercises if exercise.key in scores]
    if len(played) >= _FEW:
        return rating
    worths = sorted((_worth(syllabus, each, scores[each.key]) for each in played), reverse=True)
    earned = (sum(worths) + sum(worths[:_RECENT])) / (_FEW + _RECENT)
    if rating >= _MOST_EARNED * earned:
        return rating
    losses = [log_loss(scores[exercise.key]) for exercise in played]
    least = fmean(worths)  # the places that are empty will hold charts of their choice
    return min(
        (tried for tried in _RATINGS if tried >= least),
        key=lambda tried: _oddness(crowd, played, losses, tried),
        default=least,
    )


def _worth(syllabus: ChartFeatureSet, exercise: ChartFeatures, score: int) -> float:
    return song_rating(Hundredths(round(exercise.constant * 100)), score, syllabus.region) / 100


def _oddness(
    crowd: PopulationModel, played: Sequence[ChartFeatures], losses: Sequence[float], rating: float
) -> float:
    """Return how far losses lie from those of players of a rating: a sum of squares."""
    expected = crowd.expect(played, rating)
    return sum((loss - each.log_loss) ** 2 for loss, each in zip(losses, expected, strict=True))
