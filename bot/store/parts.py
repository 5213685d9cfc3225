"""Splits ids into parts: a statement takes some thirty thousand values, and a server may have more members."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeVar

K = TypeVar("K", bound=int)

MAX_VALUES: Final = 5_000
"""The most ids in one statement, which may repeat them. Source: SQLite and PostgreSQL accept 32,766 values."""


def in_parts(ids: Collection[K], most: int = MAX_VALUES) -> Iterator[Sequence[K]]:
    """Return ids in sorted parts of at most `most`, without duplicates."""
    ordered = sorted(set(ids))
    return (ordered[start : start + most] for start in range(0, len(ordered), most))
