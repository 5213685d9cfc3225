"""One account's window in one version: how many requests it may still send, counted with care.

The count is never more optimistic than the truth. What is under way is taken as spent, at the highest price that
it may cost; so is a request whose answer never came, until a reply sent for later than that tells.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple

LENGTH: Final = timedelta(minutes=15)
"""Source: specification, "Limits"."""
DOUBT: Final = 4
"""What a request in quick succession may cost, while none has cost more. Our choice: the size is not known."""
_SAME: Final = timedelta(seconds=2)
"""Two resets so close are one: a service may compute them anew for each reply."""
_NONE: Final = timedelta(0)
_SLACK: Final = timedelta(seconds=1)
"""Services write the reset in whole seconds, rounded up, and the date of a reply rounded down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHeaders:
    """The three rate headers of one reply."""

    limit: int
    remaining: int
    reset_at: datetime
    """When the window ends, as the service wrote it."""
    ends_at: datetime
    """The same moment by our own clock, which may run apart from the service's; never too early."""


class Lost(NamedTuple):
    """Requests that may or may not have counted."""

    until: datetime
    """When the last window that they can have counted in is over."""
    newest: int
    """Serial of the newest request that was sent by then: a reply to a later one knows about these."""
    weight: int
    """What they may have cost at most."""


class Window:
    """The count of one window after the other; `refresh` it before reading."""

    __slots__ = (
        "_closed_by",
        "_newest_before",
        "certain_until",
        "ends_at",
        "in_flight",
        "is_confirmed",
        "limit",
        "lost",
        "newest",
        "price",
        "remaining",
        "reset_at",
    )

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.remaining = limit
        """As the service last said."""
        self.in_flight = 0
        self.price = 1
        """What each one in flight may cost at most."""
        self.lost: tuple[Lost, ...] = ()
        self.newest = 0
        """Serial of the last request sent."""
        self._newest_before = 0
        """The same when the last window was over."""
        self._closed_by = 0
        """The same when the service refused: replies to what was sent before do not open the window again."""
        self.reset_at: datetime | None = None
        """The service's own word for the last window that it spoke of."""
        self.ends_at: datetime | None = None
        """By our clock, and never too early; None while the service has said nothing about the window."""
        self.certain_until: datetime | None = None
        """By when it can have ended at the earliest: how long the reply was on its way lies between the two."""
        self.is_confirmed = False
        """A reply has told about this window; until then `remaining` is what we assume."""

    @property
    def sure(self) -> int:
        """Requests that can be sent for certain; below zero where more may have been spent than there was."""
        sure = self.remaining - self.in_flight * self.price
        return sure - sum(lost.weight for lost in self.lost) if self.lost else sure

    @property
    def frees_at(self) -> datetime | None:
        """Return when more can be sent without any reply; None while nothing is spent."""
        return self.ends_at or (self.lost[0].until if self.lost else None)

    @property
    def full_at(self) -> datetime | None:
        """Return when everything can be sent again; None if now."""
        times = [lost.until for lost in self.lost]
        return max([*times, self.ends_at] if self.ends_at else times, default=None)

    def refresh(self, now: datetime) -> None:
        """Begin a new window if the old one is over."""
        if self.ends_at is not None and now >= self.ends_at:
            self.remaining = self.limit
            self.ends_at = None
            self.doubt()
            self._newest_before = self.newest
            self._closed_by = 0
        elif self.certain_until is not None and now >= self.certain_until:
            self.doubt()
        if self.lost and now >= self.lost[0].until:
            self.lost = tuple(lost for lost in self.lost if now < lost.until)

    def doubt(self) -> None:
        """Take the count for what is assumed, until a reply tells: the next window may have begun."""
        self.is_confirmed = False
        self.certain_until = None

    def send(self, serial: int, price: int) -> None:
        """Count a request as under way, at no more than a price; it may overtake those that are."""
        self.newest = serial
        self.price = max(self.price, price) if self.in_flight else price
        self.in_flight += 1

    def finish(self) -> None:
        """Count a request as no longer under way."""
        self.in_flight = max(0, self.in_flight - 1)

    def lose(self, now: datetime, weight: int | None = None) -> None:
        """Count a request, or several of a weight, that may or may not have counted, by now at the latest."""
        self.lost = (*self.lost, Lost(now + LENGTH + _SLACK, self.newest, weight or self.price))

    def learn(self, serial: int, sent_at: datetime, now: datetime, headers: RateHeaders) -> None:
        """Correct the count by the reply to a request; replies may arrive in any order."""
        if serial <= self._closed_by:
            return  # it was sent before the service refused one
        certain_until = headers.ends_at - max(_NONE, now - sent_at) - _SLACK
        if certain_until <= now:  # it may have outlived its window: one was counted, that is all
            self.lose(now)
            return
        ahead = _SAME if self.reset_at is None else headers.reset_at - self.reset_at
        if self.reset_at is None or ahead > _SAME:
            self.remaining = headers.remaining
        elif ahead < -_SAME or (not self.is_confirmed and serial <= self._newest_before):
            return  # of a window that is over
        else:
            # Not confirmed: we took the window as over too early, and it is still on.
            self.remaining = min(self.remaining, headers.remaining)
        self.limit = headers.limit
        self.reset_at, self.ends_at = headers.reset_at, headers.ends_at
        self.certain_until = certain_until
        self.is_confirmed = True
        if self.lost:
            self.lost = tuple(lost for lost in self.lost if lost.newest >= serial)

    def set_back(self, by: timedelta) -> None:
        """Move all moments by our clock, which was set back by so much."""
        self.ends_at = self.ends_at and self.ends_at - by
        self.certain_until = self.certain_until and self.certain_until - by
        self.lost = tuple(lost._replace(until=lost.until - by) for lost in self.lost)

    def close(self, until: datetime) -> None:
        """Count nothing as left before `until`."""
        self.remaining = 0
        self.ends_at, self.certain_until = until, None
        self._closed_by = self.newest
        self.is_confirmed = True

    def absorb(self, other: "Window") -> None:
        """Take in what another window of the same account knows."""
        are_both_under_way = self.in_flight and other.in_flight
        self.price = max(self.price, other.price, DOUBT if are_both_under_way else 1)
        self.in_flight += other.in_flight
        self.lost = tuple(sorted((*self.lost, *other.lost)))
        self.newest = max(self.newest, other.newest)
        if other.ends_at is None:
            return
        if self.ends_at is None or other.ends_at > self.ends_at + _SAME:
            self.limit, self.remaining = other.limit, other.remaining
            self.reset_at, self.ends_at = other.reset_at, other.ends_at
            self.is_confirmed, self.certain_until = other.is_confirmed, other.certain_until
        else:
            self.remaining = min(self.remaining, other.remaining)
