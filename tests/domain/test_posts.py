from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.ids import ChannelId, GuildId
from bot.domain.posts import LATEST, NONCE_HOLDS, PlanId, Post, PostKind, PostPlan

PLAN = PostPlan(guild=GuildId(1), channel=ChannelId(2), post_at=time(21), timezone="Asia/Tokyo")
ZONES = sorted(available_timezones())
ONE_DAY = timedelta(days=1)


def plan(timezone: str, post_at: str, what: PostKind = PostKind.DAILY) -> PostPlan:
    return PostPlan(
        guild=GuildId(1),
        channel=ChannelId(2),
        post_at=time.fromisoformat(post_at),
        timezone=timezone,
        what=what,
    )


@pytest.mark.parametrize(
    ("timezone", "post_at", "day", "due_at"),
    [
        ("Asia/Tokyo", "21:00", "2026-11-21", "2026-11-21T12:00"),
        ("America/New_York", "21:00", "2026-03-07", "2026-03-08T02:00"),
        ("America/New_York", "21:00", "2026-03-08", "2026-03-09T01:00"),
        ("America/New_York", "02:30", "2026-03-08", "2026-03-08T07:30"),  # a time that the day leaves out
        ("America/New_York", "01:30", "2026-11-01", "2026-11-01T05:30"),  # one that it has twice
        ("Africa/Cairo", "00:00", "2026-04-24", "2026-04-23T22:00"),  # no midnight
        ("Australia/Lord_Howe", "02:15", "2026-10-04", "2026-10-03T15:45"),  # half an hour left out
        ("Australia/Lord_Howe", "01:45", "2026-04-05", "2026-04-04T14:45"),  # and twice
        ("America/Nuuk", "23:30", "2026-03-28", "2026-03-29T01:30"),  # left out: the next day's 0:30
        ("America/Nuuk", "23:30", "2026-03-29", "2026-03-30T00:30"),
        ("America/Nuuk", "23:30", "2026-10-24", "2026-10-25T00:30"),  # twice, the second time the same day
    ],
)
def test_when_a_post_is_due(timezone: str, post_at: str, day: str, due_at: str) -> None:
    moment = datetime.fromisoformat(due_at).replace(tzinfo=UTC)
    assert plan(timezone, post_at).due_at(date.fromisoformat(day)) == moment


@given(
    st.sampled_from(ZONES),
    st.times().map(lambda each: each.replace(second=0, microsecond=0)),
    st.dates(date(2020, 1, 1), date(2035, 1, 1)),
)
def test_each_day_of_any_zone_has_one_post_a_day_after_the_one_before(
    timezone: str, post_at: time, day: date
) -> None:
    it = PostPlan(guild=GuildId(1), channel=ChannelId(2), post_at=post_at, timezone=timezone)
    first, second = it.due_at(day), it.due_at(day + ONE_DAY)
    assert abs(second - first - ONE_DAY) <= timedelta(hours=1)
    assert abs(
        first.astimezone(ZoneInfo(timezone)).replace(tzinfo=None) - datetime.combine(day, post_at)
    ) <= (timedelta(hours=1))
    following = next(it.days_from(first))
    assert following == day + ONE_DAY
    assert next(it.days_from(first - timedelta(seconds=1))) == day


def test_digests_have_days_of_their_own() -> None:
    weekly, monthly = plan("UTC", "21:00", PostKind.WEEKLY), plan("UTC", "21:00", PostKind.MONTHLY)
    day = date(2026, 11, 30)  # a Monday
    assert [*islice(weekly.days_after(day), 2)] == [date(2026, 12, 7), date(2026, 12, 14)]
    assert [*islice(monthly.days_after(day), 2)] == [date(2026, 12, 1), date(2027, 1, 1)]
    at = weekly.due_at(day)
    assert next(weekly.days_from(at - timedelta(seconds=1))) == day
    assert next(weekly.days_from(at)) == date(2026, 12, 7)


@given(
    st.sampled_from([PostKind.DAILY, PostKind.WEEKLY, PostKind.MONTHLY]),
    st.dates(date(2020, 1, 1), date(2035, 1, 1)),
)
def test_the_post_before_a_day_is_found_whatever_month_went_before(what: PostKind, day: date) -> None:
    it = plan("UTC", "21:00", what)
    before = it.day_before(day)
    assert before < day
    assert next(it.days_after(before)) >= day
    assert next(it.days_after(before - ONE_DAY)) == before


@pytest.mark.parametrize("month", [1, 2, 4, 6, 8, 9, 11])
def test_a_monthly_post_after_a_month_of_31_days_has_one_before_it(month: int) -> None:
    before = plan("UTC", "21:00", PostKind.MONTHLY).day_before(date(2026, month, 1))
    assert before == date(2026 - (month == 1), (month - 2) % 12 + 1, 1)


def post(**values: object) -> Post:
    return Post(plan=PLAN, day=date(2026, 11, 21), due_at=datetime(2026, 11, 21, 12, tzinfo=UTC), **values)  # type: ignore[arg-type]  # of this test


def test_a_post_may_be_made_for_six_hours_also_after_midnight() -> None:
    assert not post().is_over(post().due_at + LATEST - timedelta(seconds=1))
    assert post().is_over(post().due_at + LATEST)


def test_what_was_tried_lately_is_sent_again_and_looked_for_later() -> None:
    now = datetime(2026, 11, 21, 12, 5, tzinfo=UTC)
    assert not post().may_be_delivered(now)
    assert not post(tried_at=now).may_be_delivered(now + NONCE_HOLDS - timedelta(seconds=1))
    assert post(tried_at=now).may_be_delivered(now + NONCE_HOLDS)
    assert post(tried_at=now).may_be_delivered(
        now - timedelta(seconds=1)
    )  # by a clock that was ahead: when is not known


@given(st.integers(1, 2**32), st.dates(), st.text(max_size=64))
def test_a_nonce_is_as_short_as_discord_wants_it(number: int, day: date, part: str) -> None:
    its = Post(
        plan=PostPlan(id=PlanId(number), post_at=time(), timezone="UTC"), day=day, part=part, due_at=NOW
    )
    assert 0 < len(its.nonce) <= 25


NOW = datetime(2026, 1, 1, tzinfo=UTC)
