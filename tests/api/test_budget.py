from datetime import UTC, datetime, timedelta

import pytest

from bot.api.budget import WINDOW, AccountKey, Budgets, Go, Priority, RateHeaders, Refused, Wait, key_of_token
from bot.domain.ids import UserId

NOW = datetime(2024, 1, 1, tzinfo=UTC)
RESET = NOW + timedelta(minutes=10)
TOKEN = AccountKey("token:one")


def headers(remaining: int, *, limit: int = 100, reset: datetime = RESET) -> RateHeaders:
    return RateHeaders(limit=limit, remaining=remaining, reset_at=reset, ends_at=reset)


def go(budgets: Budgets, token: AccountKey = TOKEN, now: datetime = NOW) -> Go:
    decision = budgets.reserve(token, "2.0", now, Priority.PERSON, 0)
    assert isinstance(decision, Go)
    return decision


def left(budgets: Budgets, token: AccountKey = TOKEN, now: datetime = NOW) -> int:
    return budgets.left(token, "2.0", now).remaining


@pytest.fixture
def budgets() -> Budgets:
    return Budgets()


def test_the_specifications_numbers_hold_until_a_header_comes(budgets: Budgets) -> None:
    assert budgets.left(TOKEN, "1.0", NOW).limit == 200
    for _ in range(120):
        go(budgets)
    assert budgets.reserve(TOKEN, "2.0", NOW, Priority.PERSON, 0) == Refused(NOW + WINDOW)


def test_what_is_in_flight_counts_as_spent(budgets: Budgets) -> None:
    first = go(budgets)
    budgets.settle(first.ticket, NOW, headers(1))
    go(budgets)
    assert budgets.reserve(TOKEN, "2.0", NOW, Priority.PERSON, 0) == Refused(RESET)


def test_a_wait_within_the_patience_is_offered(budgets: Budgets) -> None:
    budgets.settle(go(budgets).ticket, NOW, headers(0))
    assert budgets.reserve(TOKEN, "2.0", NOW, Priority.PERSON, 600) == Wait(600)
    assert budgets.reserve(TOKEN, "2.0", NOW, Priority.PERSON, 599) == Refused(RESET)
    assert isinstance(budgets.reserve(TOKEN, "2.0", RESET, Priority.PERSON, 0), Go)


def test_late_replies_never_raise_the_count(budgets: Budgets) -> None:
    first, second = go(budgets), go(budgets)
    budgets.settle(second.ticket, NOW, headers(50))
    budgets.settle(first.ticket, NOW, headers(51))
    assert left(budgets) == 50


def test_a_reply_of_the_window_before_does_not_speak_for_this_one(budgets: Budgets) -> None:
    late = go(budgets)
    budgets.settle(go(budgets).ticket, NOW, headers(3))
    now = RESET + timedelta(seconds=1)
    budgets.settle(go(budgets, now=now).ticket, now, headers(99, reset=now + WINDOW))
    budgets.settle(late.ticket, now, headers(4))
    assert left(budgets, now=now) == 98


def test_a_new_window_of_the_service_replaces_the_old(budgets: Budgets) -> None:
    budgets.settle(go(budgets).ticket, NOW, headers(3))
    budgets.settle(go(budgets).ticket, NOW, headers(99, reset=RESET + timedelta(minutes=15)))
    assert left(budgets) == 99


def test_a_lost_reply_may_have_counted_and_an_unsent_request_did_not(budgets: Budgets) -> None:
    budgets.settle(go(budgets).ticket, NOW, headers(10))
    budgets.settle(go(budgets).ticket, NOW, None)
    assert left(budgets) == 9
    budgets.settle_unsent(go(budgets).ticket, NOW)
    assert left(budgets) == 9


def test_a_reset_in_the_past_is_no_news(budgets: Budgets) -> None:
    budgets.settle(go(budgets).ticket, NOW, headers(10))
    budgets.settle(go(budgets).ticket, NOW, headers(80, reset=NOW - timedelta(hours=1)))
    assert left(budgets) == 9


@pytest.mark.parametrize(
    ("said", "wait", "until"),
    [
        (headers(5), 30.0, RESET),
        (None, 30.0, NOW + timedelta(seconds=30)),
        (None, None, NOW + WINDOW),
        (headers(5, reset=NOW), None, NOW + WINDOW),
    ],
)
def test_after_a_429_nothing_goes_until_the_reset(
    budgets: Budgets, said: RateHeaders | None, wait: float | None, until: datetime
) -> None:
    assert budgets.settle_refused(go(budgets).ticket, NOW, said, wait) == until
    assert budgets.reserve(TOKEN, "2.0", NOW, Priority.PERSON, 0) == Refused(until)
    assert isinstance(budgets.reserve(AccountKey("token:other"), "2.0", NOW, Priority.PERSON, 0), Go)
    assert isinstance(budgets.reserve(TOKEN, "2.0", until, Priority.PERSON, 0), Go)


@pytest.mark.parametrize(
    ("priority", "goes_at"), [(Priority.PERSON, 1), (Priority.REFRESH, 16), (Priority.PREFETCH, 51)]
)
def test_the_less_urgent_leave_something_for_the_urgent(
    budgets: Budgets, priority: Priority, goes_at: int
) -> None:
    budgets.settle(go(budgets).ticket, NOW, headers(goes_at))
    assert isinstance(budgets.reserve(TOKEN, "2.0", NOW, priority, 0), Go)
    assert budgets.reserve(TOKEN, "2.0", NOW, priority, 0) == Refused(RESET)


def test_two_tokens_of_one_account_share_a_budget(budgets: Budgets) -> None:
    other = AccountKey("token:two")
    in_flight = go(budgets)
    budgets.settle(go(budgets).ticket, NOW, headers(40))
    budgets.settle(go(budgets, other).ticket, NOW, headers(30))
    budgets.know(TOKEN, UserId(7))
    budgets.know(other, UserId(7))
    budgets.know(other, UserId(7))
    assert left(budgets) == left(budgets, other) == 29
    budgets.settle(in_flight.ticket, NOW, headers(28))
    assert left(budgets) == left(budgets, other) == 28


def test_nothing_known_is_a_full_budget(budgets: Budgets) -> None:
    assert budgets.left(TOKEN, "2.0", NOW).reset_at is None


def test_a_key_does_not_give_its_token_away() -> None:
    assert "secret" not in key_of_token("secret")
    assert key_of_token("secret") != key_of_token("secret2")
