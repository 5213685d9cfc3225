"""Budgets that travel between several ledgers, each a process of its own to the others; in memory, and with --postgres there."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Protocol

import pytest
from scripted import Scripted
from shelf import BudgetsInMemory, Shelf
from sqlalchemy import select

from bot.api import RecordApi
from bot.api.budget import leased_ledger as travelling
from bot.api.budget.accounts import BudgetRegistry, key_of_account, key_of_token
from bot.api.budget.budget import Permit, Priority
from bot.api.budget.leased_ledger import LeasedLedger
from bot.api.budget.pacing import BURST_REQUESTS
from bot.api.budget.rate_limiter import RateLimiter, SharedPriority
from bot.api.budget.unwritten import MAX_UNWRITTEN_REQUESTS
from bot.api.budget.window import ASSUMED_QUICK_REQUEST_COST, RateHeaders
from bot.base.clock import SteadyClock, SystemClock
from bot.database.tables import BUDGETS
from bot.domain.errors import BudgetSpent, CannotRead, NotYet
from bot.domain.ids import UserId
from bot.domain.kept import KeptWindow
from bot.store import ClusterMember, SharedBudgetLeases, Store, Vault, new_key

ACCOUNT, TOKEN = UserId(7), "one"
LIMIT, SECONDS = 100, 600.0
PATIENCE = 5.0


class Process:
    """What stands in one process between those who ask and the service."""

    def __init__(self, place: "Place", shared: SharedBudgetLeases | BudgetsInMemory) -> None:
        self.place, self.shared = place, shared
        self.clock = SteadyClock(SystemClock(), asyncio.sleep)
        self.ledger = LeasedLedger(BudgetRegistry(), self.clock, shared)
        self.limiter = RateLimiter(self.ledger, self.clock, counts=Counter())

    async def enter(
        self, priority: Priority = Priority.PERSON, *, token: str = TOKEN, patience: float = PATIENCE
    ) -> Permit:
        deadline = self.clock.monotonic() + patience
        return await self.limiter.acquire(token, "2.0", SharedPriority(priority), deadline)

    async def ask(self, remaining: int, *, token: str = TOKEN) -> None:
        permit = await self.enter(token=token)
        await self.limiter.record_reply(permit, headers(remaining))

    @property
    def left(self) -> int:
        return self.ledger.requests_left(key_of_account(ACCOUNT), "2.0").remaining

    @property
    def has_it(self) -> bool:
        return key_of_account(ACCOUNT) in self.ledger._leases


def headers(remaining: int) -> RateHeaders:
    return RateHeaders(limit=LIMIT, remaining=remaining, reset_at=SECONDS, ends_in=SECONDS)


class Place(Protocol):
    """Where the budgets are that no process holds."""

    def process(self) -> AbstractAsyncContextManager[Process]: ...
    async def bury(self, process: Process) -> None:
        """Take a process for dead."""

    async def keep(self, window: KeptWindow) -> None:
        """Leave the word of one process alone."""

    async def names(self) -> set[str]:
        """Return of which accounts and tokens something stands there."""
        ...


class Memory:
    """A shelf."""

    def __init__(self) -> None:
        self.shelf = Shelf()

    @asynccontextmanager
    async def process(self) -> AsyncGenerator[Process]:
        yield Process(self, BudgetsInMemory(self.shelf))

    async def bury(self, process: Process) -> None:
        assert isinstance(process.shared, BudgetsInMemory)
        self.shelf.bury(process.shared.me)

    async def keep(self, window: KeptWindow) -> None:
        self.shelf.kept.append(window)

    async def names(self) -> set[str]:
        return {*self.shelf.rows}


class Server:
    """A database in PostgreSQL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.stores: dict[Process, tuple[Store, ClusterMember]] = {}

    @asynccontextmanager
    async def process(self) -> AsyncGenerator[Process]:
        async with Store(self.url, Vault([new_key()])) as store, store.member() as presence:
            shared = store.budgets(presence)
            assert shared is not None
            process = Process(self, shared)
            self.stores[process] = store, presence
            yield process

    async def bury(self, process: Process) -> None:
        store, presence = self.stores[process]
        await store.leases.reap([presence.me])

    async def keep(self, window: KeptWindow) -> None:
        async with Store(self.url, Vault([new_key()])) as store:
            await store.windows.store([window])

    async def names(self) -> set[str]:
        store, _ = next(iter(self.stores.values()))
        async with store._database.read() as connection:
            return set((await connection.execute(select(BUDGETS.c.name))).scalars())


