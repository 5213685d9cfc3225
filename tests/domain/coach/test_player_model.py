"""What one member is expected to score. How near it comes to the truth is told by bench_coach and bench_real_players."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from statistics import NormalDist, fmean
from typing import Any

import careers
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from players import Arcade, gists_of, statistics_of
from typing_extensions import override

from bot.domain.coach.chart_features import DENSITY, ChartFeatureSet
from bot.domain.coach.curve import CurvePoint, CurvePrior, fit_curve
from bot.domain.coach.felt import learn
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.losses import log_points_lost, score_at
from bot.domain.coach.player_model import USUAL_FIRST_TRY, PlayerModel, fit_player
from bot.domain.coach.population import PopulationModel, Reputation
from bot.domain.coach.prediction import Prediction
from bot.domain.coach.score_table import SCORES as COLUMNS
from bot.domain.coach.score_table import Observation, score_table
from bot.domain.coach.top import RatingTop
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.ranks import MAX_SCORE

ARCADE = Arcade(3, songs=60)
CAREER = ARCADE.career()
"""Drawn once: whose turn it is in an arcade depends on which tests came before."""
SYLLABUS = ChartFeatureSet.of(ARCADE.catalogue)
KEYS = [chart.key for chart in SYLLABUS.charts]
CONSTANTS = {chart.key: chart.constant for chart in SYLLABUS.charts}
NOBODY = PopulationModel.of((), {})
CROWD, _ = learn(SYLLABUS.charts, gists_of(statistics_of([ARCADE.career() for _ in range(80)])))
SCORES = st.dictionaries(st.sampled_from(KEYS), st.integers(0, MAX_SCORE))
LEASTS = (0, 500_000, 975_000, 1_000_000, 1_007_500, 1_009_000, MAX_SCORE, MAX_SCORE + 1)


def fitted(
    scores: Mapping[ChartKey, int], rating: float = 14.0, population: PopulationModel = NOBODY
) -> PlayerModel:
    return fit_player(SYLLABUS, population, rating, scores)


def chances(prediction: Prediction) -> list[float]:
    return [prediction.in_the_end.chance(least) for least in LEASTS]


def test_only_charts_that_are_counted_are_looked_up() -> None:
    """A catalogue has thousands of charts, and of most of them nothing is counted yet."""
    looked_up: list[ChartKey] = []

    class Reputations(dict[ChartKey, Reputation]):
        @override
        def get(self, key: ChartKey, default: Any = None) -> Any:
            looked_up.append(key)
            return super().get(key, default)

    one, *others = KEYS
    known = Reputations({each: CROWD.reputations[each] for each in KEYS[:20] if each in CROWD.reputations})
    found = fitted({one: 1_000_000}, population=replace(CROWD, reputations=known))
    assert set(looked_up) == {one}
    assert found.predictions[one].hardness != CONSTANTS[one]
    assert found.predictions[others[-1]].hardness == pytest.approx(CONSTANTS[others[-1]], abs=0.5)


def test_each_chance_is_turned_into_spreads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    class Bell:
        def inv_cdf(self, chance: float) -> float:
            asked.append(chance)
            return NormalDist().inv_cdf(chance)

    before = fitted({})
    monkeypatch.setattr("bot.domain.coach.score_table._BELL", Bell())
    after = fitted({})
    assert len(asked) == len(set(asked))
    assert after.predictions == before.predictions


def test_a_rating_that_a_turn_has_emptied_is_nobodys_level() -> None:
    before, after = (
        fit_player(SYLLABUS, CROWD, rating, CAREER.scores) for rating in (CAREER.rating, CAREER.rating * 0.6)
    )
    assert before.level == CAREER.rating
    assert after.level > 0.9 * before.level


@pytest.mark.parametrize("population", [NOBODY, CROWD])
def test_maximum_scores_alone_do_not_tell_how_far_somebody_gets(population: PopulationModel) -> None:
    easiest = sorted(KEYS, key=CONSTANTS.__getitem__)[:5]
    perfect = dict.fromkeys(easiest, MAX_SCORE)
    found = fitted(perfect, 2.0, population)
    assert found.is_all_maximum
    assert not found.predictions
    one_less = fitted({**perfect, easiest[0]: MAX_SCORE - 1}, 2.0, population)
    assert not one_less.is_all_maximum
    assert list(one_less.predictions) == KEYS
    assert fitted({}, 14.0, population).predictions, "a rating alone tells something"


@settings(max_examples=20)
@given(SCORES, st.floats(0, 20), st.sampled_from([NOBODY, CROWD]))
def test_whatever_was_scored_gives_scores_and_chances(
    scores: dict[ChartKey, int], rating: float, population: PopulationModel
) -> None:
    assume(not scores or min(scores.values()) < MAX_SCORE)
    found = fitted(scores, rating, population)
    assert list(found.predictions) == KEYS
    for key, prediction in found.predictions.items():
        for told in (prediction.next_try, prediction.in_the_end):
            assert 0 <= told.score <= MAX_SCORE
            each = [told.chance(least) for least in LEASTS]
            assert each[-1] == 0
            assert all(1 >= one >= other >= 0 for one, other in pairwise(each))
        assert all(
            prediction.in_the_end.chance(least) >= prediction.next_try.chance(least) for least in LEASTS
        ), "what one try does stands in the end"
        assert prediction.in_the_end.score >= scores.get(key, 0)
        assert prediction.in_the_end.chance(scores.get(key, 0)) == 1


@settings(max_examples=20)
@given(SCORES, st.floats(0, 20), st.sampled_from([NOBODY, CROWD]))
def test_an_easier_chart_of_a_kind_is_never_expected_to_be_harder(
    scores: dict[ChartKey, int], rating: float, population: PopulationModel
) -> None:
    kind = replace(SYLLABUS.charts[0], kind=(0.0,) * len(SYLLABUS.columns))
    clones = [
        replace(
            kind,
            key=(careers.record(f"clone {step}", None, 0).song_id or KEYS[0][0], KEYS[0][1]),
            constant=step / 10,
        )
        for step in range(10, 170, 5)
    ]
    features = replace(SYLLABUS, charts=(*SYLLABUS.charts, *clones))
    found = fit_player(features, population, rating, scores).predictions
    for easier, harder in pairwise(found[each.key] for each in clones):
        assert easier.in_the_end.score >= harder.in_the_end.score
        assert easier.next_try.score >= harder.next_try.score
        assert all(one >= other - 1e-9 for one, other in zip(chances(easier), chances(harder), strict=True))


def test_the_same_is_said_again() -> None:
    one, other = fitted(CAREER.scores), fitted(dict(sorted(CAREER.scores.items(), reverse=True)))
    for key in KEYS:
        assert chances(one.predictions[key]) == pytest.approx(chances(other.predictions[key]))


def test_three_records_move_little_and_many_move_all() -> None:
    before = fitted({}).predictions
    better = {
        key: score_at(log_points_lost(prediction.in_the_end.score) - 1) for key, prediction in before.items()
    }
    drawn = Random(3).sample(list(better.items()), 200)  # noqa: S311 - invented, not secret

    def moved(scores: Mapping[ChartKey, int]) -> float:
        after = fitted(scores).predictions
        return fmean(
            log_points_lost(after[key].in_the_end.score) - log_points_lost(before[key].in_the_end.score)
            for key in KEYS
            if key not in scores
        )

    assert -0.8 < moved(dict(drawn[:3])) < -0.1
    assert moved(dict(drawn)) == pytest.approx(-1, abs=0.25)


def test_what_somebody_is_weak_in_is_seen_and_said() -> None:
    before = fitted({}).predictions
    at = SYLLABUS.traits.index(DENSITY)
    density = {chart.key: chart.kind[at] for chart in SYLLABUS.charts}
    luck = Random(5)  # noqa: S311 - invented, not secret
    found = fitted(
        {
            key: score_at(
                log_points_lost(prediction.in_the_end.score) + 0.4 * density[key] + luck.gauss(0, 0.3)
            )
            for key, prediction in before.items()
        }
    )
    weakest = min(found.coefficients, key=lambda coefficient: coefficient.strength)
    assert weakest.trait == DENSITY
    assert weakest.stands_out
    assert weakest.strength < -0.2
    assert weakest.doubt < 0.1
    assert weakest.records > 200


def test_a_few_dropped_plays_do_not_move_the_rest() -> None:
    before = fitted(CAREER.scores).predictions
    dropped = dict(CAREER.scores) | dict.fromkeys(list(CAREER.scores)[::20], 400_000)
    after = fitted(dropped).predictions
    moved = [
        abs(log_points_lost(before[key].in_the_end.score) - log_points_lost(after[key].in_the_end.score))
        for key in KEYS
        if key not in dropped
    ]
    assert fmean(moved) < 0.25


def test_a_record_far_below_its_expectation_is_soon_risen() -> None:
    before = fitted(CAREER.scores).predictions
    usual_keys = [key for key in CAREER.scores if CONSTANTS[key] < CAREER.rating - 1]
    nearest = sorted(usual_keys, key=lambda key: abs(before[key].next_try.score - 1_003_000))[:10]
    undersold = {key: fitted({**CAREER.scores, key: 900_000}).predictions[key].next_try for key in nearest}
    assert fmean(found.chance(before[key].next_try.score) for key, found in undersold.items()) > 0.2
    assert all(found.score > 950_000 for found in undersold.values())


@pytest.mark.parametrize("shift", [-0.8, 0.8])
def test_what_records_of_a_kind_show_is_promised_of_that_kind_alone(shift: float) -> None:
    rows, loss = range(4), log_points_lost(1_005_000)
    prior = CurvePrior(harder=[-3.0] * 4, losses=[loss] * 4, spreads=[1.0] * 4, walk=0.45)
    curve = fit_curve(prior, [CurvePoint(row, loss, 1.0, shift=shift) for row in rows for _ in range(30)])
    assert curve.losses[2] == pytest.approx(loss - shift * curve.spreads[2], abs=0.15)
    reached = COLUMNS.index(1_005_000) + 1
    observations = [Observation(2, reached - 4 * (at % 2), 1.0, shift) for at in range(60)]
    flat = replace(curve, losses=[loss] * 4)
    half = score_table(flat, observations, RatingTop(COLUMNS, JP2, [-3.0] * 4)).quantiles[2][reached - 1]
    assert half == pytest.approx(-shift, abs=0.2)


def test_how_close_nearly_perfect_scores_lie_says_nothing_of_hard_charts_and_much_of_easy_ones() -> None:
    prior = CurvePrior(harder=[-6.0, -2.0], losses=[6.0, 8.0], spreads=[1.0, 1.0], walk=0.45)
    easy = [CurvePoint(0, 6.0, 1.0)] * 60
    hard = [CurvePoint(1, 8.0 + side, 1.0) for side in (-1, 1)] * 30
    assert fit_curve(prior, easy).spreads[0] < 0.5
    assert fit_curve(prior, easy).spreads[1] == 1.0
    assert fit_curve(prior, [*easy, *hard]).spreads[0] < 0.5
    assert fit_curve(prior, [*easy, *hard]).spreads[1] > 0.85
    assert fit_curve(prior, [CurvePoint(1, 8.0, 1.0)] * 60).spreads[1] < 0.5


def test_a_try_is_not_what_stands_in_the_end() -> None:
    for prediction in fitted(CAREER.scores).predictions.values():
        assert (
            prediction.next_try.score < prediction.in_the_end.score
            or prediction.in_the_end.score == MAX_SCORE
        )


def test_how_far_a_first_try_lies_below_is_learnt_from_first_scores() -> None:
    usual = fitted(CAREER.scores)
    predictions = usual.predictions
    new = [key for key in KEYS if key not in CAREER.scores and predictions[key].in_the_end.score < 1_009_000][
        :40
    ]

    def expected(below: float) -> float:
        first = {
            key: score_at(log_points_lost(usual.predictions[key].in_the_end.score) + below) for key in new
        }
        found = fit_player(
            SYLLABUS, NOBODY, 14.0, KnownPlays(scores=CAREER.scores, first_scores=first)
        ).predictions
        return fmean(log_points_lost(prediction.next_try.score) for prediction in found.values())

    assert expected(0.0) < fmean(log_points_lost(each.next_try.score) for each in usual.predictions.values())
    assert expected(1.0) > expected(0.0) + 0.3


def test_what_is_nearly_perfect_at_once_says_nothing_of_first_tries() -> None:
    predictions = fitted(CAREER.scores).predictions
    easy = [key for key in KEYS if predictions[key].in_the_end.score > 1_009_800]
    first = {key: predictions[key].in_the_end.score for key in easy}
    plays = KnownPlays(scores=CAREER.scores, first_scores=first)
    assert easy
    assert fit_player(SYLLABUS, NOBODY, 14.0, plays).first_tries.seen == 0


def test_looks_tell_first_scores_and_times_tell_ages() -> None:
    day = datetime(2026, 3, 1, tzinfo=UTC)
    old = replace(careers.record("a", 1300, 990_000), updated_at=day - timedelta(days=731))
    begun, risen = (careers.record("b", 1300, score) for score in (980_000, 1_001_000))
    new = replace(risen, updated_at=day)
    unplayed = replace(careers.record("c", 1300, 0), is_played=False)
    known = KnownPlays.of([old, new, unplayed], [[old], [old, begun]])
    assert list(known.scores.values()) == [990_000, 1_001_000]
    assert list(known.first_scores.values()) == [980_000]
    assert list(known.ages.values()) == [pytest.approx(2, abs=0.01), 0]
    assert not KnownPlays.of([old, new]).first_scores, "nobody looked before"


def test_an_old_record_says_less_than_a_new_one() -> None:
    keys = [key for key in CAREER.scores if 11 < CONSTANTS[key] < 14]
    good, poor = (
        dict.fromkeys(some, score) for some, score in ((keys[::2], 1_005_000), (keys[1::2], 980_000))
    )

    def expected(old: Mapping[ChartKey, int]) -> float:
        plays = KnownPlays(scores={**good, **poor}, ages=dict.fromkeys(old, 6.0))
        predictions = fit_player(SYLLABUS, NOBODY, 14.0, plays).predictions
        return fmean(predictions[key].in_the_end.score for key in KEYS if key not in keys)

    assert expected(poor) > expected(good)


def test_who_has_risen_is_expected_to_try_as_well_as_lately() -> None:
    usual = fitted(CAREER.scores).predictions
    keys = list(CAREER.scores)
    ages = {key: 3.0 * at / len(keys) for at, key in enumerate(Random(2).sample(keys, len(keys)))}  # noqa: S311 - invented, not secret

    def expected(a_year: float) -> float:
        scores = {
            key: score_at(log_points_lost(CAREER.scores[key]) + a_year * (ages[key] - 1.5)) for key in keys
        }
        found = fit_player(SYLLABUS, NOBODY, 14.0, KnownPlays(scores=scores, ages=ages)).predictions
        return fmean(log_points_lost(found[key].next_try.score) for key in KEYS if key not in scores)

    stopped = expected(0.0)
    assert stopped == pytest.approx(
        fmean(log_points_lost(usual[key].next_try.score) for key in KEYS if key not in CAREER.scores),
        abs=0.25,
    )
    assert expected(0.4) < stopped - 0.1
    assert expected(-0.4) > stopped + 0.1


def test_what_is_not_known_of_a_player_does_not_vary_from_try_to_try() -> None:
    """With few records chances are vague because the model is, and a try lies hardly below the record in the end."""

    def gap(scores: Mapping[ChartKey, int]) -> float:
        prediction = fitted(scores, 14.0).predictions[KEYS[0]]
        return prediction.next_try.shift - prediction.in_the_end.shift

    assert USUAL_FIRST_TRY / 2 < gap({}) < gap(CAREER.scores) < USUAL_FIRST_TRY
    five = dict([*CAREER.scores.items()][:5])
    assert gap(five) < 0.85 * gap(CAREER.scores)  # 0.88 where it were for its vagueness alone


def test_the_best_records_alone_are_no_measure_of_the_rest() -> None:
    """A service may give the best ones only: what is not among them was played worse."""
    best = sorted(CAREER.scores, key=lambda key: -CONSTANTS[key] - CAREER.scores[key] / 5000)[:30]
    others = [key for key in CAREER.scores if key not in best]
    shown = {key: CAREER.scores[key] for key in best}
    told = fitted(shown, 1.0).predictions
    as_if_all = fitted(shown, CAREER.rating + 1).predictions
    errors = [
        fmean(
            abs(log_points_lost(CAREER.scores[key]) - log_points_lost(found[key].in_the_end.score))
            for key in others
        )
        for found in (told, as_if_all)
    ]
    assert errors[0] < errors[1] + 0.2


def test_a_version_s_turn_fools_nobody() -> None:
    """The profile falls by two fifths overnight; the records are what they were."""
    before, after = (
        fitted(CAREER.scores, rating).predictions for rating in (CAREER.rating, CAREER.rating * 0.6)
    )
    assert all(chances(before[key]) == pytest.approx(chances(after[key])) for key in KEYS)


def test_beside_others_of_a_rating_counts_the_profile_s_unless_a_version_has_turned() -> None:
    """Statistics go by the ratings of profiles, in which empty places of new songs count nothing."""
    usual, lower, turned = (
        fitted(CAREER.scores, CAREER.rating * part, CROWD).offset for part in (1.0, 0.93, 0.6)
    )
    assert lower < usual
    assert turned == pytest.approx(usual, abs=0.02)


def test_statistics_bring_the_coach_nearer_and_false_ones_cost_little() -> None:
    arcade = Arcade(3, songs=60)
    statistics = statistics_of([arcade.career() for _ in range(80)])
    shuffled = dict(zip(statistics, Random(1).sample([*statistics.values()], len(statistics)), strict=True))  # noqa: S311 - invented, not secret
    crowds = {
        "alone": NOBODY,
        "with": learn(SYLLABUS.charts, gists_of(statistics))[0],
        "false": learn(SYLLABUS.charts, gists_of(shuffled))[0],
    }
    errors: dict[str, list[float]] = {name: [] for name in crowds}
    for _ in range(8):
        career = arcade.career()
        known = dict(list(career.scores.items())[::4])
        for name, population in crowds.items():
            found = fit_player(SYLLABUS, population, career.rating, known)
            errors[name] += [
                abs(log_points_lost(score) - log_points_lost(found.predictions[key].in_the_end.score))
                for key, score in career.scores.items()
                if key not in known
            ]
    assert fmean(errors["with"]) < fmean(errors["alone"])
    assert fmean(errors["false"]) < 1.1 * fmean(errors["alone"])
