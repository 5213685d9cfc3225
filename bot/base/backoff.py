"""How long to wait before something is tried again that keeps failing."""

from datetime import timedelta
from typing import Final, TypeVar

Wait = TypeVar("Wait", float, timedelta)

_MAX_DOUBLINGS: Final = 20
"""The most doublings: more would exceed any limit, and finally overflow."""


def doubled_wait(first: Wait, failures: int, longest: Wait) -> Wait:
    """Return `first` after the first failure in a row, twice as much after each further one, at most `longest`."""
    return min(longest, first * 2 ** min(max(0, failures - 1), _MAX_DOUBLINGS))
