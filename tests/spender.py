"""Processes that spend the budgets of accounts together, and the service's own count of what they did.

    async with spending_service(folder, accounts=1, limit=60) as service, fleet(service, database, 4, askers=3) as ones:
        ...
    assert service.refused == 0

`python tests/spender.py` is one such process.
"""

import asyncio
import json
import logging
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter, defaultdict
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from bot.api import RecordApi
from bot.api.budget import budget, window
from bot.base.clock import SystemClock
from bot.domain.errors import BotError
from bot.domain.ids import UserId
from bot.store import SharedBudgetLeases, Store, Vault, new_key
from bot.wire.versions import Version
from service.limits import LimitWindow, RateWindows
from service.options import ServiceOptions
from service.seed import seed
from service.server import running

VERSION: Version = "2.0"
CHANCE = Random()  # noqa: S311 - load, no secret
GIVEN_UP = 0.2
"""Seconds between two questions of somebody who was refused."""


@dataclass(kw_only=True)
class Spending:
    """What one process is to do."""

    service: str
    tokens: Sequence[tuple[int, str]]
    """Each account with a token of its own."""
    window_seconds: float
    """In place of the specification's 15 minutes, which are too long to wait for."""
    database: str = ""
    """Where the budgets are shared; in memory alone if empty."""
    askers: int = 3
    patience: float = 5.0
    at_home: float = 0.0
    """How often somebody asks for an account of this process, of those that it has with `place`."""
    place: int = 0
    places: int = 1
    skew: float = 0.0
    """How far the clocks of this process are ahead of the machine's."""
    is_deaf: bool = False
    """Nothing that other processes tell is heard."""
    pause: float = 0.0
    """Seconds between two questions of one asker."""


class SkewedClock(SystemClock):
    def __init__(self, skew: float) -> None:
        self._skew = skew

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=self._skew)

    def monotonic(self) -> float:
        return super().monotonic() + self._skew


async def spend(told: Spending) -> None:
    """Ask and ask, and say what became of it."""
    window.WINDOW_SECONDS = budget.WINDOW_SECONDS = told.window_seconds  # pyright: ignore[reportAttributeAccessIssue]  # see there
    if told.is_deaf:
        SharedBudgetLeases.subscribe = hear_nothing
    clock = SkewedClock(told.skew)
    if not told.database:
        async with RecordApi(told.service, clock=clock) as api:
            await ask_all(api, told)
        return
    async with Store(told.database, Vault([new_key()])) as store, store.member() as member:
        count_trips()
        async with RecordApi(told.service, clock=clock, shared=store.budgets(member)) as api:
            await ask_all(api, told)


def hear_nothing(self: SharedBudgetLeases, requested: object, received: object) -> None:
    pass


def count_trips() -> None:
    ask = SharedBudgetLeases._ask

    async def counted(self: SharedBudgetLeases, *arguments: Any, **values: Any) -> Any:
        say("trip")
        return await ask(self, *arguments, **values)

    SharedBudgetLeases._ask = counted  # pyright: ignore[reportAttributeAccessIssue]


async def ask_all(api: RecordApi, told: Spending) -> None:
    mine = [each for number, each in enumerate(told.tokens) if number % told.places == told.place]

    async def ask() -> None:
        while True:
            among = mine if mine and CHANCE.random() < told.at_home else told.tokens
            account, token = CHANCE.choice(among)
            holder = api.holder(token, patience=told.patience, user_id=UserId(account))
            try:
                await holder.v2_0.friends.list()
            except BotError as error:
                say(type(error).__name__)
                await asyncio.sleep(GIVEN_UP)
            else:
                say("answered")
                await asyncio.sleep(told.pause)

    await asyncio.gather(*(ask() for _ in range(told.askers)))


def say(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


@dataclass
class Judge:
    """What the service has counted."""

    address: str
    tokens: Sequence[tuple[int, str]]
    limit: int
    window_seconds: int
    granted: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(Counter))
    """By account and the end of the window."""
    refused: int = 0

    def left(self, account: int) -> int:
        """Return what is left of the newest window of an account."""
        return self.limit - next(reversed(self.granted[account].values()), 0)

    def whole_windows(self, account: int) -> Sequence[int]:
        """Return what was granted in each window of an account but the last, which may not be over."""
        return list(self.granted[account].values())[:-1]


@asynccontextmanager
async def spending_service(
    folder: Path, *, accounts: int, limit: int, window_seconds: int, delay: float = 0.0
) -> AsyncGenerator[Judge]:
    """Run a record service of so many accounts, and count with it."""
    players = seed(folder / "service.db", players=accounts).players
    options = ServiceOptions(
        limits={"2.0": limit, "1.3": 120, "1.0": 200},
        window_seconds=window_seconds,
        quick_seconds=0,
        delay_seconds=delay,
    )
    judge = Judge("", [(each.user_id, each.token) for each in players], limit, window_seconds)
    spend_one = RateWindows.spend

    def counted(self: RateWindows, version: Version, user_id: UserId) -> LimitWindow:
        counted = spend_one(self, version, user_id)
        judge.refused += counted.is_refused
        judge.granted[user_id][counted.reset] += not counted.is_refused
        return counted

    RateWindows.spend = counted
    try:
        async with running(folder / "service.db", options=options) as judge.address:
            yield judge
    finally:
        RateWindows.spend = spend_one


class Spender:
    """One process, started anew whenever it has ended."""

    def __init__(self, told: Spending) -> None:
        self.told = told
        self.said: Counter[str] = Counter()
        self.deaths = 0
        self._process: Process | None = None
        self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            self._process = process = await asyncio.create_subprocess_exec(
                sys.executable, __file__, stdin=PIPE, stdout=PIPE
            )
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(json.dumps(asdict(self.told)).encode())
            process.stdin.close()
            async for line in process.stdout:
                self.said[line.decode().strip()] += 1
            await process.wait()
            self.deaths += 1

    def send(self, sent: signal.Signals) -> None:
        """Kill it, have it stand still, or go on."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(sent)

    async def close(self) -> None:
        self._running.cancel()
        self.send(signal.SIGCONT)
        self.send(signal.SIGKILL)
        await asyncio.wait({self._running})
        if self._process is not None:
            await self._process.wait()


@asynccontextmanager
async def spenders(judge: Judge, processes: int, **told: Any) -> AsyncGenerator[Sequence[Spender]]:
    """Let so many processes spend together, by clocks up to an hour apart."""
    seconds = judge.window_seconds
    ones = [
        Spender(
            Spending(
                service=judge.address, tokens=judge.tokens, window_seconds=seconds, place=place,
                places=processes, skew=CHANCE.uniform(-1800, 1800), **told,
            )
        )
        for place in range(processes)
    ]  # fmt: skip
    try:
        yield ones
    finally:
        await asyncio.gather(*(each.close() for each in ones))


def said(ones: Sequence[Spender]) -> Mapping[str, int]:
    """Return what all of them said together."""
    return sum((each.said for each in ones), Counter[str]())


if __name__ == "__main__":
    logging.disable()
    asyncio.run(spend(Spending(**json.load(sys.stdin))))
