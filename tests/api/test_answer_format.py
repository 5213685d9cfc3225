"""Holds `bot/api/answer_format.py`."""

import random
import zlib
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.api.answer_format import as_json, read, titles_of, write
from bot.domain.charts import DIFFICULTIES, MASTER
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from bot.domain.players import Friend, Player
from bot.domain.scores import CourseRecord, RatingData, Record, Slot, SlotName

TIMES = st.none() | st.datetimes(timezones=st.just(UTC)) | st.just(datetime(1970, 1, 1, tzinfo=UTC))
WHOLE_TIMES = st.none() | TIMES.filter(bool).map(lambda each: each and each.replace(microsecond=0))
TEXTS = st.text(max_size=12) | st.sampled_from(["*", "{", "夏祭り", "0" * 16, "A" * 16, "f" * 15])
AVERAGES = st.none() | st.decimals(min_value=0, max_value=20, places=2)
RECORDS = st.builds(
    Record,
    index=st.none() | st.integers(),
    song_id=st.none() | TEXTS.map(SongId),
    title=TEXTS,
    genre=st.none() | TEXTS,
    updated_at=TIMES | WHOLE_TIMES,
    is_played=st.booleans(),
)
SLOTS = st.builds(Slot, average=AVERAGES, entries=st.lists(st.none() | RECORDS, max_size=4).map(tuple))
VALUES = {
    "player": st.builds(Player, player_name=TEXTS),
    "rating_data/jp2": st.builds(
        RatingData, slots=st.dictionaries(st.sampled_from(SlotName), SLOTS, max_size=5)
    ),
    "records/jp2": st.lists(RECORDS, max_size=5).map(lambda some: tuple(some * 5)),
    "courses/jp2": st.lists(st.builds(CourseRecord), max_size=5).map(tuple),
    "friends": st.lists(
        st.builds(Friend, updated_at=TIMES, updated_on=st.none() | st.dates()), max_size=5
    ).map(tuple),
}
COURSES = tuple(
    CourseRecord(
        index=index,
        name="*",
        course_class=None,
        score=score,
        is_clear=True,
        is_full_combo=False,
        is_all_justice=False,
    )
    for index, score in ((1, 3_000_000), (2, 0))
)


RECORD = Record(
    song_id=SongId("0" * 16), title="夏祭り", difficulty=MASTER, level=Hundredths(1300), constant=Hundredths(1300), score=0,
    rating=Hundredths(0), is_estimated=False, lamps=None,
)  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_is_kept_comes_back_as_the_service_said_it(name: str, data: st.DataObject) -> None:
    """Whatever it says of charts: what any catalogue says of them is not asked, then or now."""
    value = data.draw(VALUES[name])
    assert read(name, write(value)) == value


@given(player=VALUES["player"])
def test_a_profile_that_is_written_in_columns_is_read_too(player: Player) -> None:
    """As version 1.0 wrote it."""
    assert read("player", write((player,))) == player


def test_answers_share_the_texts_that_both_have() -> None:
    songs = [(SongId(f"{number:016x}"), f"夏祭り{number}") for number in range(20)]
    kept = write(tuple(replace(RECORD, song_id=song, title=title) for song, title in songs * 2))
    one, other = (cast("tuple[Record, ...]", read("records/jp2", kept)) for _ in range(2))
    assert all(mine.title is theirs.title for mine, theirs in zip(one, other, strict=True))
    assert all(mine.song_id is theirs.song_id for mine, theirs in zip(one, other, strict=True))


def test_answers_share_the_numbers_that_both_have() -> None:
    kept = write(tuple(replace(RECORD, rating=Hundredths(1000 + number)) for number in range(700)))
    one, other = (cast("tuple[Record, ...]", read("records/jp2", kept)) for _ in range(2))
    assert [record.rating for record in one] == [*range(1000, 1700)]
    assert all(mine.rating is theirs.rating for mine, theirs in zip(one, other, strict=True))


def test_titles_that_are_kept_for_all_are_left_out() -> None:
    songs = [SongId("a" * 16), SongId("b" * 16)]
    of_songs = (
        replace(RECORD, song_id=song, title=f"of {song}") for song in [*songs, None] for _ in range(5)
    )
    records = tuple(of_songs)
    titles = titles_of(records)
    assert titles == {song: f"of {song}" for song in songs}
    for known in ({}, titles, titles | {songs[0]: "of another region"}):
        assert read("records/jp2", write(records, known), known) == records
    assert b"of aaaa" in zlib.decompress(write(records))
    assert b"of aaaa" not in zlib.decompress(write(records, titles))
    assert read("records/jp2", write(records, titles), {songs[0]: "of one"}) is None


def test_a_title_that_no_database_takes_stays_with_its_records() -> None:
    assert titles_of((replace(RECORD, song_id=SongId("a"), title="a\0b"),)) == {}
    assert titles_of((replace(RECORD, song_id=SongId("a\0"), title="b"),)) == {}


def test_what_is_handed_out_are_the_fields_of_each() -> None:
    assert as_json("courses/jp2", write(COURSES)) == [asdict(each) for each in COURSES]


def many() -> list[Record]:
    """Return records of 700 songs, as different as those of a player."""
    chance = random.Random(7)  # noqa: S311 - invented
    songs = [SongId(f"{chance.getrandbits(64):016x}") for _ in range(700)]
    return [
        replace(
            RECORD,
            song_id=song,
            difficulty=difficulty,
            score=990_000 + chance.randrange(20_000),
            updated_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=chance.getrandbits(24)),
        )
        for song in songs
        for difficulty in DIFFICULTIES[:2]
    ]


def test_records_take_little_more_than_they_tell() -> None:
    """An id is 8 bytes, twice as many charts as songs; a score of these is 14.3 bits and a time 24."""
    written = write(tuple(many()))
    assert len(written) < 1400 * (8 / 2 + (14.3 + 24) / 8) * 1.1


@pytest.mark.parametrize(
    "change",
    [
        {"updated_at": datetime(2026, 1, 1, 0, 0, 0, 1, tzinfo=UTC)},
        {"updated_at": datetime(1970, 1, 1, tzinfo=UTC)},
        {"updated_at": datetime(2300, 1, 1, tzinfo=UTC)},
        {"score": -1},
        {"song_id": "x" * 16},
        {"song_id": "0" * 18},
        {"song_id": None},
    ],
)
def test_what_fits_no_short_way_comes_back_too(change: Mapping[str, Any]) -> None:
    records = tuple(many())
    odd = (*records[:-1], replace(records[-1], **change))
    assert read("records/jp2", write(odd)) == odd


@pytest.mark.parametrize(
    "body", [b"", b"no answer", write(COURSES)[:-1], write(()), write(COURSES), zlib.compress(b"\0\0\0\2{}")]
)
def test_what_cannot_be_read_is_as_good_as_nothing(body: bytes) -> None:
    assert read("player", body) is None
