from datetime import UTC, date, datetime, time

import pytest

from bot.domain.daily import DailySchedule
from bot.domain.ids import ChannelId, GuildId


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
    schedule = DailySchedule(
        guild=GuildId(1),
        channel=ChannelId(2),
        post_at=time(21, 0),
        timezone="Asia/Tokyo",
        posted_on=date(2026, 11, 20),
    )
    assert schedule.is_due(datetime.fromisoformat(now).replace(tzinfo=UTC)) is is_due
