"""bot/domain/chronicle/retention.py: both sides of both limits."""

from datetime import date, timedelta

import pytest

from bot.domain.chronicle.retention import Retention, superfluous

TODAY = date(2026, 11, 22)
KEEPING = Retention(all_days=12, days=28)


def kept(*ages: int) -> list[int]:
    days = [TODAY - timedelta(days=age) for age in ages]
    gone = superfluous(days, TODAY, KEEPING)
    return [age for age, day in zip(ages, days, strict=True) if day not in gone]


def test_every_day_is_kept_for_a_while() -> None:
    assert kept(*range(-2, 13)) == [*range(-2, 13)]


def test_of_an_older_week_the_last_look_alone_is_kept() -> None:
    assert TODAY.isoweekday() == 7
    assert kept(12, 13, 14, 15, 16, 20, 21, 22, 26, 27) == [12, 13, 14, 21]


@pytest.mark.parametrize(("age", "is_kept"), [(28, True), (29, False)])
def test_nothing_is_kept_for_ever(age: int, *, is_kept: bool) -> None:
    assert kept(age) == ([age] if is_kept else [])
