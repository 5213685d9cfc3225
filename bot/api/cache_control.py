"""How old answers may be within a block of code, named after the directives of HTTP's Cache-Control."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Final

from bot.api.answer import Key

_max_stale: Final[ContextVar[timedelta]] = ContextVar("max_stale", default=timedelta(0))
_only_if_cached: Final[ContextVar[bool]] = ContextVar("only_if_cached", default=False)
_fetched_anew: Final[ContextVar[set[Key] | None]] = ContextVar("fetched_anew", default=None)
"""The questions already refetched within `no_cache`; None outside of it."""


@contextmanager
def max_stale(age: timedelta) -> Generator[None]:
    """Accept answers up to this age: someone who turns a page should see the same data."""
    before = _max_stale.set(age)
    try:
        yield
    finally:
        _max_stale.reset(before)


@contextmanager
def only_if_cached() -> Generator[None]:
    """Send no requests, and accept the last known answers: the service is known to be away."""
    before = _only_if_cached.set(True)
    try:
        yield
    finally:
        _only_if_cached.reset(before)


@contextmanager
def no_cache() -> Generator[None]:
    """Refetch each question once, however fresh its answer is: somebody asked for newer data."""
    before = _fetched_anew.set(set())
    try:
        yield
    finally:
        _fetched_anew.reset(before)


def accepted_age() -> timedelta:
    """Return the age up to which stale answers are accepted."""
    return _max_stale.get()


def is_only_if_cached() -> bool:
    """Return whether no requests are to be sent."""
    return _only_if_cached.get()


def is_no_cache() -> bool:
    """Return whether somebody asked for newer data."""
    return _fetched_anew.get() is not None


def must_fetch(key: Key) -> bool:
    """Return whether this question has to be refetched; returning True marks it as refetched."""
    fetched = _fetched_anew.get()
    if fetched is None or key in fetched:
        return False
    fetched.add(key)
    return True
