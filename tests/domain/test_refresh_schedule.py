"""bot/domain/refresh_schedule.py: whose turn it is, and how long nobody is asked who cannot be."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.refresh_schedule import LEAD, TURNS, pause_after, turns_gone

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("minutes_before", "gone"), [(181, 0), (120, 0), (70, TURNS // 2), (20, TURNS), (0, TURNS), (-30, TURNS)]
)
def test_turns_come_evenly_over_the_hours_before_but_for_the_last_minutes(
    minutes_before: int, gone: int
) -> None:
    assert turns_gone(NOON, NOON - timedelta(minutes=minutes_before)) == gone
    assert timedelta(hours=2) == LEAD


def test_whoever_cannot_be_looked_at_is_asked_ever_less_often() -> None:
    hours = [pause_after(failures) / timedelta(hours=1) for failures in (1, 2, 3, 4, 5, 6, 1000)]
    assert hours == [20, 40, 80, 160, 320, 336, 336]
