from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import exp
from random import Random

import careers
import pytest

from bot.domain.charts import WORLDS_END, Catalogue
from bot.domain.coach.chart_features import DENSITY, TEMPO, ChartFeatureSet
from bot.domain.coach.player_model import PlayerModel, fit_player
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.entries import catalogue_entries
from bot.domain.gains import RatingSlots, gain_of
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.practice import PracticeAim, PracticeTarget, Trait, find_pools, weakness
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Record

_LUCK = Random(4)  # noqa: S311 - invented, not secret
RECORDS = [
    careers.record(
        f"{number:02}",
        1200 + 5 * number,
        MAX_SCORE - round(800 * exp(0.04 * number + _LUCK.gauss(0, 0.7))),
    )
    for number in range(60)
]
"""As people play: some records are far below the others, and soon risen."""
CATALOGUE = careers.catalogue(RECORDS)
SLOTS = RatingSlots.of(careers.explanation(RECORDS).worked_out)


def fitted(records: Iterable[Record], rating: float = 15.0) -> PlayerModel:
    scores: Mapping[ChartKey, int] = {
        (record.song_id, record.difficulty): record.score for record in records if record.song_id
    }
    return fit_player(ChartFeatureSet.of(CATALOGUE), PopulationModel.unknown(), rating, scores)


def drawn(records: list[Record], seed: int = 1, rating: float = 15.0) -> Mapping[PracticeAim, PracticeTarget]:
    return find_pools(catalogue_entries(CATALOGUE, records), fitted(records, rating), SLOTS).draw(seed)


def test_a_sure_gain_and_a_stretch_are_ranks_above_the_record() -> None:
    for seed in range(50):
        found = drawn(RECORDS, seed)
        for drill in found.values():
            assert drill.entry.played is not None
            assert drill.score > drill.entry.played.score
        assert found[PracticeAim.GAIN].chance >= 0.5
        assert 0.1 <= found[PracticeAim.STRETCH].chance <= 0.4
        assert len({drill.entry.song.id for drill in found.values()}) == len(found)


def test_a_gain_raises_the_rating_where_one_is_that_likely() -> None:
    played = RECORDS[:-1]
    found, ours = fitted(played), RatingSlots.of(careers.explanation(played).worked_out)
    full = replace(ours, best=tuple(place._replace(rating=Hundredths(9900)) for place in ours.best))

    def gained(slots: RatingSlots) -> set[bool]:
        drawn = [
            find_pools(catalogue_entries(CATALOGUE, played), found, slots).draw(seed) for seed in range(30)
        ]
        gains = [each[PracticeAim.GAIN] for each in drawn]
        plays = [ours.play_on(each.entry.song, each.entry.chart, each.score, JP2) for each in gains]
        return {gain_of(ours, play).sum_gain > 0 for play in plays if play}

    assert gained(ours) == {True}, "the hardest chart is not played yet"
    assert gained(full) >= {True}, "nothing counts for as much"


def test_again_draws_others_and_the_same_seed_the_same() -> None:
    assert drawn(RECORDS, 5) == drawn(RECORDS, 5)
    assert len({drawn(RECORDS, seed)[PracticeAim.STRETCH].entry.song.id for seed in range(20)}) > 3


def test_every_chart_has_its_turn_before_one_comes_again() -> None:
    pools = find_pools(catalogue_entries(CATALOGUE, RECORDS), fitted(RECORDS), SLOTS)
    gains = pools.by_aim[PracticeAim.GAIN]
    assert len(gains) > 1
    seeds = range(700 * len(gains), 701 * len(gains))
    assert {pools.draw(seed)[PracticeAim.GAIN].entry.key for seed in seeds} == {
        each.entry.key for each in gains
    }


def test_what_was_not_played_may_be_practised_too() -> None:
    assert any(
        drill.entry.played is None for seed in range(20) for drill in drawn(RECORDS[::2], seed).values()
    )


def test_with_everything_at_its_most_there_is_nothing_to_practise() -> None:
    perfect = [careers.record(str(each.song_id), each.constant, MAX_SCORE) for each in RECORDS]
    assert drawn(perfect) == {}


def test_nothing_passes_and_nothing_is_drawn() -> None:
    assert find_pools([], fitted(RECORDS), SLOTS).draw(1) == {}


def test_world_s_end_is_no_practice() -> None:
    records = [careers.record("we", None, 990_000, difficulty=WORLDS_END)]
    assert find_pools(catalogue_entries(careers.catalogue(records)), fitted(RECORDS), SLOTS).draw(1) == {}


@pytest.mark.parametrize(
    ("coefficients", "trait"),
    [
        ([], None),
        ([TraitCoefficient(DENSITY, -0.1, 0.2)], None),
        ([TraitCoefficient(DENSITY, -0.3, 0.1, 90, stands_out=True)], Trait(DENSITY, is_much=True)),
        ([TraitCoefficient(DENSITY, 0.3, 0.1, 90, stands_out=True)], None),
        (
            [
                TraitCoefficient(TEMPO, -0.2, 0.1, 90, stands_out=True),
                TraitCoefficient(DENSITY, -0.3, 0.1, 90, stands_out=True),
            ],
            Trait(DENSITY, is_much=True),
        ),
        ([TraitCoefficient("VARIETY", 0.9, 0.1, 90, stands_out=True)], None),
        (
            [
                TraitCoefficient("VARIETY", -0.9, 0.1, 90, stands_out=True),
                TraitCoefficient(TEMPO, 0.3, 0.1, 90, stands_out=True),
            ],
            Trait("VARIETY", is_much=True),
        ),
    ],
)
def test_the_weakest_side_of_what_charts_differ_in(
    coefficients: list[TraitCoefficient], trait: Trait | None
) -> None:
    assert weakness(coefficients) == trait


def test_against_a_weakness_is_a_chart_that_has_it() -> None:
    genres = ("VARIETY", "niconico")
    records = [
        careers.record(
            f"{number:03}",
            1300 + number,
            MAX_SCORE - round((2_000, 8_000)[number % 2 == 0] * exp(_LUCK.gauss(0, 0.5))),
        )
        for number in range(150)
    ]
    songs = (
        replace(song, genre=genres[number % 2])
        for number, song in enumerate(careers.catalogue(records).songs)
    )
    mixed = Catalogue.of(JP2, songs)
    scores = {(each.song_id, each.difficulty): each.score for each in records if each.song_id}
    found = fit_player(ChartFeatureSet.of(mixed), PopulationModel.unknown(), 15.0, scores)
    assert weakness(found.coefficients) == Trait("VARIETY", is_much=True)
    for seed in range(20):
        drill = find_pools(catalogue_entries(mixed, records), found, SLOTS).draw(seed)[PracticeAim.WEAKNESS]
        assert drill.trait == Trait("VARIETY", is_much=True)
        assert drill.entry.song.genre == "VARIETY"
