"""bot/store/parts.py: of however many members, no statement has more values than a database takes."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, date, datetime
from typing import Final

import pytest
from statements import statements_of

from bot.domain.boards import Measure
from bot.domain.ids import JP2, MemberId
from bot.store import Store
from bot.store.parts import in_parts

MOST_VALUES: Final = 32_766
"""Source: SQLITE_MAX_VARIABLE_NUMBER as SQLite is usually built; PostgreSQL's protocol takes one more."""
DAY, NOW = date(2026, 11, 21), datetime(2026, 11, 21, 12, tzinfo=UTC)
MANY: Final = [MemberId(number) for number in range(1, 40_000)]

Ask = Callable[[Store, Sequence[MemberId]], Awaitable[object]]
ASKED: Final[dict[str, Ask]] = {
    "members": lambda store, members: store.members.load(members),
    "refreshes": lambda store, members: store.refresh_schedule.find(members),
    "goals": lambda store, members: store.goals.fetch_reached(members, NOW),
    "looks": lambda store, members: store.chronicle.fetch_looks(members, JP2, first=DAY, last=DAY),
    "moments": lambda store, members: store.boards.fetch_moments(members, JP2),
    "figures": lambda store, members: store.boards.fetch_figures(Measure.RATING, members, JP2),
}


@pytest.mark.parametrize("name", ASKED)
async def test_no_statement_has_more_values_than_a_database_takes(store: Store, name: str) -> None:
    with statements_of(store) as sent:
        await ASKED[name](store, MANY)
    assert sent
    assert max(len(values) for _, values in sent) <= MOST_VALUES


def test_each_is_in_one_part() -> None:
    assert [*in_parts([3, 1, 2, 2, 5], 2)] == [[1, 2], [3, 5]]
    assert [*in_parts(range(4), 2)] == [[0, 1], [2, 3]]
    assert not [*in_parts(set[int]())]
