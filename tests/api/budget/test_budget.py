from datetime import UTC, datetime, timedelta

import pytest

from bot.api.budget.accounts import Budgets, key_of_account, key_of_token
from bot.api.budget.budget import AccountKey, Budget, Go, Priority, Refused, Ticket, Wait
from bot.api.budget.pace import BURST, FIRST, LONGEST
from bot.api.budget.window import LENGTH, RateHeaders
from bot.domain.ids import UserId

NOW = datetime(2024, 1, 1, tzinfo=UTC)
RESET = NOW + timedelta(minutes=10)
TOKEN, OTHER = AccountKey("token:one"), AccountKey("token:two")
SECOND = timedelta(seconds=1)
CALM = timedelta(seconds=BURST * LONGEST)


def headers(remaining: int, *, limit: int = 100, reset: datetime = RESET) -> RateHeaders:
    return RateHeaders(limit=limit, remaining=remaining, reset_at=reset, ends_at=reset)


def go(budget: Budget, now: datetime = NOW, priority: Priority = Priority.PERSON) -> Ticket:
    decision = budget.reserve(now, priority, 0)
    assert isinstance(decision, Go), decision
    return decision.ticket


def ask(budget: Budget, left: int, now: datetime = NOW) -> None:
    budget.settle(go(budget, now), now, headers(left))


def be_fair(budget: Budget, *, gap: float, left: int, times: int = 3, now: datetime = NOW + CALM) -> None:
    """Ask a few times in a row, each at the price of one."""
    for number in range(times + 1):
        ask(budget, left - number, now + number * timedelta(seconds=gap))


def be_charged(
    budgets: Budgets, name: AccountKey, *, gap: float, price: int = 2, now: datetime = NOW
) -> None:
    """Ask twice in quick succession, and be told what that costs."""
    for left, at in ((70, now), (70 - price, now + timedelta(seconds=gap))):
        ask(budgets.get(name, "2.0", at), left, at)
    budgets.get(name, "2.0", now)


def assert_new(budgets: Budgets) -> None:
    """Check that a newcomer starts as if nothing were known."""
    pace = budgets.get(AccountKey("token:three"), "2.0", NOW).pace
    assert (pace.spacing, pace.dearest) == (FIRST, 1)


def left(budget: Budget, now: datetime = NOW) -> int:
    return budget.left(now).remaining


@pytest.fixture
def budget() -> Budget:
    return Budget(TOKEN, "2.0")


def test_the_specifications_numbers_hold_until_a_header_comes(budget: Budget) -> None:
    assert budget.left(NOW).limit == 120
    assert Budget(TOKEN, "1.0").left(NOW).limit == 200
    now = NOW
    for spent in range(120):
        assert left(budget, now) == 120 - spent
        budget.settle(go(budget, now), now, None)
        now += timedelta(seconds=LONGEST)
    assert budget.reserve(now, Priority.PERSON, 0) == Refused(NOW + LENGTH + SECOND)


def test_the_first_few_after_a_quiet_time_go_at_once_and_the_rest_are_spaced(budget: Budget) -> None:
    ask(budget, 99)
    now = NOW + CALM
    tickets = [go(budget, now) for _ in range(BURST)]
    waiting = budget.reserve(now, Priority.PERSON, 10)
    assert isinstance(waiting, Wait)
    assert waiting.seconds == pytest.approx(FIRST)
    for ticket in tickets:
        budget.settle(ticket, now, headers(98))
    now += timedelta(seconds=FIRST * 1.1)
    assert isinstance(budget.reserve(now, Priority.PERSON, 10, waiting.place), Go)


def test_who_is_in_no_hurry_is_spaced_from_the_second_on(budget: Budget) -> None:
    budget.settle(go(budget, priority=Priority.DAILY), NOW, headers(99))
    waiting = budget.reserve(NOW, Priority.DAILY, 10)
    assert isinstance(waiting, Wait)
    assert waiting.seconds == pytest.approx(FIRST)


def test_a_price_makes_the_spacing_grow_beyond_the_gap_that_was_too_short(budget: Budget) -> None:
    ask(budget, 99)
    gap = 0.4
    ask(budget, 97, NOW + timedelta(seconds=gap))
    assert budget.pace.spacing == pytest.approx(0.6)
    assert (budget.pace.wasted, budget.pace.dearest) == (1, 2)
    now = NOW + timedelta(seconds=gap + 0.6)
    ask(budget, 96, now)
    assert 0.59 < budget.pace.spacing < 0.6


