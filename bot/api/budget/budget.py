"""The budget of one account in one version of the service: what may be sent, and when. No I/O, no clock of its own.

    decision = budget.reserve(now, Priority.PERSON, timeout=10)

answers at once with `Granted` (send, then record the outcome), `Queued` (come back with the queue entry) or `Denied`.
A `RateWindow` counts, a `RequestPacing` spaces, and the queue stands here: the more urgent first, and within one
priority first come, first served. Moments are seconds of the monotonic clock; `origin` is the time of day at which
those began, and turns them into what is stored or told.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from typing import Final, NamedTuple, NewType

from bot.api.budget.pacing import BURST_REQUESTS, MAX_SPACING_SECONDS, RequestPacing, SentRequest
from bot.api.budget.shared_state import ClockOffset, SharedState
from bot.api.budget.window import ASSUMED_QUICK_REQUEST_COST, WINDOW_SECONDS, RateHeaders, RateWindow
from bot.domain.kept import KeptWindow
from bot.wire.versions import Version

AccountKey = NewType("AccountKey", str)
"""The key of a budget: an account's id, or a hash of a token whose account is not yet known. Never the token itself."""

ASSUMED_LIMITS: Final[dict[Version, int]] = {"2.0": 120, "1.3": 120, "1.0": 200}
"""Requests per window, until a header says otherwise. Source: specification; for 2.0 our choice, as in 1.3."""

_QUEUE_RECHECK_SECONDS: Final = 0.05
"""A caller that is not first in the queue asks again after this many seconds where the first may send at once."""
REPLY_GRACE_SECONDS: Final = 1.0
"""A caller that has queued waits this many seconds beyond its timeout for a reply in flight that tells what is left."""
_BURST_ALLOWED_ABOVE_FRACTION: Final = 4
"""A person may send bursts while more than one part in this many of the limit is left, and after a wait too early rather
than not at all."""
PROBE_INTERVAL_SECONDS: Final = 30.0
"""Background work sends at most one request in this many seconds only to learn what is left; people may at once."""


class Priority(IntEnum):
    """How urgent a request is, by who waits for it; lower is more urgent."""

    PERSON = 0
    REFRESH = 1
    DAILY = 2
    PREFETCH = 3


RESERVED_PERCENT: Final[Mapping[Priority, int]] = {
    Priority.PERSON: 0,
    Priority.REFRESH: 15,
    Priority.DAILY: 30,
    Priority.PREFETCH: 50,
}
"""The percentage of the limit that each priority leaves for more urgent ones; towards the end of a window at most REFRESH's."""


class Permit(NamedTuple):
    """The right to send one request; its outcome has to be recorded once."""

    account: AccountKey
    version: Version
    sent: SentRequest


@dataclass(slots=True, eq=False)
class QueueEntry:
    """An entry in the queue of a budget: handed back to `reserve` until it is granted, or given up by `leave_queue`."""

    priority: Priority
    serial: int

    def is_before(self, priority: Priority, serial: int) -> bool:
        """Return whether this entry comes before one of that priority and serial."""
        return (self.priority, self.serial) < (priority, serial)


@dataclass(slots=True)
class Granted:
    """The decision that a request may be sent now."""

    permit: Permit


@dataclass(slots=True)
class Queued:
    """The decision that the caller has to ask again with the entry after this many seconds, or as soon as anything changes."""

    seconds: float
    entry: QueueEntry


@dataclass(slots=True)
class Denied:
    """The decision that nothing can be sent before `until`, which is beyond the caller's timeout."""

    until: float
    is_spent: bool = True
    """Whether nothing is left, as the service said; otherwise sending would be too quick, or the rest is reserved or uncertain."""
    is_unanswered: bool = False
    """Whether the caller has waited in vain for the reply to another request."""


Decision = Granted | Queued | Denied


@dataclass(frozen=True, slots=True)
class BudgetLeft:
    """How many requests an account may still send to one version."""

    limit: int
    remaining: int
    reset_at: datetime | None
    """The time of day at which the whole limit can be sent again; None if that is now."""


