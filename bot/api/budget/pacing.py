"""How quickly one account may send: learned from what the service takes for quick succession.

The service lowers what is left when requests follow one another quickly, and does not say how quickly or by how
much. So the price of each request is read off the headers; a price above one makes the spacing grow beyond the
gap that was too short, a fair price lets it shrink slowly. Another program that spends the same account's requests
looks alike, but it is not tied to our gaps: what is charged for one gap and not for shorter ones was its doing.

Moments are seconds of the monotonic clock.
"""

import math
from typing import Final, NamedTuple

from bot.api.budget.shared_state import ClockOffset, SharedState
from bot.api.budget.window import ASSUMED_QUICK_REQUEST_COST, SAME_RESET_SECONDS, RateHeaders

BURST_REQUESTS: Final = 4
"""A person may send this many requests at once after a quiet time."""
INITIAL_SPACING_SECONDS: Final = 0.25
"""Requests are spaced by this many seconds before anything is known."""
_MIN_SPACING_SECONDS: Final = 0.1
MAX_SPACING_SECONDS: Final = 2.0
"""A request after this many quiet seconds is not quick, whatever the service means by it. Our choice."""
_SPACING_GROWTH_FACTOR: Final = 1.5
_SPACING_SHRINK_FACTOR: Final = 0.995
_FAIR_REPLIES_TO_RESET: Final = 3
"""This many fair replies in a row, at gaps no longer than one that was charged for, show that the charge was another
program's."""
_NEGLIGIBLE_SECONDS: Final = 0.001
"""A shorter wait counts as none, because moments are rounded numbers."""


class SentRequest(NamedTuple):
    """A request that was sent, with what must be known about it when its reply comes."""

    serial: int
    previous: int
    """The serial of the request before it, to the same version."""
    behind: int
    """The number of requests in flight when it was sent."""
    gap: float
    """The seconds since the request before it was sent."""
    price: int
    """The most that it can cost, unless another request overtakes it."""
    at: float


