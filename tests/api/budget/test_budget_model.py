"""The budget against a model of the service, in arbitrary order: never refused, and never waiting without need.

The model follows the specification; how much quick succession costs, and what counts as quick, is drawn and not
told. Requests and replies overtake one another and get lost, the bot is restarted, our clock is set back and
forward, and the service's clock runs apart from it. A reply may travel for longer than a window lasts. The suite
runs a short version; `pytest -m long` runs 30,000 steps, or KIROKU_EXAMPLES times a hundred.
"""

import json
import math
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import (
    REPLY_GRACE_SECONDS,
    RESERVED_PERCENT,
    AccountKey,
    Budget,
    Granted,
    Permit,
    Priority,
    Queued,
)
from bot.api.budget.pacing import BURST_REQUESTS, INITIAL_SPACING_SECONDS, MAX_SPACING_SECONDS
from bot.api.budget.shared_state import REQUEST_ARRIVAL_SECONDS, ClockOffset
from bot.api.budget.unwritten import MAX_UNWRITTEN_REQUESTS, UnwrittenSpendBound
from bot.api.budget.window import ASSUMED_QUICK_REQUEST_COST, WINDOW_SECONDS, RateHeaders
from bot.domain.ids import UserId

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECONDS = st.sampled_from([0.0, 1 / 64, 3 / 32, 0.25, 13 / 32, 19 / 32, 1.0, 2.0, 5.0, 30.0, 200.0, 902.0])
"""Such that adding them rounds nothing."""
SHIFT = st.sampled_from(
    [ClockOffset(0.0, 0.0), ClockOffset(3600.0, 3600 + 1 / 64), ClockOffset(-7200 - 3 / 32, -7200.0)]
)
"""How far the clock that processes share is ahead, as one of them knows it."""
PICK = st.integers(0, 1000)


class Model:
    """The service's window of one account. Source: specification, "Limits"."""

    def __init__(self, limit: int, quick: float, price: int, offset: float) -> None:
        self.limit = limit
        self.next_limit = limit
        self._quick = quick
        self._price = price
        self.offset = offset
        self.used = 0
        self.reset = 0
        self.refusals = 0
        self._last = -math.inf

    def roll(self, now: float) -> None:
        if self.reset and now >= self.reset:
            self.used, self.reset, self.limit = 0, 0, self.next_limit

    def remaining(self, now: float) -> int:
        self.roll(now)
        return self.limit - self.used

    def spend(self, now: float, *, is_probe: bool = False) -> tuple[bool, int, int, int]:
        """Count a request; return whether it is refused, and the three headers. A probe may be."""
        self.roll(now)
        self.reset = self.reset or math.ceil(now + WINDOW_SECONDS)
        if self.used >= self.limit:
            self.refusals += not is_probe
            return True, self.limit, 0, self.reset
        price = self._price if now - self._last < self._quick else 1
        self.used = min(self.limit, self.used + price)
        self._last = now
        return False, self.limit, self.limit - self.used, self.reset


@dataclass
class Travelling:
    permit: Permit
    reply: tuple[bool, int, int, int] | None = None
    """None while it has not arrived."""
    answered_at: float = 0.0
    is_probe: bool = False
    """Sent after doubt alone: it alone may be refused."""


