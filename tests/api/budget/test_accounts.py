import pytest
from spending import CALM, NOW, ORIGIN, OTHER, RESET, TOKEN, ask, be_charged, be_fair, go, headers, left

from bot.api.budget.accounts import Budgets, key_of_account, key_of_token
from bot.api.budget.budget import AccountKey, Budget, Priority, Wait
from bot.api.budget.pace import FIRST
from bot.api.budget.state import ARRIVAL, Shift
from bot.api.budget.window import DOUBT, LENGTH
from bot.domain.ids import UserId


def assert_new(budgets: Budgets) -> None:
    """Check that a newcomer starts as if nothing were known."""
    pace = budgets.get(AccountKey("token:three"), "2.0", NOW).pace
    assert (pace.spacing, pace.dearest) == (FIRST, 1)


@pytest.fixture
def budgets() -> Budgets:
    return Budgets()


def test_two_tokens_of_one_account_share_a_budget(budgets: Budgets) -> None:
    ask(budgets.get(TOKEN, "2.0", NOW), 40)
    in_flight = go(budgets.get(TOKEN, "2.0", NOW))
    ask(budgets.get(OTHER, "2.0", NOW), 30)
    for token in (TOKEN, OTHER, OTHER):
        budgets.know(token, UserId(7), NOW)
    assert budgets.get(TOKEN, "2.0", NOW) is budgets.get(OTHER, "2.0", NOW)
    assert left(budgets.get(TOKEN, "2.0", NOW)) == 26
    budgets.get(in_flight.account, "2.0", NOW).settle(in_flight, NOW, headers(28))
    assert budgets.left(OTHER, "2.0", NOW, ORIGIN).remaining == 28


def test_a_token_that_changes_hands_takes_nothing_along(budgets: Budgets) -> None:
    budgets.know(TOKEN, UserId(7), NOW)
    ask(budgets.get(TOKEN, "2.0", NOW), 5)
    budgets.know(TOKEN, UserId(8), NOW)
    assert budgets.left(TOKEN, "2.0", NOW, ORIGIN).remaining == 120
    assert budgets.left(key_of_account(UserId(7)), "2.0", NOW, ORIGIN).remaining == 5


def test_a_429_leaves_the_others_alone(budgets: Budgets) -> None:
    budget = budgets.get(TOKEN, "2.0", NOW)
    budget.settle_refused(go(budget), NOW, None, None)
    assert budgets.left(TOKEN, "2.0", NOW, ORIGIN).remaining == 0
    assert budgets.left(TOKEN, "1.3", NOW, ORIGIN).remaining == 120
    assert budgets.left(OTHER, "2.0", NOW, ORIGIN).remaining == 120


def test_nothing_known_is_a_full_budget(budgets: Budgets) -> None:
    assert budgets.left(TOKEN, "2.0", NOW, ORIGIN).reset_at is None


def test_the_idle_make_room(budgets: Budgets) -> None:
    now = NOW
    for number in range(200):
        budget = budgets.get(AccountKey(f"account:{number}"), "2.0", now)
        budget.settle(go(budget, now), now, headers(99, now, reset=now + LENGTH))
        now += 60
    assert 15 <= len(budgets) <= 20


def test_the_second_person_comes_to_a_server_where_the_first_has_long_been_idle(
    budgets: Budgets,
) -> None:
    """The first is known by more than one name: as an account, and by each token."""
    for token in (TOKEN, OTHER):
        budgets.know(token, UserId(7), NOW)
    ask(budgets.get(TOKEN, "2.0", NOW), 99)
    now = NOW + 2 * LENGTH
    ask(budgets.get(key_of_account(UserId(8)), "2.0", now), 99, now)
    assert len(budgets) == 1


def test_the_second_token_of_one_who_has_long_been_idle(budgets: Budgets) -> None:
    budgets.know(TOKEN, UserId(7), NOW)
    ask(budgets.get(TOKEN, "2.0", NOW), 99)
    budgets.know(OTHER, UserId(8), NOW + 2 * LENGTH)
    assert len(budgets) == 1


def test_what_two_accounts_were_charged_for_newcomers_start_from(budgets: Budgets) -> None:
    be_charged(budgets, TOKEN, gap=0.5)
    be_charged(budgets, OTHER, gap=0.4, price=3)
    newcomer = budgets.get(AccountKey("token:three"), "2.0", NOW)
    assert (newcomer.pace.spacing, newcomer.pace.dearest) == (pytest.approx(0.6), 2)
    assert budgets.get(AccountKey("token:three"), "1.3", NOW).pace.spacing == FIRST


