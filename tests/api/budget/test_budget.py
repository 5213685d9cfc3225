import pytest
from spending import CALM, NOW, ORIGIN, RESET, TOKEN, ask, go, headers, left

from bot.api.budget.budget import (
    PROBE_INTERVAL_SECONDS,
    REPLY_GRACE_SECONDS,
    Budget,
    Denied,
    Granted,
    Priority,
    Queued,
)
from bot.api.budget.pacing import BURST_REQUESTS, INITIAL_SPACING_SECONDS, MAX_SPACING_SECONDS
from bot.api.budget.shared_state import REQUEST_ARRIVAL_SECONDS
from bot.api.budget.window import WINDOW_SECONDS


def test_near_the_end_a_request_waits_for_the_answer_to_the_one_before(budget: Budget) -> None:
    ask(budget, 6)
    now = NOW + CALM
    first = go(budget, now)
    second = go(budget, now + 1)
    third = budget.reserve(now + 2, Priority.PERSON, 5)
    assert isinstance(third, Queued)
    assert third.seconds == 5
    budget.record_reply(first, now + 2, headers(5, now + 2))
    budget.record_reply(second, now + 2, headers(4, now + 2))
    assert isinstance(budget.reserve(now + 3, Priority.PERSON, 4, third.entry), Granted)


def test_a_wait_within_the_patience_is_offered(budget: Budget) -> None:
    ask(budget, 0)
    waiting = budget.reserve(NOW, Priority.PERSON, 600)
    assert isinstance(waiting, Queued)
    assert waiting.seconds == 600
    assert budget.reserve(NOW, Priority.PERSON, 599) == Denied(RESET)
    assert isinstance(budget.reserve(RESET, Priority.PERSON, 0, waiting.entry), Granted)


def test_who_has_less_patience_than_the_spacing_is_not_told_that_all_is_spent(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 97, NOW + 1.9)
    now = NOW + CALM
    for _ in range(BURST_REQUESTS):
        go(budget, now)
    assert budget.reserve(now, Priority.PERSON, 1) == Denied(now + 2, is_spent=False)
    assert isinstance(budget.reserve(now, Priority.PERSON, 2), Queued)


def test_who_has_no_patience_for_the_answer_before_is_not_told_that_all_is_spent(budget: Budget) -> None:
    ask(budget, 6)
    now = NOW + CALM
    go(budget, now)
    go(budget, now + 1)
    now += 2
    assert budget.reserve(now, Priority.PERSON, 0) == Denied(now + 2, is_spent=False)


def test_who_comes_behind_others_who_take_all_is_told_that_all_is_spent(budget: Budget) -> None:
    ask(budget, 1)
    now = NOW + CALM
    go(budget, now)
    assert budget.reserve(now, Priority.PERSON, 1) == Denied(RESET)


def test_before_the_first_reply_no_more_than_a_burst_is_under_way(budget: Budget) -> None:
    for _ in range(BURST_REQUESTS):
        go(budget)
    assert isinstance(budget.reserve(NOW + 1, Priority.PERSON, 5), Queued)


def test_what_got_lost_is_of_the_first_burst_and_then_one_goes_at_a_time(budget: Budget) -> None:
    for _ in range(BURST_REQUESTS):
        go(budget)
    once, twice = Budget(TOKEN, "2.0"), Budget(TOKEN, "2.0")
    for before, after in ((budget, once), (once, twice)):
        after.restore_backup(before.to_backup(NOW, ORIGIN), NOW, ORIGIN)
        first = go(after)
        assert after.reserve(NOW, Priority.PERSON, 0) == Denied(NOW + MAX_SPACING_SECONDS, is_spent=False)
        after.record_reply(first, NOW, None)  # its reply does not come either
    ask(twice, 50)
    for _ in range(BURST_REQUESTS):
        go(twice, NOW + CALM)


