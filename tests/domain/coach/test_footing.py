"""As good as whom somebody is taken to be who has played little."""

from random import Random
from statistics import median

import pytest
from players import Arcade, gists_of, statistics_of

from bot.domain.coach import ChartFeatureSet, PopulationModel, coach
from bot.domain.coach.footing import prior_rating_of
from bot.domain.history import ChartKey

ARCADE = Arcade(5, songs=200)
SYLLABUS = ChartFeatureSet.of(ARCADE.catalogue)
NOBODY = PopulationModel.unknown()
BY_CONSTANT = sorted(SYLLABUS.exercises, key=lambda exercise: exercise.constant)
(USUAL,) = [each for each in BY_CONSTANT if each.constant >= 13][:1]
ONE = {USUAL.key: 1_000_000}
EARNED = (USUAL.constant + 1) * 2 / 40
"""The rating of whoever has that one: in the best slot and in the recent one, beside 38 empty places."""


def test_what_is_harder_than_the_only_record_is_harder_for_them() -> None:
    chances = [
        coach(SYLLABUS, NOBODY, EARNED, ONE).outlooks[each.key].chance(990_000) for each in BY_CONSTANT
    ]
    assert chances[0] > 0.95
    assert chances[BY_CONSTANT.index(USUAL)] > 0.7
    assert chances[-1] < 0.35


@pytest.mark.parametrize("rating", [15.0, 12.0])
def test_a_rating_that_other_records_have_earned_too_stays(rating: float) -> None:
    assert prior_rating_of(SYLLABUS, NOBODY, rating, ONE) == rating


@pytest.mark.parametrize("count", [0, 30, 31])
def test_nobodys_rating_and_that_of_a_full_slot_stay(count: int) -> None:
    scores = {each.key: 1_005_000 for each in BY_CONSTANT[-count:] if count}
    assert prior_rating_of(SYLLABUS, NOBODY, 3.0, scores) == 3.0


def test_one_dropped_play_makes_nobody_a_beginner() -> None:
    """No rating is taken that is less than what the records are worth on average."""
    easiest, *usual = BY_CONSTANT[0], *(each for each in BY_CONSTANT if each.constant >= 13)
    scores = {each.key: 1_000_000 for each in usual[:3]} | {easiest.key: 200_000}
    assert prior_rating_of(SYLLABUS, NOBODY, 1.0, scores) >= 13 * 3 / 4


def test_a_few_records_tell_as_good_as_whom_somebody_is() -> None:
    crowd = PopulationModel.of(
        SYLLABUS.exercises, gists_of(statistics_of([ARCADE.career() for _ in range(100)]))
    )
    chance, off = Random(1), list[float]()  # noqa: S311 - invented, not secret
    constants = {each.key: each.constant for each in SYLLABUS.exercises}
    for _ in range(20):
        _player, career = ARCADE.meet()
        known: dict[ChartKey, int] = dict(chance.sample(sorted(career.scores.items(), key=str), 8))
        known = {key: score for key, score in known.items() if key in constants}
        off.append(abs(prior_rating_of(SYLLABUS, crowd, 1.0, known) - career.rating))
    assert median(off) < 1