class BudgetMachine(RuleBasedStateMachine):
    @initialize(
        limit=st.integers(24, 130),
        quick=st.sampled_from([0.0, 0.2, 0.5, 1.0, 2.0]),
        price=st.integers(1, 4),
        offset=st.sampled_from([0.0, -3600.5, 47.25]),
    )
    def start(self, limit: int, quick: float, price: int, offset: float) -> None:
        self.now = 0.0
        self.origin = START
        """The time of day when our seconds began, by our clock as it is set."""
        self.model = Model(limit, quick, price, START.timestamp() + offset)
        self.budget = Budget(AccountKey("account:1"), "1.3")
        self.travelling: list[Travelling] = []
        self.places: list[Queued] = []
        self.strays: list[tuple[float, bool]] = []
        """Requests of processes before: by when each will have arrived, and whether it is a probe."""
        self._write(ClockOffset(0.0, 0.0))

    @property
    def there(self) -> float:
        """The service's own time."""
        return self.now + self.model.offset

    @rule(priority=st.sampled_from(Priority), patience=st.sampled_from([0.0, 10.0]))
    def ask(self, priority: Priority, patience: float) -> None:
        self._reserve(priority, patience, None)

    @precondition(lambda self: self.places)
    @rule(pick=PICK)
    def come_back(self, pick: int) -> None:
        wait = self.places.pop(pick % len(self.places))
        self._reserve(wait.entry.priority, 10.0, wait)

    @precondition(lambda self: self.places)
    @rule(pick=PICK)
    def go_away(self, pick: int) -> None:
        self.budget.leave_queue(self.places.pop(pick % len(self.places)).entry)

    def _reserve(self, priority: Priority, patience: float, wait: Queued | None) -> None:
        must_go = self._must_go(priority) and not self.places and not self.strays
        self.budget.window.refresh(self.now)
        self.bound.raise_floor(self.budget.window.certainly_left)
        is_probe = self.budget.window.certainly_left <= 0
        decision = self.budget.reserve(self.now, priority, patience, wait.entry if wait else None)
        if isinstance(decision, Granted):
            assert not (is_probe and self.travelling)
            self.travelling.append(Travelling(decision.permit, is_probe=is_probe))
            if self.bound.is_exceeded(self.budget.window.certainly_left):
                self._write(self.shift)
            return
        assert not must_go, f"{decision} although {self.model.remaining(self.there)} are left"
        if isinstance(decision, Queued):
            assert 0 < decision.seconds <= patience + (REPLY_GRACE_SECONDS if wait else 0)
            self.places.append(decision)
        else:
            assert decision.until > self.now

    def _must_go(self, priority: Priority) -> bool:
        """Whether nothing whatever speaks against sending now."""
        window, pace = self.budget.window, self.budget.pace
        window.refresh(self.now)
        self.model.roll(self.there)
        # A Date has whole seconds, and its reply takes a while.
        is_late = window.ends_at is not None and self.model.reset == 0
        is_quiet = self.now - pace.sent_at >= BURST_REQUESTS * MAX_SPACING_SECONDS
        may_probe = priority is Priority.PERSON and (window.probe_useful_from or 0.0) <= self.now
        is_settled = not window.in_flight and (may_probe or not window.uncertain_cost)
        kept = max(window.limit, self.model.limit) * RESERVED_PERCENT[priority] // 100
        is_removed = self.model.remaining(self.there) > kept and (window.is_confirmed or window.limit > kept)
        return is_removed and is_quiet and is_settled and not is_late

    @precondition(lambda self: any(each.reply is None for each in self.travelling))
    @rule(pick=PICK)
    def arrive(self, pick: int) -> None:
        under_way = [each for each in self.travelling if each.reply is None]
        request = under_way[pick % len(under_way)]
        request.reply = self.model.spend(self.there, is_probe=request.is_probe)
        request.answered_at = self.there

    @precondition(lambda self: any(each.reply for each in self.travelling))
    @rule(pick=PICK, has_headers=st.sampled_from([True] * 9 + [False]))
    def answer(self, pick: int, *, has_headers: bool) -> None:
        answered = [each for each in self.travelling if each.reply]
        request = answered[pick % len(answered)]
        self.travelling.remove(request)
        headers = _headers(request) if has_headers else None
        if request.reply is not None and request.reply[0]:
            self.budget.record_rejection(request.permit, self.now, headers, None)
        else:
            self.budget.record_reply(request.permit, self.now, headers)

    @precondition(lambda self: self.travelling)
    @rule()
    def be_answered(self) -> None:
        """The usual course: everything arrives and is answered, in order."""
        while self.travelling:
            if self.travelling[0].reply is None:
                self.travelling[0].reply = self.model.spend(self.there, is_probe=self.travelling[0].is_probe)
                self.travelling[0].answered_at = self.there
            self.travelling.insert(0, self.travelling.pop(0))
            request = self.travelling[0]
            index = [each for each in self.travelling if each.reply].index(request)
            self.answer(index, has_headers=True)

    @precondition(lambda self: any(each.reply for each in self.travelling))
    @rule(pick=PICK, seconds=st.sampled_from([30.0, 200.0, 902.0]), asked=st.integers(0, 5))
    def be_answered_late(self, pick: int, seconds: float, asked: int) -> None:
        """One reply travels on while others come and go."""
        answered = [each for each in self.travelling if each.reply]
        late = answered[pick % len(answered)]
        self.travelling.remove(late)
        self.be_answered()
        self.pass_time(seconds)
        for _ in range(asked):
            self.ask(Priority.PERSON, 0.0)
        self.travelling.append(late)
        self.answer([each for each in self.travelling if each.reply].index(late), has_headers=True)

    @precondition(lambda self: self.travelling)
    @rule(pick=PICK)
    def lose(self, pick: int) -> None:
        """Time is up for a request, whether or not it has arrived."""
        request = self.travelling.pop(pick % len(self.travelling))
        self.budget.record_reply(request.permit, self.now, None)

    @precondition(lambda self: any(each.reply is None for each in self.travelling))
    @rule(pick=PICK)
    def fail_to_connect(self, pick: int) -> None:
        under_way = [each for each in self.travelling if each.reply is None]
        request = under_way[pick % len(under_way)]
        self.travelling.remove(request)
        self.budget.return_unsent(self.now)

    @rule(seconds=SECONDS)
    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    @precondition(lambda self: not self.travelling)
    @rule(count=st.integers(5, 40), gap=st.sampled_from([5 / 16, 2.0]))
    def spend_many(self, count: int, gap: float) -> None:
        """Come to the end of the budget, where mistakes show."""
        for _ in range(count):
            self.ask(Priority.PERSON, 0.0)
            if self.travelling:
                self.be_answered()
            self.pass_time(gap)

    @rule(seconds=st.sampled_from([-86_400.0, -3600.0, -60.0, 60.0, 3600.0, 86_400.0]))
    def set_clock(self, seconds: float) -> None:
        self.origin += timedelta(seconds=seconds)

    @rule(set_back=st.sampled_from([0.0, 0.0, 60.0, 3600.0]), begins_at=st.sampled_from([0.0, 5000.0, None]))
    def restart(self, set_back: float, begins_at: float | None) -> None:
        """Start anew, by seconds that may begin anew with the machine and a clock that was set back meanwhile."""
        kept = self.budget.to_backup(self.now, self.origin)
        if begins_at is not None:
            gone = self.now - begins_at
            self.now = begins_at
            self.origin += timedelta(seconds=gone)
            self.model.offset += gone
        self.origin -= timedelta(seconds=set_back)
        self.budget = Budget(AccountKey("account:1"), "1.3")
        self.budget.restore_backup(kept, self.now, self.origin)
        self.travelling.clear()
        self.places.clear()

        self.strays.clear()
        self._write(self.shift)

    @rule(shift=SHIFT)
    def travel(self, shift: ClockOffset) -> None:
        """Another process goes on, by seconds of its own; what is under way here may still arrive there."""
        self._write(shift)
        self._replace()

    @rule(shift=SHIFT)
    def die(self, shift: ClockOffset) -> None:
        """Another process goes on from what was written some time ago, by seconds of its own."""
        self._replace()
        self.budget.count_unseen_requests(self.now, MAX_UNWRITTEN_REQUESTS)
        self._write(shift)

    def _write(self, shift: ClockOffset) -> None:
        """Have the state by a shared clock in the hands of who may go on."""
        self.budget.window.refresh(self.now)
        self.shift = shift
        self.written = json.dumps(self.budget.to_shared_state(self.now, shift))
        self.bound = UnwrittenSpendBound()
        self.bound.raise_floor(self.budget.window.certainly_left)

    def _replace(self) -> None:
        self.strays += [
            (self.now + REQUEST_ARRIVAL_SECONDS, each.is_probe)
            for each in self.travelling
            if each.reply is None
        ]
        self.travelling.clear()
        self.places.clear()
        self.budget = Budget(AccountKey("account:1"), "1.3")
        self.budget.restore_shared_state(self.now, json.loads(self.written), self.shift.inverse)

    @precondition(lambda self: self.strays)
    @rule()
    def arrive_from_before(self) -> None:
        arrived_by, is_probe = self.strays.pop()
        if arrived_by > self.now:
            self.model.spend(self.there, is_probe=is_probe)

    @rule(limit=st.integers(24, 130))
    def change_limit(self, limit: int) -> None:
        """The service takes another limit with its next window."""
        self.model.next_limit = limit

    @precondition(lambda self: not self.travelling and not self.places)
    @rule()
    def greet_after_a_quiet_time(self) -> None:
        """Somebody who was away asks a few things at once."""
        self.pass_time(BURST_REQUESTS * MAX_SPACING_SECONDS + 1)
        window = self.budget.window
        window.refresh(self.now)
        is_told = window.is_confirmed or not window.uncertain_cost
        # One that overtakes another makes a price look higher than it was, and is believed.
        if (
            is_told
            and (
                window.certainly_left
                - max(ASSUMED_QUICK_REQUEST_COST, self.budget.pace.highest_cost) * BURST_REQUESTS
            )
            * 4
            > window.limit
        ):
            for _ in range(BURST_REQUESTS):
                self.ask(Priority.PERSON, 0.0)
            assert len(self.travelling) == BURST_REQUESTS

    @invariant()
    def never_refused(self) -> None:
        if hasattr(self, "model"):
            assert self.model.refusals == 0

    @invariant()
    def never_more_optimistic_than_the_truth(self) -> None:
        if not hasattr(self, "model"):
            return
        window = self.budget.window
        window.refresh(self.now)
        truth = self.model.remaining(self.there)
        if window.is_confirmed or window.limit <= self.model.limit:
            assert window.certainly_left <= truth


