import pytest
from spending import CALM, NOW, ORIGIN, OTHER, RESET, TOKEN, ask, be_charged, be_fair, go, headers, left

from bot.api.budget.accounts import BudgetRegistry, key_of_account, key_of_token
from bot.api.budget.budget import AccountKey, Budget, Priority, Queued
from bot.api.budget.pacing import INITIAL_SPACING_SECONDS
from bot.api.budget.shared_state import REQUEST_ARRIVAL_SECONDS, ClockOffset
from bot.api.budget.window import ASSUMED_QUICK_REQUEST_COST, WINDOW_SECONDS
from bot.domain.ids import UserId


def assert_new(budgets: BudgetRegistry) -> None:
    """Check that a newcomer starts as if nothing were known."""
    pace = budgets.get(AccountKey("token:three"), "2.0", NOW).pace
    assert (pace.spacing, pace.highest_cost) == (INITIAL_SPACING_SECONDS, 1)


@pytest.fixture
def budgets() -> BudgetRegistry:
    return BudgetRegistry()


def test_two_tokens_of_one_account_share_a_budget(budgets: BudgetRegistry) -> None:
    ask(budgets.get(TOKEN, "2.0", NOW), 40)
    in_flight = go(budgets.get(TOKEN, "2.0", NOW))
    ask(budgets.get(OTHER, "2.0", NOW), 30)
    for token in (TOKEN, OTHER, OTHER):
        budgets.link_token(token, UserId(7), NOW)
    assert budgets.get(TOKEN, "2.0", NOW) is budgets.get(OTHER, "2.0", NOW)
    assert left(budgets.get(TOKEN, "2.0", NOW)) == 26
    budgets.get(in_flight.account, "2.0", NOW).record_reply(in_flight, NOW, headers(28))
    assert budgets.requests_left(OTHER, "2.0", NOW, ORIGIN).remaining == 28


def test_a_token_that_changes_hands_takes_nothing_along(budgets: BudgetRegistry) -> None:
    budgets.link_token(TOKEN, UserId(7), NOW)
    ask(budgets.get(TOKEN, "2.0", NOW), 5)
    budgets.link_token(TOKEN, UserId(8), NOW)
    assert budgets.requests_left(TOKEN, "2.0", NOW, ORIGIN).remaining == 120
    assert budgets.requests_left(key_of_account(UserId(7)), "2.0", NOW, ORIGIN).remaining == 5


def test_a_429_leaves_the_others_alone(budgets: BudgetRegistry) -> None:
    budget = budgets.get(TOKEN, "2.0", NOW)
    budget.record_rejection(go(budget), NOW, None, None)
    assert budgets.requests_left(TOKEN, "2.0", NOW, ORIGIN).remaining == 0
    assert budgets.requests_left(TOKEN, "1.3", NOW, ORIGIN).remaining == 120
    assert budgets.requests_left(OTHER, "2.0", NOW, ORIGIN).remaining == 120


def test_nothing_known_is_a_full_budget(budgets: BudgetRegistry) -> None:
    assert budgets.requests_left(TOKEN, "2.0", NOW, ORIGIN).reset_at is None


def test_the_idle_make_room(budgets: BudgetRegistry) -> None:
    now = NOW
    for number in range(200):
        budget = budgets.get(AccountKey(f"account:{number}"), "2.0", now)
        budget.record_reply(go(budget, now), now, headers(99, now, reset=now + WINDOW_SECONDS))
        now += 60
    assert 15 <= len(budgets) <= 20


def test_the_second_person_comes_to_a_server_where_the_first_has_long_been_idle(
    budgets: BudgetRegistry,
) -> None:
    """The first is known by more than one name: as an account, and by each token."""
    for token in (TOKEN, OTHER):
        budgets.link_token(token, UserId(7), NOW)
    ask(budgets.get(TOKEN, "2.0", NOW), 99)
    now = NOW + 2 * WINDOW_SECONDS
    ask(budgets.get(key_of_account(UserId(8)), "2.0", now), 99, now)
    assert len(budgets) == 1


def test_the_second_token_of_one_who_has_long_been_idle(budgets: BudgetRegistry) -> None:
    budgets.link_token(TOKEN, UserId(7), NOW)
    ask(budgets.get(TOKEN, "2.0", NOW), 99)
    budgets.link_token(OTHER, UserId(8), NOW + 2 * WINDOW_SECONDS)
    assert len(budgets) == 1