def test_a_price_after_a_long_gap_is_somebody_elses_doing(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 80, NOW + timedelta(seconds=LONGEST))
    assert (budget.pace.spacing, budget.pace.wasted) == (FIRST, 0)


def test_a_price_that_was_another_programs_doing_falls_again(budget: Budget) -> None:
    """The service charges for a gap or it does not: who is charged nothing for a shorter one owed nothing."""
    ask(budget, 99)
    ask(budget, 49, NOW + SECOND)
    assert (budget.pace.spacing, budget.pace.dearest) == (1.5, 50)
    be_fair(budget, gap=0.9, left=40)
    assert (budget.pace.spacing, budget.pace.dearest, budget.pace.wasted) == (FIRST, 1, 0)


def test_a_price_does_not_fall_for_what_is_further_apart(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 94, NOW + SECOND)
    be_fair(budget, gap=1.6, left=60, times=30)
    assert budget.pace.dearest == 5
    assert 1.0 < budget.pace.spacing < 1.5


def test_a_price_that_is_charged_again_does_not_fall(budget: Budget) -> None:
    now = NOW
    left = 99
    for _ in range(5):
        be_fair(budget, gap=0.5, left=left, times=2, now=now)
        now += 2 * SECOND
        ask(budget, left - 4, now)
        ask(budget, left - 6, now + timedelta(seconds=0.6))
        now += CALM
        left -= 10
    assert budget.pace.dearest == 2


def test_the_longest_spacing_falls_again_for_one_who_keeps_to_it(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 97, NOW + timedelta(seconds=1.9))
    assert budget.pace.spacing == LONGEST
    now, asked = NOW + CALM, 0
    while budget.pace.spacing > FIRST:
        asked += 1
        assert asked < 30
        ask(budget, 90 - asked, now)
        now += timedelta(seconds=budget.pace.spacing)


def test_what_is_in_flight_counts_as_spent(budget: Budget) -> None:
    ask(budget, 1)
    go(budget, NOW + CALM)
    assert budget.reserve(NOW + CALM, Priority.PERSON, 0) == Refused(RESET)


def test_near_the_end_a_request_waits_for_the_answer_to_the_one_before(budget: Budget) -> None:
    ask(budget, 6)
    now = NOW + CALM
    first = go(budget, now)
    second = go(budget, now + SECOND)
    third = budget.reserve(now + 2 * SECOND, Priority.PERSON, 5)
    assert isinstance(third, Wait)
    assert third.seconds == 5
    budget.settle(first, now + 2 * SECOND, headers(5))
    budget.settle(second, now + 2 * SECOND, headers(4))
    assert isinstance(budget.reserve(now + 3 * SECOND, Priority.PERSON, 4, third.place), Go)


def test_a_wait_within_the_patience_is_offered(budget: Budget) -> None:
    ask(budget, 0)
    waiting = budget.reserve(NOW, Priority.PERSON, 600)
    assert isinstance(waiting, Wait)
    assert waiting.seconds == 600
    assert budget.reserve(NOW, Priority.PERSON, 599) == Refused(RESET)
    assert isinstance(budget.reserve(RESET, Priority.PERSON, 0, waiting.place), Go)


def test_who_has_less_patience_than_the_spacing_is_not_told_that_all_is_spent(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 97, NOW + timedelta(seconds=1.9))
    now = NOW + CALM
    for _ in range(BURST):
        go(budget, now)
    assert budget.reserve(now, Priority.PERSON, 1) == Refused(now + 2 * SECOND, is_spent=False)
    assert isinstance(budget.reserve(now, Priority.PERSON, 2), Wait)


def test_who_has_no_patience_for_the_answer_before_is_not_told_that_all_is_spent(budget: Budget) -> None:
    ask(budget, 6)
    now = NOW + CALM
    go(budget, now)
    go(budget, now + SECOND)
    now += 2 * SECOND
    assert budget.reserve(now, Priority.PERSON, 0) == Refused(now + 2 * SECOND, is_spent=False)


def test_who_comes_behind_others_who_take_all_is_told_that_all_is_spent(budget: Budget) -> None:
    ask(budget, 1)
    now = NOW + CALM
    go(budget, now)
    assert budget.reserve(now, Priority.PERSON, 1) == Refused(RESET)


def test_late_replies_never_raise_the_count(budget: Budget) -> None:
    first, second = go(budget), go(budget)
    budget.settle(second, NOW, headers(50))
    budget.settle(first, NOW, headers(51))
    assert left(budget) == 50


