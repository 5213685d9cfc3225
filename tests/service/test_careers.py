"""service/careers.py: players differ in skill and in what lies to them, and charts in how hard they really are."""

from collections.abc import Iterator
from dataclasses import replace
from math import log
from pathlib import Path
from random import Random
from statistics import correlation, fmean
from typing import Final

import pytest

from bot.domain.charts import MASTER
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths
from service.careers import CAREER_SECONDS, Leanings, Talent, career, crowd, try_once, usual_loss
from service.model import Flags, StoredCatalogue, StoredChart, StoredSong
from service.schema import opened
from service.seed import seed
from service.store import load_catalogue

PLAIN: Final = Talent(skill=Hundredths(1400), share=0.8)
NOTHING: Final = Leanings(notes=0.0, tempo=0.0, taste="none")


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoredCatalogue]:
    file: Path = tmp_path_factory.mktemp("careers") / "service.db"
    seed(file, players=1)
    with opened(file) as connection:
        yield load_catalogue(connection, JP2)


def easier(one: Talent, other: Talent, song: StoredSong, chart: StoredChart) -> bool:
    return usual_loss(one, song, chart) < usual_loss(other, song, chart)


def test_who_leans_to_many_notes_or_to_fast_songs_loses_less_on_them(catalogue: StoredCatalogue) -> None:
    usual = replace(PLAIN, leanings=NOTHING)
    dense = replace(PLAIN, leanings=replace(NOTHING, notes=40.0))
    fast = replace(PLAIN, leanings=replace(NOTHING, tempo=40.0))
    for song, chart in catalogue.charts.values():
        if chart.constant and abs(chart.max_combo - 260 - 0.45 * chart.constant) > 1:
            assert easier(dense, usual, song, chart) == (chart.max_combo > 260 + 0.45 * chart.constant)
        if song.bpm and song.bpm != 17_500:
            assert easier(fast, usual, song, chart) == (song.bpm > 17_500)


def test_a_taste_is_the_same_for_each_song_of_a_genre_and_another_for_another_player(
    catalogue: StoredCatalogue,
) -> None:
    """Beside how well single charts suit them, of which a hundred are enough to be rid."""
    liked: dict[str, list[float]] = {}
    one, other = (replace(PLAIN, leanings=replace(NOTHING, taste=taste)) for taste in ("one", "other"))
    for song, chart in catalogue.charts.values():
        better = log(usual_loss(other, song, chart) / usual_loss(one, song, chart))
        liked.setdefault(song.genre, []).append(better)
    for each in liked.values():
        assert fmean(each[::2]) == pytest.approx(fmean(each[1::2]), abs=0.35)
    means = [*map(fmean, liked.values())]
    assert max(means) - min(means) > 0.2


def test_the_more_is_lost_the_fewer_are_full_combos(catalogue: StoredCatalogue) -> None:
    combos: dict[bool, list[bool]] = {True: [], False: []}
    plain = replace(PLAIN, leanings=NOTHING)
    for seed_ in range(8):
        for play in career(Random(seed_), catalogue, plain, CAREER_SECONDS).records:  # noqa: S311 - a test
            if 1_000_000 <= play.score < 1_009_000:
                combos[play.score < 1_005_000].append(bool(play.flags & Flags.FULL_COMBO))
    assert fmean(combos[False]) > 2 * fmean(combos[True]) > 0


def test_lamps_are_what_a_score_allows(catalogue: StoredCatalogue) -> None:
    """An ATTACK costs 510,000 points shared by all notes: a full combo that lost less holds none."""
    plays = career(Random(3), catalogue, PLAIN, CAREER_SECONDS).records  # noqa: S311 - a test
    combos = [play for play in plays if play.flags & Flags.FULL_COMBO]
    fits = {play: (1_010_000 - play.score) * play.chart.max_combo >= 510_000 for play in combos}
    assert all(play.flags & Flags.ALL_JUSTICE for play in combos if not fits[play])
    assert len({play.flags & Flags.ALL_JUSTICE for play in combos if fits[play]}) == 2


