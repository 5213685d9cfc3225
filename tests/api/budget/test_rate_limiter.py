"""Holds `bot/api/budget/rate_limiter.py`."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest
from gate import NOW, ONE, PATIENCE, RESET, Copy, Gate, settle_down
from patience import PATIENT_SECONDS

from bot.api.budget.accounts import BudgetRegistry
from bot.api.budget.budget import Permit, Priority
from bot.api.budget.local_ledger import LocalLedger
from bot.api.budget.pacing import BURST_REQUESTS, INITIAL_SPACING_SECONDS
from bot.api.budget.rate_limiter import RateLimiter, SharedPriority
from bot.api.budget.window import WINDOW_SECONDS, RateHeaders
from bot.base.clock import ManualClock, SteadyClock
from bot.domain.errors import BudgetSpent, NotYet
from bot.domain.ids import UserId


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def test_those_who_wait_go_in_order_when_the_window_opens(gate: Gate) -> None:
    await gate.ask(0)
    order: list[str] = []
    tasks: list[asyncio.Task[Permit]] = []
    for name, priority in [
        ("daily", Priority.DAILY),
        ("first", Priority.PERSON),
        ("second", Priority.PERSON),
    ]:
        task = gate.enter(priority)
        task.add_done_callback(lambda _, name=name: order.append(name))
        tasks.append(task)
        await settle_down()
    await gate.pass_time(610)
    assert order == ["first", "second", "daily"]
    assert gate.counts["waited"] == 3
    await asyncio.gather(*tasks)


async def test_a_429_is_told_to_everybody_who_waits(gate: Gate) -> None:
    permits = [await gate.enter() for _ in range(BURST_REQUESTS)]
    waiting = [gate.enter() for _ in range(3)]
    await settle_down()
    assert not any(task.done() for task in waiting)
    until = await gate.limiter.record_rejection(permits[0], None, PATIENCE + 60)
    await settle_down()
    for task in waiting:
        with pytest.raises(BudgetSpent) as refused:
            await task
        assert refused.value.retry_at == until
    assert gate.counts == {"too_many": 1, "waited": 3, "refused": 3}
    assert (await gate.enter(token="other")).version == "2.0"


async def test_who_asks_too_quickly_is_told_so_and_not_that_all_is_spent(gate: Gate) -> None:
    await gate.ask(99)
    await gate.pass_time(60)
    for _ in range(BURST_REQUESTS):
        await gate.enter()
    now, patience = gate.clock.now(), gate.clock.monotonic() + 0.1
    with pytest.raises(NotYet) as refused:
        await gate.limiter.acquire(ONE, "2.0", SharedPriority(Priority.PERSON), patience)
    assert now < refused.value.retry_at < now + timedelta(seconds=1)
    assert gate.left().remaining > 0


async def test_an_answer_lets_the_next_one_in(gate: Gate) -> None:
    permits = [await gate.enter() for _ in range(BURST_REQUESTS)]
    task = gate.enter()
    await gate.pass_time(5)
    assert not task.done()
    headers = gate.headers(99)
    await gate.limiter.record_reply(permits[0], headers)
    await asyncio.wait_for(task, PATIENT_SECONDS)


async def test_who_is_cancelled_gives_the_place_back(gate: Gate) -> None:
    await gate.ask(0)
    first, second = gate.enter(), gate.enter()
    await settle_down()
    first.cancel()
    await settle_down()
    await gate.pass_time(600)
    assert second.done()
    assert not gate.sleeping


async def test_a_person_who_joins_hastens_what_waits(gate: Gate) -> None:
    await gate.ask(20)
    urgency = SharedPriority(Priority.PREFETCH)
    task = asyncio.create_task(gate.limiter.acquire(ONE, "2.0", urgency, PATIENCE))
    await gate.pass_time(60)
    assert not task.done()
    urgency.raise_to(Priority.PERSON)
    await asyncio.wait_for(task, PATIENT_SECONDS)


async def test_who_waits_with_a_token_moves_to_the_accounts_queue(gate: Gate) -> None:
    await gate.ask(0)
    waiting = gate.enter(token="one")
    await settle_down()
    await gate.limiter.link_token("two", UserId(7))
    await gate.limiter.link_token("one", UserId(7))
    await settle_down()
    assert not waiting.done()
    assert gate.left("two").remaining == 0
    await gate.pass_time(600)
    assert waiting.done()


async def test_whose_token_changes_hands_while_they_wait_keeps_nobody_waiting(gate: Gate) -> None:
    await gate.limiter.link_token("one", UserId(7))
    await gate.limiter.link_token("two", UserId(7))
    await gate.ask(0)
    first, second = gate.enter(token="one"), gate.enter(token="two")
    await settle_down()
    await gate.limiter.link_token("one", UserId(8))
    await settle_down()
    assert first.done()
    assert not second.done()
    await gate.pass_time(600)
    assert second.done()


async def test_a_clock_that_stands_still_keeps_nobody_waiting() -> None:
    async def sleep(_seconds: float) -> None:
        await asyncio.sleep(0)

    clock = SteadyClock(ManualClock(NOW), sleep)
    limiter = RateLimiter(LocalLedger(BudgetRegistry(), clock), clock, counts=Counter())
    for _ in range(3 * BURST_REQUESTS):
        permit = await limiter.acquire(ONE, "2.0", SharedPriority(Priority.DAILY), 10)
        headers = RateHeaders(limit=100, remaining=90, reset_at=RESET, ends_in=RESET)
        await limiter.record_reply(permit, headers)


async def test_who_gives_up_while_the_copy_is_written_takes_nothing_along() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(20)
        await gate.pass_time(60)
        copy.is_ready.clear()
        granted = gate.enter()
        await settle_down()
        assert gate.left().remaining == 19
        granted.cancel()
        await asyncio.gather(granted, return_exceptions=True)
        copy.is_ready.set()
        assert gate.left().remaining == 20


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_clock_that_is_set_back_or_forward_keeps_nobody_waiting_and_lets_nobody_through(
    gate: Gate, hours: int
) -> None:
    await gate.ask(0)
    waiting = gate.enter()
    await settle_down()
    gate.clock.set_back(hours * 3600)
    assert gate.left().reset_at == NOW + timedelta(seconds=RESET, hours=-hours)
    with pytest.raises(BudgetSpent) as refused:
        await gate.limiter.acquire(ONE, "2.0", SharedPriority(Priority.PERSON), 0)
    assert refused.value.retry_at == gate.left().reset_at
    later = gate.enter()
    await gate.pass_time(RESET - 1)
    assert not waiting.done()
    assert not later.done()
    await gate.pass_time(1)
    await gate.limiter.record_reply(await waiting, gate.headers(99, RESET + WINDOW_SECONDS))
    await gate.pass_time(1)
    await gate.limiter.record_reply(await later, gate.headers(98, RESET + WINDOW_SECONDS))
    left = gate.left()
    assert left.remaining == 98
    assert left.reset_at == gate.clock.now() + timedelta(seconds=WINDOW_SECONDS - 1)


@pytest.mark.parametrize("hours", [-1, 1])
async def test_a_clock_that_is_set_while_a_request_is_under_way_makes_no_reply_old(
    gate: Gate, hours: int
) -> None:
    permit = await gate.enter()
    gate.clock.set_back(hours * 3600)
    await gate.limiter.record_reply(permit, gate.headers(99))
    assert gate.left().remaining == 99


async def test_nobody_waits_behind_one_who_has_given_up(gate: Gate) -> None:
    await gate.ask(0)
    gone = gate.enter()
    await settle_down()
    gone.cancel()
    await gate.pass_time(RESET)
    later = gate.enter()
    await settle_down()
    assert later.done()


async def test_who_waits_behind_one_who_gives_up_comes_sooner(gate: Gate) -> None:
    await gate.ask(99)
    await gate.pass_time(60)
    for _ in range(BURST_REQUESTS):
        await gate.enter()
    gone, next_one = gate.enter(), gate.enter()
    await settle_down()
    gone.cancel()
    await gate.pass_time(INITIAL_SPACING_SECONDS * 1.1)
    assert next_one.done()
