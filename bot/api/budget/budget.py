"""What one account may still send to one version of the service, and when: no I/O, no clock of its own.

    decision = budget.reserve(now, Priority.PERSON, patience=10)

answers at once with Go (send, then `settle`), Wait (come back with the place in the queue) or Refused. The count
is a Window's, the rhythm a Pace's, and the queue stands here: the more urgent first, and within one priority
first come, first served.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple, NewType

from bot.api.budget.pace import BURST, LONGEST, Pace, Sent
from bot.api.budget.window import LENGTH, RateHeaders, Window
from bot.domain.kept import KeptWindow
from bot.wire.versions import Version

AccountKey = NewType("AccountKey", str)
"""Whose budget it is: an account, or a token whose account is not yet known. Never the token itself."""

ASSUMED_LIMITS: Final[dict[Version, int]] = {"2.0": 120, "1.3": 120, "1.0": 200}
"""Requests per window until a header says otherwise. Source: specification; for 2.0 our choice, as in 1.3."""

_EAGER_SHARE: Final = 4
"""A person sends in bursts while more than one part of so many is left; after that, thrift comes first."""


class Priority(IntEnum):
    """Who waits for the answer; lower is more urgent."""

    PERSON = 0
    REFRESH = 1
    DAILY = 2
    PREFETCH = 3


KEPT_PERCENT: Final[Mapping[Priority, int]] = {
    Priority.PERSON: 0,
    Priority.REFRESH: 15,
    Priority.DAILY: 30,
    Priority.PREFETCH: 50,
}
"""How much of the limit each priority leaves for those above it."""


class Ticket(NamedTuple):
    """The right to send one request; to be settled once."""

    account: AccountKey
    version: Version
    sent: Sent


class Place:
    """A place in the queue of a budget; to be given back, or left."""

    __slots__ = ("priority", "serial")

    def __init__(self, priority: Priority, serial: int) -> None:
        self.priority = priority
        self.serial = serial

    def is_before(self, priority: Priority, serial: int) -> bool:
        """Return whether it is this one's turn first."""
        return (self.priority, self.serial) < (priority, serial)


@dataclass(slots=True)
class Go:
    """Send now."""

    ticket: Ticket


@dataclass(slots=True)
class Wait:
    """Ask again with the place after so many seconds, within the caller's patience, or when anything changes."""

    seconds: float
    place: Place


@dataclass(slots=True)
class Refused:
    """Nothing can be sent before `until`, which is beyond the caller's patience."""

    until: datetime
    is_spent: bool = True
    """Nothing is left; otherwise it would be too quick, or is kept for the more urgent."""


Decision = Go | Wait | Refused


@dataclass(frozen=True, slots=True)
class BudgetLeft:
    """What an account may still send to one version."""

    limit: int
    remaining: int
    reset_at: datetime | None
    """When it is full again, by our clock; None if it is full now."""


