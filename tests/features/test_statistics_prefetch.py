"""bot/background/statistics.py: which charts are asked about and when, and what becomes of trouble."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from players import Arcade

from bot.background import statistics as gathering
from bot.background.statistics import CHART_SPACING_SECONDS, StatisticsPrefetch
from bot.base.clock import ManualClock
from bot.domain.charts import Catalogue
from bot.domain.coach.prefetch_order import next_to_fetch
from bot.domain.coach.summaries import ChartSummary
from bot.domain.errors import (
    BotError,
    BudgetSpent,
    CannotRead,
    NotFound,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.domain.history import ChartKey, Snapshot
from bot.domain.ids import JP2, MemberId, Region, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.statistics import ChartStatistics
from bot.store import LeaderLease, Store, Vault, new_key

NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
CATALOGUE: Final = Arcade(1, songs=3).catalogue
TURNS: Final = next_to_fetch(CATALOGUE, (), (), 99)
SAID: Final = ChartStatistics(players=5, ranks={}, lamps={}, averages={})
WEEK: Final = 7 * 86_400


@dataclass
class Service:
    """What it says of each chart, or what goes wrong; and what it was asked about."""

    store: Store
    clock: ManualClock
    troubles: dict[ChartKey, Exception] = field(default_factory=dict[ChartKey, Exception])
    trouble: Exception | None = None
    asked: list[ChartKey] = field(default_factory=list[ChartKey])
    begun_at: datetime = NOW - timedelta(days=365)
    """When the version of the game has begun."""

    async def ask(self, chart: ChartKey) -> ChartStatistics:
        self.asked.append(chart)
        if (trouble := self.trouble or self.troubles.get(chart)) is not None:
            raise trouble
        return SAID

    async def find_catalogue(self, region: Region) -> Catalogue | None:
        assert region == JP2
        return CATALOGUE

    def gathering(self, leader: LeaderLease | None = None) -> StatisticsPrefetch:
        leader = leader or LeaderLease(None, is_alone=True)
        return StatisticsPrefetch(
            self.store, self.find_catalogue, self.ask, leader, self.clock, lambda _region: self.begun_at
        )

    async def go(self, gathering: StatisticsPrefetch, times: int) -> list[float]:
        """Go so many times, each in its time; return after how many seconds to go on."""
        seconds: list[float] = []
        for _ in range(times):
            seconds.append(await gathering.run_once())
            self.clock.advance(seconds[-1])
        return seconds


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}", Vault([new_key()])) as store:
        yield Service(store, ManualClock(NOW))


async def test_every_chart_is_asked_about_once_a_week(service: Service) -> None:
    gathering = service.gathering()
    assert await service.go(gathering, 12) == [CHART_SPACING_SECONDS] * 12
    assert service.asked == TURNS
    assert await service.store.statistics.fetch_all() == dict.fromkeys(TURNS, ChartSummary.of(SAID))
    assert await service.go(gathering, 2) == [600] * 2
    service.clock.advance(WEEK - 1300)
    await service.go(gathering, 12)
    assert service.asked == TURNS * 2


async def test_what_was_gathered_before_a_turn_stays_until_ratings_have_climbed(service: Service) -> None:
    *known, new = TURNS
    for chart in known:
        await service.store.statistics.save(chart, ChartSummary.of(SAID), NOW - timedelta(days=3))
    service.begun_at = NOW
    gathering = service.gathering()
    for _ in range(28):
        await gathering.run_once()
        assert {*service.asked} == {new}, "of which nothing was known"
        service.clock.advance(timedelta(days=1).total_seconds())
    await service.go(gathering, 12)
    assert {*service.asked} == {*TURNS}


async def test_another_process_goes_on_where_one_has_stopped(service: Service) -> None:
    await service.go(service.gathering(), 5)
    await service.go(service.gathering(), 5)
    assert service.asked == TURNS[:10]


async def test_who_has_not_the_duty_asks_about_nothing(service: Service) -> None:
    assert await service.gathering(LeaderLease(None, is_alone=False)).run_once() == 600
    assert service.asked == []


async def test_what_members_can_learn_from_is_asked_about_first(service: Service) -> None:
    rating = Hundredths(1100)
    link = AccountLink(
        member=MemberId(1), user_id=UserId(1), user_name=UserName("a"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=NOW,
    )  # fmt: skip
    await service.store.links.save(link, "5d" * 32)
    for rating_then, day in ((Hundredths(1500), NOW.date() - timedelta(days=1)), (rating, NOW.date())):
        then = Snapshot(
            member=link.member, region=JP2, day=day, taken_at=NOW, rating=rating_then, scores={}
        )  # fmt: skip
        await service.store.snapshots.save(then, account=link.user_id)
    await service.go(service.gathering(), 12)
    assert service.asked == next_to_fetch(CATALOGUE, (), [rating], 99) != TURNS


async def test_what_a_member_asks_meanwhile_is_not_asked_again(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "_MAX_CHARTS_PER_CHOICE", 3)
    going = service.gathering()
    await going.run_once()
    await service.store.statistics.save(TURNS[1], ChartSummary.of(SAID), NOW)
    await service.go(going, 3)
    assert service.asked == [TURNS[0], *TURNS[2:5]]


@pytest.mark.parametrize("odd", [UnreadableReply(), NotFound(), ValueError("a fault of ours")])
async def test_an_odd_reply_lets_its_chart_wait_a_week(service: Service, odd: Exception) -> None:
    service.troubles = {TURNS[0]: odd}
    going = service.gathering()
    assert await service.go(going, 12) == [CHART_SPACING_SECONDS] * 12
    assert service.asked == TURNS
    assert set(await service.store.statistics.fetch_all()) == {*TURNS[1:]}
    service.troubles.clear()
    service.clock.advance(WEEK)
    await service.go(going, 1)
    assert set(await service.store.statistics.fetch_all()) == {*TURNS}


async def test_a_service_that_says_nothing_readable_of_any_chart_is_left_alone_too(service: Service) -> None:
    """And of all but the first charts nobody has to wait a week, once it is well again."""
    service.trouble = UnreadableReply()
    going = service.gathering()
    assert await service.go(going, 6) == [CHART_SPACING_SECONDS, CHART_SPACING_SECONDS, 60, 120, 240, 480]
    assert service.asked == TURNS[:6]
    service.trouble = None
    assert await service.go(going, 10) == [CHART_SPACING_SECONDS] * 10
    assert set(await service.store.statistics.fetch_all()) == {*TURNS[2:]}


async def test_charts_the_service_does_not_know_are_no_trouble(service: Service) -> None:
    service.trouble = NotFound()
    assert await service.go(service.gathering(), 12) == [CHART_SPACING_SECONDS] * 12


@pytest.mark.parametrize("trouble", [ServiceDown(), TokenRejected(), BudgetSpent(NOW)])
async def test_a_service_that_refuses_or_is_away_is_left_alone_for_ever_longer(
    service: Service, trouble: BotError
) -> None:
    service.trouble = trouble
    going = service.gathering()
    assert await service.go(going, 8) == [60, 120, 240, 480, 960, 1920, 3600, 3600]
    assert service.asked == TURNS[:1] * 8
    service.trouble = None
    assert await service.go(going, 11) == [CHART_SPACING_SECONDS] * 11
    service.trouble = trouble
    assert await going.run_once() == 60


async def test_requests_that_are_used_up_are_waited_for(service: Service) -> None:
    service.trouble = BudgetSpent(NOW + timedelta(seconds=700))
    assert await service.gathering().run_once() == 700


async def test_without_a_catalogue_nothing_is_asked(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(_region: Region) -> None:
        return None

    monkeypatch.setattr(service, "find_catalogue", nothing)
    assert await service.gathering().run_once() == 600
    assert service.asked == []


async def test_a_database_that_says_nothing_is_told(service: Service) -> None:
    service.trouble = CannotRead()
    with pytest.raises(CannotRead):
        await service.gathering().run_once()
