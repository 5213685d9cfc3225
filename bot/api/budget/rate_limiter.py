"""Where requests wait for their turn: the part of the rate limiter that has a clock and sleeps."""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from bot.api.budget.accounts import key_of, key_of_token
from bot.api.budget.budget import (
    ASSUMED_LIMITS,
    AccountKey,
    Budget,
    Decision,
    Denied,
    Permit,
    Priority,
    Queued,
    QueueEntry,
)
from bot.api.budget.ledger import BudgetLedger
from bot.api.budget.window import RateHeaders
from bot.base.clock import SteadyClock
from bot.domain.errors import BudgetSpent, NotYet, ServiceDown
from bot.domain.ids import UserId
from bot.wire.versions import Version

T = TypeVar("T")

_NO_ANSWER: Final = "no answer in time to the request before"


class SharedPriority:
    """The priority of a request that several callers may share: it rises while the request waits, when a more urgent one joins."""

    __slots__ = ("_waiting", "priority")

    def __init__(self, priority: Priority) -> None:
        self.priority = priority
        self._waiting: set[asyncio.Event] = set()

    def raise_to(self, priority: Priority) -> None:
        """Make it at least so urgent, and wake the request that waits with it."""
        if priority < self.priority:
            self.priority = priority
            for each in self._waiting:
                each.set()

    def notify(self, waiting: asyncio.Event) -> None:
        """Set this event whenever the priority rises."""
        self._waiting.add(waiting)

    def stop_notifying(self, waiting: asyncio.Event) -> None:
        """Set this event no longer."""
        self._waiting.discard(waiting)


class RateLimiter:
    """Grants permits to send requests as the budgets allow, and wakes those who wait when a budget changes."""

    def __init__(self, ledger: BudgetLedger, clock: SteadyClock, *, counts: Counter[str]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._counts = counts
        self._waiting: dict[tuple[AccountKey, Version], set[asyncio.Event]] = {}

    async def acquire(
        self,
        token: str,
        version: Version,
        urgency: SharedPriority,
        deadline: float,
        *,
        user_id: UserId | None = None,
    ) -> Permit:
        """Wait for the permit to send one request, until `deadline` on the monotonic clock.

        `user_id` is the account of the token, where that is known. Raises: BudgetSpent, or its kind NotYet; ServiceDown
        if it waited in vain for another request's reply; CannotRead.
        """
        # By the account's own key: the link from token to account may be dropped while the budget is on its way here.
        name = key_of(token, user_id)
        entry: QueueEntry | None = None
        try:
            while True:
                await self._ledger.acquire_lease(name, urgency.priority, deadline)
                decision = await self._decide(name, version, urgency, deadline, entry)
                if isinstance(decision, Queued):
                    self._counts["waited"] += entry is None
                    entry = decision.entry
                    await self._wait_for_change(name, version, urgency, decision.seconds)
                    continue
                entry = None
                if isinstance(decision, Denied):
                    self._counts["refused"] += 1
                    if decision.is_unanswered:
                        raise ServiceDown(_NO_ANSWER)
                    raise (BudgetSpent if decision.is_spent else NotYet)(self._time(decision.until))
                return decision.permit
        finally:
            if (left := entry) is not None:
                await self._ledger.update_budget(name, version, lambda budget: budget.leave_queue(left))
                self._wake(name, version)

    def may_send(self, permit: Permit) -> bool:
        """Return whether a permit is still good; to be asked right before the request is sent."""
        return self._ledger.may_send(permit)

    async def record_reply(self, permit: Permit, headers: RateHeaders | None) -> None:
        """Record the reply to a request; without headers it is uncertain whether the service has counted it."""
        await self._record(
            permit, lambda budget: budget.record_reply(permit, self._clock.monotonic(), headers)
        )

    async def return_unsent(self, permit: Permit) -> None:
        """Return the permit of a request that never reached the service."""
        await self._record(permit, lambda budget: budget.return_unsent(self._clock.monotonic()))

    async def record_rejection(
        self, permit: Permit, headers: RateHeaders | None, retry_after: float | None
    ) -> datetime:
        """Record that the service refused a request with 429; return when the account may send again, and wake its waiting callers."""
        self._counts["too_many"] += 1
        now = self._clock.monotonic()
        until = await self._record(
            permit, lambda budget: budget.record_rejection(permit, now, headers, retry_after)
        )
        return self._time(until)

    async def link_token(self, token: str, user_id: UserId) -> None:
        """Note whose account a token is: its requests count for the account, and its waiting callers join that queue."""
        name = key_of_token(token)
        before = self._ledger.account_of(name)
        await self._ledger.link_token(name, user_id)
        if self._waiting and self._ledger.account_of(name) != before:
            for version in ASSUMED_LIMITS:
                for each in self._waiting.get((before, version), ()):
                    each.set()

    async def _decide(
        self,
        name: AccountKey,
        version: Version,
        urgency: SharedPriority,
        deadline: float,
        entry: QueueEntry | None,
    ) -> Decision:
        def decide(budget: Budget) -> Decision:
            now = self._clock.monotonic()
            return budget.reserve(now, urgency.priority, deadline - now, entry)

        return await self._ledger.update_budget(name, version, decide)

    async def _record(self, permit: Permit, change: Callable[[Budget], T]) -> T:
        settled = await self._ledger.record_outcome(permit, change)
        self._wake(permit.account, permit.version)
        return settled

    async def _wait_for_change(
        self, name: AccountKey, version: Version, urgency: SharedPriority, seconds: float
    ) -> None:
        """Wait this many seconds, or until the budget or the priority changes."""
        event = asyncio.Event()
        key = (self._ledger.account_of(name), version)
        self._waiting.setdefault(key, set()).add(event)
        urgency.notify(event)
        slept = asyncio.ensure_future(self._clock.sleep(seconds))
        woken = asyncio.ensure_future(event.wait())
        try:
            await asyncio.wait({slept, woken}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            urgency.stop_notifying(event)
            self._waiting[key].discard(event)
            if not self._waiting[key]:
                del self._waiting[key]
            slept.cancel()
            woken.cancel()

    def _wake(self, name: AccountKey, version: Version) -> None:
        if self._waiting:
            for each in self._waiting.get((self._ledger.account_of(name), version), ()):
                each.set()

    def _time(self, moment: float) -> datetime:
        return self._clock.origin() + timedelta(seconds=moment)
