import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from bot.api.budget.accounts import Budgets, key_of_token
from bot.api.budget.budget import Priority, Ticket
from bot.api.budget.ledger import MemoryLedger
from bot.api.budget.pace import BURST
from bot.api.budget.turnstile import Turnstile, Urgency
from bot.api.budget.window import LENGTH, RateHeaders
from bot.clock import ManualClock
from bot.domain.errors import BudgetSpent, NotYet
from bot.domain.ids import UserId
from bot.domain.kept import KeptWindow

NOW = datetime(2026, 11, 21, 3, tzinfo=UTC)
RESET = NOW + timedelta(minutes=10)
PATIENCE = 3600.0
ONE = "one"


class Copy:
    """Keeps what it is given; can be told to fail."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], KeptWindow] = {}
        self.is_broken = False
        self.is_ready = asyncio.Event()
        """Until it is set, what is to be stored waits."""
        self.is_ready.set()

    async def load(self) -> Sequence[KeptWindow]:
        return list(self.kept.values())

    async def store(self, windows: Sequence[KeptWindow], *, gone: Collection[str] = ()) -> None:
        if self.is_broken:
            raise OSError
        await self.is_ready.wait()
        self.kept = {key: window for key, window in self.kept.items() if key[0] not in gone}
        self.kept |= {(window.account, window.version): window for window in windows}


class Gate:
    """A turnstile on a clock that moves when somebody sleeps long enough for it."""

    def __init__(self, copy: Copy | None = None) -> None:
        self.clock = ManualClock(NOW)
        self.counts: Counter[str] = Counter()
        self.sleeping: list[tuple[float, asyncio.Event]] = []
        self.ledger = MemoryLedger(Budgets(), self.clock, copy)
        self.turnstile = Turnstile(self.ledger, self.clock, sleep=self._sleep, counts=self.counts)

    async def _sleep(self, seconds: float) -> None:
        alarm = (self.clock.monotonic() + seconds, asyncio.Event())
        self.sleeping.append(alarm)
        try:
            await alarm[1].wait()
        finally:
            self.sleeping.remove(alarm)

    async def pass_time(self, seconds: float) -> None:
        until = self.clock.monotonic() + seconds
        while due := [alarm for alarm in self.sleeping if alarm[0] <= until and not alarm[1].is_set()]:
            first = min(due, key=lambda alarm: alarm[0])
            self.clock.advance(max(0.0, first[0] - self.clock.monotonic()))
            first[1].set()
            await settle_down()
        self.clock.advance(until - self.clock.monotonic())
        await settle_down()

    def enter(self, priority: Priority = Priority.PERSON, *, token: str = ONE) -> asyncio.Task[Ticket]:
        return asyncio.create_task(self.turnstile.enter(token, "2.0", Urgency(priority), PATIENCE))

    async def ask(self, remaining: int, *, token: str = ONE, reset: datetime = RESET) -> None:
        ticket = await self.enter(token=token)
        headers = RateHeaders(limit=100, remaining=remaining, reset_at=reset, ends_at=reset)
        await self.turnstile.settle(ticket, headers)


async def settle_down() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
def gate() -> Gate:
    return Gate()


async def test_those_who_wait_go_in_order_when_the_window_opens(gate: Gate) -> None:
    await gate.ask(0)
    order: list[str] = []
    tasks: list[asyncio.Task[Ticket]] = []
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
    tickets = [await gate.enter() for _ in range(BURST)]
    waiting = [gate.enter() for _ in range(3)]
    await settle_down()
    assert not any(task.done() for task in waiting)
    until = await gate.turnstile.settle_refused(tickets[0], None, PATIENCE + 60)
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
    for _ in range(BURST):
        await gate.enter()
    now, patience = gate.clock.now(), gate.clock.monotonic() + 0.1
    with pytest.raises(NotYet) as refused:
        await gate.turnstile.enter(ONE, "2.0", Urgency(Priority.PERSON), patience)
    assert now < refused.value.retry_at < now + timedelta(seconds=1)
    assert gate.ledger.left(key_of_token(ONE), "2.0").remaining > 0


async def test_an_answer_lets_the_next_one_in(gate: Gate) -> None:
    tickets = [await gate.enter() for _ in range(BURST)]
    task = gate.enter()
    await gate.pass_time(5)
    assert not task.done()
    headers = RateHeaders(limit=100, remaining=99, reset_at=RESET, ends_at=RESET)
    await gate.turnstile.settle(tickets[0], headers)
    await asyncio.wait_for(task, 1)


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
    urgency = Urgency(Priority.PREFETCH)
    task = asyncio.create_task(gate.turnstile.enter("one", "2.0", urgency, PATIENCE))
    await gate.pass_time(60)
    assert not task.done()
    urgency.hasten(Priority.PERSON)
    await asyncio.wait_for(task, 1)


async def test_who_waits_with_a_token_moves_to_the_accounts_queue(gate: Gate) -> None:
    await gate.ask(0)
    waiting = gate.enter(token="one")
    await settle_down()
    gate.turnstile.know("two", UserId(7))
    gate.turnstile.know("one", UserId(7))
    await settle_down()
    assert not waiting.done()
    assert gate.ledger.left(key_of_token("two"), "2.0").remaining == 0
    await gate.pass_time(600)
    assert waiting.done()


async def test_a_clock_that_stands_still_keeps_nobody_waiting() -> None:
    clock = ManualClock(NOW)
    ledger = MemoryLedger(Budgets(), clock)

    async def sleep(_seconds: float) -> None:
        await asyncio.sleep(0)

    turnstile = Turnstile(ledger, clock, sleep=sleep, counts=Counter())
    for _ in range(3 * BURST):
        ticket = await turnstile.enter("one", "2.0", Urgency(Priority.DAILY), 10)
        await turnstile.settle(ticket, RateHeaders(limit=100, remaining=90, reset_at=RESET, ends_at=RESET))


async def test_the_copy_survives_a_restart() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(42)
    after = Gate(copy)
    async with after.ledger:
        assert after.ledger.left(key_of_token("one"), "2.0").remaining == 42


async def test_a_token_leaves_no_copy_once_its_account_is_known() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(42)
        await gate.ledger.save()
        gate.turnstile.know("one", UserId(7))
        await gate.ask(41)
    assert set(copy.kept) == {("account:7", "2.0")}


async def test_where_each_request_matters_the_copy_is_written_before_it_is_sent() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(20)
        await gate.pass_time(60)
        await gate.enter()
        (kept,) = copy.kept.values()
        assert (kept.remaining, kept.lost) == (20, 1)


async def test_a_copy_that_cannot_be_written_costs_nobody_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    copy = Copy()
    copy.is_broken = True
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(2)
        await gate.pass_time(60)
        await gate.ask(1)
        assert "could not be written" in caplog.text
        copy.is_broken = False
        await gate.ledger.save()
        assert copy.kept


async def test_a_copy_that_was_cancelled_half_way_is_written_later() -> None:
    """Whoever waits may give up while the copy is being written; and so it ends when the bot closes."""
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(42)
        copy.is_ready.clear()
        saving = asyncio.create_task(gate.ledger.save())
        await settle_down()
        saving.cancel()
        await asyncio.gather(saving, return_exceptions=True)
        assert copy.kept == {}
        copy.is_ready.set()
    (kept,) = copy.kept.values()
    assert kept.remaining == 42


async def test_a_clock_that_is_set_back_keeps_nobody_from_the_next_window(gate: Gate) -> None:
    await gate.ask(0)
    gate.clock.set_back(3600)
    assert gate.ledger.left(key_of_token(ONE), "2.0").reset_at == RESET - timedelta(hours=1)
    waiting = gate.enter()
    await gate.pass_time(599)
    assert not waiting.done()
    await gate.pass_time(1)
    await gate.turnstile.settle(await waiting, None)


async def test_a_clock_that_is_set_back_while_somebody_waits_makes_no_reply_old(gate: Gate) -> None:
    await gate.ask(0)
    waiting = gate.enter()
    await settle_down()
    gate.clock.set_back(3600)
    await gate.pass_time(600)
    ticket = await waiting
    ends_at = gate.turnstile.now() + LENGTH
    headers = RateHeaders(limit=100, remaining=99, reset_at=RESET + LENGTH, ends_at=ends_at)
    await gate.turnstile.settle(ticket, headers)
    left = gate.ledger.left(key_of_token(ONE), "2.0")
    assert left.remaining == 99
    assert ends_at - gate.clock.now() == LENGTH


async def test_a_restart_with_a_clock_that_was_set_back_meanwhile() -> None:
    copy = Copy()
    gate = Gate(copy)
    async with gate.ledger:
        await gate.ask(0)
    after = Gate(copy)
    after.clock.set_back(3600)
    async with after.ledger:
        left = after.ledger.left(key_of_token(ONE), "2.0")
        assert (left.remaining, left.reset_at) == (0, RESET - timedelta(hours=1))