def test_a_reply_of_the_window_before_does_not_speak_for_this_one(budget: Budget) -> None:
    late = go(budget)
    ask(budget, 3)
    now = RESET + SECOND
    budget.settle(go(budget, now), now, headers(99, reset=now + LENGTH))
    budget.settle(late, now, headers(4))
    assert left(budget, now) >= 95
    ask_again = go(budget, now + CALM)
    budget.settle(ask_again, now + CALM, headers(98, reset=now + LENGTH))
    assert left(budget, now + CALM) == 98


@pytest.mark.parametrize("seconds", [600, 602, 902])
def test_a_reply_that_may_have_outlived_its_window_does_not_speak_for_the_next(
    budget: Budget, seconds: float
) -> None:
    """Its limit may be another one by now, and what it says is left was left then."""
    budget.settle(go(budget), NOW, None)
    ticket = go(budget, NOW + SECOND)
    now = NOW + timedelta(seconds=1 + seconds)
    late = RateHeaders(limit=200, remaining=198, reset_at=RESET, ends_at=now + timedelta(minutes=10))
    budget.settle(ticket, now, late)
    assert not budget.window.is_confirmed
    assert left(budget, now) < 120
    ask_again = go(budget, now + CALM)
    budget.settle(ask_again, now + CALM, headers(23, limit=24, reset=now + LENGTH))
    assert left(budget, now + CALM) == 23


def test_a_slow_reply_speaks_for_its_window_while_that_is_on_for_certain(budget: Budget) -> None:
    ticket = go(budget)
    now = NOW + timedelta(seconds=598)
    late = RateHeaders(limit=100, remaining=99, reset_at=RESET, ends_at=now + timedelta(minutes=10))
    budget.settle(ticket, now, late)
    assert left(budget, now) == 99


def test_a_new_window_of_the_service_replaces_the_old(budget: Budget) -> None:
    ask(budget, 3)
    now = NOW + CALM
    budget.settle(go(budget, now), now, headers(99, reset=RESET + LENGTH))
    assert left(budget, now) == 99


def test_a_window_taken_as_over_too_early_goes_on(budget: Budget) -> None:
    ask(budget, 3)
    assert left(budget, RESET) == 100
    still_on = RateHeaders(limit=100, remaining=2, reset_at=RESET, ends_at=RESET + timedelta(seconds=30))
    budget.settle(go(budget, RESET), RESET, still_on)
    assert left(budget, RESET) == 2
    assert budget.left(RESET).reset_at == RESET + timedelta(seconds=30)


def test_a_limit_that_shrinks(budget: Budget) -> None:
    ask(budget, 80)
    budget.settle(go(budget), NOW, headers(30, limit=50))
    assert budget.left(NOW) == budget.left(NOW)
    assert (budget.left(NOW).limit, left(budget)) == (50, 30)


def test_a_lost_reply_may_have_counted_and_heals_with_the_next(budget: Budget) -> None:
    ask(budget, 10)
    now = NOW + CALM
    budget.settle(go(budget, now), now, None)
    assert left(budget, now) == 9
    now += CALM
    ask(budget, 9, now)
    assert left(budget, now) == 9


def test_an_unsent_request_did_not_count(budget: Budget) -> None:
    ask(budget, 10)
    budget.settle_unsent(go(budget, NOW + CALM), NOW + CALM)
    assert left(budget) == 10


def test_what_never_reached_the_service_is_followed_at_once(budget: Budget) -> None:
    for _ in range(3):
        budget.settle_unsent(go(budget, priority=Priority.DAILY), NOW)
    go(budget, priority=Priority.DAILY)
    assert isinstance(budget.reserve(NOW, Priority.DAILY, 10), Wait)


def test_a_reset_in_the_past_is_no_news(budget: Budget) -> None:
    ask(budget, 10)
    now = NOW + CALM
    budget.settle(go(budget, now), now, headers(80, reset=NOW - timedelta(hours=1)))
    assert left(budget, now) == 9


def test_before_the_first_reply_no_more_than_a_burst_is_under_way(budget: Budget) -> None:
    for _ in range(BURST):
        go(budget)
    assert isinstance(budget.reserve(NOW + SECOND, Priority.PERSON, 5), Wait)


