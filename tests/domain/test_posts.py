from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.domain.ids import ChannelId, GuildId
from bot.domain.posts import PostPlan, last_due_day


@pytest.mark.parametrize(
    ("now", "is_due"),
    [
        ("2026-11-21T11:59:59", False),  # 20:59:59 in Tokyo
        ("2026-11-21T12:00:00", True),
        ("2026-11-21T14:59:59", True),  # late, the same day
        ("2026-11-21T15:00:00", False),  # midnight in Tokyo: the next day's time has not come
        ("2026-11-22T12:00:00", True),
        ("2026-11-20T12:00:00", False),  # posted already
    ],
)
def test_a_post_is_due_once_a_day_from_its_local_time_on(*, now: str, is_due: bool) -> None:
    schedule = PostPlan(
        guild=GuildId(1),
        channel=ChannelId(2),
        post_at=time(21, 0),
        timezone="Asia/Tokyo",
        posted_on=date(2026, 11, 20),
    )
    assert schedule.is_due(datetime.fromisoformat(now).replace(tzinfo=UTC)) is is_due


@pytest.mark.parametrize(
    ("timezone", "post_at", "posted_on", "due_at"),
    [
        ("Asia/Tokyo", "21:00", "2026-11-20", "2026-11-21T12:00"),
        (
            "America/New_York",
            "21:00",
            "2026-03-07",
            "2026-03-09T01:00",
        ),  # the day before, still without daylight
        ("America/New_York", "21:00", "2026-10-31", "2026-11-02T02:00"),
        ("America/New_York", "02:30", "2026-03-07", "2026-03-08T07:30"),  # a time that the day leaves out
        ("America/New_York", "01:30", "2026-10-31", "2026-11-01T05:30"),  # one that it has twice
        ("Africa/Cairo", "00:00", "2026-04-23", "2026-04-23T22:00"),  # no midnight
    ],
)
def test_when_a_post_is_due(timezone: str, post_at: str, posted_on: str, due_at: str) -> None:
    """From that moment on until the day is over; where one was missed, the next day's time is the next."""
    schedule = PostPlan(
        guild=GuildId(1),
        channel=ChannelId(2),
        post_at=time.fromisoformat(post_at),
        timezone=timezone,
        posted_on=date.fromisoformat(posted_on),
    )
    moment = datetime.fromisoformat(due_at).replace(tzinfo=UTC)
    assert schedule.due_at.astimezone(UTC) == moment
    local = moment.astimezone(ZoneInfo(timezone))
    for minute in range(-24 * 60, 24 * 60):
        now = moment + timedelta(minutes=minute)
        is_that_day = now.astimezone(ZoneInfo(timezone)).date() == local.date()
        is_next_time = now.astimezone(ZoneInfo(timezone)) >= schedule.due_at + timedelta(days=1)
        assert schedule.is_due(now) is (now >= moment and (is_that_day or is_next_time)), now


@pytest.mark.parametrize(
    ("now", "last"),
    [
        ("2026-11-01T05:29", "2026-10-31"),
        ("2026-11-01T05:30", "2026-11-01"),  # 1:30 for the first time
        ("2026-11-01T06:15", "2026-11-01"),  # 1:15 for the second
        ("2026-03-08T07:15", "2026-03-08"),
    ],
)
def test_a_post_whose_time_comes_twice_was_due_the_first_time(now: str, last: str) -> None:
    """So one that is set up between the two has its first post the next day, not at once."""
    local = datetime.fromisoformat(now).replace(tzinfo=UTC).astimezone(ZoneInfo("America/New_York"))
    assert last_due_day(time(1, 30), local) == date.fromisoformat(last)
