from datetime import UTC, datetime, timedelta

from bot.domain.age import Age, oldest
from bot.domain.errors import BudgetSpent, ServiceDown

NOW = datetime(2026, 11, 21, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_what_is_fresh_is_as_old_as_its_oldest_part() -> None:
    assert oldest(Age(NOW), Age(NOW - HOUR)) == Age(NOW - HOUR)


def test_of_what_is_partly_stale_the_stale_part_tells() -> None:
    trouble = ServiceDown()
    stale = Age(NOW - HOUR, trouble)
    assert oldest(Age(NOW - 8 * HOUR), stale, Age(NOW)) == stale


def test_what_lasts_longest_is_said() -> None:
    sooner, later, down = BudgetSpent(NOW), BudgetSpent(NOW + HOUR), ServiceDown()
    assert oldest(Age(NOW, sooner), Age(NOW, later)).trouble is later
    assert oldest(Age(NOW, later), Age(NOW, down)).trouble is down