Start = Callable[..., AbstractAsyncContextManager[Process]]


@pytest.fixture
def place(url: str, request: pytest.FixtureRequest) -> Place:
    return Server(url) if request.config.getoption("--postgres") else Memory()


@pytest.fixture
def start(place: Place, monkeypatch: pytest.MonkeyPatch) -> Start:
    def hear_nothing(*_: object) -> None:
        pass

    @asynccontextmanager
    async def started(*, is_deaf: bool = False) -> AsyncGenerator[Process]:
        async with place.process() as process:
            if is_deaf:
                monkeypatch.setattr(process.shared, "subscribe", hear_nothing)
            async with process.ledger:
                await process.limiter.link_token(TOKEN, ACCOUNT)
                yield process

    return started


@pytest.fixture
async def one(start: Start) -> AsyncIterator[Process]:
    async with start() as process:
        yield process


@pytest.fixture
async def two(start: Start) -> AsyncIterator[Process]:
    async with start() as process:
        yield process


async def test_who_asks_next_goes_on_from_what_is_left(one: Process, two: Process) -> None:
    await one.ask(50)
    await two.ask(49)
    assert (one.has_it, two.has_it) == (False, True)
    await one.ask(48)
    assert one.left == 48


async def test_what_becomes_of_leases_is_counted(one: Process, two: Process) -> None:
    await one.ask(50)
    await two.ask(49)
    assert (one.ledger.leases_held, two.ledger.leases_held) == (0, 1)
    assert one.ledger.counts == {"taken": 1, "handed_over": 1}
    assert two.ledger.counts == {"taken": 1, "waited": 1}
    await two.place.bury(two)
    await one.ask(48)
    for _ in range(BURST_REQUESTS):  # beyond the block, which has to be written
        await two.enter()
    assert two.ledger.counts["lost"] == 1


async def test_what_is_spent_here_is_spent_there(one: Process, two: Process) -> None:
    await one.ask(0)
    with pytest.raises(BudgetSpent):
        await two.enter()


async def test_of_a_dead_process_a_block_counts_as_spent(one: Process, two: Process) -> None:
    await one.ask(50)
    await one.ask(49)
    await one.place.bury(one)
    await two.ledger.acquire_lease(key_of_account(ACCOUNT), Priority.PERSON, two.clock.monotonic() + PATIENCE)
    assert (
        two.left == 50 - ASSUMED_QUICK_REQUEST_COST - MAX_UNWRITTEN_REQUESTS
    )  # the second was under way when that was written


async def test_more_than_a_block_is_written_before_it_is_sent(one: Process, two: Process) -> None:
    await one.ask(50)
    for _ in range(BURST_REQUESTS - 1):
        await one.enter()
    await one.place.bury(one)
    await two.ledger.acquire_lease(key_of_account(ACCOUNT), Priority.PERSON, two.clock.monotonic() + PATIENCE)
    assert two.left <= 50 - MAX_UNWRITTEN_REQUESTS


async def test_what_waits_to_be_sent_is_given_up_once_the_lease_has_passed_on(
    one: Process, two: Process
) -> None:
    late = await one.enter()
    assert one.limiter.may_send(late)
    assert two.limiter.may_send(await two.enter())
    assert not one.limiter.may_send(late)
    await one.limiter.return_unsent(late)


async def test_nothing_is_sent_in_the_name_of_the_dead(one: Process) -> None:
    permit = await one.enter()
    if isinstance(one.shared, BudgetsInMemory):
        one.shared.is_in_time = False
    else:
        one.shared._member._heard_until = 0.0
    assert not one.limiter.may_send(permit)


async def test_a_lease_that_others_took_is_not_believed_in(one: Process, two: Process) -> None:
    await one.ask(50)
    await one.place.bury(one)
    await two.ask(40)
    permits = [await one.enter() for _ in range(BURST_REQUESTS)]
    assert one.limiter.may_send(permits[-1])
    assert one.left < 40


async def test_what_is_told_may_be_lost(one: Process, start: Start) -> None:
    async with start(is_deaf=True) as deaf, start(is_deaf=True) as other:
        for process in (deaf, other, deaf, one):
            await process.ask(50)


