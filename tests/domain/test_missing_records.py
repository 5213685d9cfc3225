"""bot/domain/missing_records.py: what is told to be missing is just enough to come to the rating."""

from datetime import date, timedelta

from careers import record
from hypothesis import assume, given
from hypothesis import strategies as st

from bot.domain.charts import MASTER, Catalogue, Chart, Song
from bot.domain.game_rating import WorkedOut, work_out
from bot.domain.game_versions import Formula, GameVersion
from bot.domain.ids import JP2, SongId
from bot.domain.missing_records import find_gap, find_missing
from bot.domain.numbers import Hundredths
from bot.domain.scores import Record

LINE = date(2026, 7, 1)
VERSION = GameVersion(name="V", region=JP2, first_day=LINE, formula=Formula.BEST_AND_NEW, new_since=LINE)


def song(number: int, constant: int, *, is_new: bool) -> Song:
    chart = Chart(
        difficulty=MASTER,
        level=Hundredths(constant),
        constant=Hundredths(constant),
        is_estimated=False,
        max_combo=None,
    )
    day = LINE + timedelta(days=number) if is_new else LINE - timedelta(days=1 + number)
    return Song(
        id=SongId(f"s{number}"),
        title=f"s{number}",
        genre=None,
        artist=None,
        released_on=day,
        bpm=None,
        charts=(chart,),
    )


CATALOGUE = Catalogue.of(
    JP2, [song(number, 1300 + number * 2, is_new=number % 3 == 0) for number in range(120)]
)
PLAYED = st.dictionaries(
    st.sampled_from(CATALOGUE.songs), st.integers(900_000, 1_010_000), min_size=1, max_size=80
)


def records_of(played: dict[Song, int]) -> list[Record]:
    return [record(song.id, song.charts[0].constant, score) for song, score in played.items()]


def worked_out(records: list[Record]) -> WorkedOut:
    return work_out(records, CATALOGUE, VERSION)


@given(PLAYED, st.integers(1, 40))
def test_each_of_the_likeliest_would_close_the_gap_and_a_point_less_would_not(
    played: dict[Song, int], above: int
) -> None:
    records = records_of(played)
    found = worked_out(records)
    rating = Hundredths((found.rating or 0) + above)
    gap = find_gap(found, rating)
    assert gap is not None
    missing = find_missing(found, gap, records, CATALOGUE)
    assume(missing.total)
    for song, chart, score in missing.likeliest:
        more = [*records, record(song.id, chart.constant, score)]
        assert (worked_out(more).rating or 0) >= rating
        assert (worked_out([*records, record(song.id, chart.constant, score - 1)]).rating or 0) < rating


@given(PLAYED)
def test_records_that_come_to_the_rating_lack_nothing(played: dict[Song, int]) -> None:
    found = worked_out(records_of(played))
    assert find_gap(found, found.rating or Hundredths(0)) is None


def test_a_new_song_without_a_record_comes_first_the_newest_before_the_others() -> None:
    records = records_of(
        {each: 1_007_500 for each in CATALOGUE.songs if each.id not in {"s114", "s117", "s119"}}
    )
    found = worked_out(records)
    gap = find_gap(found, Hundredths((found.rating or 0) + 1))
    assert gap is not None
    assert gap.is_of_one
    assert gap.may_be_new
    assert [each.song.id for each in find_missing(found, gap, records, CATALOGUE).likeliest][:2] == [
        "s117",
        "s114",
    ]


def test_a_wide_gap_is_not_one_record() -> None:
    found = worked_out(records_of(dict.fromkeys(CATALOGUE.songs, 1_000_000)))
    gap = find_gap(found, Hundredths((found.rating or 0) + 50))
    assert gap is not None
    assert not gap.is_of_one


def test_one_record_need_not_count_more_than_any_can() -> None:
    """Where one of the slots has room still, a record on an older song would have to count twice as much."""
    records = records_of(
        {each: 1_007_500 for each in CATALOGUE.songs if not VERSION.is_new(each.released_on)}
    )
    found = worked_out(records)
    gap = find_gap(found, Hundredths((found.rating or 0) + 30))
    assert gap is not None
    assert (gap.may_be_old, gap.may_be_new) == (False, True)
