"""Difficulty as felt: where it is near what is hidden, how honest its doubt is, and what it says of nothing."""

from dataclasses import replace
from decimal import Decimal
from random import Random
from statistics import fmean
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from players import Arcade, Ways, gists_of, statistics_of

from bot.domain.charts import MASTER
from bot.domain.coach.chart_features import ChartFeatures, ChartFeatureSet
from bot.domain.coach.feeling import FeltByMember
from bot.domain.coach.felt import Certainty, FeltDifficulty, learn
from bot.domain.coach.losses import score_at
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.summaries import ChartSummary
from bot.domain.entries import catalogue_entries
from bot.domain.history import ChartKey
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.statistics import ChartStatistics

RATING: Final = 14.0
FOUR_IN_FIVE: Final = 1.2816


class Judged:
    """A world with hidden hardness, and what its crowd lets know."""

    def __init__(self, ways: Ways, changed: str = "") -> None:
        self.arcade = Arcade(5, songs=90, ways=ways)
        population = [self.arcade.career() for _ in range(150)]
        statistics = statistics_of(population)
        keys = sorted(statistics)
        if changed == "shuffled":
            statistics = dict(zip(keys, [statistics[key] for key in reversed(keys)], strict=True))
        self.charts = ChartFeatureSet.of(self.arcade.catalogue).charts
        self.summaries = gists_of(statistics)
        self.population, self.difficulty = learn(self.charts, self.summaries)

    def told(self, rating: float = RATING, trust: float = 1.0) -> FeltByMember:
        return FeltByMember(difficulty=self.difficulty, rating=rating, trust=trust)


@pytest.fixture(scope="module")
def judged() -> Judged:
    return Judged(Ways(wrong=0.3))


def test_nothing_is_known_where_hardly_anybody_loses_more_on_a_harder_chart(judged: Judged) -> None:
    flat = [
        (each, rating, slope)
        for rating in (15.5, 16.0, 16.5)
        for row in [judged.population.losses_at(rating)]
        for each in judged.charts
        for at in [round(each.constant * 10)]
        if (slope := (row[at + 1] - row[at - 1]) * 5) < 0.4
    ]
    assert any(slope > 0.3 for _, _, slope in flat)
    assert any(judged.told(14.0).of(each.key, each.constant).is_known for each, _, _ in flat)
    assert not any(judged.told(rating).of(each.key, each.constant).is_known for each, rating, _ in flat)


def test_while_a_version_turns_charts_are_told_beside_others_of_the_same_time() -> None:
    """Overnight everybody's rating falls by two fifths, and one chart in four was asked about since."""
    arcade = Arcade(5, songs=90)
    careers = [arcade.career() for _ in range(150)]
    later = [replace(each, rating=each.rating * 0.6) for each in careers]
    charts = ChartFeatureSet.of(arcade.catalogue).charts
    before, after = gists_of(statistics_of(careers)), gists_of(statistics_of(later))
    newer = {key: summary for number, (key, summary) in enumerate(after.items()) if not number % 4}
    older = {key: summary for key, summary in before.items() if key not in newer}

    def misses(crowd_and_difficulty: tuple[PopulationModel, FeltDifficulty]) -> float:
        felt = [
            (crowd_and_difficulty[1].at(each.key, each.constant, RATING), each.key)
            for each in charts
            if each.constant > 10
        ]
        return fmean((each.harder - arcade.harder_for(key, 13.5)) ** 2 for each, key in felt)

    usual, apart, mixed = (
        misses(each)
        for each in (
            learn(charts, before),
            learn(charts, newer, older),
            learn(charts, {**older, **newer}),
        )
    )
    assert apart < 1.2 * usual
    assert mixed > 1.2 * apart


def test_ratings_of_who_no_longer_plays_say_nothing_of_charts() -> None:
    """A turn took two fifths of every rating; four in ten have not played since, and the others have climbed again."""
    arcade = Arcade(5, songs=150, ways=Ways(wrong=0.3))
    careers = [arcade.career() for _ in range(300)]
    later = [
        replace(each, rating=each.rating * 0.6) if number % 5 < 2 else each
        for number, each in enumerate(careers)
    ]
    charts = ChartFeatureSet.of(arcade.catalogue).charts
    before, after = (learn(charts, gists_of(statistics_of(each)))[1] for each in (careers, later))
    hard = [each for each in charts if 12 < each.constant < 15]

    def known(difficulty: FeltDifficulty) -> float:
        return fmean(difficulty.at(each.key, each.constant, 15.0).is_known for each in hard)

    def miss(difficulty: FeltDifficulty) -> float:
        felt = ((difficulty.at(each.key, each.constant, RATING), each.key) for each in hard)
        return fmean((each.harder - arcade.harder_for(key, 13.5)) ** 2 for each, key in felt)

    assert known(after) > 0.9 * known(before)
    assert miss(after) < 1.5 * miss(before)


