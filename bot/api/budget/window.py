"""One account's window in one version: how many requests it may still send, counted with care.

The count is never more optimistic than the truth. What is under way is taken as spent, at the highest price that
it may cost; so is a request whose answer never came, until a reply sent for later than that tells. Moments are
seconds of the monotonic clock.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.api.budget.shared_state import REQUEST_ARRIVAL_SECONDS, ClockOffset, SharedState

WINDOW_SECONDS: Final = 900.0
"""Seconds. Source: specification, "Limits"."""
ASSUMED_QUICK_REQUEST_COST: Final = 4
"""What a request in quick succession may cost, while none has cost more. Our choice: the size is not known."""
SAME_RESET_SECONDS: Final = 2.0
"""Two resets so few seconds apart are one: a service may compute them anew for each reply."""
_ROUNDING_SECONDS: Final = 1.0
"""Services write the reset in whole seconds, rounded up, and the date of a reply rounded down."""
_MOST_LOST: Final = 64
"""Losses that are told apart; in a long outage later ones are taken for one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHeaders:
    """The three rate headers of one reply."""

    limit: int
    remaining: int
    reset_at: float
    """When the window ends, as the service wrote it: Unix time, by a clock that may run apart from ours."""
    ends_in: float
    """How many seconds from now that is; never too few, for the reply was on its way for some."""


class UncertainRequests(NamedTuple):
    """Requests that may or may not have counted."""

    until: float
    """When the last window that they can have counted in is over."""
    newest: int
    """Serial of the newest request that was sent by then: a reply to a later one knows about these."""
    weight: int
    """What they may have cost at most."""
    known_from: float
    """A reply to what was sent before this moment does not know either: they may still have been on their way."""