class TestProbe:
    """After doubt alone one request goes, and its reply tells what is left."""

    @pytest.fixture
    def doubtful(self, budget: Budget) -> Budget:
        ask(budget, 35)
        budget.window.count_uncertain(NOW, 60)
        assert left(budget) == 0
        return budget

    def test_one_goes_at_a_time_and_settles_it(self, doubtful: Budget) -> None:
        probe = go(doubtful, NOW + CALM)
        now = NOW + CALM + MAX_SPACING_SECONDS
        assert doubtful.reserve(now, Priority.PERSON, 0) == Denied(now + MAX_SPACING_SECONDS, is_spent=False)
        assert isinstance(doubtful.reserve(now, Priority.PERSON, 5), Queued)
        doubtful.record_reply(probe, now, headers(33, now))
        assert left(doubtful, now) == 33

    def test_another_goes_where_its_reply_does_not_come(self, doubtful: Budget) -> None:
        for _ in range(3):
            doubtful.record_reply(go(doubtful, NOW + CALM), NOW + CALM, None)

    def test_nothing_is_tried_where_nothing_is_left(self, budget: Budget) -> None:
        ask(budget, 0)
        budget.window.count_uncertain(NOW, 5)
        assert budget.reserve(NOW + CALM, Priority.PERSON, 0) == Denied(RESET)

    def test_it_waits_until_its_reply_knows_what_may_still_be_on_its_way(self, budget: Budget) -> None:
        ask(budget, 5)
        now = NOW + CALM
        budget.count_unseen_requests(now, 8)
        assert budget.reserve(now, Priority.PERSON, 0) == Denied(
            now + REQUEST_ARRIVAL_SECONDS, is_spent=False
        )
        budget.record_reply(
            go(budget, now + REQUEST_ARRIVAL_SECONDS),
            now + REQUEST_ARRIVAL_SECONDS,
            headers(3, now + REQUEST_ARRIVAL_SECONDS),
        )
        assert left(budget, now + REQUEST_ARRIVAL_SECONDS) == 3

    def test_work_in_the_background_tries_seldom_and_leaves_what_it_leaves(self, doubtful: Budget) -> None:
        doubtful.record_reply(go(doubtful, NOW + CALM), NOW + CALM, None)
        then = NOW + CALM + PROBE_INTERVAL_SECONDS
        early = doubtful.reserve(then - 1, Priority.DAILY, 0)
        assert early == Denied(then, is_spent=False)
        assert isinstance(doubtful.reserve(then, Priority.PREFETCH, 0), Denied)  # half is for others
        go(doubtful, then, Priority.DAILY)

    def test_who_waited_for_it_in_vain_is_told_that(self, doubtful: Budget) -> None:
        go(doubtful, NOW + CALM)
        waiting = doubtful.reserve(NOW + CALM, Priority.PERSON, 5)
        assert isinstance(waiting, Queued)
        now = NOW + CALM + 5
        in_vain = doubtful.reserve(now, Priority.PERSON, -REPLY_GRACE_SECONDS, waiting.entry)
        assert in_vain == Denied(now + MAX_SPACING_SECONDS, is_spent=False, is_unanswered=True)


@pytest.mark.parametrize(
    ("priority", "kept"),
    [
        (Priority.PERSON, (0, 0, 0)),
        (Priority.REFRESH, (15, 15, 15)),
        (Priority.DAILY, (29, 22, 15)),
        (Priority.PREFETCH, (49, 32, 15)),
    ],
)
def test_the_less_urgent_leave_something_for_the_urgent_and_less_as_the_window_ends(
    priority: Priority, kept: tuple[int, int, int]
) -> None:
    for least, now in zip(kept, (CALM, WINDOW_SECONDS / 2, WINDOW_SECONDS - CALM), strict=True):
        assert isinstance(asked_with(least + 1).reserve(now, priority, 0), Granted)
        refused = asked_with(least).reserve(now, priority, 0)
        assert isinstance(refused, Denied)
        assert refused.is_spent == (priority is Priority.PERSON)
        assert now < refused.until <= WINDOW_SECONDS
        assert (refused.until < WINDOW_SECONDS) == (least > kept[-1])
        assert isinstance(asked_with(least).reserve(refused.until, priority, 0), Granted)


def asked_with(left: int) -> Budget:
    """Return a budget of which so much is left from the start of a window on."""
    budget = Budget(TOKEN, "2.0")
    budget.record_reply(go(budget), NOW, headers(left, reset=WINDOW_SECONDS))
    return budget


