"""What one member is expected to score. How near it comes to the truth is told by bench_coach."""

from collections.abc import Mapping
from itertools import pairwise
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import Arcade, gists_of, statistics_of

from bot.domain.coach import DENSITY, ChartFeatureSet, Coach, PopulationModel, coach
from bot.domain.coach.crowd import USUAL_SPREAD
from bot.domain.coach.losses import log_loss, score_at
from bot.domain.coach.outlook import _explained
from bot.domain.coach.regression import Regression
from bot.domain.history import ChartKey
from bot.domain.ranks import MAX_SCORE

ARCADE = Arcade(3, songs=60)
CAREER = ARCADE.career()
"""Drawn once: whose turn it is in an arcade depends on which tests came before."""
SYLLABUS = ChartFeatureSet.of(ARCADE.catalogue)
KEYS = [exercise.key for exercise in SYLLABUS.exercises]
NOBODY = PopulationModel.of((), {})
SCORES = st.dictionaries(st.sampled_from(KEYS), st.integers(0, MAX_SCORE))
LEASTS = (0, 500_000, 975_000, 1_000_000, 1_007_500, 1_009_000, MAX_SCORE, MAX_SCORE + 1)


def coached(scores: Mapping[ChartKey, int], rating: float = 14.0) -> Coach:
    return coach(SYLLABUS, NOBODY, rating, scores)


@settings(max_examples=25)
@given(SCORES, st.floats(0, 20))
def test_whatever_was_scored_gives_scores_and_chances(scores: dict[ChartKey, int], rating: float) -> None:
    found = coached(scores, rating)
    assert list(found.outlooks) == KEYS
    for outlook in found.outlooks.values():
        assert 0 <= outlook.score <= MAX_SCORE
        chances = [outlook.chance(least) for least in LEASTS]
        assert chances[-1] == 0
        assert all(1 >= one >= other >= 0 for one, other in pairwise(chances))
        assert outlook.chance(outlook.score) >= 0.45
        assert outlook.chance(outlook.score + 2_000) <= 0.55


def test_the_same_is_said_again() -> None:
    assert coached(CAREER.scores) == coached(dict(sorted(CAREER.scores.items(), reverse=True)))


def test_three_records_move_little_and_many_move_all() -> None:
    before = coached({}).outlooks
    better = {key: score_at(outlook.log_loss - 1) for key, outlook in before.items()}
    drawn = Random(3).sample(list(better.items()), 200)  # noqa: S311 - invented, not secret
    few, many = coached(dict(drawn[:3])), coached(dict(drawn))
    assert -0.9 < few.offset < -0.1
    assert many.offset == pytest.approx(-1, abs=0.15)


def test_what_somebody_is_weak_in_is_seen_and_said() -> None:
    before = coached({}).outlooks
    at = SYLLABUS.traits.index(DENSITY)
    density = {exercise.key: exercise.kind[at] for exercise in SYLLABUS.exercises}
    found = coached({key: score_at(outlook.log_loss + 0.3 * density[key]) for key, outlook in before.items()})
    weakest = min(found.leanings, key=lambda leaning: leaning.strength)
    assert weakest.trait == DENSITY
    assert weakest.strength == pytest.approx(-0.3, abs=0.1)
    assert weakest.doubt < 0.1


def test_a_few_dropped_plays_do_not_move_the_rest() -> None:
    before = coached(CAREER.scores)
    dropped = dict(CAREER.scores) | dict.fromkeys(list(CAREER.scores)[::20], 400_000)
    after = coached(dropped)
    moved = [
        abs(before.outlooks[key].log_loss - after.outlooks[key].log_loss)
        for key in KEYS
        if key not in dropped
    ]
    assert fmean(moved) < 0.25


def test_a_record_far_below_its_expectation_stays_a_chance() -> None:
    before = coached(CAREER.scores).outlooks
    key = max(CAREER.scores, key=lambda key: before[key].score if before[key].score < 1_005_000 else 0)
    undersold = coached({**CAREER.scores, key: 900_000}).outlooks[key]
    assert undersold.chance(before[key].score) > 0.1
    assert undersold.score > 950_000


def test_what_a_record_differs_by_is_what_all_others_say_of_it() -> None:
    """A record draws its own expectation to itself, the more the fewer there are: that is taken back."""
    rows = [(1.0, 0.1), (1.0, 0.4), (1.0, -0.3), (1.0, 0.2), (1.0, -0.1)]
    differences, usual = [0.3, -0.2, 0.1, 0.25, -0.15], (1.0, 0.5)
    _found, rests = _explained(rows, differences, usual)
    pulls = [(USUAL_SPREAD / each) ** 2 for each in usual]
    for at, rest in enumerate(rests):
        others = [each for place, each in enumerate(rows) if place != at]
        values = [each for place, each in enumerate(differences) if place != at]
        without = Regression(others, values, [1.0] * len(others), pulls)
        assert rest == pytest.approx(differences[at] - without.explain(rows[at]))


def test_statistics_bring_the_coach_nearer() -> None:
    arcade = Arcade(3, songs=60)
    crowd = PopulationModel.of(
        SYLLABUS.exercises, gists_of(statistics_of([arcade.career() for _ in range(80)]))
    )
    errors: dict[str, list[float]] = {"alone": [], "with": []}
    for _ in range(8):
        career = arcade.career()
        known = dict(list(career.scores.items())[::4])
        for name, each in (("alone", NOBODY), ("with", crowd)):
            found = coach(SYLLABUS, each, career.rating, known)
            errors[name] += [
                abs(log_loss(score) - found.outlooks[key].log_loss)
                for key, score in career.scores.items()
                if key not in known
            ]
    assert fmean(errors["with"]) < fmean(errors["alone"])
