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
    Place,
    Priority,
    Refused,
    Ticket,
    Wait,
)
from bot.api.budget.ledger import Ledger
from bot.api.budget.window import RateHeaders
from bot.clock import SteadyClock
from bot.domain.errors import BudgetSpent, NotYet, ServiceDown
from bot.domain.ids import UserId
from bot.wire.versions import Version

T = TypeVar("T")

_NO_ANSWER: Final = "no answer in time to the request before"


class Urgency:
    """How urgent a question is; somebody more urgent may join while it waits."""

    __slots__ = ("_waiting", "priority")

    def __init__(self, priority: Priority) -> None:
        self.priority = priority
        self._waiting: set[asyncio.Event] = set()

    def hasten(self, priority: Priority) -> None:
        """Make it at least so urgent."""
        if priority < self.priority:
            self.priority = priority
            for each in self._waiting:
                each.set()

    def watch(self, waiting: asyncio.Event) -> None:
        """Set `waiting` when it becomes more urgent."""
        self._waiting.add(waiting)

    def unwatch(self, waiting: asyncio.Event) -> None:
        """Set it no longer."""
        self._waiting.discard(waiting)


class Turnstile:
    """Lets requests through as the budgets allow, and wakes those who wait when something changes."""

    def __init__(self, ledger: Ledger, clock: SteadyClock, *, counts: Counter[str]) -> None:
        self._ledger = ledger
        self._clock = clock
        self._counts = counts
        self._waiting: dict[tuple[AccountKey, Version], set[asyncio.Event]] = {}

    async def enter(
        self,
        token: str,
        version: Version,
        urgency: Urgency,
        deadline: float,
        *,
        user_id: UserId | None = None,
    ) -> Ticket:
        """Wait for the right to send one request, until `deadline` on the monotonic clock.

        `user_id` is whose token it is, where that is known. Raises: BudgetSpent; ServiceDown where it waited for another's reply in vain; CannotRead.
        """
        # By the account's own name: that the token is its may be forgotten while its budget is on its way here.
        name = key_of(token, user_id)
        place: Place | None = None
        try:
            while True:
                await self._ledger.hold(name, urgency.priority, deadline)
                decision = await self._decide(name, version, urgency, deadline, place)
                if isinstance(decision, Wait):
                    self._counts["waited"] += place is None
                    place = decision.place
                    await self._pause(name, version, urgency, decision.seconds)
                    continue
                place = None
                if isinstance(decision, Refused):
                    self._counts["refused"] += 1
                    if decision.is_unanswered:
                        raise ServiceDown(_NO_ANSWER)
                    raise (BudgetSpent if decision.is_spent else NotYet)(self._time(decision.until))
                return decision.ticket
        finally:
            if (left := place) is not None:
                await self._ledger.change(name, version, lambda budget: budget.leave(left))
                self._wake(name, version)

    def may_send(self, ticket: Ticket) -> bool:
        """Return whether a request may still be sent: to be asked in the moment in which it is."""
        return self._ledger.may_send(ticket)

    async def settle(self, ticket: Ticket, headers: RateHeaders | None) -> None:
        """Count a request as done; without headers it may or may not have counted."""
        await self._settle(ticket, lambda budget: budget.settle(ticket, self._clock.monotonic(), headers))

    async def settle_unsent(self, ticket: Ticket) -> None:
        """Give a request back that never reached the service."""
        await self._settle(ticket, lambda budget: budget.settle_unsent(self._clock.monotonic()))

    async def settle_refused(
        self, ticket: Ticket, headers: RateHeaders | None, retry_after: float | None
    ) -> datetime:
        """Count a request as refused with 429; return when the account may send again. All who wait are told."""
        self._counts["too_many"] += 1
        now = self._clock.monotonic()
        until = await self._settle(
            ticket, lambda budget: budget.settle_refused(ticket, now, headers, retry_after)
        )
        return self._time(until)

    async def know(self, token: str, user_id: UserId) -> None:
        """Note whose token it is; who waits with it waits in the account's queue from now on."""
        name = key_of_token(token)
        before = self._ledger.resolve(name)
        await self._ledger.know(name, user_id)
        if self._waiting and self._ledger.resolve(name) != before:
            for version in ASSUMED_LIMITS:
                for each in self._waiting.get((before, version), ()):
                    each.set()

    async def _decide(
        self, name: AccountKey, version: Version, urgency: Urgency, deadline: float, place: Place | None
    ) -> Decision:
        def decide(budget: Budget) -> Decision:
            now = self._clock.monotonic()
            return budget.reserve(now, urgency.priority, deadline - now, place)

        return await self._ledger.change(name, version, decide)

    async def _settle(self, ticket: Ticket, change: Callable[[Budget], T]) -> T:
        settled = await self._ledger.settle(ticket, change)
        self._wake(ticket.account, ticket.version)
        return settled

    async def _pause(self, name: AccountKey, version: Version, urgency: Urgency, seconds: float) -> None:
        """Wait so long, or until something changes."""
        event = asyncio.Event()
        key = (self._ledger.resolve(name), version)
        self._waiting.setdefault(key, set()).add(event)
        urgency.watch(event)
        slept = asyncio.ensure_future(self._clock.sleep(seconds))
        woken = asyncio.ensure_future(event.wait())
        try:
            await asyncio.wait({slept, woken}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            urgency.unwatch(event)
            self._waiting[key].discard(event)
            if not self._waiting[key]:
                del self._waiting[key]
            slept.cancel()
            woken.cancel()

    def _wake(self, name: AccountKey, version: Version) -> None:
        if self._waiting:
            for each in self._waiting.get((self._ledger.resolve(name), version), ()):
                each.set()

    def _time(self, moment: float) -> datetime:
        return self._clock.origin() + timedelta(seconds=moment)