class Budget:
    """One account in one version."""

    __slots__ = ("_account", "_kept", "_serials", "pace", "queue", "version", "window")

    def __init__(
        self,
        account: AccountKey,
        version: Version,
        *,
        serials: Iterator[int] | None = None,
        kept_percent: Mapping[Priority, int] = KEPT_PERCENT,
    ) -> None:
        self._account = account
        self.version: Version = version
        self._serials = serials or count(1)
        self._kept = kept_percent
        self.queue: tuple[Place, ...] = ()
        """Who waits, in no order."""
        self.window = Window(ASSUMED_LIMITS[version])
        self.pace = Pace()

    def reserve(
        self, now: datetime, priority: Priority, patience: float, place: Place | None = None
    ) -> Decision:
        """Decide about one request; `patience` is in seconds, `place` what an earlier Wait gave."""
        window = self.window
        window.refresh(now)
        ahead = self._ahead(priority, place) if self.queue else 0
        needed = ahead + window.limit * self._kept[priority] // 100
        sure = window.sure
        is_answer_awaited = False
        if sure > needed and (window.is_confirmed or window.in_flight < BURST):
            is_eager = priority is Priority.PERSON and sure * _EAGER_SHARE > window.limit
            seconds = self.pace.delay(now, is_eager=is_eager) + ahead * self.pace.spacing
            if seconds <= 0.0:
                return self._go(now, place)
        elif window.in_flight and window.remaining - window.in_flight > needed:
            is_answer_awaited = True
            seconds = patience
        else:
            seconds = ((window.frees_at or now + LENGTH) - now).total_seconds()
        if patience <= 0.0 or seconds > patience:
            self.leave(place)
            until = now + timedelta(seconds=LONGEST if is_answer_awaited else seconds)
            return Refused(until, is_spent=sure <= ahead and not is_answer_awaited)
        return Wait(seconds, self._stand(priority, place))

    def leave(self, place: Place | None) -> None:
        """Give a place in the queue up."""
        if self.queue:
            self.queue = tuple(each for each in self.queue if each is not place)

    def settle(self, ticket: Ticket, now: datetime, headers: RateHeaders | None) -> None:
        """Count a request as done; without headers it may or may not have counted."""
        sent = ticket.sent
        self._finish(now)
        if headers is None:
            self.window.lose(now)
        else:
            self.pace.learn(sent, headers)
            self.window.learn(sent.serial, sent.at, now, headers)

    def settle_unsent(self, ticket: Ticket, now: datetime) -> None:  # noqa: ARG002 - settled like any other
        """Give a request back that never reached the service."""
        self._finish(now)
        self.pace.take_back()

    def settle_refused(
        self, ticket: Ticket, now: datetime, headers: RateHeaders | None, retry_after: float | None
    ) -> datetime:
        """Count a request as refused with 429, and return when the account may send again."""
        self._finish(now)
        asked = None if retry_after is None else now + timedelta(seconds=retry_after)
        if headers is not None and headers.ends_at > now:
            self.window.learn(ticket.sent.serial, ticket.sent.at, now, headers)
            until = max(headers.ends_at, asked or now)
        else:
            until = asked or now + LENGTH
        self.window.close(until)
        return until

    def left(self, now: datetime) -> BudgetLeft:
        """Return what may still be sent for certain."""
        window = self.window
        window.refresh(now)
        return BudgetLeft(window.limit, max(0, window.sure), window.full_at)

    def is_idle(self, now: datetime) -> bool:
        """Return whether nothing would be lost with it but the spacing it learned."""
        window = self.window
        window.refresh(now)
        is_over = window.ends_at is None and not window.lost
        return is_over and not window.in_flight and not self.queue and self.pace.is_quiet(now)

    def is_scarce(self) -> bool:
        """Return whether so little is left that every single request matters."""
        return self.window.sure * _EAGER_SHARE <= self.window.limit

    def absorb(self, other: "Budget") -> None:
        """Take in another one of the same account and version."""
        self.window.absorb(other.window)
        self.queue = (*self.queue, *other.queue)
        self.pace.absorb(other.pace)

    def to_kept(self, now: datetime) -> KeptWindow:
        """Return what must survive a restart; what is under way will never be heard of again."""
        window, pace = self.window, self.pace
        return KeptWindow(
            account=self._account,
            version=self.version,
            limit=window.limit,
            remaining=window.remaining,
            lost=window.remaining - window.sure,
            reset_at=window.reset_at,
            ends_at=window.ends_at,
            sent_at=pace.sent_at or now,
            spacing=pace.spacing,
            dearest=pace.dearest,
        )

    def resume(self, kept: KeptWindow, now: datetime) -> None:
        """Go on where a copy left off."""
        window = self.window
        window.limit, window.remaining = kept.limit, kept.remaining
        window.reset_at, window.ends_at = kept.reset_at, kept.ends_at
        if kept.lost > 0:
            window.lose(now, kept.lost)
        self.pace = Pace(kept.spacing, kept.dearest)
        self.pace.resume(min(kept.sent_at, now), now)
        if kept.sent_at > now:
            window.ends_at = kept.ends_at and kept.ends_at - (kept.sent_at - now)

    def set_back(self, by: timedelta) -> None:
        """Go on by a clock that was set back."""
        self.window.set_back(by)
        self.pace.set_back(by)

    def _go(self, now: datetime, place: Place | None) -> Go:
        window = self.window
        sent = self.pace.send(next(self._serials), window.newest, window.in_flight, now)
        window.send(sent.serial, sent.price)
        if place is not None:
            self.leave(place)
        return Go(Ticket(self._account, self.version, sent))

    def _finish(self, now: datetime) -> None:
        self.window.refresh(now)
        self.window.finish()
        self.pace.finish(now)

    def _ahead(self, priority: Priority, place: Place | None) -> int:
        if place is None:
            return sum(each.priority <= priority for each in self.queue)
        return sum(each.is_before(priority, place.serial) for each in self.queue if each is not place)

    def _stand(self, priority: Priority, place: Place | None) -> Place:
        if place is None:
            place = Place(priority, next(self._serials))
        place.priority = priority
        if place not in self.queue:
            self.queue = (*self.queue, place)
        return place
