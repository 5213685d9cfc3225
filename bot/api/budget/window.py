"""The rate window of one account in one version: how many requests it may still send, counted with care.

The count is never more optimistic than the truth. A request under way counts as spent, at the highest price that it may
cost; so does a request whose reply never came, until the reply to a later request tells what is left. Moments are seconds
of the monotonic clock.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.api.budget.shared_state import REQUEST_ARRIVAL_SECONDS, ClockOffset, SharedState

WINDOW_SECONDS: Final = 900.0
"""The service counts requests in windows of this many seconds. Source: specification, "Limits"."""
ASSUMED_QUICK_REQUEST_COST: Final = 4
"""A request in quick succession is taken to cost this many, while none has cost more. Our choice: the price is not known."""
SAME_RESET_SECONDS: Final = 2.0
"""Two resets this few seconds apart are the same one: a service may compute them anew for each reply."""
_ROUNDING_SECONDS: Final = 1.0
"""Services write the reset in whole seconds, rounded up, and the date of a reply rounded down."""
_MAX_UNCERTAIN_GROUPS: Final = 64
"""Uncertain requests are kept in this many groups; in a long outage later ones join the last group."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateHeaders:
    """The three rate headers of one reply."""

    limit: int
    remaining: int
    reset_at: float
    """When the window ends, as the service wrote it: Unix time, by a clock that may run apart from ours."""
    ends_in: float
    """Seconds from now until then; never too few, because the reply was on its way for some time."""


class UncertainRequests(NamedTuple):
    """A group of requests that got no reply, so that the service may or may not have counted them."""

    until: float
    """The moment at which the last window is over in which they can have counted."""
    newest: int
    """The serial of the newest request when the group was made: the reply to a later request knows about these."""
    weight: int
    """The most requests that they can have cost."""
    known_from: float
    """Replies to requests sent before this moment do not know about these, which may still have been on their way."""


