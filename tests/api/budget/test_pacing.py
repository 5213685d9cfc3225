"""Holds `bot/api/budget/pacing.py`."""

import pytest
from spending import CALM, NOW, ask, be_fair, go, headers

from bot.api.budget.budget import Budget, Granted, Priority, Queued
from bot.api.budget.pacing import BURST_REQUESTS, INITIAL_SPACING_SECONDS, MAX_SPACING_SECONDS


def test_the_first_few_after_a_quiet_time_go_at_once_and_the_rest_are_spaced(budget: Budget) -> None:
    ask(budget, 99)
    now = NOW + CALM
    permits = [go(budget, now) for _ in range(BURST_REQUESTS)]
    waiting = budget.reserve(now, Priority.PERSON, 10)
    assert isinstance(waiting, Queued)
    assert waiting.seconds == pytest.approx(INITIAL_SPACING_SECONDS)
    for permit in permits:
        budget.record_reply(permit, now, headers(98, now))
    now += INITIAL_SPACING_SECONDS * 1.1
    assert isinstance(budget.reserve(now, Priority.PERSON, 10, waiting.entry), Granted)


def test_who_is_in_no_hurry_is_spaced_from_the_second_on(budget: Budget) -> None:
    budget.record_reply(go(budget, priority=Priority.DAILY), NOW, headers(99))
    waiting = budget.reserve(NOW, Priority.DAILY, 10)
    assert isinstance(waiting, Queued)
    assert waiting.seconds == pytest.approx(INITIAL_SPACING_SECONDS)


def test_a_price_makes_the_spacing_grow_beyond_the_gap_that_was_too_short(budget: Budget) -> None:
    ask(budget, 99)
    gap = 0.4
    ask(budget, 97, NOW + gap)
    assert budget.pace.spacing == pytest.approx(0.6)
    assert (budget.pace.was_charged_for_haste, budget.pace.highest_cost) == (True, 2)
    now = NOW + gap + 0.6
    ask(budget, 96, now)
    assert 0.59 < budget.pace.spacing < 0.6


def test_a_price_after_a_long_gap_is_somebody_elses_doing(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 80, NOW + MAX_SPACING_SECONDS)
    assert (budget.pace.spacing, budget.pace.was_charged_for_haste) == (INITIAL_SPACING_SECONDS, False)


def test_a_price_that_was_another_programs_doing_falls_again(budget: Budget) -> None:
    """The service charges for a gap or it does not: who is charged nothing for a shorter one owed nothing."""
    ask(budget, 99)
    ask(budget, 49, NOW + 1)
    assert (budget.pace.spacing, budget.pace.highest_cost) == (1.5, 50)
    be_fair(budget, gap=0.9, left=40)
    assert (budget.pace.spacing, budget.pace.highest_cost, budget.pace.was_charged_for_haste) == (
        INITIAL_SPACING_SECONDS,
        1,
        False,
    )


def test_a_price_does_not_fall_for_what_is_further_apart(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 94, NOW + 1)
    be_fair(budget, gap=1.6, left=60, times=30)
    assert budget.pace.highest_cost == 5
    assert 1.0 < budget.pace.spacing < 1.5


def test_a_price_that_is_charged_again_does_not_fall(budget: Budget) -> None:
    now = NOW
    left = 99
    for _ in range(5):
        be_fair(budget, gap=0.5, left=left, times=2, now=now)
        now += 2
        ask(budget, left - 4, now)
        ask(budget, left - 6, now + 0.6)
        now += CALM
        left -= 10
    assert budget.pace.highest_cost == 2


def test_the_longest_spacing_falls_again_for_one_who_keeps_to_it(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 97, NOW + 1.9)
    assert budget.pace.spacing == MAX_SPACING_SECONDS
    now, asked = NOW + CALM, 0
    while budget.pace.spacing > INITIAL_SPACING_SECONDS:
        asked += 1
        assert asked < 30
        ask(budget, 90 - asked, now)
        now += budget.pace.spacing


def test_what_never_reached_the_service_is_followed_at_once(budget: Budget) -> None:
    for _ in range(3):
        go(budget, priority=Priority.DAILY)
        budget.return_unsent(NOW)
    go(budget, priority=Priority.DAILY)
    assert isinstance(budget.reserve(NOW, Priority.DAILY, 10), Queued)


def test_a_price_for_what_was_sent_at_once_falls_at_the_shortest_spacing(budget: Budget) -> None:
    """Nobody sends closer than that, so nothing closer can show that it is charged no more."""
    ask(budget, 99)
    ask(budget, 97, NOW)
    assert budget.pace.highest_cost == 2
    be_fair(budget, gap=0.0999, left=90)
    assert budget.pace.highest_cost == 1


def test_a_price_for_a_shorter_gap_says_nothing_new_of_a_longer_one(budget: Budget) -> None:
    ask(budget, 99)
    ask(budget, 97, NOW + 1)
    ask(budget, 95, NOW + 1.5)
    be_fair(budget, gap=0.9, left=90)
    assert budget.pace.highest_cost == 1
