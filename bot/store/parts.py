"""Members by parts: one statement takes some thirty thousand values at most, and a server may have more members."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, TypeVar

K = TypeVar("K", bound=int)

MAX_VALUES: Final = 5_000
"""This many ids go into one statement, which may name them several times. Source: SQLite and PostgreSQL take 32,766."""


def in_parts(ids: Collection[K], most: int = MAX_VALUES) -> Iterator[Sequence[K]]:
    """Return ids, each once and in order, at most `most` at a time."""
    ordered = sorted(set(ids))
    return (ordered[start : start + most] for start in range(0, len(ordered), most))