@pytest.mark.parametrize(
    ("said", "wait", "until"),
    [
        (headers(0), 3600.0, NOW + timedelta(hours=1)),
        (headers(0), 60.0, RESET),
        (headers(5), 30.0, RESET),
        (None, 30.0, NOW + timedelta(seconds=30)),
        (None, None, NOW + LENGTH),
        (headers(5, reset=NOW), None, NOW + LENGTH),
    ],
)
def test_after_a_429_nothing_goes_until_the_reset(
    budget: Budget, said: RateHeaders | None, wait: float | None, until: datetime
) -> None:
    late = go(budget)
    assert budget.settle_refused(go(budget), NOW, said, wait) == until
    assert budget.reserve(NOW + SECOND, Priority.PERSON, 0) == Refused(until)
    budget.settle(late, NOW, headers(7))
    assert left(budget) == 0
    go(budget, until)


@pytest.mark.parametrize(
    ("priority", "goes_at"),
    [(Priority.PERSON, 1), (Priority.REFRESH, 16), (Priority.DAILY, 31), (Priority.PREFETCH, 51)],
)
def test_the_less_urgent_leave_something_for_the_urgent(
    budget: Budget, priority: Priority, goes_at: int
) -> None:
    ask(budget, goes_at)
    now = NOW + CALM
    budget.settle(go(budget, now, priority), now, headers(goes_at - 1))
    is_spent = priority is Priority.PERSON
    assert budget.reserve(now + CALM, priority, 0) == Refused(RESET, is_spent=is_spent)


class TestQueue:
    """Who waits, and in which order."""

    @pytest.fixture
    def spent(self, budget: Budget) -> Budget:
        ask(budget, 0)
        return budget

    def wait(self, budget: Budget, priority: Priority, now: datetime = NOW) -> Wait:
        decision = budget.reserve(now, priority, 3600)
        assert isinstance(decision, Wait)
        return decision

    def test_first_come_first_served(self, spent: Budget) -> None:
        first, second = self.wait(spent, Priority.PERSON), self.wait(spent, Priority.PERSON)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, second.place), Wait)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60), Wait)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, first.place), Go)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, second.place), Go)

    def test_the_more_urgent_first(self, spent: Budget) -> None:
        daily, person = self.wait(spent, Priority.DAILY), self.wait(spent, Priority.PERSON)
        assert isinstance(spent.reserve(RESET, Priority.DAILY, 60, daily.place), Wait)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, person.place), Go)

    def test_who_is_hastened_moves_up(self, spent: Budget) -> None:
        daily, person = self.wait(spent, Priority.DAILY), self.wait(spent, Priority.PERSON)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, daily.place), Go)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, person.place), Go)

    def test_who_leaves_gives_the_place_back(self, spent: Budget) -> None:
        first, second = self.wait(spent, Priority.PERSON), self.wait(spent, Priority.PERSON)
        spent.leave(first.place)
        assert isinstance(spent.reserve(RESET, Priority.PERSON, 60, second.place), Go)

    def test_who_cannot_get_anything_behind_the_others_is_told_at_once(self, budget: Budget) -> None:
        ask(budget, 1)
        now = NOW + CALM
        go(budget, now)
        self.wait(budget, Priority.PERSON, now)
        assert budget.reserve(now, Priority.PERSON, 10) == Refused(RESET)


