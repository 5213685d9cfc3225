"""What all players together are expected to score."""

from collections.abc import Mapping
from decimal import Decimal
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import Arcade

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.losses import score_at
from bot.domain.coach.points import ChartPoints
from bot.domain.coach.population import PopulationModel, _distances
from bot.domain.coach.summaries import ChartSummary
from bot.domain.coach.usual import usual_loss
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.statistics import ChartStatistics

SYLLABUS = ChartFeatureSet.of(Arcade(1, songs=12).catalogue)
KEYS = [chart.key for chart in SYLLABUS.charts]
RATINGS = [rating / 10 for rating in range(0, 181, 5)]


def counted(averages: Mapping[int, int | None], players: int = 400) -> ChartSummary:
    """Return what is learnt of statistics with these averages, by rating in tenths."""
    return ChartSummary.of(
        ChartStatistics(
            players=players,
            ranks={},
            lamps={},
            averages={
                Hundredths(rating * 10): None if average is None else Decimal(average)
                for rating, average in averages.items()
            },
        )
    )


def test_middle_steps_weigh_more_and_none_more_than_twenty_players() -> None:
    """The service does not say how many players stand behind an average."""
    averages = dict.fromkeys(range(140, 161, 5), 1000000)
    for players, most in ((20, 20.0), (10**6, 20.0)):
        summary = counted(averages, players)
        weights = [weight for _, _, weight in ChartPoints.of(SYLLABUS.charts[0], summary).points]
        assert max(weights) <= most
        assert weights == weights[::-1]
        if players == 20:
            assert sum(weights) == pytest.approx(players)
            assert weights[0] < weights[1] < weights[2]
        else:
            assert weights == [most] * len(averages)


def test_averages_of_one_or_two_players_say_how_far_records_lie_apart() -> None:
    """Those of more are smoothed by their number, and charts far below a rating are nearly perfect for everybody."""
    surface = PopulationModel.of((), {}).surface
    usual = surface[150][140]
    points = [(150, usual + 1, 1.0), (150, usual + 2, 2.0), (150, usual + 2, 3.0), (185, usual, 1.0)]
    near, far = _distances(ChartPoints(KEYS[0], 140, points), surface, 0.0)
    assert far > near > 0
    assert list(_distances(ChartPoints(KEYS[0], 140, [(150, usual, 6.0)] * 4), surface, 0.0)) == []


AVERAGES = st.dictionaries(st.integers(0, 180), st.none() | st.integers(0, MAX_SCORE), max_size=12)
STATISTICS = st.dictionaries(
    st.sampled_from(KEYS), st.builds(counted, AVERAGES, st.integers(0, 100_000)), max_size=8
)


@settings(max_examples=20)
@given(STATISTICS)
def test_nobody_of_a_higher_rating_is_expected_to_score_less(
    statistics: dict[ChartKey, ChartSummary],
) -> None:
    population = PopulationModel.of(SYLLABUS.charts, statistics)
    by_rating = [population.losses_at(rating) for rating in RATINGS]
    for lower, higher in pairwise(by_rating):
        assert all(one >= other - 1e-9 for one, other in zip(lower, higher, strict=True))


@settings(max_examples=20)
@given(STATISTICS, st.floats(-5, 25))
def test_whatever_is_counted_gives_a_score(statistics: dict[ChartKey, ChartSummary], rating: float) -> None:
    population = PopulationModel.of(SYLLABUS.charts, statistics)
    assert all(0 <= score_at(loss) <= MAX_SCORE for loss in population.losses_at(rating))
    assert all(0 < each.doubt <= 0.25 for each in population.reputations.values())


def usual_statistics(harder: Mapping[ChartKey, float], players: int = 400) -> dict[ChartKey, ChartSummary]:
    """Return what is counted where all is as usual, but for some charts that are harder, in units of the constant."""
    usual = PopulationModel.of(SYLLABUS.charts, {})
    return {
        chart.key: counted(
            {
                rating: score_at(
                    usual.losses_at(rating / 10 + 0.05)[round(chart.constant * 10)]
                    + 0.85 * harder.get(chart.key, 0)
                )
                for rating in range(100, 165)
            },
            players if chart.key in harder else 400,
        )
        for chart in SYLLABUS.charts
    }


HARD = sorted(SYLLABUS.charts, key=lambda chart: chart.constant)[len(KEYS) // 2].key


def test_a_chart_on_which_all_score_less_is_harder_than_its_constant() -> None:
    found = PopulationModel.of(SYLLABUS.charts, usual_statistics({HARD: 0.5})).reputations
    assert 0.3 < found[HARD].harder < 0.55
    assert all(abs(found[key].harder) < 0.15 for key in KEYS if key != HARD)


def test_few_players_say_little_and_steps_of_nobody_nothing() -> None:
    few, many = (
        PopulationModel.of(SYLLABUS.charts, usual_statistics({HARD: 0.5}, players)).reputations[HARD]
        for players in (5, 5_000)
    )
    assert few.harder < many.harder * 0.7
    assert few.doubt > many.doubt * 2
    for silent in (
        counted(dict.fromkeys(range(150, 160))),
        counted({150: 1_000_000}, players=0),
        counted({}),
    ):
        assert not PopulationModel.of(SYLLABUS.charts, {HARD: silent}).reputations


def test_who_is_rated_low_for_few_records_bends_the_surface_for_nobody_else() -> None:
    """They score as people of a higher rating do; that nobody higher may score less, the others must not pay for."""
    usual = usual_statistics({})
    with_them = {
        key: ChartSummary(
            summary.players, counted(dict.fromkeys(range(80, 90), 1005000)).averages + summary.averages
        )
        for key, summary in usual.items()
    }
    alone, beside = (PopulationModel.of(SYLLABUS.charts, each) for each in (usual, with_them))
    for rating in (13.0, 14.0, 15.0):
        losses = zip(alone.losses_at(rating), beside.losses_at(rating), strict=True)
        hard = [*losses][int(rating * 10) - 15 : int(rating * 10) + 5]
        assert max(abs(one - other) for one, other in hard) < 0.7


def test_how_far_a_rating_lies_from_those_of_the_crowd() -> None:
    population = PopulationModel.of(SYLLABUS.charts, usual_statistics({}))
    assert population.find_distance(13.0) == 0
    assert 4.5 < population.find_distance(5.0) < 6
    assert 0.5 < population.find_distance(17.0) < 1.5
    assert PopulationModel.of(SYLLABUS.charts, {}).find_distance(5.0) == 0


def test_how_far_records_lie_apart_is_seen_where_few_are_counted_and_else_usual() -> None:
    luck = Random(4)  # noqa: S311 - invented, not secret

    def spread(apart: float, players: int) -> float:
        return PopulationModel.of(
            SYLLABUS.charts,
            {
                each.key: counted(
                    {
                        rating: score_at(
                            min(13.0, usual_loss(each.constant - rating / 10) + luck.gauss(0, apart))
                        )
                        for rating in range(80, 180, 2)
                    },
                    players,
                )
                for each in SYLLABUS.charts
            },
        ).spread_ratio

    assert spread(0.3, 60) < 0.75 < spread(0.6, 60) < 1.0 < spread(1.2, 60)
    assert spread(0.3, 6000) == 1