class RateWindow:
    """The count of one window after the other; `refresh` it before reading."""

    __slots__ = (
        "_certain_until",
        "_ends_at",
        "_exhausted_by",
        "_in_flight",
        "_is_confirmed",
        "_limit",
        "_newest",
        "_newest_before",
        "_price",
        "_remaining",
        "_reset_at",
        "_uncertain",
    )

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._remaining = limit
        self._in_flight = 0
        self._price = 1
        """What each one in flight may cost at most."""
        self._uncertain: tuple[UncertainRequests, ...] = ()
        self._newest = 0
        """Serial of the last request sent."""
        self._newest_before = 0
        """The same when the last window was over."""
        self._exhausted_by = 0
        """The same when the service refused: replies to what was sent before do not open the window again."""
        self._reset_at: float | None = None
        self._ends_at: float | None = None
        self._certain_until: float | None = None
        """By when it can have ended at the earliest: how long the reply was on its way lies between the two."""
        self._is_confirmed = False

    @property
    def limit(self) -> int:
        """Requests per window."""
        return self._limit

    @property
    def remaining(self) -> int:
        """What is left, as the service last said."""
        return self._remaining

    @property
    def in_flight(self) -> int:
        """Requests under way."""
        return self._in_flight

    @property
    def newest(self) -> int:
        """Serial of the last request sent."""
        return self._newest

    @property
    def reset_at(self) -> float | None:
        """The service's own word for the last window that it spoke of, in Unix time."""
        return self._reset_at

    @property
    def ends_at(self) -> float | None:
        """When it is over, never too early; None while the service has said nothing about it."""
        return self._ends_at

    @property
    def is_confirmed(self) -> bool:
        """Whether a reply has told about this window; until then what is left is what we assume."""
        return self._is_confirmed

    @property
    def is_over(self) -> bool:
        """Whether nothing that was sent counts any more."""
        return self._ends_at is None and not self._uncertain and not self._in_flight

    @property
    def certainly_left(self) -> int:
        """Requests that can be sent for certain; below zero where more may have been spent than there was."""
        if self._uncertain:
            return self._remaining - self.uncertain_cost
        return self._remaining - self._in_flight * self._price  # asked several times for each request

    @property
    def uncertain_cost(self) -> int:
        """What the requests without a reply may cost at most, be they under way or lost."""
        under_way = self._in_flight * self._price
        return under_way + sum(lost.weight for lost in self._uncertain) if self._uncertain else under_way

    @property
    def doubtful_until(self) -> float | None:
        """From when on a request may be sent whose reply settles all doubt; None where there is none."""
        return max((lost.known_from for lost in self._uncertain), default=None)

    @property
    def frees_at(self) -> float | None:
        """When more can be sent without any reply; None while nothing is spent."""
        if self._ends_at is None and self._uncertain:
            return self._uncertain[0].until
        return self._ends_at

    @property
    def full_at(self) -> float | None:
        """When everything can be sent again; None if now."""
        moments = [lost.until for lost in self._uncertain]
        if self._ends_at is not None:
            moments.append(self._ends_at)
        return max(moments, default=None)

    def refresh(self, now: float) -> None:
        """Begin a new window if the old one is over."""
        if self._ends_at is not None and now >= self._ends_at:
            self._remaining = self._limit
            self._ends_at = None
            self._mark_unconfirmed()
            self._newest_before = self._newest
            self._exhausted_by = 0
        elif self._certain_until is not None and now >= self._certain_until:
            self._mark_unconfirmed()
        if self._uncertain and now >= self._uncertain[0].until:
            self._uncertain = tuple(lost for lost in self._uncertain if now < lost.until)

    def record_sent(self, serial: int, price: int) -> None:
        """Count a request as under way, at no more than a price; it may overtake those that are."""
        self._newest = serial
        self._price = max(self._price, price) if self._in_flight else price
        self._in_flight += 1

    def record_finished(self) -> None:
        """Count a request as no longer under way."""
        self._in_flight = max(0, self._in_flight - 1)

    def count_uncertain(self, now: float, weight: int | None = None) -> None:
        """Count a request, or several of a weight, that may or may not have counted, by now at the latest."""
        self._add_lost(self._uncertain_from(now, weight or self._price))

    def count_unseen(self, now: float, weight: int) -> None:
        """Count what another process may have sent until now, of a weight: it may still be on its way."""
        self._add_lost(self._uncertain_from(now + REQUEST_ARRIVAL_SECONDS, weight))

    def abandon_in_flight(self, now: float) -> None:
        """Wait for no reply to what is under way."""
        self._uncertain = self._uncertain_without_replies(now)
        self._in_flight = 0

    def apply_headers(self, serial: int, sent_at: float, now: float, headers: RateHeaders) -> None:
        """Correct the count by the reply to a request; replies may arrive in any order."""
        if serial <= self._exhausted_by:
            return  # it was sent before the service refused one
        certain_until = sent_at + headers.ends_in - _ROUNDING_SECONDS
        if certain_until <= now:  # it may have outlived its window: one was counted, that is all
            self.count_uncertain(now)
            return
        ahead = SAME_RESET_SECONDS if self._reset_at is None else headers.reset_at - self._reset_at
        if self._reset_at is None or ahead > SAME_RESET_SECONDS:
            self._remaining = headers.remaining
        elif ahead < -SAME_RESET_SECONDS or (not self._is_confirmed and serial <= self._newest_before):
            return  # of a window that is over
        else:
            # Not confirmed: we took the window as over too early, and it is still on.
            self._remaining = min(self._remaining, headers.remaining)
        self._limit = headers.limit
        self._reset_at, self._ends_at = headers.reset_at, now + headers.ends_in
        self._certain_until = certain_until
        self._is_confirmed = True
        if self._uncertain:
            self._uncertain = tuple(
                lost for lost in self._uncertain if lost.newest >= serial or sent_at < lost.known_from
            )

    def exhaust(self, until: float) -> None:
        """Count nothing as left before `until`."""
        self._remaining = 0
        self._ends_at, self._certain_until = until, None
        self._exhausted_by = self._newest
        self._is_confirmed = True

    def restore(self, limit: int, remaining: int, reset_at: float | None, ends_at: float | None) -> None:
        """Go on where another one left off."""
        self._limit, self._remaining = limit, remaining
        self._reset_at, self._ends_at = reset_at, ends_at

    def to_state(self, now: float, shift: ClockOffset) -> SharedState:
        """Return what another process may go on from, to which no reply comes to what is under way."""
        return {
            "limit": self._limit,
            "remaining": self._remaining,
            "lost": [
                (shift.convert_not_early(until), newest, weight, shift.convert_not_early(known_from))
                for until, newest, weight, known_from in self._uncertain_without_replies(now)
            ],
            "newest": self._newest,
            "newest_before": self._newest_before,
            "closed_by": self._exhausted_by,
            "reset_at": self._reset_at,
            "ends_at": shift.convert_not_early(self._ends_at),
            "certain_until": shift.convert_not_late(self._certain_until),
            "is_confirmed": self._is_confirmed,
        }

    @classmethod
    def from_state(cls, state: SharedState, shift: ClockOffset) -> "RateWindow":
        """Return a window that goes on from what another process knew."""
        window = cls(state["limit"])
        window.restore(
            state["limit"], state["remaining"], state["reset_at"], shift.convert_not_early(state["ends_at"])
        )
        window._uncertain = tuple(
            UncertainRequests(until + shift.most, newest, weight, known_from + shift.most)
            for until, newest, weight, known_from in state["lost"]
        )
        window._newest, window._newest_before = state["newest"], state["newest_before"]
        window._exhausted_by = state["closed_by"]
        window._certain_until = shift.convert_not_late(state["certain_until"])
        window._is_confirmed = state["is_confirmed"]
        return window

    def merge(self, other: "RateWindow") -> None:
        """Take in what another window of the same account knows."""
        are_both_under_way = self._in_flight and other._in_flight
        self._price = max(self._price, other._price, ASSUMED_QUICK_REQUEST_COST if are_both_under_way else 1)
        self._in_flight += other._in_flight
        self._uncertain = tuple(sorted((*self._uncertain, *other._uncertain)))
        self._newest = max(self._newest, other._newest)
        if other._ends_at is None:
            return
        if self._ends_at is None or other._ends_at > self._ends_at + SAME_RESET_SECONDS:
            self.restore(other._limit, other._remaining, other._reset_at, other._ends_at)
            self._is_confirmed, self._certain_until = other._is_confirmed, other._certain_until
        else:
            self._remaining = min(self._remaining, other._remaining)

    def _uncertain_without_replies(self, now: float) -> tuple[UncertainRequests, ...]:
        """Return what is lost once nobody waits any more for what is under way, which may still arrive."""
        if not self._in_flight:
            return self._uncertain
        return (
            *self._uncertain,
            self._uncertain_from(now + REQUEST_ARRIVAL_SECONDS, self._in_flight * self._price),
        )

    def _add_lost(self, lost: UncertainRequests) -> None:
        before = self._uncertain
        if len(before) >= _MOST_LOST:
            last = before[-1]
            known_from = max(last.known_from, lost.known_from)
            before = before[:-1]
            lost = UncertainRequests(
                max(last.until, lost.until), lost.newest, last.weight + lost.weight, known_from
            )
        self._uncertain = (*before, lost)

    def _uncertain_from(self, moment: float, weight: int) -> UncertainRequests:
        return UncertainRequests(moment + WINDOW_SECONDS + _ROUNDING_SECONDS, self._newest, weight, moment)

    def _mark_unconfirmed(self) -> None:
        """Take the count for what is assumed, until a reply tells: the next window may have begun."""
        self._is_confirmed = False
        self._certain_until = None
