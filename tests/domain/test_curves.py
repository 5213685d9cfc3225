"""bot/domain/curves.py: what is known of a figure, day by day."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.domain.curves import BadSpan, Curve, DaySpan, Point, curve_of
from bot.domain.ids import MemberId

ALICE = MemberId(1)
TOKYO = ZoneInfo("Asia/Tokyo")
NIGHT = datetime(2026, 11, 21, 14, 59, tzinfo=UTC)
"""The last minute of a day in Tokyo."""
DAY = date(2026, 11, 21)


def curve(*days: int) -> Curve:
    return Curve(ALICE, tuple(Point(NIGHT + timedelta(days=day), 1600 + day) for day in days))


def test_a_day_is_that_of_whoever_looks_and_its_last_look_counts() -> None:
    looks = [(NIGHT + timedelta(minutes=1), 3), (NIGHT, 2), (NIGHT - timedelta(hours=5), 1)]
    in_tokyo = curve_of(ALICE, looks, DaySpan(), TOKYO)
    assert [(point.moment.date(), point.figure) for point in in_tokyo.points] == [
        (DAY, 2), (DAY + timedelta(days=1), 3),
    ]  # fmt: skip
    assert [point.figure for point in curve_of(ALICE, looks, DaySpan(), UTC).points] == [3]


def test_a_look_that_did_not_see_the_figure_hides_none() -> None:
    looks = [(NIGHT - timedelta(hours=1), 1), (NIGHT, None)]
    assert [point.figure for point in curve_of(ALICE, looks, DaySpan(), TOKYO).points] == [1]


def test_both_ends_of_a_span_are_asked_about() -> None:
    looks = [(NIGHT + timedelta(days=day), day) for day in range(-2, 3)]
    span = DaySpan(DAY - timedelta(days=1), DAY + timedelta(days=1))
    assert [point.figure for point in curve_of(ALICE, looks, span, TOKYO).points] == [-1, 0, 1]
    assert [point.figure for point in curve_of(ALICE, looks, DaySpan(DAY, DAY), TOKYO).points] == [0]


def test_a_span_that_ends_before_it_begins_is_none() -> None:
    with pytest.raises(BadSpan):
        DaySpan(DAY, DAY - timedelta(days=1))


def test_where_nobody_looked_for_more_than_thirty_days_nothing_is_known_between() -> None:
    assert [len(run) for run in curve(0, 1, 31, 62, 63).runs] == [3, 2]
    assert curve().runs == []


def test_the_numbers_of_a_curve() -> None:
    found = Curve(
        ALICE, tuple(Point(NIGHT + timedelta(days=day), each) for day, each in enumerate((5, 9, 9, 4)))
    )
    assert found.change == -1
    assert found.highest == Point(NIGHT + timedelta(days=1), 9)


def test_a_span_reaches_a_day_further_in_other_zones_and_never_out_of_time() -> None:
    assert DaySpan(date(2026, 1, 5), date(2026, 1, 6)).in_any_zone == (date(2026, 1, 4), date(2026, 1, 7))
    assert DaySpan().in_any_zone == DaySpan(date.min, date.max).in_any_zone == (date.min, date.max)
    assert DaySpan.of_last(10**20, date(2026, 1, 5)).first == date.min


def test_of_a_curve_that_starts_anew_counts_what_is_since() -> None:
    found = curve(0, 1, 2, 3)
    assert [point.figure for point in found.since(NIGHT + timedelta(days=2)).points] == [1602, 1603]
    assert [point.figure for point in found.since(NIGHT + timedelta(days=9)).points] == [1603]