async def test_a_lease_is_not_given_to_who_is_less_urgent_than_those_who_wait(
    one: Process, two: Process
) -> None:
    await one.ask(0)
    waiting = asyncio.create_task(one.enter(patience=2 * SECONDS))
    while not one.limiter._waiting:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)
    with pytest.raises(NotYet):
        await two.enter(Priority.DAILY, patience=0)
    assert one.has_it
    with pytest.raises(BudgetSpent) as spent:
        await two.enter(patience=PATIENCE)
    assert spent.type is BudgetSpent
    waiting.cancel()


async def test_what_a_token_spent_counts_for_its_account(one: Process, two: Process) -> None:
    await two.ask(60)
    await one.ask(50, token="new")
    await one.limiter.link_token("new", ACCOUNT)
    await two.ledger.acquire_lease(key_of_account(ACCOUNT), Priority.PERSON, two.clock.monotonic() + PATIENCE)
    assert two.left == 50
    assert await one.place.names() == {key_of_account(ACCOUNT)}


async def test_two_who_learn_of_each_others_account_do_not_wait_for_one_another(
    one: Process, two: Process
) -> None:
    await one.ask(60, token="new")
    await two.ask(50, token="newer")
    await asyncio.gather(one.limiter.link_token("new", ACCOUNT), two.limiter.link_token("newer", ACCOUNT))
    await one.ask(40)
    await two.ask(39)


@pytest.mark.postgres
async def test_what_is_erased_is_not_written_again(one: Process) -> None:
    assert isinstance(one.place, Server)
    store, _ = one.place.stores[one]
    await one.ask(50)
    await store.answers.erase(ACCOUNT)
    assert await one.place.names() == set()
    await one.ledger.release_account(ACCOUNT)
    assert not one.has_it
    assert await one.place.names() == set()
    await one.ask(49)  # a count goes on where somebody asks, erased or not
    assert one.left == 49


async def test_while_the_database_is_away_a_block_may_be_spent(
    one: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise CannotRead

    await one.ask(50)
    await one.ask(49)
    if isinstance(one.shared, BudgetsInMemory):
        one.shared.is_away = True
    else:
        monkeypatch.setattr(SharedBudgetLeases, "_ask", refuse)
    await one.ask(48)
    await one.enter()
    with pytest.raises(CannotRead):
        await one.enter()
    assert one.left == 48 - ASSUMED_QUICK_REQUEST_COST
    monkeypatch.undo()
    if isinstance(one.shared, BudgetsInMemory):
        one.shared.is_away = False
    await one.enter()


async def test_one_process_alone_left_word_for_several(start: Start, place: Place) -> None:
    origin = datetime.now(UTC)
    window = KeptWindow(
        account=key_of_token("new"), version="2.0", limit=LIMIT, remaining=30, lost=0,
        reset_at=origin, ends_at=origin + timedelta(seconds=SECONDS), sent_at=origin, spacing=0.25, dearest=1,
    )  # fmt: skip
    await place.keep(window)
    async with start() as process:
        await process.enter(token="new")
        assert (
            process.ledger.requests_left(key_of_token("new"), "2.0").remaining
            == 30 - ASSUMED_QUICK_REQUEST_COST
        )


async def test_a_lease_is_given_back_after_some_quiet(one: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(travelling, "_IDLE_RELEASE_SECONDS", 0.0)
    await one.ask(50)
    while one.has_it:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0.01)
    await one.ask(49)


@pytest.mark.postgres
async def test_what_is_of_no_use_any_more_is_dropped(one: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    await one.ask(50)
    await one.ledger.release_account(ACCOUNT)
    shared = one.shared
    await shared.delete_stale()
    assert await one.place.names() == {key_of_account(ACCOUNT)}
    monkeypatch.setattr("bot.cluster.budget_leases._UNLINKED_SECONDS", -1.0)
    await shared.delete_stale()
    assert await one.place.names() == set()


async def test_what_is_sent_counts_for_the_account_however_many_come_meanwhile(
    one: Process, scripted: Scripted
) -> None:
    """That a token is an account's is forgotten where others come while its budget is on its way."""
    scripted.says({"users": []})
    members = range(1, 20)
    async with RecordApi(scripted.url, shared=one.shared) as api:
        holders = [api.holder(f"token {each}", user_id=UserId(each)) for each in members]
        await asyncio.gather(*(each.v2_0.friends.list() for each in holders))
    assert await one.place.names() == {key_of_account(UserId(each)) for each in members}
