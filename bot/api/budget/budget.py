"""What one account may still send to one version of the service, and when: no I/O, no clock of its own.

    decision = budget.reserve(now, Priority.PERSON, patience=10)

answers at once with Go (send, then `settle`), Wait (come back with the place in the queue) or Refused. The count
is a Window's, the rhythm a Pace's, and the queue stands here: the more urgent first, and within one priority
first come, first served. Moments are seconds of the monotonic clock; `origin` is the time of day when those began,
and turns them into what a copy or a person is told.
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
"""Whose budget it is: an account, or a token whose account is not yet known. Never the token itself."""

ASSUMED_LIMITS: Final[dict[Version, int]] = {"2.0": 120, "1.3": 120, "1.0": 200}
"""Requests per window until a header says otherwise. Source: specification; for 2.0 our choice, as in 1.3."""

_QUEUE_RECHECK_SECONDS: Final = 0.05
"""Seconds after which whoever is first in the queue has come by, where both may be sent at once."""
REPLY_GRACE_SECONDS: Final = 1.0
"""Seconds that whoever has waited waits longer than they would, for a reply under way that says what is left."""
_BURST_ALLOWED_ABOVE_FRACTION: Final = 4
"""A person sends in bursts, and out of rhythm rather than not at all after a wait, while more than one part of so many
is left; after that, thrift comes first."""
PROBE_EVERY: Final = 30.0
"""Seconds from one request to the next that work in the background sends after doubt alone: people may at once."""


class Priority(IntEnum):
    """Who waits for the answer; lower is more urgent."""

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
"""How much of the limit each priority leaves for those above it: as the window ends, no more than REFRESH does."""


class Permit(NamedTuple):
    """The right to send one request; to be settled once."""

    account: AccountKey
    version: Version
    sent: SentRequest


@dataclass(slots=True, eq=False)
class QueueEntry:
    """A place in the queue of a budget; to be given back, or left."""

    priority: Priority
    serial: int

    def is_before(self, priority: Priority, serial: int) -> bool:
        """Return whether it is this one's turn first."""
        return (self.priority, self.serial) < (priority, serial)


@dataclass(slots=True)
class Granted:
    """Send now."""

    permit: Permit


@dataclass(slots=True)
class Queued:
    """Ask again with the place after so many seconds, within the caller's patience, or when anything changes."""

    seconds: float
    entry: QueueEntry


@dataclass(slots=True)
class Denied:
    """Nothing can be sent before `until`, which is beyond the caller's patience."""

    until: float
    is_spent: bool = True
    """Nothing is left, as the service said; otherwise it would be too quick, or is kept for the more urgent."""
    is_unanswered: bool = False
    """Whoever asks has waited in vain for the reply to another request."""


Decision = Granted | Queued | Denied


@dataclass(frozen=True, slots=True)
class BudgetLeft:
    """What an account may still send to one version."""

    limit: int
    remaining: int
    reset_at: datetime | None
    """When it is full again, in time of day; None if it is full now."""


class SerialCounter:
    """Numbers that only grow."""

    __slots__ = ("last",)

    def __init__(self) -> None:
        self.last = 0

    def next(self) -> int:
        """Return the next one."""
        self.last += 1
        return self.last