@dataclass
class Known:
    """One of a few people, by the names that they are known by."""

    user_id: UserId
    tokens: tuple[AccountKey, AccountKey]
    model: Model
    is_introduced: bool = False


class FewPeopleMachine(RuleBasedStateMachine):
    """A small server: one to three people, who are away for longer than a window lasts, and come back."""

    @initialize(people=st.integers(1, 3), quick=st.sampled_from([0.0, 0.5, 2.0]), price=st.integers(1, 4))
    def start(self, people: int, quick: float, price: int) -> None:
        self.now = 0.0
        self.budgets = BudgetRegistry()
        self.serials = count()
        self.quick, self.price = quick, price
        self.people = [self._somebody() for _ in range(people)]
        self.shared = self.people[0]
        """Whose requests another program spends too: what it leaves cannot be known."""
        self.travelling: list[tuple[Known, Travelling]] = []

    def _somebody(self) -> Known:
        number = next(self.serials)
        tokens = AccountKey(f"token:{number}a"), AccountKey(f"token:{number}b")
        return Known(UserId(number), tokens, Model(120, self.quick, self.price, START.timestamp()))

    @rule(pick=PICK, token=st.integers(0, 1), asked=st.integers(1, BURST_REQUESTS))
    def ask(self, pick: int, token: int, asked: int) -> None:
        """Ask a few things at once; the account of somebody new is named by the first answer."""
        person = self.people[pick % len(self.people)]
        name = person.tokens[token if person.is_introduced else 0]
        if person.is_introduced:
            self.budgets.link_token(name, person.user_id, self.now)
        for _ in range(asked):
            budget = self.budgets.get(name, "1.3", self.now)
            if person is not self.shared and (self.quick == 0 or self.price == 1):
                # What another program spends is no price of anybody else's.
                assert (budget.pace.spacing <= INITIAL_SPACING_SECONDS, budget.pace.highest_cost) == (True, 1)
            decision = budget.reserve(self.now, Priority.PERSON, 0.0)
            if isinstance(decision, Granted):
                there = self.now + person.model.offset
                request = Travelling(decision.permit, person.model.spend(there), there)
                self.travelling.append((person, request))

    @rule(requests=st.integers(1, 20))
    def be_spent_by_another_program(self, requests: int) -> None:
        for _ in range(requests):
            self.shared.model.spend(self.now + self.shared.model.offset)

    @rule(requests=st.integers(1, 20), gap=st.sampled_from([5 / 16, 1.0, 1.875]))
    def share_a_token(self, requests: int, gap: float) -> None:
        """Ask twice, with another program in between."""
        if self.shared in self.people:
            self.answer_all()
            for _ in range(2):
                self.ask(self.people.index(self.shared), 0, 1)
                self.answer_all()
                self.be_spent_by_another_program(requests)
                self.pass_time(gap)

    @precondition(lambda self: self.travelling)
    @rule(pick=PICK, is_removed=st.sampled_from([False] * 9 + [True]))
    def answer(self, pick: int, *, is_removed: bool) -> None:
        person, request = self.travelling.pop(pick % len(self.travelling))
        permit = request.permit
        budget = self.budgets.get(permit.account, permit.version, self.now)
        budget.record_reply(permit, self.now, None if is_removed else _headers(request))
        if not is_removed:
            self.budgets.link_token(person.tokens[0], person.user_id, self.now)
            person.is_introduced = True

    @precondition(lambda self: self.travelling)
    @rule()
    def answer_all(self) -> None:
        while self.travelling:
            self.answer(0, is_removed=False)

    @rule(seconds=SECONDS)
    def pass_time(self, seconds: float) -> None:
        self.now += seconds

    @precondition(lambda self: not self.travelling)
    @rule(minutes=st.integers(16, 90))
    def be_away(self, minutes: int) -> None:
        self.pass_time(minutes * 60)

    @precondition(lambda self: not self.travelling)
    @rule(pick=PICK, minutes=st.integers(16, 90))
    def be_replaced(self, pick: int, minutes: int) -> None:
        """Long after the others, somebody comes for the first time."""
        self.be_away(minutes)
        newcomer = self._somebody()
        self.people[pick % len(self.people)] = newcomer
        self.ask(self.people.index(newcomer), 0, 1)
        self.answer_all()

    @invariant()
    def never_refused_and_never_more_optimistic_than_the_truth(self) -> None:
        for person in getattr(self, "people", ()):
            if person is self.shared:
                continue
            assert person.model.refusals == 0
            name = key_of_account(person.user_id) if person.is_introduced else person.tokens[0]
            left = self.budgets.requests_left(name, "1.3", self.now, START).remaining
            assert left <= person.model.remaining(self.now + person.model.offset)


