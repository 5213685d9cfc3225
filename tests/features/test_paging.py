"""Holds `bot/features/shared/paging.py`."""

import pytest

from bot.features.shared.paging import part_of


@pytest.mark.parametrize(
    ("total", "asked", "number", "count", "items"),
    [
        (0, 0, 0, 1, ""),
        (0, 1, 0, 1, ""),
        (1, 0, 0, 1, "a"),
        (3, 0, 0, 1, "abc"),
        (4, 0, 0, 2, "abc"),
        (4, 1, 1, 2, "d"),
        (6, 1, 1, 2, "def"),
        (6, 2, 1, 2, "def"),
        (7, 2, 2, 3, "g"),
        (7, -1, 0, 3, "abc"),
    ],
)
def test_a_page_has_its_items_alone(total: int, asked: int, number: int, count: int, items: str) -> None:
    part = part_of("abcdefg"[:total], 3, asked)
    assert (part.number, part.count, part.total) == (number, count, total)
    assert list(part.numbered) == list(enumerate(items, start=number * 3 + 1))
    assert "".join(part.items) == items