class Budget:
    """One account in one version."""

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
        """Who waits, in no order."""
        self.window = RateWindow(ASSUMED_LIMITS[version])
        self.pace = pace or RequestPacing()

    def reserve(
        self, now: float, priority: Priority, patience: float, place: QueueEntry | None = None
    ) -> Decision:
        """Decide about one request; `patience` is in seconds, `place` what an earlier Wait gave."""
        window = self.window
        window.refresh(now)
        ahead = self._count_ahead(priority, place) if self._queue else 0
        needed = ahead + self._reserved_for_more_urgent(priority, now)
        sure = window.certainly_left
        is_answer_awaited = False
        if sure > needed and (window.is_confirmed or not window.in_flight or self._has_burst_left()):
            is_eager = priority is Priority.PERSON and sure * _BURST_ALLOWED_ABOVE_FRACTION > window.limit
            seconds = self.pace.delay(now, is_eager=is_eager, ahead=ahead)
            if ahead:
                seconds = max(seconds, _QUEUE_RECHECK_SECONDS)
            elif seconds <= 0.0:
                return self._grant(now, place)
            if is_eager and place is not None and seconds > patience:
                return self._grant(now, place)  # has waited until now: rather too quickly than not at all
        elif window.in_flight and window.remaining - window.in_flight > needed:
            is_answer_awaited = True
            if place is not None:
                patience += REPLY_GRACE_SECONDS
            seconds = patience
        elif not window.in_flight and window.doubtful_until is not None and window.remaining > needed:
            seconds = self._probe_delay(now, priority, ahead)
            if seconds <= 0.0:
                return self._grant(now, place)
        else:
            frees_at = window.frees_at
            opens_at = self._opens_at(priority, sure - ahead)
            seconds = WINDOW_SECONDS if frees_at is None else min(frees_at, opens_at) - now
        if patience <= 0.0 or seconds > patience:
            self.leave_queue(place)
            until = now + (MAX_SPACING_SECONDS if is_answer_awaited else seconds)
            is_unanswered = is_answer_awaited and place is not None and self._is_mute(now)
            is_spent = window.remaining - window.in_flight <= ahead
            return Denied(until, is_spent=is_spent, is_unanswered=is_unanswered)
        return Queued(seconds, self._enqueue(priority, place))

    def clear_queue(self) -> None:
        """Have nobody in the queue, but for those who come back with their places."""
        self._queue = ()

    def leave_queue(self, place: QueueEntry | None) -> None:
        """Give a place in the queue up."""
        if self._queue:
            self._queue = tuple(each for each in self._queue if each is not place)

    def record_reply(self, ticket: Permit, now: float, headers: RateHeaders | None) -> None:
        """Count a request as done; without headers it may or may not have counted."""
        sent = ticket.sent
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
        self, ticket: Permit, now: float, headers: RateHeaders | None, retry_after: float | None
    ) -> float:
        """Count a request as refused with 429, and return when the account may send again."""
        self._record_finished(now)
        if headers is not None and headers.ends_in > 0:
            self.window.apply_headers(ticket.sent.serial, ticket.sent.at, now, headers)
            seconds = max(headers.ends_in, retry_after or 0.0)
        else:
            seconds = WINDOW_SECONDS if retry_after is None else retry_after
        until = now + seconds
        self.window.exhaust(until)
        return until

    def requests_left(self, now: float, origin: datetime) -> BudgetLeft:
        """Return what may still be sent for certain."""
        window = self.window
        window.refresh(now)
        return BudgetLeft(window.limit, max(0, window.certainly_left), _time_of_day(window.full_at, origin))

    def has_more_urgent_waiters(self, priority: Priority) -> bool:
        """Return whether somebody waits who is more urgent than this."""
        return any(each.priority < priority for each in self._queue)

    def fraction_left(self, now: float) -> float:
        """Return what part of the requests may still be sent for certain."""
        self.window.refresh(now)
        return max(0, self.window.certainly_left) / self.window.limit

    def is_idle(self, now: float) -> bool:
        """Return whether nothing would be lost with it but the spacing it learned."""
        self.window.refresh(now)
        return self.window.is_over and not self._queue and self.pace.is_quiet(now)

    def is_scarce(self) -> bool:
        """Return whether so little is left that every single request matters."""
        return self.window.certainly_left * _BURST_ALLOWED_ABOVE_FRACTION <= self.window.limit

    def merge(self, other: "Budget") -> None:
        """Take in another one of the same account and version."""
        self.window.merge(other.window)
        self._queue = (*self._queue, *other._queue)
        self.pace.merge(other.pace)

    def to_backup(self, now: float, origin: datetime) -> KeptWindow:
        """Return what must survive a restart; what is under way will never be heard of again."""
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
        """Go on where a copy left off; one that is from the future says that the clock was set back since."""
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
        """Wait for no reply to what is under way: it may or may not have counted, or may do so yet."""
        if self.window.in_flight:
            self.window.abandon_in_flight(now)
            self.pace.forget_last_reply(now)

    def count_unseen_requests(self, now: float, weight: int) -> None:
        """Count what another process may have spent until now, of which nobody hears."""
        self.window.count_unseen(now, weight)
        self.pace.forget_last_reply(now)

    def to_shared_state(self, now: float, shift: ClockOffset) -> SharedState:
        """Return all that another process may go on from, by a clock that is so far ahead of ours."""
        return {"window": self.window.to_state(now, shift), "pace": self.pace.to_state(shift)}

    def restore_shared_state(self, now: float, state: SharedState, shift: ClockOffset) -> None:
        """Go on where another process left off, by a clock that ours is so far ahead of; who waits here, waits on.

        What was sent in the future says that the shared clock was set back since.
        """
        sent_at = shift.convert_not_late(state["pace"]["sent_at"])
        back = 0.0 if sent_at is None else max(0.0, sent_at - now)
        shift = ClockOffset(shift.least - back, shift.most - back)
        self.window = RateWindow.from_state(state["window"], shift)
        self.pace = RequestPacing.from_state(state["pace"], shift)
        if self.window.uncertain_cost:
            self.pace.forget_last_reply(now)
        self._serials.last = max(self._serials.last, self.window.newest)

    def _reserved_for_more_urgent(self, priority: Priority, now: float) -> int:
        """Return what is left for the more urgent: what they do not take before the window ends is nobody's."""
        kept, least = self._reserved_percent_range(priority)
        if not kept:
            return 0
        ends_at = self.window.ends_at
        share = 1.0 if ends_at is None else min(1.0, (ends_at - now) / WINDOW_SECONDS)
        return int(self.window.limit * (least + (kept - least) * share)) // 100

    def _opens_at(self, priority: Priority, left: int) -> float:
        """Return when less is kept back than is left; infinity if not in this window."""
        kept, least = self._reserved_percent_range(priority)
        percent = left * 100 / self.window.limit
        if self.window.ends_at is None or not least < percent <= kept:
            return math.inf
        return (
            self.window.ends_at - WINDOW_SECONDS * (percent - least) / (kept - least) + _QUEUE_RECHECK_SECONDS
        )

    def _reserved_percent_range(self, priority: Priority) -> tuple[int, int]:
        """Return what is left for the more urgent when a window begins, and when it ends, in per cent."""
        kept, least = self._reserved_percent[priority], self._reserved_percent[Priority.REFRESH]
        return kept, min(kept, least)

    def _has_burst_left(self) -> bool:
        """Return whether more may be sent before a reply tells how much is left; what got lost has been sent too."""
        return self.window.uncertain_cost < BURST_REQUESTS * max(
            ASSUMED_QUICK_REQUEST_COST, self.pace.highest_cost
        )

    def _probe_delay(self, now: float, priority: Priority, ahead: int) -> float:
        """Return in how many seconds a request may be sent whose reply tells what is left."""
        is_person = priority is Priority.PERSON
        seconds = max((self.window.doubtful_until or now) - now, self.pace.delay(now, is_eager=is_person))
        if not is_person:
            seconds = max(seconds, self.pace.sent_at + PROBE_EVERY - now)
        return max(seconds, _QUEUE_RECHECK_SECONDS) if ahead else seconds

    def _is_mute(self, now: float) -> bool:
        """Return whether the service answers no more, or takes long to."""
        return self.window.doubtful_until is not None or now - self.pace.sent_at >= MAX_SPACING_SECONDS

    def _grant(self, now: float, place: QueueEntry | None) -> Granted:
        sent = self.pace.record_sent(self._serials.next(), self.window.in_flight, now)
        self.window.record_sent(sent.serial, sent.price)
        if place is not None:
            self.leave_queue(place)
        return Granted(Permit(self._account, self.version, sent))

    def _record_finished(self, now: float) -> None:
        self.window.refresh(now)
        self.window.record_finished()
        self.pace.record_finished(now)

    def _count_ahead(self, priority: Priority, place: QueueEntry | None) -> int:
        if place is None:
            return sum(each.priority <= priority for each in self._queue)
        return sum(each.is_before(priority, place.serial) for each in self._queue if each is not place)

    def _enqueue(self, priority: Priority, place: QueueEntry | None) -> QueueEntry:
        if place is None:
            place = QueueEntry(priority, self._serials.next())
        place.priority = priority
        if place not in self._queue:
            self._queue = (*self._queue, place)
        return place


def _time_of_day(moment: float | None, origin: datetime) -> datetime | None:
    return None if moment is None else origin + timedelta(seconds=moment)
