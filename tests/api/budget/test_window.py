from datetime import timedelta

import pytest
from spending import APART, CALM, NOW, ORIGIN, RESET, TOKEN, ask, go, headers, left

from bot.api.budget.budget import Budget, Denied, Priority
from bot.api.budget.pacing import MAX_SPACING_SECONDS
from bot.api.budget.shared_state import REQUEST_ARRIVAL_SECONDS, ClockOffset
from bot.api.budget.window import WINDOW_SECONDS, RateHeaders


def test_the_specifications_numbers_hold_until_a_header_comes(budget: Budget) -> None:
    assert budget.requests_left(NOW, ORIGIN).limit == 120
    assert Budget(TOKEN, "1.0").requests_left(NOW, ORIGIN).limit == 200
    now = NOW
    for spent in range(120):
        assert left(budget, now) == 120 - spent
        budget.record_reply(go(budget, now), now, None)
        now += MAX_SPACING_SECONDS
    assert left(budget, now) == 0
    go(budget, now)  # what nobody told may not have counted: one asks
    assert budget.reserve(now, Priority.PERSON, 0) == Denied(now + MAX_SPACING_SECONDS, is_spent=False)


def test_what_is_in_flight_counts_as_spent(budget: Budget) -> None:
    ask(budget, 1)
    go(budget, NOW + CALM)
    assert budget.reserve(NOW + CALM, Priority.PERSON, 0) == Denied(RESET)


def test_late_replies_never_raise_the_count(budget: Budget) -> None:
    first, second = go(budget), go(budget)
    budget.record_reply(second, NOW, headers(50))
    budget.record_reply(first, NOW, headers(51))
    assert left(budget) == 50


def test_a_reply_of_the_window_before_does_not_speak_for_this_one(budget: Budget) -> None:
    late = go(budget)
    ask(budget, 3)
    now = RESET + 1
    budget.record_reply(go(budget, now), now, headers(99, now, reset=now + WINDOW_SECONDS))
    budget.record_reply(late, now, headers(4, now))
    assert left(budget, now) >= 95
    ask_again = go(budget, now + CALM)
    budget.record_reply(ask_again, now + CALM, headers(98, now + CALM, reset=now + WINDOW_SECONDS))
    assert left(budget, now + CALM) == 98


@pytest.mark.parametrize("seconds", [600, 602, 902])
def test_a_reply_that_may_have_outlived_its_window_does_not_speak_for_the_next(
    budget: Budget, seconds: float
) -> None:
    """Its limit may be another one by now, and what it says is left was left then."""
    budget.record_reply(go(budget), NOW, None)
    permit = go(budget, NOW + 1)
    now = NOW + 1 + seconds
    late = RateHeaders(limit=200, remaining=198, reset_at=APART + RESET, ends_in=600)
    budget.record_reply(permit, now, late)
    assert not budget.window.is_confirmed
    assert left(budget, now) < 120
    ask_again = go(budget, now + CALM)
    budget.record_reply(ask_again, now + CALM, headers(23, now + CALM, limit=24, reset=now + WINDOW_SECONDS))
    assert left(budget, now + CALM) == 23


def test_a_reply_of_the_last_second_is_believed_that_nothing_is_left(budget: Budget) -> None:
    """The window may be over when it arrives; asking again, to learn what is left, would be refused where it is not."""
    ask(budget, 1, RESET - CALM)
    sent, now = RESET - 0.5, RESET - 0.2
    budget.record_reply(go(budget, sent), now, headers(0, RESET - 1))
    assert left(budget, now) == 0
    assert budget.reserve(now, Priority.PERSON, 0) == Denied(RESET)
    assert left(budget, RESET) == 100


def test_a_slow_reply_speaks_for_its_window_while_that_is_on_for_certain(budget: Budget) -> None:
    permit = go(budget)
    now = NOW + 598
    late = RateHeaders(limit=100, remaining=99, reset_at=APART + RESET, ends_in=600)
    budget.record_reply(permit, now, late)
    assert left(budget, now) == 99


def test_a_new_window_of_the_service_replaces_the_old(budget: Budget) -> None:
    ask(budget, 3)
    now = NOW + CALM
    budget.record_reply(go(budget, now), now, headers(99, now, reset=RESET + WINDOW_SECONDS))
    assert left(budget, now) == 99


