"""What scores would change, held against working both slots out with them."""

from dataclasses import replace
from datetime import date
from random import Random
from typing import Final

import pytest
from domain.test_game_rating import played, song, version

from bot.domain.charts import MASTER, Catalogue, Chart, Song
from bot.domain.gains import RatingSlots, to_thousandths
from bot.domain.game_rating import PLACES, work_out
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import Record
from bot.domain.whatif import PlannedScore, WhatIf, what_if

LINE: Final = date(2025, 12, 11)
VERSION: Final = version(LINE)


def songs_of(chance: Random, count: int) -> Catalogue:
    def invented(number: int) -> Song:
        constant = None if chance.random() < 0.1 else chance.randint(120, 157) * 10
        day = chance.choice((date(2025, 1, 1), LINE, None))
        return song(f"{number:016x}", day, (MASTER, constant))

    return Catalogue.of(JP2, map(invented, range(count)))


def asked(songs: Catalogue, held: dict[ChartKey, Record], *scores: PlannedScore) -> WhatIf:
    slots = RatingSlots.of(work_out(held.values(), songs, VERSION))
    return what_if(slots, scores, held, JP2)


def check_random_scores(chance: Random, count: int) -> None:
    for _ in range(count):
        songs = songs_of(chance, chance.choice((4, 60, 110)))
        held = {
            (each.id, MASTER): played(each.id, chance.randint(970_000, MAX_SCORE))
            for each in songs.songs
            if chance.random() < 0.8
        }
        scores = [
            PlannedScore(each, each.charts[0], chance.randint(970_000, MAX_SCORE))
            for each in chance.choices(songs.songs, k=chance.randint(1, 3))
        ]
        found = asked(songs, held, *scores)
        records = [*held.values(), *(played(each.song.id, each.score) for each in scores)]
        before, after = (work_out(each, songs, VERSION) for each in (held.values(), records))
        assert (found.before.sum, found.after.sum) == (before.sum, after.sum)
        assert found.thousandths == to_thousandths(after.sum - before.sum, PLACES)
        assert found.rating_change == (after.rating or 0) - (before.rating or 0)
        for number, step in enumerate(found.steps):
            alone = asked(songs, held, *scores[:number], replaced(scores[number], step.least))
            below = asked(songs, held, *scores[:number], replaced(scores[number], (step.least or 1) - 1))
            assert (alone.steps[-1].effect.sum_gain > 0) == (step.least is not None)
            assert below.steps[-1].effect.sum_gain == 0


def replaced(planned: PlannedScore, score: int | None) -> PlannedScore:
    return planned._replace(score=MAX_SCORE if score is None else score)


def test_scores_change_what_working_out_anew_finds() -> None:
    check_random_scores(Random(7), 150)  # noqa: S311 - invented, not secret


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=pytest.mark.heavy if seed < 10 else pytest.mark.long) for seed in range(8, 18)],
)
def test_ten_thousand_questions_are_answered_so(seed: int) -> None:
    check_random_scores(Random(seed), 1000)  # noqa: S311 - invented, not secret


def full(count: int = 30) -> tuple[Catalogue, dict[ChartKey, Record]]:
    """Return charts of constant 14.0, all but the last of which were played, each a little better than the one before."""
    songs = Catalogue.of(
        JP2, (song(f"{number:016x}", date(2020, 1, 1), (MASTER, 1400)) for number in range(count + 1))
    )
    held = {
        (each.id, MASTER): played(each.id, 1_000_000 + 100 * number)
        for number, each in enumerate(songs.songs[:-1])
    }
    return songs, held


def chart_of(song: Song) -> Chart:
    return song.charts[0]


def test_what_enters_says_its_place_and_what_falls_out() -> None:
    songs, held = full()
    new = songs.songs[-1]
    (step,) = asked(songs, held, PlannedScore(new, chart_of(new), 1_001_850)).steps
    assert step.effect.place == 12
    assert step.effect.pushed_out is not None
    assert step.effect.pushed_out.key == (songs.songs[0].id, MASTER)
    assert (step.before, step.is_record, step.least) == (None, True, 1_000_100)


def test_a_score_below_the_record_is_none() -> None:
    songs, held = full()
    first = songs.songs[0]
    (step,) = asked(songs, held, PlannedScore(first, chart_of(first), 1_000_000)).steps
    assert (step.is_record, step.effect.sum_gain) == (False, 0)


def test_each_score_counts_after_those_before_it() -> None:
    songs, held = full()
    new, first = songs.songs[-1], songs.songs[0]
    found = asked(
        songs,
        held,
        PlannedScore(new, chart_of(new), 1_005_000),
        PlannedScore(first, chart_of(first), 1_005_000),
    )
    assert [step.effect.sum_gain for step in found.steps] == [50, 49]
    # By then the first song's record has been pushed out.
    assert [step.effect.is_entry for step in found.steps] == [True, True]
    assert found.thousandths == 20


def test_an_unknown_constant_leaves_a_range() -> None:
    songs, held = full(29)
    unknown = replace(chart_of(songs.songs[-1]), constant=None, level=Hundredths(1450))
    found = asked(songs, held, PlannedScore(songs.songs[-1], unknown, 1_007_500))
    (step,) = found.steps
    assert (step.effect.play.rating, step.effect.play.highest) == (1650, 1690)
    assert (found.thousandths, found.highest_thousandths) == (330, 338)
    assert (found.rating_change, found.highest_rating_change) == (33, 33)
    assert found.highest.sum - found.after.sum == 40