def test_what_one_account_alone_was_charged_for_may_be_another_programs_doing(
    budgets: Budgets,
) -> None:
    be_charged(budgets, TOKEN, gap=1.9, price=50)
    assert_new(budgets)


def test_one_account_by_two_names_is_one_account(budgets: Budgets) -> None:
    be_charged(budgets, TOKEN, gap=1.9)
    budgets.know(TOKEN, UserId(7), NOW)
    be_charged(budgets, key_of_account(UserId(7)), gap=1.9, now=NOW + 2 * CALM)
    budgets.know(OTHER, UserId(7), NOW)
    be_charged(budgets, OTHER, gap=1.9, now=NOW + 4 * CALM)
    assert_new(budgets)


def test_what_fell_again_newcomers_do_not_start_from(budgets: Budgets) -> None:
    for name in (TOKEN, OTHER):
        be_charged(budgets, name, gap=0.5)
    be_fair(budgets.get(TOKEN, "2.0", NOW), gap=0.4, left=90)
    assert_new(budgets)


def test_an_account_that_another_program_uses_says_nothing_about_the_service(
    budgets: Budgets,
) -> None:
    be_charged(budgets, TOKEN, gap=0.5)
    budget = budgets.get(OTHER, "2.0", NOW)
    ask(budget, 99)
    ask(budget, 80, NOW + CALM)
    be_charged(budgets, OTHER, gap=0.5, now=NOW + 2 * CALM)
    assert_new(budgets)


def test_a_restart_forgets_nothing(budgets: Budgets) -> None:
    budgets.know(TOKEN, UserId(7), NOW)
    budget = budgets.get(TOKEN, "2.0", NOW)
    ask(budget, 42)
    go(budget, NOW + CALM)
    after = Budgets()
    after.resume(budget.to_kept(NOW, ORIGIN), NOW, ORIGIN)
    assert after.left(key_of_account(UserId(7)), "2.0", NOW, ORIGIN).remaining == 41
    assert after.left(key_of_account(UserId(7)), "2.0", RESET, ORIGIN).remaining == 99


def test_a_key_does_not_give_its_token_away() -> None:
    assert "secret" not in key_of_token("secret")
    assert key_of_token("secret") != key_of_token("secret2")


def test_who_waits_with_a_token_that_changes_hands_stands_in_nobodys_way(budgets: Budgets) -> None:
    budgets.know(TOKEN, UserId(7), NOW)
    budget = budgets.get(TOKEN, "2.0", NOW)
    ask(budget, 0)
    assert isinstance(budget.reserve(NOW, Priority.PERSON, RESET), Wait)
    budgets.know(TOKEN, UserId(8), NOW)
    go(budget, NOW + RESET)


def test_newcomers_count_on_behind_what_travelled_here(budgets: Budgets) -> None:
    """A reply here tells what became of what another process had under way."""
    there = Budgets()
    for number in range(9):
        ask(there.get(TOKEN, "2.0", NOW), 50, NOW + number)
    go(there.get(TOKEN, "2.0", NOW), NOW + 9)
    state = there.get(TOKEN, "2.0", NOW).to_state(NOW + 9, Shift(0.0, 0.0))
    here = budgets.get(TOKEN, "2.0", NOW)
    here.go_on(NOW + 9, state, Shift(0.0, 0.0))
    for sent_at, known in ((NOW + 10, 49 - DOUBT), (NOW + 9 + ARRIVAL, 49)):
        ask(here, 49, sent_at)
        assert left(here) == known


def test_a_shared_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    """What another process sent then lies in the future of whoever goes on."""
    there, here, none = Budget(TOKEN, "2.0"), Budget(TOKEN, "2.0"), Shift(0.0, 0.0)
    ask(there, 0)
    state = there.to_state(NOW + 1, none)
    earlier = NOW - 3600
    here.go_on(earlier, state, none)
    waiting = here.reserve(earlier, Priority.PERSON, RESET - NOW)
    assert isinstance(waiting, Wait)
    assert waiting.seconds == pytest.approx(RESET - NOW, abs=1)
