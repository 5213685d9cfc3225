"""Request windows per account and version, in a memory-mapped file.

What is stored in the mapping is in the kernel's hands at once: a killed process forgets nothing, and a
request costs no system call. (A power cut may forget the last seconds.) Each window is two native words:
reset time and count in one, so that they change together, and the time of the last request.
"""

import mmap
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple, Self

from multidict import CIMultiDict

from bot.base.clock import Clock
from bot.domain.ids import UserId
from bot.wire.versions import Version
from service.options import VERSIONS, ServiceOptions

_WORD: Final = 8
_WORDS_PER_WINDOW: Final = 2
_WORDS_PER_ACCOUNT: Final = 8
_GROWTH: Final = 64 * 1024
_PLACES: Final = {version: number * _WORDS_PER_WINDOW for number, version in enumerate(VERSIONS)}
_COUNT_BITS: Final = 32
_COUNT_MASK: Final = (1 << _COUNT_BITS) - 1


class LimitWindow(NamedTuple):
    """What the three rate headers say. A tuple: one is made for every request."""

    limit: int
    remaining: int
    reset: int
    """Unix seconds."""
    is_refused: bool = False
    """The request that asked is over the limit."""


class Windows:
    """All windows. Source: specification, Limits; the size of the reduction is our choice."""

    def __init__(self, path: Path, options: ServiceOptions, clock: Clock) -> None:
        self._limits = dict(options.limits)
        self._length = options.window_seconds
        self._quick_ms = int(options.quick_seconds * 1000)
        self._clock = clock
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._map, self._words = self._mapped(max(_GROWTH, path.stat().st_size))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._words.release()
        self._map.close()
        self._file.close()

    def peek(self, version: Version, user_id: UserId | None) -> LimitWindow:
        """Return an account's window without counting; of nobody a fresh one."""
        now = self._clock.now().timestamp()
        limit = self._limits[version]
        if user_id is not None:
            state = self._words[self._place(version, user_id)]
            reset = state >> _COUNT_BITS
            if now < reset:
                return LimitWindow(limit, max(0, limit - (state & _COUNT_MASK)), reset)
        return LimitWindow(limit, limit, ceil(now + self._length))

    def spend(self, version: Version, user_id: UserId) -> LimitWindow:
        """Count one request: two if it follows the last one too quickly, none if nothing is left."""
        now = self._clock.now().timestamp()
        now_ms = int(now * 1000)
        place = self._place(version, user_id)
        words = self._words
        state, last_ms = words[place], words[place + 1]
        reset, used = state >> _COUNT_BITS, state & _COUNT_MASK
        if not now < reset <= now + self._length + 1:  # over, or the operator made windows shorter
            reset, used = ceil(now + self._length), 0
        limit = self._limits[version]
        if used >= limit:
            return LimitWindow(limit, 0, reset, is_refused=True)
        used = min(limit, used + (2 if 0 <= now_ms - last_ms < self._quick_ms else 1))
        words[place] = reset << _COUNT_BITS | used
        words[place + 1] = now_ms
        return LimitWindow(limit, limit - used, reset)

    def _place(self, version: Version, user_id: UserId) -> int:
        place = user_id * _WORDS_PER_ACCOUNT + _PLACES[version]
        if place + 1 >= len(self._words):
            self._grow((place + _WORDS_PER_ACCOUNT) * _WORD)
        return place

    def _grow(self, size: int) -> None:
        self._words.release()
        self._map.close()
        self._map, self._words = self._mapped((size // _GROWTH + 1) * _GROWTH)

    def _mapped(self, size: int) -> tuple[mmap.mmap, memoryview]:
        self._file.truncate(size)
        mapping = mmap.mmap(self._file.fileno(), size)
        return mapping, memoryview(mapping).cast("Q")


def windows_path(database: Path) -> Path:
    """Return where the windows of a database are kept: beside it."""
    return database.with_name(f"{database.name}-windows")


def forget_windows(database: Path) -> None:
    """Drop all windows, of a database that is made anew."""
    with suppress(FileNotFoundError):
        windows_path(database).unlink()


def headers(window: LimitWindow) -> CIMultiDict[str]:
    """Return the three rate headers. Source: specification, Limits."""
    return CIMultiDict(
        (
            ("X-Rate-Limit-Limit", str(window.limit)),
            ("X-Rate-Limit-Remaining", str(window.remaining)),
            ("X-Rate-Limit-Reset", str(window.reset)),
        )
    )