class RateWindow:
    """Counts what is left of the current window, and begins the next one when it is over; `refresh` it before reading."""

    __slots__ = (
        "_certain_until",
        "_exhausted_by",
        "_newest_before",
        "_price",
        "_uncertain",
        "ends_at",
        "in_flight",
        "is_confirmed",
        "limit",
        "newest",
        "remaining",
        "reset_at",
    )

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """The number of requests that one window allows."""
        self.remaining = limit
        """The number of requests that were left when the service last said so."""
        self.in_flight = 0
        """The number of requests sent whose replies are awaited."""
        self._price = 1
        """Each request in flight may cost this much at most."""
        self._uncertain: tuple[UncertainRequests, ...] = ()
        self.newest = 0
        """The serial of the last request sent."""
        self._newest_before = 0
        """The serial of the last request sent before the current window began."""
        self._exhausted_by = 0
        """The serial of the last request sent when the service refused: replies to earlier ones do not reopen the window."""
        self.reset_at: float | None = None
        """The Unix time of the reset that the service named last, by its own clock."""
        self.ends_at: float | None = None
        """The moment at which the window is over for certain; None while the service has said nothing about it."""
        self._certain_until: float | None = None
        """The earliest moment at which the window can be over: it depends on how long the reply was on its way."""
        self.is_confirmed = False
        """Whether a reply has told what is left of this window; until then that is an assumption."""

    @property
    def is_over(self) -> bool:
        """Whether no request sent so far counts any more."""
        return self.ends_at is None and not self._uncertain and not self.in_flight

    @property
    def certainly_left(self) -> int:
        """The number of requests that can be sent for certain; negative where more may have been spent than there was."""
        if self._uncertain:
            return self.remaining - self.uncertain_cost
        return self.remaining - self.in_flight * self._price  # asked several times for each request

    @property
    def uncertain_cost(self) -> int:
        """The most that all requests without a reply may cost, be they in flight or given up."""
        under_way = self.in_flight * self._price
        return under_way + sum(each.weight for each in self._uncertain) if self._uncertain else under_way

    @property
    def probe_useful_from(self) -> float | None:
        """The moment from which a probe is of use, whose reply tells what uncertain requests have cost; None where none is uncertain."""
        return max((each.known_from for each in self._uncertain), default=None)

    @property
    def frees_at(self) -> float | None:
        """The moment at which requests are freed without any reply; None while no such moment is known."""
        if self.ends_at is None and self._uncertain:
            return self._uncertain[0].until
        return self.ends_at

    @property
    def full_at(self) -> float | None:
        """The moment at which the whole limit can be sent again; None if that is now."""
        moments = [each.until for each in self._uncertain]
        if self.ends_at is not None:
            moments.append(self.ends_at)
        return max(moments, default=None)

    def refresh(self, now: float) -> None:
        """Begin a new window where the current one is over, and drop uncertain requests that no longer matter."""
        if self.ends_at is not None and now >= self.ends_at:
            self.remaining = self.limit
            self.ends_at = None
            self._mark_unconfirmed()
            self._newest_before = self.newest
            self._exhausted_by = 0
        elif self._certain_until is not None and now >= self._certain_until:
            self._mark_unconfirmed()
        if self._uncertain and now >= self._uncertain[0].until:
            self._uncertain = tuple(each for each in self._uncertain if now < each.until)

    def record_sent(self, serial: int, price: int) -> None:
        """Count a request as in flight, at a price of at most `price`; its reply may overtake those of earlier ones."""
        self.newest = serial
        self._price = max(self._price, price) if self.in_flight else price
        self.in_flight += 1

    def record_finished(self) -> None:
        """Count one request as no longer in flight."""
        self.in_flight = max(0, self.in_flight - 1)

    def count_uncertain(self, now: float, weight: int | None = None) -> None:
        """Count a request that got no reply, or several of a total `weight`, as uncertain: they arrived by now, or never will."""
        self._add_uncertain(self._uncertain_from(now, weight or self._price))

    def count_unseen(self, now: float, weight: int) -> None:
        """Count requests of a total `weight` as uncertain that another process may have sent, and that may still be on their way."""
        self._add_uncertain(self._uncertain_from(now + REQUEST_ARRIVAL_SECONDS, weight))

    def abandon_in_flight(self, now: float) -> None:
        """Count all requests in flight as uncertain: their replies are awaited no longer."""
        self._uncertain = self._uncertain_with_in_flight(now)
        self.in_flight = 0

    def apply_headers(self, serial: int, sent_at: float, now: float, headers: RateHeaders) -> None:
        """Correct the count by the headers of the reply to the request `serial`; replies may arrive in any order."""
        if serial <= self._exhausted_by:
            return  # it was sent before the service refused one
        certain_until = sent_at + headers.ends_in - _ROUNDING_SECONDS
        ahead = SAME_RESET_SECONDS if self.reset_at is None else headers.reset_at - self.reset_at
        if certain_until <= now:  # it may have outlived its window
            if self.ends_at is not None and abs(ahead) <= SAME_RESET_SECONDS:
                # It belongs to this window: it can only say that less is left.
                self.remaining = min(self.remaining, headers.remaining)
            else:  # it only says that one was counted
                self.count_uncertain(now)
            return
        if self.reset_at is None or ahead > SAME_RESET_SECONDS:
            self.remaining = headers.remaining
        elif ahead < -SAME_RESET_SECONDS or (not self.is_confirmed and serial <= self._newest_before):
            return  # it belongs to a window that is over
        else:
            # Not confirmed: we assumed too early that the window was over.
            self.remaining = min(self.remaining, headers.remaining)
        self.limit = headers.limit
        self.reset_at, self.ends_at = headers.reset_at, now + headers.ends_in
        self._certain_until = certain_until
        self.is_confirmed = True
        if self._uncertain:
            self._uncertain = tuple(
                each for each in self._uncertain if each.newest >= serial or sent_at < each.known_from
            )

    def exhaust(self, until: float) -> None:
        """Count nothing as left before `until`, for the service has refused a request."""
        self.remaining = 0
        self.ends_at, self._certain_until = until, None
        self._exhausted_by = self.newest
        self.is_confirmed = True

    def restore(self, limit: int, remaining: int, reset_at: float | None, ends_at: float | None) -> None:
        """Take over the numbers of a window that was stored, or of another one."""
        self.limit, self.remaining = limit, remaining
        self.reset_at, self.ends_at = reset_at, ends_at

    def to_state(self, now: float, offset: ClockOffset) -> SharedState:
        """Return the state that another process continues from; it gets no reply to what is in flight here."""
        return {
            "limit": self.limit,
            "remaining": self.remaining,
            "lost": [
                (offset.convert_not_early(until), newest, weight, offset.convert_not_early(known_from))
                for until, newest, weight, known_from in self._uncertain_with_in_flight(now)
            ],
            "newest": self.newest,
            "newest_before": self._newest_before,
            "closed_by": self._exhausted_by,
            "reset_at": self.reset_at,
            "ends_at": offset.convert_not_early(self.ends_at),
            "certain_until": offset.convert_not_late(self._certain_until),
            "is_confirmed": self.is_confirmed,
        }

    @classmethod
    def from_state(cls, state: SharedState, offset: ClockOffset) -> "RateWindow":
        """Return a window that continues from the state of another process, with its moments moved by `offset`."""
        window = cls(state["limit"])
        window.restore(
            state["limit"], state["remaining"], state["reset_at"], offset.convert_not_early(state["ends_at"])
        )
        window._uncertain = tuple(
            UncertainRequests(until + offset.most, newest, weight, known_from + offset.most)
            for until, newest, weight, known_from in state["lost"]
        )
        window.newest, window._newest_before = state["newest"], state["newest_before"]
        window._exhausted_by = state["closed_by"]
        window._certain_until = offset.convert_not_late(state["certain_until"])
        window.is_confirmed = state["is_confirmed"]
        return window

    def merge(self, other: "RateWindow") -> None:
        """Add the count of another window, which turned out to be of the same account and version."""
        are_both_under_way = self.in_flight and other.in_flight
        self._price = max(self._price, other._price, ASSUMED_QUICK_REQUEST_COST if are_both_under_way else 1)
        self.in_flight += other.in_flight
        self._uncertain = tuple(sorted((*self._uncertain, *other._uncertain)))
        self.newest = max(self.newest, other.newest)
        if other.ends_at is None:
            return
        if self.ends_at is None or other.ends_at > self.ends_at + SAME_RESET_SECONDS:
            self.restore(other.limit, other.remaining, other.reset_at, other.ends_at)
            self.is_confirmed, self._certain_until = other.is_confirmed, other._certain_until
        else:
            self.remaining = min(self.remaining, other.remaining)

    def _uncertain_with_in_flight(self, now: float) -> tuple[UncertainRequests, ...]:
        """Return the uncertain groups, with requests in flight counted as uncertain: they may still arrive."""
        if not self.in_flight:
            return self._uncertain
        return (
            *self._uncertain,
            self._uncertain_from(now + REQUEST_ARRIVAL_SECONDS, self.in_flight * self._price),
        )

    def _add_uncertain(self, group: UncertainRequests) -> None:
        before = self._uncertain
        if len(before) >= _MAX_UNCERTAIN_GROUPS:
            last = before[-1]
            known_from = max(last.known_from, group.known_from)
            before = before[:-1]
            group = UncertainRequests(
                max(last.until, group.until), group.newest, last.weight + group.weight, known_from
            )
        self._uncertain = (*before, group)

    def _uncertain_from(self, moment: float, weight: int) -> UncertainRequests:
        return UncertainRequests(moment + WINDOW_SECONDS + _ROUNDING_SECONDS, self.newest, weight, moment)

    def _mark_unconfirmed(self) -> None:
        """Treat the count as an assumption until a reply confirms it: the next window may have begun."""
        self.is_confirmed = False
        self._certain_until = None
