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
"""Requests that a person may send at once after a quiet time."""
INITIAL_SPACING_SECONDS: Final = 0.25
"""Seconds between two requests, before anything is known."""
_MIN_SPACING_SECONDS: Final = 0.1
MAX_SPACING_SECONDS: Final = 2.0
"""Seconds; a request after a quiet time this long is not quick, whatever the service means by it. Our choice."""
_SPACING_GROWTH_FACTOR: Final = 1.5
_SPACING_SHRINK_FACTOR: Final = 0.995
_FAIR_REPLIES_TO_RESET: Final = 3
"""Fair replies in a row, to requests no further apart than what was charged for, that take the charge back."""
_NEGLIGIBLE_SECONDS: Final = 0.001
"""Seconds that are not worth a wait; a moment is a rounded number."""


class SentRequest(NamedTuple):
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
    at: float


class RequestPacing:
    """The rhythm of one account in one version."""

    __slots__ = (
        "_active_at",
        "_charged_gap",
        "_fair",
        "_free_at",
        "_highest_cost",
        "_is_shared",
        "_last_limit",
        "_last_remaining",
        "_last_reply_serial",
        "_last_reset_at",
        "_newest",
        "_sent_at",
        "_spacing",
        "_was_charged",
    )

    def __init__(self, spacing: float = INITIAL_SPACING_SECONDS, dearest: int = 1) -> None:
        self._spacing = spacing
        self._highest_cost = dearest
        self._was_charged = False
        self._is_shared = False
        """Another program spends this account's requests: what it is charged says little about the service."""
        self._charged_gap = spacing / _SPACING_GROWTH_FACTOR if dearest > 1 else 0.0
        """The longest gap that was charged for."""
        self._fair = 0
        """Fair replies in a row to requests no further apart than that."""
        self._newest = 0
        """Serial of the last request sent."""
        self._sent_at = -math.inf
        self._active_at = -math.inf
        """When something was last under way."""
        self._free_at = -math.inf
        """When an unhurried sender would send next."""
        # The last reply: the serial of its request, and its headers.
        self._last_reply_serial = -1
        self._last_limit = self._last_remaining = 0
        self._last_reset_at = -math.inf

    @property
    def spacing(self) -> float:
        """Seconds between two requests."""
        return self._spacing

    @property
    def highest_cost(self) -> int:
        """The highest price that one request has had."""
        return self._highest_cost

    @property
    def sent_at(self) -> float:
        """When the last request was sent; minus infinity if none was."""
        return self._sent_at

    @property
    def was_charged_alone(self) -> bool:
        """Whether this account has seen itself that the service charges for quick succession."""
        return self._was_charged and not self._is_shared

    def delay(self, now: float, *, is_eager: bool, ahead: int = 0) -> float:
        """Return how many seconds to wait before sending, behind so many others; a burst is for the eager."""
        if self._free_at <= now and not ahead:
            return 0.0
        seconds = max(0.0, self._free_at - now)
        if is_eager:
            seconds -= (BURST_REQUESTS - 1) * self._spacing
        # Never longer than a burst lasts: the spacing may have shrunk since.
        seconds = min(seconds, BURST_REQUESTS * self._spacing) + ahead * self._spacing
        return seconds if seconds > _NEGLIGIBLE_SECONDS else 0.0

    def record_sent(self, serial: int, in_flight: int, now: float) -> SentRequest:
        """Note that a request is sent."""
        is_calm = not in_flight and now - self._active_at >= MAX_SPACING_SECONDS
        price = 1 if is_calm else max(ASSUMED_QUICK_REQUEST_COST, self._highest_cost)
        sent = SentRequest(serial, self._newest, in_flight, now - self._sent_at, price, now)
        self._newest = serial
        self._free_at = max(now, self._free_at) + self._spacing
        self._sent_at = self._active_at = now
        return sent

    def record_finished(self, now: float) -> None:
        """Note that a request is no longer under way."""
        self._active_at = now

    def undo_sent(self) -> None:
        """Keep nobody waiting for a request that never reached the service."""
        self._free_at -= self._spacing

    def restore(self, sent_at: float, active_at: float) -> None:
        """Go on for another: when the last request was sent, and until when one may have been under way."""
        self._sent_at, self._active_at = sent_at, active_at

    def apply_headers(self, sent: SentRequest, headers: RateHeaders) -> None:
        """Read off what a request cost, where only its own reply lies between two counts."""
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

    def forget_last_reply(self, now: float) -> None:
        """Note that requests may have been sent until now of which no reply tells."""
        self._active_at = now
        self._last_reply_serial = -1

    def to_state(self, shift: ClockOffset) -> SharedState:
        """Return what another process may go on from."""
        return {
            "spacing": self._spacing,
            "dearest": self._highest_cost,
            "was_charged": self._was_charged,
            "is_shared": self._is_shared,
            "charged_gap": self._charged_gap,
            "fair": self._fair,
            "newest": self._newest,
            "sent_at": shift.convert_not_early(self._sent_at),
            "active_at": shift.convert_not_early(self._active_at),
            "free_at": shift.convert_not_early(self._free_at),
            "heard": (self._last_reply_serial, self._last_limit, self._last_remaining),
            "heard_reset_at": None if self._last_reply_serial < 0 else self._last_reset_at,
        }

    @classmethod
    def from_state(cls, state: SharedState, shift: ClockOffset) -> "RequestPacing":
        """Return a pace that goes on from what another process knew."""
        pace = cls(state["spacing"], state["dearest"])
        pace._was_charged, pace._is_shared = state["was_charged"], state["is_shared"]
        pace._charged_gap, pace._fair, pace._newest = state["charged_gap"], state["fair"], state["newest"]
        pace._sent_at, pace._active_at, pace._free_at = (
            -math.inf if moment is None else moment
            for moment in (
                shift.convert_not_early(state[name]) for name in ("sent_at", "active_at", "free_at")
            )
        )
        if state["heard_reset_at"] is not None:
            pace._last_reply_serial, pace._last_limit, pace._last_remaining = state["heard"]
            pace._last_reset_at = state["heard_reset_at"]
        return pace

    def merge(self, other: "RequestPacing") -> None:
        """Take in what another one of the same account and version knows."""
        self._spacing = max(self._spacing, other._spacing)
        self._highest_cost = max(self._highest_cost, other._highest_cost)
        self._was_charged = self._was_charged or other._was_charged
        self._is_shared = self._is_shared or other._is_shared
        self._charged_gap = max(self._charged_gap, other._charged_gap)
        self._newest = max(self._newest, other._newest)
        self._sent_at = max(self._sent_at, other._sent_at)
        self._active_at = max(self._active_at, other._active_at)
        self._free_at = max(self._free_at, other._free_at)

    def is_quiet(self, now: float) -> bool:
        """Return whether nothing of what was sent matters any more."""
        return now - self._active_at >= BURST_REQUESTS * MAX_SPACING_SECONDS

    def _note_overcharge(self, gap: float, price: int) -> None:
        self._was_charged = True
        self._highest_cost = max(self._highest_cost, price)
        self._spacing = min(MAX_SPACING_SECONDS, max(self._spacing, gap * _SPACING_GROWTH_FACTOR))
        self._charged_gap = max(self._charged_gap, gap, _MIN_SPACING_SECONDS)
        self._fair = 0

    def _note_fair_price(self, gap: float) -> None:
        self._fair += gap <= self._charged_gap
        if self._fair >= _FAIR_REPLIES_TO_RESET:
            self._spacing = min(self._spacing, INITIAL_SPACING_SECONDS)
            self._highest_cost, self._was_charged, self._charged_gap, self._fair = 1, False, 0.0, 0
        elif gap < self._spacing * _SPACING_GROWTH_FACTOR:
            self._spacing = max(_MIN_SPACING_SECONDS, self._spacing * _SPACING_SHRINK_FACTOR)
