"""bot/domain/chronicle/packing.py: what is written down is read back, and never beside another whole."""

from collections.abc import Mapping

import pytest
from chronicles import BOOKS
from hypothesis import assume, given

from bot.domain.charts import MASTER
from bot.domain.chronicle.packing import UnreadableState, find_mark, pack, unpack
from bot.domain.chronicle.state import RecordMark
from bot.domain.history import ChartKey
from bot.domain.ids import SongId


@given(BOOKS)
def test_a_whole_is_read_back(marks: Mapping[ChartKey, RecordMark]) -> None:
    assert unpack(pack(marks)) == marks


@given(BOOKS, BOOKS)
def test_what_differs_from_a_whole_is_read_back_beside_it(
    before: Mapping[ChartKey, RecordMark], after: Mapping[ChartKey, RecordMark]
) -> None:
    whole = pack(before)
    assert unpack(pack(after, whole), whole) == after


@given(BOOKS, BOOKS)
def test_one_mark_is_found_as_if_all_were_read(
    before: Mapping[ChartKey, RecordMark], after: Mapping[ChartKey, RecordMark]
) -> None:
    whole = pack(before)
    packed = pack(after, whole)
    for chart in {**before, **after, (SongId("nowhere"), MASTER): None}:
        assert find_mark(chart, whole) == before.get(chart)
        assert find_mark(chart, packed, whole) == after.get(chart)


def test_an_id_that_two_others_hold_between_them_is_not_found() -> None:
    """Ids stand side by side: one may be read across two of them."""
    mark = RecordMark(1_000_000, 0, 0, 0)
    songs = [SongId("00000000000000aa"), SongId("bb00000000000000"), SongId("bb000000000000aa")]
    packed = pack({(song, MASTER): mark._replace(score=number) for number, song in enumerate(songs)})
    assert find_mark((SongId("aabb000000000000"), MASTER), packed) is None
    assert [find_mark((song, MASTER), packed) for song in songs] == [
        mark._replace(score=number) for number in range(len(songs))
    ]


@given(BOOKS, BOOKS, BOOKS)
def test_what_is_the_same_beside_one_whole_is_one_object(
    whole: Mapping[ChartKey, RecordMark],
    before: Mapping[ChartKey, RecordMark],
    after: Mapping[ChartKey, RecordMark],
) -> None:
    base = pack(whole)
    opened: dict[bytes, list[tuple[ChartKey, RecordMark]]] = {}
    marks = [unpack(pack(each, base), base, opened) for each in (before, after)]
    assert marks == [before, after]
    for key, mark in whole.items():
        if before.get(key) == mark == after.get(key):
            assert marks[0][key] is marks[1][key]


@given(BOOKS, BOOKS)
def test_nothing_is_read_beside_another_whole(
    one: Mapping[ChartKey, RecordMark], other: Mapping[ChartKey, RecordMark]
) -> None:
    assume(one != other)
    with pytest.raises(UnreadableState):
        unpack(pack(one, pack(one)), pack(other))


def test_what_is_no_writing_of_ours_is_not_read() -> None:
    with pytest.raises(UnreadableState):
        unpack(b"{}")


def test_a_day_beside_a_whole_is_small() -> None:
    marks = {
        (SongId(f"{n * 0x9E3779B97F4A7C15 % 2**64:016x}"), MASTER): RecordMark(990_000 + n * 7, 7, 1400, 0)
        for n in range(1500)
    }
    whole = pack(marks)
    later = {
        key: mark._replace(score=mark.score + 5) if n % 100 == 0 else mark
        for n, (key, mark) in enumerate(marks.items())
    }
    assert len(pack(later, whole)) < len(whole) / 50
