from dataclasses import asdict
from datetime import UTC

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.api.kept import as_json, read, write
from bot.domain.players import Friend, Player
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
    "records/jp2": st.lists(RECORDS, max_size=5).map(tuple),
    "courses/jp2": st.lists(st.builds(CourseRecord), max_size=5).map(tuple),
    "friends": st.lists(st.builds(Friend, updated_at=TIMES | st.dates()), max_size=5).map(tuple),
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


@pytest.mark.parametrize("name", VALUES)
@given(data=st.data())
def test_what_is_kept_comes_back_as_the_service_said_it(name: str, data: st.DataObject) -> None:
    """Whatever it says of charts: what any catalogue says of them is not asked, then or now."""
    value = data.draw(VALUES[name])
    assert read(name, write(name, value)) == value


def test_what_is_handed_out_are_the_fields_of_each() -> None:
    assert as_json(write("courses/jp2", COURSES)) == [asdict(each) for each in COURSES]


@pytest.mark.parametrize("body", [b"", b"no answer", write("courses", COURSES)[:-1], write("friends", ())])
def test_what_cannot_be_read_is_as_good_as_nothing(body: bytes) -> None:
    assert read("player", body) is None
