"""A limiter before a ledger, on a clock that moves when somebody sleeps long enough for it."""

import asyncio
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Final

from bot.api.budget.accounts import BudgetRegistry, key_of_token
from bot.api.budget.budget import BudgetLeft, Permit, Priority
from bot.api.budget.local_ledger import LocalLedger
from bot.api.budget.rate_limiter import RateLimiter, SharedPriority
from bot.api.budget.window import RateHeaders
from bot.base.clock import ManualClock, SteadyClock
from bot.domain.kept import KeptWindow

NOW: Final = datetime(2026, 11, 21, 3, tzinfo=UTC)
RESET: Final = 600.0
"""Seconds from then."""
PATIENCE: Final = 3600.0
ONE: Final = "one"


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
    """Both of them, and who sleeps."""

    def __init__(self, copy: Copy | None = None) -> None:
        self.clock = ManualClock(NOW)
        self.counts: Counter[str] = Counter()
        self.sleeping: list[tuple[float, asyncio.Event]] = []
        steady = SteadyClock(self.clock, self._sleep)
        self.ledger = LocalLedger(BudgetRegistry(), steady, copy)
        self.limiter = RateLimiter(self.ledger, steady, counts=self.counts)

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

    def enter(self, priority: Priority = Priority.PERSON, *, token: str = ONE) -> asyncio.Task[Permit]:
        return asyncio.create_task(self.limiter.acquire(token, "2.0", SharedPriority(priority), PATIENCE))

    def left(self, token: str = ONE) -> BudgetLeft:
        return self.ledger.requests_left(key_of_token(token), "2.0")

    def headers(self, remaining: int, reset: float = RESET) -> RateHeaders:
        ends_in = reset - self.clock.monotonic()
        return RateHeaders(limit=100, remaining=remaining, reset_at=NOW.timestamp() + reset, ends_in=ends_in)

    async def ask(self, remaining: int, *, token: str = ONE) -> None:
        permit = await self.enter(token=token)
        await self.limiter.record_reply(permit, self.headers(remaining))


async def settle_down() -> None:
    for _ in range(20):
        await asyncio.sleep(0)