def test_a_window_taken_as_over_too_early_goes_on(budget: Budget) -> None:
    ask(budget, 3)
    assert left(budget, RESET) == 100
    still_on = RateHeaders(limit=100, remaining=2, reset_at=APART + RESET, ends_in=30)
    budget.record_reply(go(budget, RESET), RESET, still_on)
    assert left(budget, RESET) == 2
    assert budget.requests_left(RESET, ORIGIN).reset_at == ORIGIN + timedelta(seconds=RESET + 30)


def test_a_limit_that_shrinks(budget: Budget) -> None:
    ask(budget, 80)
    budget.record_reply(go(budget), NOW, headers(30, limit=50))
    assert (budget.requests_left(NOW, ORIGIN).limit, left(budget)) == (50, 30)


def test_a_lost_reply_may_have_counted_and_heals_with_the_next(budget: Budget) -> None:
    ask(budget, 10)
    now = NOW + CALM
    budget.record_reply(go(budget, now), now, None)
    assert left(budget, now) == 9
    now += CALM
    ask(budget, 9, now)
    assert left(budget, now) == 9


def test_a_long_outage_is_remembered_as_one(budget: Budget) -> None:
    now = NOW
    for _ in range(1000):
        budget.record_reply(go(budget, now), now, None)
        now += MAX_SPACING_SECONDS
    assert len(budget.to_shared_state(now, ClockOffset(0, 0))["window"]["lost"]) < 100
    budget.record_reply(go(budget, now), now, headers(42, now, reset=now + WINDOW_SECONDS))
    assert left(budget, now) == 42
    budget.record_reply(go(budget, now + CALM), now + CALM, None)
    assert left(budget, now + CALM) == 41


def test_an_unsent_request_did_not_count(budget: Budget) -> None:
    ask(budget, 10)
    go(budget, NOW + CALM)
    budget.return_unsent(NOW + CALM)
    assert left(budget) == 10


def test_a_reset_in_the_past_is_no_news(budget: Budget) -> None:
    ask(budget, 10)
    now = NOW + CALM
    budget.record_reply(go(budget, now), now, headers(80, now, reset=NOW - 3600))
    assert left(budget, now) == 9


@pytest.mark.parametrize(
    ("said", "wait", "until"),
    [
        (headers(0), 3600.0, NOW + 3600),
        (headers(0), 60.0, RESET),
        (headers(5), 30.0, RESET),
        (None, 30.0, NOW + 30),
        (None, None, NOW + WINDOW_SECONDS),
        (headers(5, reset=NOW), None, NOW + WINDOW_SECONDS),
    ],
)
def test_after_a_429_nothing_goes_until_the_reset(
    budget: Budget, said: RateHeaders | None, wait: float | None, until: float
) -> None:
    late = go(budget)
    assert budget.record_rejection(go(budget), NOW, said, wait) == until
    assert budget.reserve(NOW + 1, Priority.PERSON, 0) == Denied(until)
    budget.record_reply(late, NOW, headers(7))
    assert left(budget) == 0
    go(budget, until)


def test_after_a_429_the_last_reply_before_it_opens_nothing(budget: Budget) -> None:
    """It may be the newest of all that were sent: what it says was so before the service refused one."""
    refused, late = go(budget), go(budget)
    budget.record_rejection(refused, NOW, headers(0), 30.0)
    budget.record_reply(late, NOW, headers(60, reset=RESET + WINDOW_SECONDS))
    assert left(budget) == 0
    assert budget.reserve(NOW + 1, Priority.PERSON, 0) == Denied(RESET)


def test_what_another_process_sent_may_still_be_on_its_way(budget: Budget) -> None:
    """A reply to what was sent before it can have arrived knows nothing of it; a later one does."""
    ask(budget, 90)
    now = NOW + CALM
    budget.count_unseen_requests(now, 10)
    assert left(budget, now) == 80
    ask(budget, 89, now + REQUEST_ARRIVAL_SECONDS - 0.1)
    assert left(budget, now + REQUEST_ARRIVAL_SECONDS) == 79
    ask(budget, 88, now + REQUEST_ARRIVAL_SECONDS + 0.1)
    assert left(budget, now + REQUEST_ARRIVAL_SECONDS + 0.1) == 88
