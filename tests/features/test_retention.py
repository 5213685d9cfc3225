"""bot/background/retention.py: everybody's old days are forgotten, whoever looks, once a day, and on from where it stopped."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from bot.background.retention import _BATCH_PAUSE_SECONDS, _TICK_SECONDS, RetentionSweep
from bot.base.clock import ManualClock
from bot.domain.chronicle.retention import Retention
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.store import LeaderLease, Store, Vault, new_key, snapshots

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TODAY = NOW.date()
DAY = 86_400
MEMBERS = [MemberId(number) for number in range(1, 5)]


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    """Return members with a day that is kept for a day more, and one that is not kept any more."""
    monkeypatch.setattr(snapshots, "_MEMBERS_AT_ONCE", 2)
    url, keeping = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Retention(all_days=5, days=20)
    async with Store(url, Vault([new_key()]), keeping=keeping) as store:
        for member in MEMBERS:
            link = AccountLink(
                member=member, user_id=UserId(member), user_name=UserName("a"), region=JP2,
                visibility=Visibility.SERVERS, linked_at=NOW,
            )  # fmt: skip
            await store.links.save(link, "5d" * 32)
            for days_ago in (19, 21):
                then = NOW - timedelta(days=days_ago)
                look = Snapshot(
                    member=member, region=JP2, day=then.date(), taken_at=then, rating=Hundredths(1650), scores={}
                )  # fmt: skip
                await store.snapshots.save(look, account=link.user_id)
        yield store


async def kept(store: Store) -> dict[MemberId, list[int]]:
    """Return how many days ago the days are that are kept."""
    found = {
        member: await store.chronicle.fetch_looks([member], JP2, first=date.min, last=TODAY)
        for member in MEMBERS
    }
    return {member: [(TODAY - look.day).days for look in looks] for member, looks in found.items()}


def alone() -> LeaderLease:
    return LeaderLease(None, is_alone=True)


async def begin(store: Store, leader: LeaderLease, clock: ManualClock) -> RetentionSweep:
    """Return what has seen a day before this one."""
    days = RetentionSweep(store, leader, clock)
    assert await days.delete_some() == _TICK_SECONDS
    assert await kept(store) == {each: [21, 19] for each in MEMBERS}
    clock.advance(DAY)
    return days


async def test_what_is_old_is_forgotten_of_everybody_some_at_a_time_once_a_day(
    store: Store, clock: ManualClock
) -> None:
    days = await begin(store, alone(), clock)
    for done in (2, 4):
        assert await days.delete_some() == _BATCH_PAUSE_SECONDS
        assert [*(await kept(store)).values()] == [[19]] * done + [[21, 19]] * (4 - done)
    assert await days.delete_some() == _TICK_SECONDS
    assert await days.delete_some() == _TICK_SECONDS
    for seconds in (DAY, 0, 0):
        clock.advance(seconds)
        await days.delete_some()
    assert await kept(store) == {each: [] for each in MEMBERS}


async def test_another_process_goes_on_where_one_has_stopped(store: Store, clock: ManualClock) -> None:
    leader = alone()
    await (await begin(store, leader, clock)).delete_some()
    left = alone()
    await left.save_progress(leader.state)
    await RetentionSweep(store, left, clock).delete_some()
    assert await kept(store) == {each: [19] for each in MEMBERS}


async def test_who_has_not_the_duty_forgets_nothing(store: Store, clock: ManualClock) -> None:
    days = RetentionSweep(store, LeaderLease(None, is_alone=False), clock)
    for _ in range(5):
        clock.advance(DAY)
        assert await days.delete_some() == _TICK_SECONDS
    assert await kept(store) == {each: [21, 19] for each in MEMBERS}


async def test_a_clock_that_is_ahead_for_a_moment_costs_nobody_their_past(
    store: Store, clock: ManualClock
) -> None:
    days = await begin(store, alone(), clock)
    clock.advance(1000 * DAY)
    await days.delete_some()
    clock.set_back(1000 * DAY)
    for _ in range(3):
        await days.delete_some()
    assert await kept(store) == {each: [19] for each in MEMBERS}