class TestAccounts:
    """Whose budget it is."""

    @pytest.fixture
    def budgets(self) -> Budgets:
        return Budgets()

    def test_two_tokens_of_one_account_share_a_budget(self, budgets: Budgets) -> None:
        ask(budgets.get(TOKEN, "2.0", NOW), 40)
        in_flight = go(budgets.get(TOKEN, "2.0", NOW))
        ask(budgets.get(OTHER, "2.0", NOW), 30)
        for token in (TOKEN, OTHER, OTHER):
            budgets.know(token, UserId(7), NOW)
        assert budgets.get(TOKEN, "2.0", NOW) is budgets.get(OTHER, "2.0", NOW)
        assert left(budgets.get(TOKEN, "2.0", NOW)) == 26
        budgets.get(in_flight.account, "2.0", NOW).settle(in_flight, NOW, headers(28))
        assert budgets.left(OTHER, "2.0", NOW).remaining == 28

    def test_a_token_that_changes_hands_takes_nothing_along(self, budgets: Budgets) -> None:
        budgets.know(TOKEN, UserId(7), NOW)
        ask(budgets.get(TOKEN, "2.0", NOW), 5)
        budgets.know(TOKEN, UserId(8), NOW)
        assert budgets.left(TOKEN, "2.0", NOW).remaining == 120
        assert budgets.left(key_of_account(UserId(7)), "2.0", NOW).remaining == 5

    def test_a_429_leaves_the_others_alone(self, budgets: Budgets) -> None:
        budget = budgets.get(TOKEN, "2.0", NOW)
        budget.settle_refused(go(budget), NOW, None, None)
        assert budgets.left(TOKEN, "2.0", NOW).remaining == 0
        assert budgets.left(TOKEN, "1.3", NOW).remaining == 120
        assert budgets.left(OTHER, "2.0", NOW).remaining == 120

    def test_nothing_known_is_a_full_budget(self, budgets: Budgets) -> None:
        assert budgets.left(TOKEN, "2.0", NOW).reset_at is None

    def test_the_idle_make_room(self, budgets: Budgets) -> None:
        now = NOW
        for number in range(200):
            budget = budgets.get(AccountKey(f"account:{number}"), "2.0", now)
            budget.settle(go(budget, now), now, headers(99, reset=now + LENGTH))
            now += timedelta(minutes=1)
        assert 15 <= len(budgets) <= 20

    def test_the_second_person_comes_to_a_server_where_the_first_has_long_been_idle(
        self, budgets: Budgets
    ) -> None:
        """The first is known by more than one name: as an account, and by each token."""
        for token in (TOKEN, OTHER):
            budgets.know(token, UserId(7), NOW)
        ask(budgets.get(TOKEN, "2.0", NOW), 99)
        now = NOW + 2 * LENGTH
        ask(budgets.get(key_of_account(UserId(8)), "2.0", now), 99, now)
        assert len(budgets) == 1

    def test_the_second_token_of_one_who_has_long_been_idle(self, budgets: Budgets) -> None:
        budgets.know(TOKEN, UserId(7), NOW)
        ask(budgets.get(TOKEN, "2.0", NOW), 99)
        budgets.know(OTHER, UserId(8), NOW + 2 * LENGTH)
        assert len(budgets) == 1

    def test_what_two_accounts_were_charged_for_newcomers_start_from(self, budgets: Budgets) -> None:
        be_charged(budgets, TOKEN, gap=0.5)
        be_charged(budgets, OTHER, gap=0.4, price=3)
        newcomer = budgets.get(AccountKey("token:three"), "2.0", NOW)
        assert (newcomer.pace.spacing, newcomer.pace.dearest) == (pytest.approx(0.6), 2)
        assert budgets.get(AccountKey("token:three"), "1.3", NOW).pace.spacing == FIRST

    def test_what_one_account_alone_was_charged_for_may_be_another_programs_doing(
        self, budgets: Budgets
    ) -> None:
        be_charged(budgets, TOKEN, gap=1.9, price=50)
        assert_new(budgets)

    def test_one_account_by_two_names_is_one_account(self, budgets: Budgets) -> None:
        be_charged(budgets, TOKEN, gap=1.9)
        budgets.know(TOKEN, UserId(7), NOW)
        be_charged(budgets, key_of_account(UserId(7)), gap=1.9, now=NOW + 2 * CALM)
        budgets.know(OTHER, UserId(7), NOW)
        be_charged(budgets, OTHER, gap=1.9, now=NOW + 4 * CALM)
        assert_new(budgets)

    def test_what_fell_again_newcomers_do_not_start_from(self, budgets: Budgets) -> None:
        for name in (TOKEN, OTHER):
            be_charged(budgets, name, gap=0.5)
        be_fair(budgets.get(TOKEN, "2.0", NOW), gap=0.4, left=90)
        assert_new(budgets)

    def test_an_account_that_another_program_uses_says_nothing_about_the_service(
        self, budgets: Budgets
    ) -> None:
        be_charged(budgets, TOKEN, gap=0.5)
        budget = budgets.get(OTHER, "2.0", NOW)
        ask(budget, 99)
        ask(budget, 80, NOW + CALM)
        be_charged(budgets, OTHER, gap=0.5, now=NOW + 2 * CALM)
        assert_new(budgets)

    def test_a_restart_forgets_nothing(self, budgets: Budgets) -> None:
        budgets.know(TOKEN, UserId(7), NOW)
        budget = budgets.get(TOKEN, "2.0", NOW)
        ask(budget, 42)
        go(budget, NOW + CALM)
        after = Budgets()
        after.resume(budget.to_kept(NOW), NOW)
        assert after.left(key_of_account(UserId(7)), "2.0", NOW).remaining == 41
        assert after.left(key_of_account(UserId(7)), "2.0", RESET).remaining == 99


def test_a_key_does_not_give_its_token_away() -> None:
    assert "secret" not in key_of_token("secret")
    assert key_of_token("secret") != key_of_token("secret2")