class TestQueue:
    """Who waits, and in which order."""

    @pytest.fixture
    def spent(self, budget: Budget) -> Budget:
        ask(budget, 0)
        return budget

    def wait(self, budget: Budget, priority: Priority, now: float = NOW) -> Queued:
        decision = budget.reserve(now, priority, 3600)
        assert isinstance(decision, Queued)
        return decision

    def test_first_come_first_served(self, spent: Budget) -> None:
        first, second = self.wait(spent, Priority.PERSON), self.wait(spent, Priority.PERSON)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, second.entry), Queued)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60), Queued)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, first.entry), Granted)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, second.entry), Granted)

    def test_who_comes_behind_others_within_the_burst_waits_for_a_moment_only(self, spent: Budget) -> None:
        for _ in range(BURST_REQUESTS - 1):
            self.wait(spent, Priority.PERSON)
        decision = spent.reserve(RESET, Priority.PERSON, INITIAL_SPACING_SECONDS / 2)
        assert isinstance(decision, Queued)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, INITIAL_SPACING_SECONDS / 2), Denied)

    @pytest.mark.parametrize(
        ("left", "priority", "expected"),
        [(99, Priority.PERSON, Granted), (20, Priority.PERSON, Denied), (99, Priority.DAILY, Denied)],
    )
    def test_a_person_who_has_waited_goes_out_of_rhythm_rather_than_not_at_all_while_much_is_left(
        self, spent: Budget, left: int, priority: Priority, expected: type[Granted | Denied]
    ) -> None:
        places = [self.wait(spent, priority).entry for _ in range(2 * BURST_REQUESTS)]
        first = spent.reserve(RESET, priority, 60, places[0])
        assert isinstance(first, Granted)
        spent.record_reply(first.permit, RESET, headers(left, RESET, reset=RESET + WINDOW_SECONDS))
        newcomer = spent.reserve(RESET, priority, INITIAL_SPACING_SECONDS / 2)
        assert isinstance(newcomer, Denied)
        assert not newcomer.is_spent
        assert isinstance(spent.reserve(RESET, priority, INITIAL_SPACING_SECONDS / 2, places[-1]), expected)

    def test_who_has_waited_waits_a_moment_longer_for_a_reply_that_is_under_way(self, spent: Budget) -> None:
        *first, last, later = (self.wait(spent, Priority.PERSON).entry for _ in range(BURST_REQUESTS + 2))
        sent = [spent.reserve(RESET, Priority.PERSON, 0, place) for place in first]
        assert isinstance(sent[0], Granted)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 0), Denied)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 0, last), Queued)
        assert isinstance(spent.reserve(RESET + 1, Priority.PERSON, -1, later), Denied)
        spent.record_reply(sent[0].permit, RESET + 1, headers(119, RESET + 1, reset=RESET + WINDOW_SECONDS))
        assert isinstance(spent.reserve(RESET + 1, Priority.PERSON, -0.5, last), Granted)

    def test_the_more_urgent_first(self, spent: Budget) -> None:
        daily, person = self.wait(spent, Priority.DAILY), self.wait(spent, Priority.PERSON)
        assert isinstance(spent.reserve(RESET, Priority.DAILY, 60, daily.entry), Queued)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, person.entry), Granted)

    def test_who_is_hastened_moves_up(self, spent: Budget) -> None:
        daily, person = self.wait(spent, Priority.DAILY), self.wait(spent, Priority.PERSON)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, daily.entry), Granted)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, person.entry), Granted)

    def test_who_leaves_gives_the_place_back(self, spent: Budget) -> None:
        first, second = self.wait(spent, Priority.PERSON), self.wait(spent, Priority.PERSON)
        spent.leave_queue(first.entry)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, second.entry), Granted)

    def test_who_cannot_get_anything_behind_the_others_is_told_at_once(self, budget: Budget) -> None:
        ask(budget, 1)
        now = NOW + CALM
        go(budget, now)
        self.wait(budget, Priority.PERSON, now)
        assert budget.reserve(now, Priority.PERSON, 10) == Denied(RESET)
