"""What a version that begins does, held against the rule as it is told: what was new is older then, and nothing is new."""

from datetime import date
from random import Random
from typing import Final

import pytest
from domain.test_game_rating import DAY, played, song, version
from domain.test_whatif import LINE, VERSION, songs_of

from bot.domain.charts import MASTER, Catalogue, Chart
from bot.domain.game_rating import BEST_PLACES, PLACES, work_out
from bot.domain.ids import JP2
from bot.domain.ranks import MAX_SCORE
from bot.domain.turnover import MAX_MISSING_POINTS, come_back, turn_over

OLD: Final = date(2020, 1, 1)


@pytest.mark.parametrize("seed", range(40))
def test_the_day_after_is_what_the_records_come_to_where_no_song_is_new(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - invented, not secret
    songs = songs_of(chance, chance.choice((4, 60, 110)))
    records = [
        played(each.id, chance.randint(970_000, MAX_SCORE)) for each in songs.songs if chance.random() < 0.8
    ]
    found = turn_over(records, songs, VERSION, DAY)
    assert found.now == work_out(records, songs, VERSION)
    best_of_all = work_out(records, songs, None).best
    assert (found.then.best, found.then.new) == (best_of_all, ())
    assert found.then.rating == sum(entry.rating for entry in best_of_all) // PLACES
    is_new = {each.id for each in songs.songs if each.released_on == LINE}
    moved = [(place, entry.key) for place, entry in enumerate(best_of_all, 1) if entry.key[0] in is_new]
    assert [(each.place, each.entry.key) for each in found.moved] == moved
    for each in found.near:
        better = [
            played(each.record.song_id or "", each.least) if record is each.record else record
            for record in records
        ]
        assert 0 < each.missing <= MAX_MISSING_POINTS
        assert each.record.song_id in is_new - {key[0] for _, key in moved}
        key = each.record.song_id, each.record.difficulty
        assert key in {entry.key for entry in work_out(better, songs, None).best}
    assert [each.missing for each in found.near] == sorted(each.missing for each in found.near)


def player(new: int) -> tuple[Catalogue, list[str]]:
    names = [f"old{number:013x}" for number in range(BEST_PLACES)]
    fresh = [f"new{number:013x}" for number in range(new)]
    songs = [song(name, OLD, (MASTER, 1400)) for name in names]
    return Catalogue.of(JP2, songs + [song(name, LINE, (MASTER, 1390)) for name in fresh]), names + fresh


def test_charts_like_the_lowest_of_the_best_fill_what_is_empty() -> None:
    songs, names = player(3)
    found = work_out([played(name, 1_007_500) for name in names], songs, version(LINE))
    assert found.sum == 30 * 1600 + 3 * 1590
    told = come_back(found)
    assert told is not None
    assert told.usual.rating == 1600
    assert told.ratings == {count: (found.sum + count * 1600) // PLACES for count in (1, 5, 10, 17)}


def test_nothing_comes_back_where_nothing_is_empty_or_nothing_was_played() -> None:
    songs, names = player(20)
    assert come_back(work_out([played(name, 1_007_500) for name in names], songs, version(LINE))) is None
    assert come_back(work_out([], songs, version(LINE))) is None


def test_a_new_chart_that_is_near_the_lowest_of_the_best_is_named_with_what_it_needs() -> None:
    songs, names = player(2)
    records = [played(name, 1_007_500) for name in names]
    # 13.90 needs 16.01: 2.11 above its constant, which is 1,008,600.
    found = turn_over(records, songs, version(LINE), DAY)
    assert [(each.least, each.missing) for each in found.near] == [(1_008_600, 1_100)] * 2
    far = [played(name, 1_000_000 if name.startswith("new") else 1_007_500) for name in names]
    assert turn_over(far, songs, version(LINE), DAY).near == ()
    assert isinstance(songs.songs[0].charts[0], Chart)
