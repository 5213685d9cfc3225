"""Charts from easy to hard: rows by chance, the rank that somebody goes for, and the order beside the true one."""

from dataclasses import replace
from itertools import combinations
from statistics import NormalDist
from typing import Final

import careers
import pytest
from players import Arcade

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.player_model import fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.prediction import Chances, Prediction
from bot.domain.entries import ChartEntry, catalogue_entries
from bot.domain.ids import JP, JP2
from bot.domain.ranks import Rank
from bot.domain.tiers import BOUNDS, tiers_of, usual_rank

LEAST_TAU: Final = 0.6
"""Between the order shown and how often tries reach the rank, of one player with few statistics behind."""


def entries_with(arcade: Arcade, scores: dict[int, int]) -> list[ChartEntry]:
    """Return all charts, some of them played, by their number."""
    entries = [*catalogue_entries(arcade.catalogue)]
    for number, score in scores.items():
        each = entries[number]
        record = replace(
            careers.record(each.song.title, int(each.chart.constant or 0), score),
            song_id=each.song.id,
            difficulty=each.chart.difficulty,
        )
        entries[number] = replace(each, record=record)
    return entries


def test_rows_are_ordered_by_how_likely_one_try_reaches_the_rank() -> None:
    arcade = Arcade(4, songs=60)
    player, career = arcade.meet()
    features = ChartFeatureSet.of(arcade.catalogue)
    known = fit_player(features, PopulationModel.unknown(), career.rating, career.scores)
    rows = tiers_of(catalogue_entries(arcade.catalogue), known.predictions, Rank.SSS)
    shown = [each for row in rows for each in row.entries]
    assert len(shown) == len(features.charts)
    chances = [each.chance for each in shown]
    assert chances == sorted(chances, reverse=True)
    keys = [(each.entry.song.id, each.entry.chart.difficulty) for each in shown]
    hardness = [known.predictions[key].hardness for key in keys]
    assert hardness == sorted(hardness)
    assert [row.bound for row in rows] == [bound for bound in BOUNDS if bound in {row.bound for row in rows}]
    for row, above in zip(rows, (1.01, *BOUNDS), strict=False):
        assert all(round(row.bound * 100) <= each.percent for each in row.entries)
        assert all(each.percent < above * 100 for each in row.entries)
    pairs = [
        (each.chance, sum(arcade.try_once(player, key, 0.0) >= Rank.SSS.least_score for _ in range(40)))
        for each in shown
        for key in ((each.entry.song.id, each.entry.chart.difficulty),)
    ]
    agreed = [
        (one[0] - other[0]) * (one[1] - other[1]) > 0
        for one, other in combinations(pairs, 2)
        if one[1] != other[1]
    ]
    assert 2 * sum(agreed) / len(agreed) - 1 >= LEAST_TAU


@pytest.mark.parametrize(
    ("chance", "percent", "bound"),
    [(0.296, 30, 0.3), (0.294, 29, 0.1), (0.026, 3, 0.03), (0.0, 1, 0.0), (1.0, 99, 0.9)],
)
def test_a_row_holds_what_is_written_in_it(chance: float, percent: int, bound: float) -> None:
    arcade = Arcade(4, songs=1)
    known = fit_player(ChartFeatureSet.of(arcade.catalogue), PopulationModel.unknown(), 15.0, {})
    luck = NormalDist().inv_cdf(min(1 - 1e-9, max(1e-9, 1 - chance)))
    level = [0.0] * len(next(iter(known.predictions.values())).next_try.quantiles)
    predictions = dict.fromkeys(known.predictions, Prediction(next_try=Chances(level, luck)))
    (row,) = tiers_of(catalogue_entries(arcade.catalogue), predictions, Rank.SSS)
    assert {each.percent for each in row.entries} == {percent}
    assert row.bound == bound


def test_what_is_done_is_ticked_and_the_rest_is_left() -> None:
    arcade = Arcade(4, songs=10)
    known = fit_player(ChartFeatureSet.of(arcade.catalogue), PopulationModel.unknown(), 15.0, {})
    entries = entries_with(arcade, {0: 1_007_500, 1: 1_007_499, 2: 1_009_900})
    rows = tiers_of(entries, known.predictions, Rank.SSS)
    assert sorted(each.score for row in rows for each in row.done) == [1_007_500, 1_009_900]
    assert sum(len(row.left) for row in rows) == len(entries) - 2
    assert tiers_of(entries, {}, Rank.SSS) == ()


@pytest.mark.parametrize(
    ("score", "rank"),
    [
        (974_999, Rank.S),
        (975_000, Rank.SS),
        (999_999, Rank.SS),
        (1_007_500, Rank.SSS_PLUS),
        (1_010_000, Rank.SSS_PLUS),
    ],
)
def test_the_next_rank_is_the_lowest_that_not_most_played_charts_have(score: int, rank: Rank) -> None:
    arcade = Arcade(4, songs=10)
    assert usual_rank(entries_with(arcade, dict.fromkeys(range(4), score) | {4: 974_999}), JP2) == rank
    fewer = entries_with(arcade, dict.fromkeys(range(7), score) | {7: 974_999, 8: 974_999})
    assert usual_rank(fewer, JP2) == Rank.S


def test_where_the_game_has_no_sss_plus_sss_is_the_last() -> None:
    arcade = Arcade(4, songs=10)
    count = sum(1 for _ in catalogue_entries(arcade.catalogue))
    entries = entries_with(arcade, dict.fromkeys(range(count), 1_010_000))
    assert usual_rank(entries, JP) == Rank.SSS
    assert usual_rank((), JP2) == Rank.S