def test_what_two_accounts_were_charged_for_newcomers_start_from(budgets: BudgetRegistry) -> None:
    be_charged(budgets, TOKEN, gap=0.5)
    be_charged(budgets, OTHER, gap=0.4, price=3)
    newcomer = budgets.get(AccountKey("token:three"), "2.0", NOW)
    assert (newcomer.pace.spacing, newcomer.pace.highest_cost) == (pytest.approx(0.6), 2)
    assert budgets.get(AccountKey("token:three"), "1.3", NOW).pace.spacing == INITIAL_SPACING_SECONDS


def test_what_one_account_alone_was_charged_for_may_be_another_programs_doing(
    budgets: BudgetRegistry,
) -> None:
    be_charged(budgets, TOKEN, gap=1.9, price=50)
    assert_new(budgets)


def test_one_account_by_two_names_is_one_account(budgets: BudgetRegistry) -> None:
    be_charged(budgets, TOKEN, gap=1.9)
    budgets.link_token(TOKEN, UserId(7), NOW)
    be_charged(budgets, key_of_account(UserId(7)), gap=1.9, now=NOW + 2 * CALM)
    budgets.link_token(OTHER, UserId(7), NOW)
    be_charged(budgets, OTHER, gap=1.9, now=NOW + 4 * CALM)
    assert_new(budgets)


def test_what_fell_again_newcomers_do_not_start_from(budgets: BudgetRegistry) -> None:
    for name in (TOKEN, OTHER):
        be_charged(budgets, name, gap=0.5)
    be_fair(budgets.get(TOKEN, "2.0", NOW), gap=0.4, left=90)
    assert_new(budgets)


def test_an_account_that_another_program_uses_says_nothing_about_the_service(
    budgets: BudgetRegistry,
) -> None:
    be_charged(budgets, TOKEN, gap=0.5)
    budget = budgets.get(OTHER, "2.0", NOW)
    ask(budget, 99)
    ask(budget, 80, NOW + CALM)
    be_charged(budgets, OTHER, gap=0.5, now=NOW + 2 * CALM)
    assert_new(budgets)


def test_a_restart_forgets_nothing(budgets: BudgetRegistry) -> None:
    budgets.link_token(TOKEN, UserId(7), NOW)
    budget = budgets.get(TOKEN, "2.0", NOW)
    ask(budget, 42)
    go(budget, NOW + CALM)
    after = BudgetRegistry()
    after.restore_backup(budget.to_backup(NOW, ORIGIN), NOW, ORIGIN)
    assert after.requests_left(key_of_account(UserId(7)), "2.0", NOW, ORIGIN).remaining == 41
    assert after.requests_left(key_of_account(UserId(7)), "2.0", RESET, ORIGIN).remaining == 99


def test_a_key_does_not_give_its_token_away() -> None:
    assert "secret" not in key_of_token("secret")
    assert key_of_token("secret") != key_of_token("secret2")


def test_who_waits_with_a_token_that_changes_hands_stands_in_nobodys_way(budgets: BudgetRegistry) -> None:
    budgets.link_token(TOKEN, UserId(7), NOW)
    budget = budgets.get(TOKEN, "2.0", NOW)
    ask(budget, 0)
    assert isinstance(budget.reserve(NOW, Priority.PERSON, RESET), Queued)
    budgets.link_token(TOKEN, UserId(8), NOW)
    go(budget, NOW + RESET)


def test_newcomers_count_on_behind_what_travelled_here(budgets: BudgetRegistry) -> None:
    """A reply here tells what became of what another process had under way."""
    there = BudgetRegistry()
    for number in range(9):
        ask(there.get(TOKEN, "2.0", NOW), 50, NOW + number)
    go(there.get(TOKEN, "2.0", NOW), NOW + 9)
    state = there.get(TOKEN, "2.0", NOW).to_shared_state(NOW + 9, ClockOffset(0.0, 0.0))
    here = budgets.get(TOKEN, "2.0", NOW)
    here.restore_shared_state(NOW + 9, state, ClockOffset(0.0, 0.0))
    for sent_at, known in (
        (NOW + 10, 49 - ASSUMED_QUICK_REQUEST_COST),
        (NOW + 9 + REQUEST_ARRIVAL_SECONDS, 49),
    ):
        ask(here, 49, sent_at)
        assert left(here) == known


def test_a_shared_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    """What another process sent then lies in the future of whoever goes on."""
    there, here, none = Budget(TOKEN, "2.0"), Budget(TOKEN, "2.0"), ClockOffset(0.0, 0.0)
    ask(there, 0)
    state = there.to_shared_state(NOW + 1, none)
    earlier = NOW - 3600
    here.restore_shared_state(earlier, state, none)
    waiting = here.reserve(earlier, Priority.PERSON, RESET - NOW)
    assert isinstance(waiting, Queued)
    assert waiting.seconds == pytest.approx(RESET - NOW, abs=1)
