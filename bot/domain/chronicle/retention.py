"""How long a member's history is kept."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Retention:
    """All days for some time, then one look a week, finally nothing."""

    all_days: int = 400
    days: int = 1_095


def superfluous(days: Iterable[date], today: date, keeping: Retention) -> set[date]:
    """Return the days to delete: of each week before the recent days, all but its last look."""
    kept_whole, kept_at_all = (today - timedelta(days=each) for each in (keeping.all_days, keeping.days))
    old = sorted(day for day in days if day < kept_whole)
    last_of_week = {day.isocalendar()[:2]: day for day in old}
    return {day for day in old if day < kept_at_all or last_of_week[day.isocalendar()[:2]] != day}
