"""How old answers may be, for all that a block of code asks for: HTTP's own directives of Cache-Control."""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta
from typing import Final

from bot.api.answer import Key

_max_stale: Final[ContextVar[timedelta]] = ContextVar("max_stale", default=timedelta(0))
_only_if_cached: Final[ContextVar[bool]] = ContextVar("only_if_cached", default=False)
_fetched_anew: Final[ContextVar[set[Key] | None]] = ContextVar("fetched_anew", default=None)
"""The questions that were asked anew within `no_cache`; None outside of it."""


@contextmanager
def max_stale(age: timedelta) -> Generator[None]:
    """Accept answers up to this old, where one is there: who turns a page goes on with what they saw."""
    before = _max_stale.set(age)
    try:
        yield
    finally:
        _max_stale.reset(before)


@contextmanager
def only_if_cached() -> Generator[None]:
    """Ask nothing, and accept the last known answers: the service is known to be away."""
    before = _only_if_cached.set(True)
    try:
        yield
    finally:
        _only_if_cached.reset(before)


@contextmanager
def no_cache() -> Generator[None]:
    """Ask each question once, however fresh an answer there is: somebody has said that they want a newer one."""
    before = _fetched_anew.set(set())
    try:
        yield
    finally:
        _fetched_anew.reset(before)


def accepted_age() -> timedelta:
    """Return how old answers may be beside being fresh."""
    return _max_stale.get()


def is_only_if_cached() -> bool:
    """Return whether nothing is to be asked."""
    return _only_if_cached.get()


def is_no_cache() -> bool:
    """Return whether somebody wants newer answers than there are."""
    return _fetched_anew.get() is not None


def must_fetch(key: Key) -> bool:
    """Return whether a newer answer to this question is wanted; once true, it counts as fetched."""
    fetched = _fetched_anew.get()
    if fetched is None or key in fetched:
        return False
    fetched.add(key)
    return True