class SerialCounter:
    """Hands out serial numbers, which only grow."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last = 0

    def next(self) -> int:
        """Return the next serial number."""
        self.last += 1
        return self.last


class Budget:
    """Decides when one account may send requests to one version, and learns from their outcomes."""

    __slots__ = ("_account", "_queue", "_reserved_percent", "_serials", "pace", "version", "window")

    def __init__(
        self,
        account: AccountKey,
        version: Version,
        *,
        pace: RequestPacing | None = None,
        serials: SerialCounter | None = None,
        kept_percent: Mapping[Priority, int] = RESERVED_PERCENT,
    ) -> None:
        self._account = account
        self.version: Version = version
        self._serials = serials or SerialCounter()
        self._reserved_percent = kept_percent
        self._queue: tuple[QueueEntry, ...] = ()
        """The entries of those who wait, in no order."""
        self.window = RateWindow(ASSUMED_LIMITS[version])
        self.pace = pace or RequestPacing()

    def reserve(
        self, now: float, priority: Priority, timeout: float, entry: QueueEntry | None = None
    ) -> Decision:
        """Decide about one request: grant it, queue it, or deny it where it would have to wait longer than `timeout` seconds.

        What is left may be uncertain: then a reply in flight is awaited, or one request is granted as a probe, whose reply
        tells. `entry` is that of an earlier decision `Queued`.
        """
        window = self.window
        window.refresh(now)
        ahead = self._count_ahead(priority, entry) if self._queue else 0
        needed = ahead + self._reserved_for_more_urgent(priority, now)
        left = window.certainly_left
        is_answer_awaited = False
        if left > needed and (window.is_confirmed or not window.in_flight or self._has_burst_left()):
            is_eager = priority is Priority.PERSON and left * _BURST_ALLOWED_ABOVE_FRACTION > window.limit
            seconds = self.pace.delay(now, is_eager=is_eager, ahead=ahead)
            if ahead:
                seconds = max(seconds, _QUEUE_RECHECK_SECONDS)
            elif seconds <= 0.0:
                return self._grant(now, entry)
            if is_eager and entry is not None and seconds > timeout:
                return self._grant(now, entry)  # it has waited until now: too early is better than not at all
        elif window.in_flight and window.remaining - window.in_flight > needed:
            is_answer_awaited = True
            if entry is not None:
                timeout += REPLY_GRACE_SECONDS
            seconds = timeout
        elif not window.in_flight and window.probe_useful_from is not None and window.remaining > needed:
            seconds = self._probe_delay(now, priority, ahead)
            if seconds <= 0.0:
                return self._grant(now, entry)
        else:
            frees_at = window.frees_at
            opens_at = self._opens_at(priority, left - ahead)
            seconds = WINDOW_SECONDS if frees_at is None else min(frees_at, opens_at) - now
        if timeout <= 0.0 or seconds > timeout:
            self.leave_queue(entry)
            until = now + (MAX_SPACING_SECONDS if is_answer_awaited else seconds)
            is_unanswered = is_answer_awaited and entry is not None and self._is_silent(now)
            is_spent = window.remaining - window.in_flight <= ahead
            return Denied(until, is_spent=is_spent, is_unanswered=is_unanswered)
        return Queued(seconds, self._enqueue(priority, entry))

    def clear_queue(self) -> None:
        """Empty the queue when a token turns out to be another account's; a caller who comes back keeps the place of its entry."""
        self._queue = ()

    def leave_queue(self, entry: QueueEntry | None) -> None:
        """Remove an entry from the queue, if it is there."""
        if self._queue:
            self._queue = tuple(each for each in self._queue if each is not entry)

    def record_reply(self, permit: Permit, now: float, headers: RateHeaders | None) -> None:
        """Record the reply to a request; without headers it is uncertain whether the service has counted it."""
        sent = permit.sent
        self._record_finished(now)
        if headers is None:
            self.window.count_uncertain(now)
        else:
            self.pace.apply_headers(sent, headers)
            self.window.apply_headers(sent.serial, sent.at, now, headers)

    def return_unsent(self, now: float) -> None:
        """Take a request back that never reached the service."""
        self._record_finished(now)
        self.pace.undo_sent()

    def record_rejection(
        self, permit: Permit, now: float, headers: RateHeaders | None, retry_after: float | None
    ) -> float:
        """Record that the service refused a request with 429; return the moment from which the account may send again."""
        self._record_finished(now)
        if headers is not None and headers.ends_in > 0:
            self.window.apply_headers(permit.sent.serial, permit.sent.at, now, headers)
            seconds = max(headers.ends_in, retry_after or 0.0)
        else:
            seconds = WINDOW_SECONDS if retry_after is None else retry_after
        until = now + seconds
        self.window.exhaust(until)
        return until

    def requests_left(self, now: float, origin: datetime) -> BudgetLeft:
        """Return how many requests may still be sent for certain, and when the limit is full again."""
        window = self.window
        window.refresh(now)
        return BudgetLeft(window.limit, max(0, window.certainly_left), _time_of_day(window.full_at, origin))

    def has_more_urgent_waiters(self, priority: Priority) -> bool:
        """Return whether somebody in the queue is more urgent than this priority, such as that of another process."""
        return any(each.priority < priority for each in self._queue)

    def fraction_left(self, now: float) -> float:
        """Return which fraction of the limit may still be sent for certain, 0 to 1."""
        self.window.refresh(now)
        return max(0, self.window.certainly_left) / self.window.limit

    def is_idle(self, now: float) -> bool:
        """Return whether it may be dropped: the window is over, nobody waits, and nothing was in flight lately."""
        self.window.refresh(now)
        return self.window.is_over and not self._queue and self.pace.is_quiet(now)

    def is_scarce(self) -> bool:
        """Return whether at most a quarter of the limit is certainly left, so that every request matters."""
        return self.window.certainly_left * _BURST_ALLOWED_ABOVE_FRACTION <= self.window.limit

    def merge(self, other: "Budget") -> None:
        """Add another budget, which turned out to be of the same account and version."""
        self.window.merge(other.window)
        self._queue = (*self._queue, *other._queue)
        self.pace.merge(other.pace)

    def to_backup(self, now: float, origin: datetime) -> KeptWindow:
        """Return the copy that a later process restores; it gets no reply to what is in flight here."""
        window, pace = self.window, self.pace
        sent_at = pace.sent_at if math.isfinite(pace.sent_at) else now
        reset_at = None if window.reset_at is None else datetime.fromtimestamp(window.reset_at, UTC)
        return KeptWindow(
            account=self._account,
            version=self.version,
            limit=window.limit,
            remaining=window.remaining,
            lost=window.uncertain_cost,
            reset_at=reset_at,
            ends_at=_time_of_day(window.ends_at, origin),
            sent_at=origin + timedelta(seconds=sent_at),
            spacing=pace.spacing,
            dearest=pace.highest_cost,
        )

    def restore_backup(self, kept: KeptWindow, now: float, origin: datetime) -> None:
        """Restore a copy; one from the future means that the clock was set back since."""
        sent_at = (kept.sent_at - origin).total_seconds()
        back = max(0.0, sent_at - now)
        ends_at = None if kept.ends_at is None else (kept.ends_at - origin).total_seconds() - back
        reset_at = None if kept.reset_at is None else kept.reset_at.timestamp()
        self.window.restore(kept.limit, kept.remaining, reset_at, ends_at)
        if kept.lost > 0:
            self.window.count_uncertain(now, kept.lost)
        self.pace = RequestPacing(kept.spacing, kept.dearest)
        self.pace.restore(sent_at - back, now)

    def abandon_in_flight(self, now: float) -> None:
        """Count all requests in flight as uncertain: their replies are awaited no longer."""
        if self.window.in_flight:
            self.window.abandon_in_flight(now)
            self.pace.drop_last_reply(now)

    def count_unseen_requests(self, now: float, weight: int) -> None:
        """Count a total `weight` of requests as uncertain: another process may have sent them, and lost their replies."""
        self.window.count_unseen(now, weight)
        self.pace.drop_last_reply(now)

    def to_shared_state(self, now: float, offset: ClockOffset) -> SharedState:
        """Return the state that another process continues from, in moments by a clock that is `offset` ahead of ours."""
        return {"window": self.window.to_state(now, offset), "pace": self.pace.to_state(offset)}

    def restore_shared_state(self, now: float, state: SharedState, offset: ClockOffset) -> None:
        """Continue from the state of another process, written by a clock that is `offset` behind ours; the queue stays.

        A request sent in the future means that that clock was set back since: all moments are moved back as far.
        """
        sent_at = offset.convert_not_late(state["pace"]["sent_at"])
        back = 0.0 if sent_at is None else max(0.0, sent_at - now)
        offset = ClockOffset(offset.least - back, offset.most - back)
        self.window = RateWindow.from_state(state["window"], offset)
        self.pace = RequestPacing.from_state(state["pace"], offset)
        if self.window.uncertain_cost:
            self.pace.drop_last_reply(now)
        self._serials.last = max(self._serials.last, self.window.newest)

    def _reserved_for_more_urgent(self, priority: Priority, now: float) -> int:
        """Return how many requests are reserved for more urgent ones now: what is unused when the window ends is lost."""
        kept, least = self._reserved_percent_range(priority)
        if not kept:
            return 0
        ends_at = self.window.ends_at
        share = 1.0 if ends_at is None else min(1.0, (ends_at - now) / WINDOW_SECONDS)
        return int(self.window.limit * (least + (kept - least) * share)) // 100

    def _opens_at(self, priority: Priority, left: int) -> float:
        """Return the moment at which fewer are reserved than are left; infinity if not in this window."""
        kept, least = self._reserved_percent_range(priority)
        percent = left * 100 / self.window.limit
        if self.window.ends_at is None or not least < percent <= kept:
            return math.inf
        return (
            self.window.ends_at - WINDOW_SECONDS * (percent - least) / (kept - least) + _QUEUE_RECHECK_SECONDS
        )

    def _reserved_percent_range(self, priority: Priority) -> tuple[int, int]:
        """Return the percentages reserved for more urgent ones when a window begins, and when it ends."""
        kept, least = self._reserved_percent[priority], self._reserved_percent[Priority.REFRESH]
        return kept, min(kept, least)

    def _has_burst_left(self) -> bool:
        """Return whether more of a burst may be sent before a reply tells how much is left."""
        return self.window.uncertain_cost < BURST_REQUESTS * max(
            ASSUMED_QUICK_REQUEST_COST, self.pace.highest_cost
        )

    def _probe_delay(self, now: float, priority: Priority, ahead: int) -> float:
        """Return in how many seconds one request may be sent as a probe, whose reply tells what is left."""
        is_person = priority is Priority.PERSON
        seconds = max((self.window.probe_useful_from or now) - now, self.pace.delay(now, is_eager=is_person))
        if not is_person:
            seconds = max(seconds, self.pace.sent_at + PROBE_INTERVAL_SECONDS - now)
        return max(seconds, _QUEUE_RECHECK_SECONDS) if ahead else seconds

    def _is_silent(self, now: float) -> bool:
        """Return whether the service has stopped answering, or takes long to."""
        return self.window.probe_useful_from is not None or now - self.pace.sent_at >= MAX_SPACING_SECONDS

    def _grant(self, now: float, entry: QueueEntry | None) -> Granted:
        sent = self.pace.record_sent(self._serials.next(), self.window.in_flight, now)
        self.window.record_sent(sent.serial, sent.price)
        if entry is not None:
            self.leave_queue(entry)
        return Granted(Permit(self._account, self.version, sent))

    def _record_finished(self, now: float) -> None:
        self.window.refresh(now)
        self.window.record_finished()
        self.pace.record_finished(now)

    def _count_ahead(self, priority: Priority, entry: QueueEntry | None) -> int:
        if entry is None:
            return sum(each.priority <= priority for each in self._queue)
        return sum(each.is_before(priority, entry.serial) for each in self._queue if each is not entry)

    def _enqueue(self, priority: Priority, entry: QueueEntry | None) -> QueueEntry:
        if entry is None:
            entry = QueueEntry(priority, self._serials.next())
        entry.priority = priority
        if entry not in self._queue:
            self._queue = (*self._queue, entry)
        return entry


def _time_of_day(moment: float | None, origin: datetime) -> datetime | None:
    return None if moment is None else origin + timedelta(seconds=moment)
