"""What one account may still send to one version of the service, and when: no I/O, no clock of its own.

The count kept is never more optimistic than the truth: what is in flight counts as spent, and so does a request
whose reply was lost, until the window is over.
"""

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final, NewType

from bot.domain.ids import UserId
from bot.wire.endpoints import Version

AccountKey = NewType("AccountKey", str)
"""Whose budget it is: an account, or a token whose account is not yet known. Never the token itself."""

WINDOW: Final = timedelta(minutes=15)
"""Source: specification, "Limits"."""

ASSUMED_LIMITS: Final[dict[Version, int]] = {"2.0": 120, "1.3": 120, "1.0": 200}
"""Requests per window until a header says otherwise. Source: specification; for 2.0 our choice, as in 1.3."""

_SAME_WINDOW: Final = timedelta(seconds=2)
"""Two resets so close are one: a service may compute them anew for each reply."""


class Priority(IntEnum):
    """Who waits for the answer; lower is more urgent."""

    PERSON = 0
    REFRESH = 1
    DAILY = 2
    PREFETCH = 3


KEPT_PERCENT: Final[dict[Priority, int]] = {
    Priority.PERSON: 0,
    Priority.REFRESH: 15,
    Priority.DAILY: 30,
    Priority.PREFETCH: 50,
}
"""How much of the limit each priority leaves for those above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHeaders:
    """The three rate headers of one reply."""

    limit: int
    remaining: int
    reset_at: datetime
    """When the window ends, as the service wrote it."""
    ends_at: datetime
    """The same moment by our own clock, which may run apart from the service's."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right to send one request; to be settled once."""

    account: AccountKey
    version: Version


@dataclass(frozen=True, slots=True)
class Go:
    """Send now."""

    ticket: Ticket


@dataclass(frozen=True, slots=True)
class Wait:
    """Ask again after this many seconds, which is within the caller's patience."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing can be sent before `until`, which is beyond the caller's patience."""

    until: datetime


Decision = Go | Wait | Refused


@dataclass(frozen=True, slots=True)
class BudgetLeft:
    """What an account may still send to one version."""

    limit: int
    remaining: int
    reset_at: datetime | None
    """When it is full again, by our clock; None if it is full now."""


class Window:
    """One account's window in one version."""

    __slots__ = ("ends_at", "in_flight", "limit", "lost", "remaining", "reset_at")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.remaining = limit
        """As the service last said, less what is known better."""
        self.in_flight = 0
        self.lost = 0
        """Requests of this window that may or may not have counted."""
        self.reset_at: datetime | None = None
        """The service's own word for the window; None while it has not said one."""
        self.ends_at: datetime | None = None
        """By our clock; None while nothing was sent in it."""

    @property
    def left(self) -> int:
        """Requests that can be sent for certain."""
        return max(0, self.remaining - self.in_flight - self.lost)

    def roll(self, now: datetime) -> None:
        """Begin a new window if the old one is over; what is in flight may count in the new one."""
        if self.ends_at is not None and now >= self.ends_at:
            self.remaining = self.limit
            self.lost = 0
            self.reset_at = self.ends_at = None

    def take(self, now: datetime, priority: Priority) -> datetime | None:
        """Count one request as sent, or return when one could be."""
        self.roll(now)
        if self.ends_at is None:
            self.ends_at = now + WINDOW
        if self.left > self.limit * KEPT_PERCENT[priority] // 100:
            self.in_flight += 1
            return None
        return self.ends_at

    def learn(self, now: datetime, headers: RateHeaders) -> None:
        """Correct the count by what a reply says; replies may arrive out of order."""
        if headers.ends_at <= now:
            self.lost += 1
        elif self.reset_at is None or headers.reset_at - self.reset_at > _SAME_WINDOW:
            self.limit = headers.limit
            self.remaining = headers.remaining
            self.reset_at, self.ends_at = headers.reset_at, headers.ends_at
        elif self.reset_at - headers.reset_at <= _SAME_WINDOW:
            self.limit = headers.limit
            self.remaining = min(self.remaining, headers.remaining)

    def close(self, until: datetime) -> None:
        """Count nothing as left before `until`."""
        self.remaining = 0
        self.ends_at = until

    def absorb(self, other: "Window") -> None:
        """Take in what another window of the same account knows."""
        self.in_flight += other.in_flight
        self.lost += other.lost
        if other.ends_at is None:
            return
        if self.ends_at is None or (self.reset_at is None and other.reset_at is not None):
            self.limit, self.remaining = other.limit, other.remaining
            self.reset_at, self.ends_at = other.reset_at, other.ends_at
        elif other.reset_at is not None:
            self.remaining = min(self.remaining, other.remaining)


class Budgets:
    """The windows of all accounts."""

    def __init__(self) -> None:
        self._windows: dict[tuple[AccountKey, Version], Window] = {}
        self._accounts: dict[AccountKey, AccountKey] = {}

    def reserve(
        self, token: AccountKey, version: Version, now: datetime, priority: Priority, patience: float
    ) -> Decision:
        """Decide about one request of `token`; `patience` is in seconds."""
        account = self._account(token)
        until = self._window(account, version).take(now, priority)
        if until is None:
            return Go(Ticket(account, version))
        seconds = (until - now).total_seconds()
        return Wait(seconds) if seconds <= patience else Refused(until)

    def settle(self, ticket: Ticket, now: datetime, headers: RateHeaders | None) -> None:
        """Count a request as done; without headers it may or may not have counted."""
        window = self._finish(ticket, now)
        if headers is None:
            window.lost += 1
        else:
            window.learn(now, headers)

    def settle_unsent(self, ticket: Ticket, now: datetime) -> None:
        """Give a request back that never reached the service."""
        self._finish(ticket, now)

    def settle_refused(
        self, ticket: Ticket, now: datetime, headers: RateHeaders | None, retry_after: float | None
    ) -> datetime:
        """Count a request as refused with 429, and return when the account may send again."""
        window = self._finish(ticket, now)
        if headers is not None and headers.ends_at > now:
            window.learn(now, headers)
            until = headers.ends_at
        else:
            until = now + (WINDOW if retry_after is None else timedelta(seconds=retry_after))
        window.close(until)
        return until

    def know(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose token it is: all tokens of an account share one budget."""
        account = AccountKey(f"account:{user_id}")
        if self._accounts.get(token) == account:
            return
        self._accounts[token] = account
        for version in ASSUMED_LIMITS:
            window = self._windows.pop((token, version), None)
            if window is not None:
                self._window(account, version).absorb(window)

    def left(self, token: AccountKey, version: Version, now: datetime) -> BudgetLeft:
        """Return what the token may still send."""
        window = self._windows.get((self._account(token), version))
        if window is None:
            return BudgetLeft(ASSUMED_LIMITS[version], ASSUMED_LIMITS[version], None)
        window.roll(now)
        return BudgetLeft(window.limit, window.left, window.ends_at)

    def _account(self, token: AccountKey) -> AccountKey:
        return self._accounts.get(token, token)

    def _window(self, account: AccountKey, version: Version) -> Window:
        return self._windows.setdefault((account, version), Window(ASSUMED_LIMITS[version]))

    def _finish(self, ticket: Ticket, now: datetime) -> Window:
        window = self._window(self._account(ticket.account), ticket.version)
        window.roll(now)
        window.in_flight = max(0, window.in_flight - 1)
        return window


def key_of_token(token: str) -> AccountKey:
    """Return a name for a token that does not give it away."""
    return AccountKey(f"token:{hashlib.blake2b(token.encode(), digest_size=16).hexdigest()}")