def test_statistics_that_are_likelier_another_charts_say_nothing_of_either(judged: Judged) -> None:
    by_constant = sorted(judged.charts, key=lambda each: each.constant)
    easy, hard = by_constant[len(by_constant) // 3].key, by_constant[-5].key
    population, difficulty = learn(judged.charts, {**judged.summaries, easy: judged.summaries[hard]})
    assert easy in judged.difficulty.charts
    assert easy not in difficulty.charts
    assert judged.population.reputations[easy].harder
    assert not population.reputations[easy].harder


def test_sure_has_the_right_sign_and_intervals_hold(judged: Judged) -> None:
    told = judged.told()
    felt = [
        (told.of(each.key, each.constant), judged.arcade.harder_for(each.key, 13.5)) for each in judged.charts
    ]
    sure = [(each, truth) for each, truth in felt if each.certainty is Certainty.SURE]
    assert len(sure) > 50
    assert fmean((each.harder > 0) == (truth > 0) for each, truth in sure) >= 0.9
    held = fmean(
        abs(each.harder - truth) <= FOUR_IN_FIVE * each.doubt for each, truth in felt if each.is_known
    )
    assert 0.75 <= held <= 0.85


def test_what_is_not_counted_is_not_known(judged: Judged) -> None:
    nothing = FeltDifficulty.of(judged.charts, {}, PopulationModel.unknown())
    felt = FeltByMember(difficulty=nothing, rating=RATING, trust=1.0).on_chart(*_first(judged))
    assert felt.at_rating.certainty is Certainty.UNKNOWN
    assert felt.at_rating.felt == _first(judged)[1]
    assert felt.by_rank == ()


def _first(judged: Judged) -> tuple[ChartKey, float]:
    return judged.charts[0].key, judged.charts[0].constant


def test_of_whom_nobody_near_is_counted_nothing_is_known(judged: Judged) -> None:
    beyond = [
        judged.told(found.low - 1.2).of(each.key, each.constant)
        for each in judged.charts
        if (found := judged.difficulty.charts.get(each.key)) is not None
    ]
    assert len(beyond) > 100
    assert not any(each.is_known for each in beyond)


def test_lists_go_by_what_is_said_of_a_chart(judged: Judged) -> None:
    told = judged.told()
    entries = told.on_entries(catalogue_entries(judged.arcade.catalogue))
    found: set[Certainty] = set()
    for entry in entries:
        constant = entry.chart.constant
        if not constant:
            assert entry.felt is None
            continue
        felt = told.of((entry.song.id, entry.chart.difficulty), constant / 100)
        found.add(felt.certainty)
        match felt.certainty:
            case Certainty.UNKNOWN:
                assert entry.felt is None
            case Certainty.OPEN:
                assert entry.felt == constant
            case _:
                assert entry.felt == round(to_hundredths(felt.felt), -1)
        assert entry.is_felt_in_doubt == (felt.certainty is Certainty.LIKELY)
        assert not told.is_easier(entry) or (felt.certainty is Certainty.SURE and felt.harder < 0)
    assert set(Certainty) - {Certainty.UNKNOWN} <= found
    assert any(map(told.is_easier, entries))


def test_whom_statistics_contradict_is_told_nothing_for_sure(judged: Judged) -> None:
    told = judged.told(trust=0.05)
    assert {told.of(each.key, each.constant).certainty for each in judged.charts} == {Certainty.UNKNOWN}
    assert not told.is_known
    assert judged.told().is_known


def test_of_another_chart_s_statistics_little_is_believed() -> None:
    honest, shuffled = Judged(Ways()), Judged(Ways(), "shuffled")
    known = [
        sum(each.told().of(chart.key, chart.constant).certainty is Certainty.SURE for chart in each.charts)
        for each in (honest, shuffled)
    ]
    assert known[1] < known[0] / 2


def _of_others(summaries: dict[ChartKey, ChartSummary]) -> dict[ChartKey, ChartSummary]:
    """Return statistics of which every sixth are those of a chart far away."""
    keys = sorted(summaries)
    return {
        key: summaries[keys[number * 7 % len(keys)] if not number % 6 else key]
        for number, key in enumerate(keys)
    }


def test_players_are_learnt_without_what_is_likelier_another_charts(judged: Judged) -> None:
    mixed = _of_others(judged.summaries)
    bent, learnt = PopulationModel.of(judged.charts, mixed), learn(judged.charts, mixed)[0]

    def off(population: PopulationModel) -> float:
        found, true = population.losses_at(RATING), judged.population.losses_at(RATING)
        return fmean(abs(one - other) for one, other in zip(found[90:150], true[90:150], strict=True))

    assert off(learnt) < 0.5 * off(bent)
    assert (
        learn(judged.charts, judged.summaries)[0].surface
        == PopulationModel.of(judged.charts, judged.summaries).surface
    )


def test_where_many_have_anothers_statistics_a_wrong_constant_is_taken_for_that(judged: Judged) -> None:
    mixed = _of_others(judged.summaries)
    found = judged.difficulty.charts
    right = next(
        each
        for each in judged.charts
        if each.constant > 12
        and each.key in found
        and mixed[each.key] is judged.summaries[each.key]
        and abs(found[each.key].harder) < 0.05
        and found[each.key].variance < 0.02
    )
    wrong = [replace(each, constant=each.constant + 1.1) if each is right else each for each in judged.charts]
    assert right.key in learn(wrong, judged.summaries)[1].charts
    assert right.key not in learn(wrong, mixed)[1].charts
    assert right.key in learn(judged.charts, mixed)[1].charts


def test_beside_few_of_its_constant_a_chart_is_less_certain(judged: Judged) -> None:
    def near(one: ChartFeatures) -> set[ChartKey]:
        return {
            each.key for each in judged.charts if each is not one and abs(each.constant - one.constant) < 0.65
        }

    crowded = max(judged.charts, key=lambda each: len(near(each)))
    others = near(crowded)
    left = {key: summary for key, summary in judged.summaries.items() if key not in others}
    beside, alone = (each.charts[crowded.key] for each in (judged.difficulty, learn(judged.charts, left)[1]))
    assert alone.others_variance > 1.5 * beside.others_variance > 0
    felt = beside.at(crowded.constant, beside.middle, 0.0)
    assert felt.doubt**2 == pytest.approx(beside.variance + beside.others_variance)


@pytest.mark.parametrize(
    ("tilt", "noise", "least", "most"),
    [(0.0, 0.2, 0.0, 0.03), (0.12, 0.2, 0.085, 0.12), (0.2, 0.3, 0.12, 0.2)],
)
def test_how_much_a_rating_changes_the_statistics_themselves_say(
    tilt: float, noise: float, least: float, most: float
) -> None:
    """Where it changes nothing, doubts of who is rated far from a chart's players are not drawn wide by it."""
    chance = Random(1)  # noqa: S311 - invented, not secret
    charts: list[ChartFeatures] = []
    summaries: dict[ChartKey, ChartSummary] = {}
    for number in range(300):
        constant = round(chance.uniform(11, 14.5), 1)
        harder, leant = chance.gauss(0, 0.2), chance.gauss(0, tilt)
        key = SongId(f"{number:016x}"), MASTER
        charts.append(ChartFeatures(key=key, constant=constant, kind=()))
        averages: dict[Hundredths, Decimal | None] = {}
        for rating in range(round(constant * 10) - 5, round(constant * 10) + 25, 2):
            ahead = rating / 10 - constant - 1.5 - harder - leant * (rating / 10 - constant - 1)
            loss = 8.3 - 0.85 * ahead + chance.gauss(0, noise)
            averages[Hundredths(rating * 10)] = Decimal(score_at(loss))
        summaries[key] = ChartSummary.of(ChartStatistics(players=300, ranks={}, lamps={}, averages=averages))
    assert least < learn(charts, summaries)[1].tilts < most


def test_a_chart_may_be_hard_for_some_and_easy_for_others() -> None:
    tilted = Judged(Ways(tilt=0.4))
    rises: list[tuple[float, float]] = []
    for each in tilted.charts:
        low, high = (tilted.told(rating).of(each.key, each.constant) for rating in (13.0, 15.0))
        truth = tilted.arcade.harder_for(each.key, 14.5) - tilted.arcade.harder_for(each.key, 12.5)
        if low.is_known and high.is_known and abs(truth) > 0.2:
            rises.append((high.harder - low.harder, truth))
    assert len(rises) > 20
    assert fmean((rise > 0) == (truth > 0) for rise, truth in rises) > 0.85
    by_rank = [tilted.told().on_chart(each.key, each.constant).by_rank for each in tilted.charts]
    apart = [each for each in by_rank if each]
    assert apart
    assert all([rank for rank, _ in each] == [Rank.S, Rank.SS, Rank.SSS] for each in apart)


AVERAGES: Final = st.dictionaries(st.integers(0, 2500), st.integers(0, MAX_SCORE * 100), max_size=8)


@settings(max_examples=30)
@given(st.data(), st.floats(-5, 25))
def test_whatever_is_counted_something_is_said(data: st.DataObject, rating: float) -> None:
    charts = ChartFeatureSet.of(Arcade(1, songs=4).catalogue).charts
    summaries: dict[ChartKey, ChartSummary] = {}
    for each in charts:
        averages = data.draw(AVERAGES)
        packed = b"".join(
            step.to_bytes(2, "little") + average.to_bytes(4, "little") for step, average in averages.items()
        )
        summaries[each.key] = ChartSummary(data.draw(st.integers(0, 100_000)), packed)
    difficulty = FeltDifficulty.of(charts, summaries, PopulationModel.of(charts, summaries))
    told = FeltByMember(difficulty=difficulty, rating=rating, trust=1.0)
    for each in charts:
        felt = told.on_chart(each.key, each.constant).at_rating
        assert abs(felt.harder) <= 1.5
        assert 0 < felt.doubt < 5
