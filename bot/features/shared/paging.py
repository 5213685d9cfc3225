"""Splits a list into pages."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

LINES: Final = 10
"""The lines of a page of a list: the buttons below stay in sight, on a phone too."""
RECORDS: Final = LINES // 2
"""The records of a page, each with a line and a line of small print."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Generic[T_co]):
    """One page of a list."""

    items: tuple[T_co, ...]
    """The items of this page; empty only if the list is."""
    start: int
    """The count of items before this page."""
    total: int
    """The count of items in the whole list."""
    number: int
    """The number of the page, from 0."""
    count: int
    """The number of pages; 1 for an empty list."""

    @property
    def numbered(self) -> Iterable[tuple[int, T_co]]:
        """The items with their places in the whole list, from 1."""
        return enumerate(self.items, start=self.start + 1)


def part_of(items: Sequence[T], size: int, number: int) -> Part[T]:
    """Return page `number` with `size` items a page, or the nearest existing page."""
    count = max(1, -(-len(items) // size))
    number = min(max(number, 0), count - 1)
    start = number * size
    return Part(
        items=tuple(items[start : start + size]), start=start, total=len(items), number=number, count=count
    )
