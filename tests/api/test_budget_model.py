"""The budget against a model of the service, in arbitrary order: never refused, and never waiting without need.

The model follows the specification; how much quick succession costs, and what counts as quick, is drawn and not
told. Requests and replies overtake one another and get lost, the bot is restarted, and the service's clock runs
apart from ours. A reply may travel for longer than a window lasts: the clock can jump, and the machine can
sleep. The suite runs a short version; `pytest -m long` runs 30,000 steps, or KIROKU_EXAMPLES times a hundred.
"""

import math
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.api.budget import KEPT_PERCENT, AccountKey, Budget, Go, Priority, Ticket, Wait
from bot.api.pace import BURST, LONGEST
from bot.api.window import DOUBT, LENGTH, RateHeaders

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECONDS = st.sampled_from([0.0, 0.02, 0.1, 0.25, 0.4, 0.6, 1.0, 2.0, 5.0, 30.0, 200.0, 902.0])
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

    def spend(self, now: float) -> tuple[bool, int, int, int]:
        """Count a request; return whether it is refused, and the three headers."""
        self.roll(now)
        self.reset = self.reset or math.ceil(now + LENGTH.total_seconds())
        if self.used >= self.limit:
            self.refusals += 1
            return True, self.limit, 0, self.reset
        price = self._price if now - self._last < self._quick else 1
        self.used = min(self.limit, self.used + price)
        self._last = now
        return False, self.limit, self.limit - self.used, self.reset


@dataclass
class Travelling:
    ticket: Ticket
    reply: tuple[bool, int, int, int] | None = None
    """None while it has not arrived."""
    answered_at: float = 0.0


