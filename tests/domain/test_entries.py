"""bot/domain/entries.py: lists are in the order that was asked for, and records stand with the catalogue's charts."""

from dataclasses import replace

import careers
import pytest

from bot.domain.charts import EXPERT, MASTER
from bot.domain.entries import Order, catalogue_entries, find_removed_song, record_entries, sort_entries
from bot.domain.filters import parse_filter
from bot.domain.ids import JP2, SongId
from bot.domain.numbers import Hundredths

HIGH, EQUAL, LOW = (
    careers.record(title, 1400, score)
    for title, score in (("b", 1_005_000), ("a", 1_000_000), ("c", 1_000_000))
)
NOT_PLAYED = replace(careers.record("d", 1400, 0), is_played=False)
RECORDS = (LOW, NOT_PLAYED, HIGH, EQUAL)


@pytest.mark.parametrize(
    ("order", "titles"), [(Order.SCORE_DOWN, ["b", "a", "c", "d"]), (Order.SCORE_UP, ["a", "c", "b", "d"])]
)
def test_equals_stand_by_title_either_way_and_what_was_not_played_last(
    order: Order, titles: list[str]
) -> None:
    assert [entry.song.title for entry in sort_entries(record_entries(RECORDS, JP2), order)] == titles


def test_a_record_of_unknown_constant_stands_where_it_counts_at_least() -> None:
    unknown = [
        replace(careers.record(title, level, 1_009_000), constant=None, rating=Hundredths(0))
        for title, level in (("a", 300), ("b", 500), ("c", 1400))
    ]
    entries = [*record_entries([*unknown, HIGH], JP2)]
    assert [entry.record for entry in sort_entries(entries, Order.RATING_DOWN)] == [
        *(unknown[2], HIGH, unknown[1], unknown[0]),
    ]
    for text, passing in (("rating>=7.15", "bcb"), ("rating<7.15", "a")):
        assert [entry.song.title for entry in parse_filter(text).passing(entries)] == [*passing]


def test_a_record_stands_with_the_chart_of_the_catalogue_and_with_its_own_where_that_has_none() -> None:
    catalogue = careers.catalogue(RECORDS)
    older = replace(HIGH, constant=None)
    gone = replace(HIGH, song_id=SongId("gone"))
    known, unknown = record_entries([older, gone], JP2, catalogue)
    assert older.song_id is not None
    assert known.song is catalogue.by_id[older.song_id]
    assert known.chart in known.song.charts
    assert known.chart.constant == HIGH.constant
    assert (unknown.song.title, unknown.chart.constant) == (HIGH.title, HIGH.constant)


def test_a_song_that_the_catalogue_has_lost_is_known_by_its_records() -> None:
    catalogue = careers.catalogue(RECORDS)
    left = SongId("left")
    removed = [
        replace(HIGH, song_id=left, title="Ｆａｒ　Away", difficulty=difficulty)
        for difficulty in (MASTER, EXPERT)
    ]
    for wanted in ("far away", "left"):
        song = find_removed_song(wanted, [*RECORDS, *removed], catalogue)
        assert song is not None
        assert (song.id, [chart.difficulty for chart in song.charts]) == (left, [EXPERT, MASTER])
    for wanted in (HIGH.title, "far", "", "…"):
        assert find_removed_song(wanted, [*RECORDS, *removed], catalogue) is None


def test_a_song_that_is_not_unlocked_stays_so_beside_a_record_that_was_not_played() -> None:
    catalogue, songs = careers.catalogue(RECORDS), {HIGH.song_id, NOT_PLAYED.song_id} - {None}
    entries = catalogue_entries(catalogue, RECORDS, [SongId(str(song)) for song in songs])
    assert [entry.song.title for entry in entries if entry.is_locked] == ["d"]
