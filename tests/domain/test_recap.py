"""bot/domain/recap.py: of random chronicles nothing is lost, nothing invented, and every page within Discord's limits."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

import pytest
from chronicles import BOOKS, CHARTS, MARKS, NOW, state
from hypothesis import given
from hypothesis import strategies as st
from limits import check_embeds

from bot.domain.charts import MASTER
from bot.domain.chronicle.session import compare
from bot.domain.chronicle.state import LampFlags, PlayerFigures, RecordMark, RecordsState
from bot.domain.curves import Point
from bot.domain.ids import JP2, SongId
from bot.domain.members import Audience
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.domain.recap import Recap, RecapPeriod, RecapRival, RecapSpan, RecapTally, rival_of
from bot.features.recap import RecapPage, RecapReport, pages_of
from bot.features.shared.paging import part_of
from bot.ui.language.text import Languages
from bot.ui.recap import recap_embed

EVER = RecapSpan(NOW - timedelta(days=1), datetime.max.replace(tzinfo=UTC))
KEY = (SongId("a"), MASTER)
OTHER = (SongId("b"), MASTER)


@st.composite
def lives(draw: st.DrawFn) -> list[RecordsState]:
    """Return looks one after another, each with some records that are others than before."""
    looks: list[RecordsState] = []
    marks = draw(BOOKS)
    at = NOW
    for hours, changed in draw(
        st.lists(st.tuples(st.integers(1, 2_000), st.dictionaries(CHARTS, MARKS, max_size=6)), max_size=12)
    ):
        at += timedelta(hours=hours)
        marks = marks | changed
        rating = Hundredths(draw(st.integers(1_000, 1_750)))
        looks.append(replace(state(marks), taken_at=at, figures=PlayerFigures(rating=rating)))
    return looks


SPANS = st.tuples(st.integers(-100, 5_000), st.integers(1, 5_000)).map(
    lambda hours: RecapSpan(NOW + timedelta(hours=hours[0]), NOW + timedelta(hours=sum(hours)))
)


def recap_of(
    looks: Sequence[RecordsState],
    span: RecapSpan = EVER,
    turns: Sequence[datetime] = (),
    genres: Mapping[SongId, str] | None = None,
) -> Recap:
    tally = RecapTally(JP2, span, turns, UTC)
    tally.add(looks)
    return tally.finish(genres or {})


def seen(day: int, rating: int = 1_600, *, hour: int = 0, **scores: int) -> RecordsState:
    marks = {
        (SongId(song), MASTER): RecordMark(score, int(LampFlags.TOLD), 1400, 0)
        for song, score in scores.items()
    }
    return replace(state(marks, rating=rating), taken_at=datetime(2026, 11, day, hour, tzinfo=UTC))


@given(lives(), SPANS)
def test_everything_that_looks_tell_of_a_time_is_counted_once(
    looks: list[RecordsState], span: RecapSpan
) -> None:
    recap = recap_of(looks, span)
    assert recap.looks == tuple(
        (look.taken_at, look.figures.rating) for look in looks if look.taken_at in span
    )
    plays = 0
    for before, after in pairwise(looks):
        is_within = before.taken_at in span and after.taken_at in span
        plays += sum(is_within or play.played_at in span for play in compare(before, after).achievements)
    assert recap.plays == plays
    assert recap.is_empty == (not plays)


@given(lives(), SPANS)
def test_nothing_is_told_of_days_that_no_look_and_no_service_named(
    looks: list[RecordsState], span: RecapSpan
) -> None:
    recap = recap_of(looks, span)
    pairs = {(before.taken_at, after.taken_at): (before, after) for before, after in pairwise(looks)}
    for step in filter(None, (recap.jump, recap.best_play)):
        before, after = pairs[step.since, step.until]
        assert step.change in compare(before, after).achievements
    days = {
        (step.played_at or at).date()
        for before, after in pairs.values()
        for step in compare(before, after).achievements
        for at in (before.taken_at, after.taken_at)
    }
    if recap.best_day is not None:
        assert {recap.best_day.first, recap.best_day.last} <= days
        assert recap.best_day.last - recap.best_day.first <= timedelta(days=1)
    if recap.month is not None:
        assert recap.month[0] in {day.replace(day=1) for day in days}
        assert 0 < recap.month[1].times <= recap.month[1].of == recap.plays  # as the first page has it


@given(lives(), st.sampled_from(["en", "ja", "ko", "zh-TW"]), st.text(max_size=300))
def test_every_page_is_within_discords_limits(looks: list[RecordsState], code: str, name: str) -> None:
    t = Languages()[code]
    recap = recap_of(looks, genres={song: name for look in looks for song, _ in look.marks})
    rival = RecapRival(name, Hundredths(-3), 2)
    pages = pages_of(recap, rival)
    for number in range(max(1, len(pages))):
        report = RecapReport(
            period=RecapPeriod.YEAR, periods=(*RecapPeriod,), span=EVER, version=None, versions=(), recap=recap,
            rival=rival, part=part_of(pages, 1, number), remembered_since=NOW, songs={}, region=JP2,
            audience=Audience.ASKER,
        )  # fmt: skip
        embed = recap_embed(t, report, "Alice")
        check_embeds([embed])


@pytest.mark.parametrize(
    ("code", "passed", "said"),
    [
        ("en", 0, "0.03 behind you"),
        ("en", 1, "0.03 behind you · 1 change of the lead"),
        ("en", 2, "0.03 behind you · 2 changes of the lead"),
        ("ja", 1, "あなたより 0.03 下 · 逆転 1回"),
    ],
)
def test_a_lead_that_changed_once_is_told_so(code: str, passed: int, said: str) -> None:
    report = RecapReport(
        period=RecapPeriod.YEAR, periods=(*RecapPeriod,), span=EVER, version=None, versions=(),
        recap=recap_of([]), rival=RecapRival("Ken", Hundredths(-3), passed), part=part_of([RecapPage.RIVAL], 1, 0),
        remembered_since=NOW, songs={}, region=JP2, audience=Audience.ASKER,
    )  # fmt: skip
    description = recap_embed(Languages()[code], report, "Alice").description
    assert str(description).splitlines()[-1] == said


def test_looks_far_apart_tell_no_best_day_and_those_of_one_day_do() -> None:
    far = [seen(1, 1_600, a=900_000), seen(9, 1_650, a=950_000)]
    assert recap_of(far, RecapSpan(far[0].taken_at, EVER.end)).best_day is None
    near = [*far, seen(9, 1_652, hour=9, a=960_000), seen(9, 1_655, hour=20, a=970_000)]
    day = recap_of(near, RecapSpan(far[0].taken_at, EVER.end)).best_day
    assert day == (date(2026, 11, 9), date(2026, 11, 9), 5, 2)


def test_of_a_month_it_is_told_how_much_it_is_of_all_that_was_better() -> None:
    early = seen(1, a=900_000)
    looks = [
        replace(early, taken_at=datetime(2026, 10, 20, tzinfo=UTC)),
        seen(9, a=950_000),
        seen(12, a=960_000),
    ]
    assert recap_of(looks, RecapSpan(looks[0].taken_at, EVER.end)).month == (date(2026, 11, 1), (1, 2))


def test_a_version_that_begins_between_two_looks_is_no_bad_day_nor_a_good_one() -> None:
    looks = [seen(1, 1_600, a=900_000), seen(1, 1_700, hour=9, a=950_000)]
    span = RecapSpan(looks[0].taken_at, EVER.end)
    assert recap_of(looks, span, [datetime(2026, 11, 1, 5, tzinfo=UTC)]).best_day is None
    assert recap_of(looks, span).best_day is not None


def test_what_was_played_before_the_first_look_of_a_time_is_of_it_only_where_the_service_says_so() -> None:
    before, after = seen(1, a=900_000, b=900_000), seen(9, a=950_000, b=960_000)
    at = int(datetime(2026, 11, 8, tzinfo=UTC).timestamp())
    marks = {**after.marks, OTHER: after.marks[OTHER]._replace(played_at=at)}
    recap = recap_of(
        [before, replace(after, marks=marks)], RecapSpan(datetime(2026, 11, 5, tzinfo=UTC), EVER.end)
    )
    assert (recap.plays, recap.jump and recap.jump.change.chart) == (1, OTHER)


def test_a_chart_that_rose_again_and_again_is_new_once_and_has_the_rank_that_it_came_to() -> None:
    looks = [seen(1), seen(2, a=990_000), seen(3, a=1_000_000), seen(4, a=1_000_100)]
    recap = recap_of(looks, RecapSpan(looks[0].taken_at, EVER.end))
    assert (recap.plays, recap.new_records, recap.ranks) == (3, 1, {Rank.SS: 1})


def test_a_chart_is_loved_that_was_better_at_three_looks() -> None:
    looks = [seen(day, a=900_000 + day, b=900_000) for day in range(1, 4)]
    span = RecapSpan(looks[0].taken_at, EVER.end)
    assert recap_of(looks, span).chart is None
    chart = recap_of([*looks, seen(4, a=990_000)], span).chart
    assert chart is not None
    assert (chart[0], chart[1].times) == (KEY, 3)


@pytest.mark.parametrize(("theirs", "passed"), [([90, 110], 1), ([90, 95], 0), ([110, 90], 1)])
def test_a_rival_has_passed_as_often_as_looks_have_seen_it(theirs: list[int], passed: int) -> None:
    own = [Point(NOW, 100), Point(NOW + timedelta(days=5), 100)]
    other = [Point(NOW + timedelta(days=day), figure) for day, figure in enumerate(theirs)]
    rival = rival_of(own, [("Bob", other), ("Far", [Point(NOW, 900), Point(NOW, 900)])], Hundredths(50))
    assert rival is not None
    assert (rival.name, rival.passed) == ("Bob", passed)


def test_two_genres_alike_are_none_that_is_loved() -> None:
    looks = [seen(1), *(seen(day, a=900_000 + day, b=900_000 + day) for day in range(2, 9))]
    span = RecapSpan(looks[0].taken_at, EVER.end)

    def genre(**genres: str) -> object:
        return recap_of(looks, span, genres={SongId(song): each for song, each in genres.items()}).genre

    assert genre(a="x", b="y") is None
    assert genre(a="x", b="x") == ("x", (14, 14))
    assert genre(a="x") is None
