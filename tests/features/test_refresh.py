"""bot/background/refresh.py: who is looked at, what comes of it, and when nobody is."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest
from dailies import settle_posts

from bot.background.refresh import BackgroundRefresh
from bot.base.clock import ManualClock
from bot.domain.errors import BudgetSpent, CannotKeep, NotLinked, ServiceDown, TokenRejected
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.posts import PostPlan
from bot.store import LeaderLease, Store, Vault, new_key

BEFORE = datetime(2026, 11, 21, 11, 50, tzinfo=UTC)
"""Ten minutes before a post, when everybody's turn has come."""
HOME = GuildId(77)
MEMBERS = [MemberId(number) for number in range(1, 13)]


def link(member: MemberId) -> AccountLink:
    return AccountLink(
        member=member, user_id=UserId(7), user_name=UserName("a"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=BEFORE,
    )  # fmt: skip


@dataclass
class Looks:
    """What the service says of each, or what goes wrong; and who was looked at."""

    store: Store
    clock: ManualClock
    troubles: dict[MemberId, Exception] = field(default_factory=dict[MemberId, Exception])
    asked: list[MemberId] = field(default_factory=list[MemberId])
    requests: Counter[str] = field(default_factory=Counter[str])
    under_way: int = 0
    most_at_once: int = 0

    async def look(self, member: MemberId) -> bool:
        self.asked.append(member)
        self.under_way += 1
        self.most_at_once = max(self.most_at_once, self.under_way)
        await asyncio.sleep(0)
        self.under_way -= 1
        if member in self.troubles:
            raise self.troubles[member]
        now = self.clock.now()
        await self.store.refresh_schedule.note(link(member), now, again_at=now + timedelta(hours=20))
        return member % 2 == 0

    def refresh(self, leader: LeaderLease | None = None) -> BackgroundRefresh:
        return BackgroundRefresh(
            self.store, self.look, leader or LeaderLease(None, is_alone=True), self.clock, self.requests
        )

    def asked_since(self) -> list[MemberId]:
        asked, self.asked = sorted(self.asked), []
        return asked


@pytest.fixture
async def looks(tmp_path: Path) -> AsyncIterator[Looks]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        plan = PostPlan(guild=HOME, channel=ChannelId(5), post_at=time(12), timezone="UTC")
        await store.plans.save(plan, BEFORE - timedelta(hours=9))
        for member in MEMBERS:
            await store.links.save(link(member), "5d" * 32)
            await store.daily.join(HOME, member)
        yield Looks(store, ManualClock(BEFORE))


async def test_everybody_is_looked_at_once_four_at_a_time(looks: Looks) -> None:
    refresh = looks.refresh()
    assert await refresh.run_once() == 60
    assert looks.asked_since() == MEMBERS
    assert looks.most_at_once == 4
    assert refresh.counts == {"looked": 12, "fetched": 6}
    looks.clock.advance(60)
    await looks.refresh().run_once()  # as after a restart
    assert looks.asked_since() == []


async def test_who_has_not_the_duty_looks_at_nobody(looks: Looks) -> None:
    await looks.refresh(LeaderLease(None, is_alone=False)).run_once()
    assert looks.asked_since() == []


async def test_who_cannot_be_looked_at_holds_nobody_up_and_is_left_alone(looks: Looks) -> None:
    looks.troubles = {MEMBERS[0]: TokenRejected(), MEMBERS[1]: ValueError("odd"), MEMBERS[2]: NotLinked()}
    refresh = looks.refresh()
    await refresh.run_once()
    assert looks.asked_since() == MEMBERS
    assert refresh.counts == {"looked": 9, "fetched": 5, "failed": 2}
    looks.clock.advance(300)
    await refresh.run_once()
    assert looks.asked_since() == MEMBERS[2:3]
    await settle_posts(looks.store, looks.clock.now() + timedelta(hours=1))
    looks.clock.advance(86_400 - 300)
    await refresh.run_once()
    assert looks.asked_since() == MEMBERS
    await settle_posts(looks.store, looks.clock.now() + timedelta(hours=1))
    looks.clock.advance(86_400)
    await refresh.run_once()
    assert looks.asked_since() == MEMBERS[2:]


async def test_whose_requests_are_used_up_is_tried_again_soon(looks: Looks) -> None:
    looks.clock.set_back(600)
    looks.troubles = {MEMBERS[0]: BudgetSpent(BEFORE)}
    refresh = looks.refresh()
    await refresh.run_once()
    looks.clock.advance(14 * 60)
    looks.troubles.clear()
    looks.asked_since()
    await refresh.run_once()
    assert looks.asked_since() == []
    looks.clock.advance(60)
    await refresh.run_once()
    assert looks.asked_since() == MEMBERS[:1]


async def test_while_the_service_is_down_it_is_left_alone_for_ever_longer(looks: Looks) -> None:
    looks.clock.set_back(1200)
    looks.troubles = dict.fromkeys(MEMBERS, ServiceDown())
    refresh = looks.refresh()
    asked: list[int] = []
    for _ in range(8):
        await refresh.run_once()
        asked.append(len(looks.asked_since()))
        looks.clock.advance(60)
    assert asked == [4, 1, 0, 1, 0, 0, 0, 1]
    looks.clock.advance(900)
    looks.troubles.clear()
    await refresh.run_once()
    assert looks.asked_since() == MEMBERS
    assert not refresh._breaker.is_half_open


async def test_once_it_refuses_it_is_left_alone(looks: Looks) -> None:
    refresh = looks.refresh()
    looks.troubles = dict.fromkeys(MEMBERS, BudgetSpent(BEFORE))

    async def refused(member: MemberId) -> bool:
        looks.requests["too_many"] += 1
        return await Looks.look(looks, member)

    refresh._look = refused
    await refresh.run_once()
    assert refresh._breaker.is_open


async def test_what_cannot_be_noted_is_told(looks: Looks) -> None:
    looks.troubles = {MEMBERS[0]: CannotKeep()}
    with pytest.raises(CannotKeep):
        await looks.refresh().run_once()
