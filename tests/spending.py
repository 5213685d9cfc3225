"""Spend a budget: ask, be answered, be charged. Moments are seconds of a clock that begins at 0, as it may."""

from datetime import UTC, datetime
from typing import Final

from bot.api.budget.accounts import BudgetRegistry
from bot.api.budget.budget import AccountKey, Budget, Granted, Permit, Priority
from bot.api.budget.pacing import BURST_REQUESTS, MAX_SPACING_SECONDS
from bot.api.budget.window import RateHeaders

NOW: Final = 0.0
RESET: Final = 600.0
CALM: Final = BURST_REQUESTS * MAX_SPACING_SECONDS
ORIGIN: Final = datetime(2024, 1, 1, tzinfo=UTC)
"""The time of day when the seconds began."""
APART: Final = 1_704_067_200.0 + 7200
"""What the service's clock says then: it runs ahead by two hours."""
TOKEN: Final = AccountKey("token:one")
OTHER: Final = AccountKey("token:two")


def headers(remaining: int, now: float = NOW, *, limit: int = 100, reset: float = RESET) -> RateHeaders:
    return RateHeaders(limit=limit, remaining=remaining, reset_at=APART + reset, ends_in=reset - now)


def go(budget: Budget, now: float = NOW, priority: Priority = Priority.PERSON) -> Permit:
    decision = budget.reserve(now, priority, 0)
    assert isinstance(decision, Granted), decision
    return decision.permit


def ask(budget: Budget, left: int, now: float = NOW) -> None:
    budget.record_reply(go(budget, now), now, headers(left, now))


def be_fair(budget: Budget, *, gap: float, left: int, times: int = 3, now: float = NOW + CALM) -> None:
    """Ask a few times in a row, each at the price of one."""
    for number in range(times + 1):
        ask(budget, left - number, now + number * gap)


def be_charged(
    budgets: BudgetRegistry, name: AccountKey, *, gap: float, price: int = 2, now: float = NOW
) -> None:
    """Ask twice in quick succession, and be told what that costs."""
    for left, at in ((70, now), (70 - price, now + gap)):
        ask(budgets.get(name, "2.0", at), left, at)
    budgets.get(name, "2.0", now)


def left(budget: Budget, now: float = NOW) -> int:
    return budget.requests_left(now, ORIGIN).remaining