class BudgetMachine(RuleBasedStateMachine):
    @initialize(
        limit=st.integers(24, 130),
        quick=st.sampled_from([0.0, 0.2, 0.5, 1.0, 2.0]),
        price=st.integers(1, 4),
        offset=st.sampled_from([0.0, -3600.5, 47.3]),
    )
    def start(self, limit: int, quick: float, price: int, offset: float) -> None:
        self.now = START
        self.model = Model(limit, quick, price, offset)
        self.budget = Budget(AccountKey("account:1"), "1.3")
        self.travelling: list[Travelling] = []
        self.places: list[Wait] = []

    @property
    def there(self) -> float:
        """The service's own time."""
        return self.now.timestamp() + self.model.offset

    @rule(priority=st.sampled_from(Priority), patience=st.sampled_from([0.0, 10.0]))
    def ask(self, priority: Priority, patience: float) -> None:
        self._reserve(priority, patience, None)

    @precondition(lambda self: self.places)
    @rule(pick=PICK)
    def come_back(self, pick: int) -> None:
        wait = self.places.pop(pick % len(self.places))
        self._reserve(wait.place.priority, 10.0, wait)

    @precondition(lambda self: self.places)
    @rule(pick=PICK)
    def go_away(self, pick: int) -> None:
        self.budget.leave(self.places.pop(pick % len(self.places)).place)

    def _reserve(self, priority: Priority, patience: float, wait: Wait | None) -> None:
        must_go = self._must_go(priority) and not self.places
        decision = self.budget.reserve(self.now, priority, patience, wait.place if wait else None)
        if isinstance(decision, Go):
            self.travelling.append(Travelling(decision.ticket))
            return
        assert not must_go, f"{decision} although {self.model.remaining(self.there)} are left"
        if isinstance(decision, Wait):
            assert 0 < decision.seconds <= patience
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
        is_quiet = pace.sent_at is None or (self.now - pace.sent_at).total_seconds() >= BURST * LONGEST
        kept = max(window.limit, self.model.limit) * KEPT_PERCENT[priority] // 100
        has_left = self.model.remaining(self.there) > kept and (window.is_confirmed or window.limit > kept)
        return has_left and is_quiet and not window.in_flight and not window.lost and not is_late

    @precondition(lambda self: any(each.reply is None for each in self.travelling))
    @rule(pick=PICK)
    def arrive(self, pick: int) -> None:
        under_way = [each for each in self.travelling if each.reply is None]
        request = under_way[pick % len(under_way)]
        request.reply = self.model.spend(self.there)
        request.answered_at = self.there

    @precondition(lambda self: any(each.reply for each in self.travelling))
    @rule(pick=PICK, has_headers=st.sampled_from([True] * 9 + [False]))
    def answer(self, pick: int, *, has_headers: bool) -> None:
        answered = [each for each in self.travelling if each.reply]
        request = answered[pick % len(answered)]
        assert request.reply is not None
        _, limit, remaining, reset = request.reply
        ahead = timedelta(seconds=reset - math.floor(request.answered_at))  # a Date has whole seconds
        headers = RateHeaders(
            limit=limit,
            remaining=remaining,
            reset_at=datetime.fromtimestamp(reset, UTC),
            ends_at=self.now + ahead,
        )
        self.travelling.remove(request)
        self.budget.settle(request.ticket, self.now, headers if has_headers else None)

    @precondition(lambda self: self.travelling)
    @rule()
    def be_answered(self) -> None:
        """The usual course: everything arrives and is answered, in order."""
        while self.travelling:
            if self.travelling[0].reply is None:
                self.travelling[0].reply = self.model.spend(self.there)
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
        self.budget.settle(request.ticket, self.now, None)

    @precondition(lambda self: any(each.reply is None for each in self.travelling))
    @rule(pick=PICK)
    def fail_to_connect(self, pick: int) -> None:
        under_way = [each for each in self.travelling if each.reply is None]
        request = under_way[pick % len(under_way)]
        self.travelling.remove(request)
        self.budget.settle_unsent(request.ticket, self.now)

    @rule(seconds=SECONDS)
    def pass_time(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    @precondition(lambda self: not self.travelling)
    @rule(count=st.integers(5, 40), gap=st.sampled_from([0.3, 2.0]))
    def spend_many(self, count: int, gap: float) -> None:
        """Come to the end of the budget, where mistakes show."""
        for _ in range(count):
            self.ask(Priority.PERSON, 0.0)
            if self.travelling:
                self.be_answered()
            self.pass_time(gap)

    @rule()
    def restart(self) -> None:
        kept = self.budget.to_kept(self.now)
        self.budget = Budget(AccountKey("account:1"), "1.3")
        self.budget.resume(kept, self.now)
        self.travelling.clear()
        self.places.clear()

    @rule(limit=st.integers(24, 130))
    def change_limit(self, limit: int) -> None:
        """The service takes another limit with its next window."""
        self.model.next_limit = limit

    @precondition(lambda self: not self.travelling and not self.places)
    @rule()
    def greet_after_a_quiet_time(self) -> None:
        """Somebody who was away asks a few things at once."""
        self.pass_time(BURST * LONGEST + 1)
        window = self.budget.window
        window.refresh(self.now)
        # One that overtakes another makes a price look higher than it was, and is believed.
        if (window.sure - max(DOUBT, self.budget.pace.dearest) * BURST) * 4 > window.limit:
            for _ in range(BURST):
                decision = self.budget.reserve(self.now, Priority.PERSON, 0.0)
                assert isinstance(decision, Go)
                self.travelling.append(Travelling(decision.ticket))

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
            assert window.sure <= truth


SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.filter_too_much)


class TestBudget(BudgetMachine.TestCase):  # pyright: ignore[reportUntypedBaseClass]  # made by hypothesis
    pass


@pytest.mark.long
@pytest.mark.timeout(0)
class TestBudgetLong(BudgetMachine.TestCase):  # pyright: ignore[reportUntypedBaseClass]  # as above
    pass


TestBudget.settings = settings(
    max_examples=20, stateful_step_count=40, deadline=None, suppress_health_check=SLOW_IS_FINE
)
TestBudgetLong.settings = settings(
    max_examples=int(os.environ.get("KIROKU_EXAMPLES", "300")),
    stateful_step_count=100,
    deadline=None,
    suppress_health_check=SLOW_IS_FINE,
)