def _headers(request: Travelling) -> RateHeaders:
    assert request.reply is not None
    _, limit, remaining, reset = request.reply
    ends_in = reset - math.floor(request.answered_at)  # a Date has whole seconds
    return RateHeaders(limit=limit, remaining=remaining, reset_at=reset, ends_in=ends_in)


SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.filter_too_much)


class TestBudget(BudgetMachine.TestCase):  # pyright: ignore[reportUntypedBaseClass]  # made by hypothesis
    pass


class TestFewPeople(FewPeopleMachine.TestCase):  # pyright: ignore[reportUntypedBaseClass]  # as above
    pass


@pytest.mark.long
@pytest.mark.timeout(0)
class TestBudgetLong(BudgetMachine.TestCase):  # pyright: ignore[reportUntypedBaseClass]  # as above
    pass


@pytest.mark.long
@pytest.mark.timeout(0)
class TestFewPeopleLong(FewPeopleMachine.TestCase):  # pyright: ignore[reportUntypedBaseClass]  # as above
    pass


SHORT = settings(max_examples=20, stateful_step_count=40, deadline=None, suppress_health_check=SLOW_IS_FINE)
LONG = settings(
    max_examples=int(os.environ.get("KIROKU_EXAMPLES", "300")),
    stateful_step_count=100,
    deadline=None,
    suppress_health_check=SLOW_IS_FINE,
)
TestBudget.settings = TestFewPeople.settings = SHORT
TestBudgetLong.settings = TestFewPeopleLong.settings = LONG
