"""Where requests wait for their turn: the part of the budgets that has a clock and sleeps."""

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
from bot.api.budget.local_ledger import BudgetLedger
from bot.api.budget.window import RateHeaders
from bot.base.clock import SteadyClock
from bot.domain.errors import BudgetSpent, NotYet, ServiceDown
from bot.domain.ids import UserId
from bot.wire.versions import Version

T = TypeVar("T")

_NO_ANSWER: Final = "no answer in time to the request before"


class SharedPriority:
    """How urgent a question is; somebody more urgent may join while it waits."""

    __slots__ = ("_waiting", "priority")

    def __init__(self, priority: Priority) -> None:
        self.priority = priority
        self._waiting: set[asyncio.Event] = set()

    def raise_to(self, priority: Priority) -> None:
        """Make it at least so urgent."""
        if priority < self.priority:
            self.priority = priority
            for each in self._waiting:
                each.set()

    def notify(self, waiting: asyncio.Event) -> None:
        """Set `waiting` when it becomes more urgent."""
        self._waiting.add(waiting)

    def stop_notifying(self, waiting: asyncio.Event) -> None:
        """Set it no longer."""
        self._waiting.discard(waiting)


class RateLimiter:
    """Lets requests through as the budgets allow, and wakes those who wait when something changes."""

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
        """Wait for the right to send one request, until `deadline` on the monotonic clock.

        `user_id` is whose token it is, where that is known. Raises: BudgetSpent; ServiceDown where it waited for another's reply in vain; CannotRead.
        """
        # By the account's own name: that the token is its may be forgotten while its budget is on its way here.
        name = key_of(token, user_id)
        place: QueueEntry | None = None
        try:
            while True:
                await self._ledger.acquire_lease(name, urgency.priority, deadline)
                decision = await self._decide(name, version, urgency, deadline, place)
                if isinstance(decision, Queued):
                    self._counts["waited"] += place is None
                    place = decision.entry
                    await self._wait_for_change(name, version, urgency, decision.seconds)
                    continue
                place = None
                if isinstance(decision, Denied):
                    self._counts["refused"] += 1
                    if decision.is_unanswered:
                        raise ServiceDown(_NO_ANSWER)
                    raise (BudgetSpent if decision.is_spent else NotYet)(self._time(decision.until))
                return decision.permit
        finally:
            if (left := place) is not None:
                await self._ledger.update_budget(name, version, lambda budget: budget.leave_queue(left))
                self._wake(name, version)

    def may_send(self, ticket: Permit) -> bool:
        """Return whether a request may still be sent: to be asked in the moment in which it is."""
        return self._ledger.may_send(ticket)

    async def record_reply(self, ticket: Permit, headers: RateHeaders | None) -> None:
        """Count a request as done; without headers it may or may not have counted."""
        await self._record(
            ticket, lambda budget: budget.record_reply(ticket, self._clock.monotonic(), headers)
        )

    async def return_unsent(self, ticket: Permit) -> None:
        """Give a request back that never reached the service."""
        await self._record(ticket, lambda budget: budget.return_unsent(self._clock.monotonic()))

    async def record_rejection(
        self, ticket: Permit, headers: RateHeaders | None, retry_after: float | None
    ) -> datetime:
        """Count a request as refused with 429; return when the account may send again. All who wait are told."""
        self._counts["too_many"] += 1
        now = self._clock.monotonic()
        until = await self._record(
            ticket, lambda budget: budget.record_rejection(ticket, now, headers, retry_after)
        )
        return self._time(until)

    async def link_token(self, token: str, user_id: UserId) -> None:
        """Note whose token it is; who waits with it waits in the account's queue from now on."""
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
        place: QueueEntry | None,
    ) -> Decision:
        def decide(budget: Budget) -> Decision:
            now = self._clock.monotonic()
            return budget.reserve(now, urgency.priority, deadline - now, place)

        return await self._ledger.update_budget(name, version, decide)

    async def _record(self, ticket: Permit, change: Callable[[Budget], T]) -> T:
        settled = await self._ledger.record_outcome(ticket, change)
        self._wake(ticket.account, ticket.version)
        return settled

    async def _wait_for_change(
        self, name: AccountKey, version: Version, urgency: SharedPriority, seconds: float
    ) -> None:
        """Wait so long, or until something changes."""
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