class RequestPacing:
    """Learns how far apart one account's requests to one version must be sent, from what their replies say they cost."""

    __slots__ = (
        "_active_at",
        "_charged_gap",
        "_fair",
        "_free_at",
        "_is_shared",
        "_last_limit",
        "_last_remaining",
        "_last_reply_serial",
        "_last_reset_at",
        "_newest",
        "_was_charged",
        "highest_cost",
        "sent_at",
        "spacing",
    )

    def __init__(self, spacing: float = INITIAL_SPACING_SECONDS, highest_cost: int = 1) -> None:
        self.spacing = spacing
        """The seconds to leave between two requests."""
        self.highest_cost = highest_cost
        """The highest price that one request has had."""
        self._was_charged = False
        self._is_shared = False
        """Whether another program spends this account's requests: its charges say little about the service."""
        self._charged_gap = spacing / _SPACING_GROWTH_FACTOR if highest_cost > 1 else 0.0
        """The longest gap that was charged for."""
        self._fair = 0
        """The number of fair replies in a row at gaps no longer than that."""
        self._newest = 0
        """The serial of the last request sent."""
        self.sent_at = -math.inf
        """The moment at which the last request was sent; minus infinity if none was."""
        self._active_at = -math.inf
        """The moment at which something was last in flight."""
        self._free_at = -math.inf
        """The moment at which an unhurried sender would send next."""
        # The last reply: the serial of its request, and its headers.
        self._last_reply_serial = -1
        self._last_limit = self._last_remaining = 0
        self._last_reset_at = -math.inf

    @property
    def was_charged_for_haste(self) -> bool:
        """Whether quick succession has cost this account more, and no other program uses it: newcomers learn from two of those."""
        return self._was_charged and not self._is_shared

    def delay(self, now: float, *, is_eager: bool, ahead: int = 0) -> float:
        """Return how many seconds to wait before sending, behind `ahead` others; who `is_eager` may send a burst."""
        if self._free_at <= now and not ahead:
            return 0.0
        seconds = max(0.0, self._free_at - now)
        if is_eager:
            seconds -= (BURST_REQUESTS - 1) * self.spacing
        # Never longer than a burst lasts: the spacing may have shrunk since.
        seconds = min(seconds, BURST_REQUESTS * self.spacing) + ahead * self.spacing
        return seconds if seconds > _NEGLIGIBLE_SECONDS else 0.0

    def record_sent(self, serial: int, in_flight: int, now: float) -> SentRequest:
        """Note that a request is sent now; return what its reply will be compared with."""
        is_calm = not in_flight and now - self._active_at >= MAX_SPACING_SECONDS
        price = 1 if is_calm else max(ASSUMED_QUICK_REQUEST_COST, self.highest_cost)
        sent = SentRequest(serial, self._newest, in_flight, now - self.sent_at, price, now)
        self._newest = serial
        self._free_at = max(now, self._free_at) + self.spacing
        self.sent_at = self._active_at = now
        return sent

    def record_finished(self, now: float) -> None:
        """Note that a request is no longer in flight."""
        self._active_at = now

    def undo_sent(self) -> None:
        """Give back the spacing of a request that never reached the service; it still counts as the last one sent."""
        self._free_at -= self.spacing

    def restore(self, sent_at: float, active_at: float) -> None:
        """Continue from a stored state: the moments of the last request, and until when one may have been in flight."""
        self.sent_at, self._active_at = sent_at, active_at

    def apply_headers(self, sent: SentRequest, headers: RateHeaders) -> None:
        """Learn what a request cost by comparing its reply's headers with those of the request before it."""
        is_next = self._last_reply_serial == sent.previous and sent.behind <= 1
        is_comparable = (
            self._last_limit == headers.limit
            and abs(headers.reset_at - self._last_reset_at) <= SAME_RESET_SECONDS
        )
        price = self._last_remaining - headers.remaining
        self._last_reply_serial, self._last_remaining = sent.serial, headers.remaining
        self._last_limit, self._last_reset_at = headers.limit, headers.reset_at
        if not is_next or not is_comparable:
            return
        if 0 <= price <= 1:
            self._note_fair_price(sent.gap)
        elif price > 1 and sent.gap < MAX_SPACING_SECONDS:
            self._note_overcharge(sent.gap, price)
        elif price > 1:
            self._is_shared = True

    def drop_last_reply(self, now: float) -> None:
        """Compare the next reply with no earlier one: unknown requests may have been sent until now."""
        self._active_at = now
        self._last_reply_serial = -1

    def to_state(self, offset: ClockOffset) -> SharedState:
        """Return the state that another process continues from."""
        return {
            "spacing": self.spacing,
            "dearest": self.highest_cost,
            "was_charged": self._was_charged,
            "is_shared": self._is_shared,
            "charged_gap": self._charged_gap,
            "fair": self._fair,
            "newest": self._newest,
            "sent_at": offset.convert_not_early(self.sent_at),
            "active_at": offset.convert_not_early(self._active_at),
            "free_at": offset.convert_not_early(self._free_at),
            "heard": (self._last_reply_serial, self._last_limit, self._last_remaining),
            "heard_reset_at": None if self._last_reply_serial < 0 else self._last_reset_at,
        }

    @classmethod
    def from_state(cls, state: SharedState, offset: ClockOffset) -> "RequestPacing":
        """Return a pacing that continues from the state of another process, with its moments moved by `offset`."""
        pacing = cls(state["spacing"], state["dearest"])
        pacing._was_charged, pacing._is_shared = state["was_charged"], state["is_shared"]
        pacing._charged_gap, pacing._fair, pacing._newest = (
            state["charged_gap"],
            state["fair"],
            state["newest"],
        )
        pacing.sent_at, pacing._active_at, pacing._free_at = (
            -math.inf if moment is None else moment
            for moment in (
                offset.convert_not_early(state[name]) for name in ("sent_at", "active_at", "free_at")
            )
        )
        if state["heard_reset_at"] is not None:
            pacing._last_reply_serial, pacing._last_limit, pacing._last_remaining = state["heard"]
            pacing._last_reset_at = state["heard_reset_at"]
        return pacing

    def merge(self, other: "RequestPacing") -> None:
        """Add what another pacing has learned, which turned out to be of the same account and version."""
        self.spacing = max(self.spacing, other.spacing)
        self.highest_cost = max(self.highest_cost, other.highest_cost)
        self._was_charged = self._was_charged or other._was_charged
        self._is_shared = self._is_shared or other._is_shared
        self._charged_gap = max(self._charged_gap, other._charged_gap)
        self._newest = max(self._newest, other._newest)
        self.sent_at = max(self.sent_at, other.sent_at)
        self._active_at = max(self._active_at, other._active_at)
        self._free_at = max(self._free_at, other._free_at)

    def is_quiet(self, now: float) -> bool:
        """Return whether no request was sent lately enough to matter for the spacing."""
        return now - self._active_at >= BURST_REQUESTS * MAX_SPACING_SECONDS

    def _note_overcharge(self, gap: float, price: int) -> None:
        self._was_charged = True
        self.highest_cost = max(self.highest_cost, price)
        self.spacing = min(MAX_SPACING_SECONDS, max(self.spacing, gap * _SPACING_GROWTH_FACTOR))
        self._charged_gap = max(self._charged_gap, gap, _MIN_SPACING_SECONDS)
        self._fair = 0

    def _note_fair_price(self, gap: float) -> None:
        self._fair += gap <= self._charged_gap
        if self._fair >= _FAIR_REPLIES_TO_RESET:
            self.spacing = min(self.spacing, INITIAL_SPACING_SECONDS)
            self.highest_cost, self._was_charged, self._charged_gap, self._fair = 1, False, 0.0, 0
        elif gap < self.spacing * _SPACING_GROWTH_FACTOR:
            self.spacing = max(_MIN_SPACING_SECONDS, self.spacing * _SPACING_SHRINK_FACTOR)
