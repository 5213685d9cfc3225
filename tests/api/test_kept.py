"""Holds `bot/api/answer_store.py`."""

import lzma
from dataclasses import asdict, replace
from datetime import UTC

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.api.answer_store import as_json, read, write
from bot.domain.charts import MASTER
from bot.domain.ids import JP, JP2, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.players import Friend, Player
from bot.domain.rating import song_rating
from bot.domain.scores import CourseRecord, RatingData, Record, Slot, SlotName

TIMES = st.none() | st.datetimes(timezones=st.just(UTC))
TEXTS = st.text(max_size=12) | st.sampled_from(["*", "{", "夏祭り"])
AVERAGES = st.none() | st.decimals(min_value=0, max_value=20, places=2)
RECORDS = st.builds(
    Record,
    index=st.none() | st.integers(),
    title=TEXTS,
    genre=st.none() | TEXTS,
    updated_at=TIMES,
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


def test_what_is_handed_out_are_the_fields_of_each() -> None:
    assert as_json(write(COURSES)) == [asdict(each) for each in COURSES]


def test_what_a_version_before_wrote_is_read() -> None:
    plain = [asdict(each) for each in COURSES]
    written = lzma.compress(orjson.dumps(plain), format=lzma.FORMAT_ALONE)
    assert read("courses/jp2", written) == COURSES
    assert as_json(written) == plain


def records_of(region: Region, *, rating_off: int = 0, level_off: int = 0) -> tuple[Record, ...]:
    """Return records of as many constants and scores, with levels and ratings that follow from them, or are off."""
    return tuple(
        replace(
            RECORD,
            constant=constant,
            level=Hundredths(constant // 50 * 50 + level_off * score % 50),
            score=score,
            rating=Hundredths(song_rating(constant, score, region) + rating_off * score % 50),
        )
        for score in range(1_000_000, 1_009_000, 17)
        for constant in (Hundredths(1000 + score % 55 * 10),)
    )


def test_what_follows_from_the_rest_takes_no_room() -> None:
    """The rating from the score, the level from the constant; what does not follow is told."""
    least = records_of(JP2)
    others = (
        records_of(JP), records_of(JP2, rating_off=37), records_of(JP2, level_off=37),
        tuple(replace(each, level=Hundredths(0)) for each in least),
    )  # fmt: skip
    for each in others:
        assert len(write(least)) < len(write(each))
        assert read("records", write(each)) == each


@pytest.mark.parametrize("body", [b"", b"no answer", write(COURSES)[:-1], write(())])
def test_what_cannot_be_read_is_as_good_as_nothing(body: bytes) -> None:
    assert read("player", body) is None
