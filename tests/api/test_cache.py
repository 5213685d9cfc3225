import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from bot.api.cache import AnswerCache, Key, next_catalogue_refresh
from bot.clock import JST, ManualClock
from bot.domain.errors import BudgetSpent, NotFound, ServiceDown, UnreadableReply

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
KEY = Key("alice", "rating")


class Service:
    """Answers with a number that grows, when it is let."""

    def __init__(self) -> None:
        self.asked = 0
        self.was_asked = asyncio.Event()
        self.gate = asyncio.Event()
        self.gate.set()
        self.error: Exception | None = None

    async def ask(self) -> int:
        self.asked += 1
        self.was_asked.set()
        await self.gate.wait()
        if self.error:
            raise self.error
        return self.asked


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(NOW)


@pytest.fixture
def cache(clock: ManualClock) -> AnswerCache:
    return AnswerCache(clock, fresh_for=timedelta(seconds=60))


@pytest.fixture
def service() -> Service:
    return Service()


async def test_an_answer_is_kept_while_it_is_fresh(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    assert (await cache.get(KEY, service.ask)).value == 1
    clock.advance(59)
    assert (await cache.get(KEY, service.ask)).value == 1
    clock.advance(1)
    answer = await cache.get(KEY, service.ask)
    assert (answer.value, answer.is_stale) == (2, False)


async def test_equal_questions_share_one_request(cache: AnswerCache, service: Service) -> None:
    answers = await asyncio.gather(*(cache.get(KEY, service.ask) for _ in range(5)))
    assert {answer.value for answer in answers} == {1}
    assert service.asked == 1


async def test_accounts_do_not_share(cache: AnswerCache, service: Service) -> None:
    await cache.get(KEY, service.ask)
    assert (await cache.get(Key("bob", "rating"), service.ask)).value == 2


async def test_cancelling_one_caller_leaves_the_others(cache: AnswerCache, service: Service) -> None:
    service.gate.clear()
    first = asyncio.create_task(cache.get(KEY, service.ask))
    second = asyncio.create_task(cache.get(KEY, service.ask))
    await service.was_asked.wait()
    first.cancel()
    service.gate.set()
    assert (await second).value == 1
    with pytest.raises(asyncio.CancelledError):
        await first


@pytest.mark.parametrize("error", [ServiceDown(), BudgetSpent(NOW), UnreadableReply()])
async def test_the_last_known_answer_stands_in(
    cache: AnswerCache, clock: ManualClock, service: Service, error: Exception
) -> None:
    await cache.get(KEY, service.ask)
    clock.advance(3600)
    service.error = error
    answer = await cache.get(KEY, service.ask)
    assert (answer.value, answer.is_stale, answer.fetched_at) == (1, True, NOW)


async def test_a_no_of_the_service_is_no_reason_for_an_old_answer(
    cache: AnswerCache, clock: ManualClock, service: Service
) -> None:
    await cache.get(KEY, service.ask)
    clock.advance(3600)
    service.error = NotFound()
    with pytest.raises(NotFound):
        await cache.get(KEY, service.ask)


async def test_errors_are_not_kept(cache: AnswerCache, service: Service) -> None:
    service.error = ServiceDown()
    with pytest.raises(ServiceDown):
        await cache.get(KEY, service.ask)
    service.error = None
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_what_is_forgotten_is_asked_anew(cache: AnswerCache, service: Service) -> None:
    await cache.get(KEY, service.ask)
    cache.forget("alice")
    assert (await cache.get(KEY, service.ask)).value == 2


async def test_closing_ends_what_is_under_way(clock: ManualClock, service: Service) -> None:
    service.gate.clear()
    async with AnswerCache(clock, fresh_for=timedelta(0)) as cache:
        caller = asyncio.create_task(cache.get(KEY, service.ask))
        await service.was_asked.wait()
    with pytest.raises(asyncio.CancelledError):
        await caller


@pytest.mark.parametrize(
    ("now", "refresh"),
    [
        ("2026-11-21T00:00", "2026-11-21T12:10"),
        ("2026-11-21T12:09", "2026-11-21T12:10"),
        ("2026-11-21T12:10", "2026-11-21T21:10"),
        ("2026-11-21T21:09", "2026-11-21T21:10"),
        ("2026-11-21T21:10", "2026-11-22T12:10"),
        ("2026-12-31T23:00", "2027-01-01T12:10"),
    ],
)
def test_the_catalogue_is_fresh_until_ten_past_the_next_refresh(now: str, refresh: str) -> None:
    local = datetime.fromisoformat(now).replace(tzinfo=JST)
    assert next_catalogue_refresh(local.astimezone(UTC)) == datetime.fromisoformat(refresh).replace(
        tzinfo=JST
    )