def test_charts_of_one_constant_are_not_alike_and_alike_for_everybody(catalogue: StoredCatalogue) -> None:
    better = replace(PLAIN, skill=Hundredths(1500))
    alike = [(song, chart) for song, chart in catalogue.charts.values() if chart.constant == 1340]
    of_one = [usual_loss(PLAIN, song, chart) for song, chart in alike]
    of_better = [usual_loss(better, song, chart) for song, chart in alike]
    by_loss = sorted(range(len(alike)), key=of_one.__getitem__)
    assert by_loss == sorted(range(len(alike)), key=of_better.__getitem__)
    assert all(one > other for one, other in zip(of_one, of_better, strict=True))
    assert max(of_one) > min(of_one) * 1.2
    assert fmean(of_one) == pytest.approx(2_190, rel=0.25)


def test_a_crowd_scores_as_single_players_do(catalogue: StoredCatalogue) -> None:
    """Theirs is drawn for all alike, but no easier, and as unlike on charts of one constant."""
    many = [*crowd(Random(2), catalogue, [PLAIN] * 60, 0)]  # noqa: S311 - invented, not secret
    one_by_one = [career(Random(seed), catalogue, PLAIN, 0) for seed in range(12)]  # noqa: S311 - invented, not secret
    means: list[dict[int, float]] = []
    for careers in (many, one_by_one):
        losses: dict[int, list[float]] = {}
        for each in careers:
            for play in each.records:
                losses.setdefault(play.chart.chart_id, []).append(log(1_010_001 - play.score))
        means.append({chart: fmean(found) for chart, found in losses.items() if len(found) >= 5})
    both = [(means[0][chart], means[1][chart]) for chart in means[0].keys() & means[1].keys()]
    assert fmean(one - other for one, other in both) == pytest.approx(0, abs=0.15)
    assert correlation([one for one, _ in both], [other for _, other in both]) > 0.9
    assert fmean(each.rating for each in many) == pytest.approx(
        fmean(each.rating for each in one_by_one), abs=40
    )


def test_below_the_skill_little_gets_easier_and_above_it_is_a_cliff() -> None:
    plain = StoredChart(
        chart_id=1, difficulty=MASTER, level=Hundredths(1400), constant=Hundredths(1400), max_combo=0
    )
    song = StoredSong(
        song_id=SongId("0"),
        index=0,
        title="",
        genre="",
        artist="",
        release=None,
        bpm=Hundredths(0),
        is_listed=True,
        charts=(plain,),
    )
    losses = [
        usual_loss(PLAIN, song, replace(plain, constant=Hundredths(constant)))
        for constant in range(600, 1601, 50)
    ]
    assert losses == sorted(losses)
    steps = {constant: losses[at + 1] / losses[at] for at, constant in enumerate(range(600, 1600, 50))}
    assert steps[1400] > 1.8
    assert 1.15 < steps[1350] < 1.75
    assert steps[650] < 1.15


def test_people_stop_at_borders_and_seldom_just_below(catalogue: StoredCatalogue) -> None:
    scores = [
        play.score
        for seed_ in range(6)
        for play in career(Random(seed_), catalogue, PLAIN, CAREER_SECONDS).records  # noqa: S311 - a test
    ]
    for border in (1_005_000, 1_007_500):
        above = sum(border <= score < border + 500 for score in scores)
        below = sum(border - 500 <= score < border for score in scores)
        assert above > 1.7 * below


def test_a_try_is_seldom_as_good_as_the_record(catalogue: StoredCatalogue) -> None:
    luck = Random(4)  # noqa: S311 - a test
    talent = replace(PLAIN, leanings=Leanings.of("player 1"))
    plays = career(Random(3), catalogue, talent, CAREER_SECONDS).records  # noqa: S311 - a test
    higher = [
        try_once(luck, talent, catalogue.charts[play.chart.chart_id][0], play.chart) > play.score
        for play in plays
    ]
    assert 0.1 < fmean(higher) < 0.4


def test_all_else_is_drawn_alike_whatever_a_player_leans_to(catalogue: StoredCatalogue) -> None:
    one, other = (
        career(Random(5), catalogue, replace(PLAIN, leanings=leanings), CAREER_SECONDS)  # noqa: S311 - invented
        for leanings in (None, Leanings.of("player 3"))
    )
    by_score = Flags.CLEAR | Flags.ALL_JUSTICE
    assert [(play.chart, play.updated_at, play.flags & ~by_score) for play in one.records] == [
        (play.chart, play.updated_at, play.flags & ~by_score) for play in other.records
    ]
    assert [play.score for play in one.records] != [play.score for play in other.records]
