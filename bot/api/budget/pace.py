"""How quickly one account may send: learned from what the service takes for quick succession.

The service lowers what is left when requests follow one another quickly, and does not say how quickly or by how
much. So the price of each request is read off the headers; a price above one makes the spacing grow beyond the
gap that was too short, a fair price lets it shrink slowly. Another program that spends the same account's requests
looks alike, but it is not tied to our gaps: what is charged for one gap and not for shorter ones was its doing.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.api.budget.window import DOUBT, RateHeaders

BURST: Final = 4
"""Requests that a person may send at once after a quiet time."""
FIRST: Final = 0.25
"""Seconds between two requests, before anything is known."""
_SHORTEST: Final = 0.1
LONGEST: Final = 2.0
"""Seconds; a request after a quiet time this long is not quick, whatever the service means by it. Our choice."""
_GROWTH: Final = 1.5
_SHRINKING: Final = 0.995
_SAME: Final = timedelta(seconds=2)
_ENOUGH: Final = 3
"""Fair replies in a row, to requests no further apart than what was charged for, that take the charge back."""
_ROUNDING: Final = 0.001
"""Seconds that are not worth a wait; times have whole microseconds."""


class Sent(NamedTuple):
    """What must be known about a request when its reply comes."""

    serial: int
    previous: int
    """Serial of the request before it, in the same version."""
    behind: int
    """Requests that were under way when it was sent."""
    gap: float
    """Seconds since the request before it was sent."""
    price: int
    """What it may cost at most, unless another one overtakes it."""
    at: datetime


class Pace:
    """The rhythm of one account in one version; times are by our clock, spacing in seconds."""

    __slots__ = (
        "_fair",
        "_heard",
        "_heard_limit",
        "_heard_remaining",
        "_heard_reset_at",
        "active_at",
        "charged_gap",
        "dearest",
        "free_at",
        "is_shared",
        "sent_at",
        "spacing",
        "wasted",
    )

    def __init__(self, spacing: float = FIRST, dearest: int = 1) -> None:
        self.spacing = spacing
        self.dearest = dearest
        """The highest price that one request has had."""
        self.wasted = 0
        """Requests lost to quick succession, as far as this account has seen itself."""
        self.is_shared = False
        """Another program spends this account's requests: what it is charged says little about the service."""
        self.charged_gap = spacing / _GROWTH if dearest > 1 else 0.0
        """The longest gap that was charged for."""
        self._fair = 0
        """Fair replies in a row to requests no further apart than that."""
        self.sent_at: datetime | None = None
        self.active_at: datetime | None = None
        """When something was last under way."""
        self.free_at: datetime | None = None
        """When an unhurried sender would send next."""
        # The last reply: the serial of its request, and its headers.
        self._heard = -1
        self._heard_limit = self._heard_remaining = 0
        self._heard_reset_at: datetime | None = None

    def delay(self, now: datetime, *, is_eager: bool) -> float:
        """Return how many seconds to wait before sending; a burst is for the eager."""
        if self.free_at is None:
            return 0.0
        seconds = (self.free_at - now).total_seconds()
        if is_eager:
            seconds -= (BURST - 1) * self.spacing
        # Never longer than a burst lasts: the clock may have been set back.
        return min(seconds, BURST * self.spacing) if seconds > _ROUNDING else 0.0

    def send(self, serial: int, previous: int, in_flight: int, now: datetime) -> Sent:
        """Note that a request is sent."""
        gap = LONGEST if self.sent_at is None else max(0.0, (now - self.sent_at).total_seconds())
        is_calm = not in_flight and (
            self.active_at is None or (now - self.active_at).total_seconds() >= LONGEST
        )
        start = now if self.free_at is None or self.free_at < now else self.free_at
        self.free_at = start + timedelta(seconds=self.spacing)
        self.sent_at = self.active_at = now
        return Sent(serial, previous, in_flight, gap, 1 if is_calm else max(DOUBT, self.dearest), now)

    def finish(self, now: datetime) -> None:
        """Note that a request is no longer under way."""
        self.active_at = now

    def take_back(self) -> None:
        """Keep nobody waiting for a request that never reached the service."""
        self.free_at = self.free_at and self.free_at - timedelta(seconds=self.spacing)

    def resume(self, sent_at: datetime, active_at: datetime) -> None:
        """Go on for another: when the last request was sent, and until when one may have been under way."""
        self.sent_at, self.active_at = sent_at, active_at

    def learn(self, sent: Sent, headers: RateHeaders) -> None:
        """Read off what a request cost, where only its own reply lies between two counts."""
        is_next = self._heard == sent.previous and sent.behind <= 1
        is_comparable = self._heard_limit == headers.limit and (
            self._heard_reset_at is not None and abs(headers.reset_at - self._heard_reset_at) <= _SAME
        )
        price = self._heard_remaining - headers.remaining
        self._heard, self._heard_remaining = sent.serial, headers.remaining
        self._heard_limit, self._heard_reset_at = headers.limit, headers.reset_at
        if not is_next or not is_comparable:
            return
        if 0 <= price <= 1:
            self._be_fair(sent.gap)
        elif price > 1 and sent.gap < LONGEST:
            self._be_charged(sent.gap, price)
        elif price > 1:
            self.is_shared = True

    def _be_charged(self, gap: float, price: int) -> None:
        self.wasted += price - 1
        self.dearest = max(self.dearest, price)
        self.spacing = min(LONGEST, max(self.spacing, gap * _GROWTH))
        self.charged_gap = max(self.charged_gap, gap, _SHORTEST)
        self._fair = 0

    def _be_fair(self, gap: float) -> None:
        self._fair += gap <= self.charged_gap
        if self._fair >= _ENOUGH:
            self.spacing = min(self.spacing, FIRST)
            self.dearest, self.wasted, self.charged_gap, self._fair = 1, 0, 0.0, 0
        elif gap < self.spacing * _GROWTH:
            self.spacing = max(_SHORTEST, self.spacing * _SHRINKING)

    def absorb(self, other: "Pace") -> None:
        """Take in what another one of the same account and version knows."""
        self.spacing = max(self.spacing, other.spacing)
        self.dearest = max(self.dearest, other.dearest)
        self.wasted += other.wasted
        self.is_shared = self.is_shared or other.is_shared
        self.charged_gap = max(self.charged_gap, other.charged_gap)
        self.sent_at = max(filter(None, (self.sent_at, other.sent_at)), default=None)
        self.active_at = max(filter(None, (self.active_at, other.active_at)), default=None)
        self.free_at = max(filter(None, (self.free_at, other.free_at)), default=None)

    def set_back(self, by: timedelta) -> None:
        """Move all moments by our clock, which was set back by so much."""
        self.sent_at = self.sent_at and self.sent_at - by
        self.active_at = self.active_at and self.active_at - by
        self.free_at = self.free_at and self.free_at - by

    def is_quiet(self, now: datetime) -> bool:
        """Return whether nothing of what was sent matters any more."""
        return self.active_at is None or (now - self.active_at).total_seconds() >= BURST * LONGEST
