"""Request windows per account and version, in a memory-mapped file.

Writes to the mapping reach the kernel at once: a killed process loses nothing, and a request costs no system call.
(A power cut may lose the last seconds.) Each window is two native words: one holds reset time and
count, so that they change together, the other the time of the last request.
"""

import mmap
import os
import sys
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple, Self

from multidict import CIMultiDict

from bot.base.clock import Clock
from bot.domain.ids import UserId
from bot.wire.versions import Version
from service.options import VERSIONS, ServiceOptions

_BYTES_PER_WORD: Final = 8
_WORDS_PER_WINDOW: Final = 2
_WORDS_PER_ACCOUNT: Final = 8
_GROWTH_BYTES: Final = 64 * 1024
_WORD_OF_VERSION: Final = {version: number * _WORDS_PER_WINDOW for number, version in enumerate(VERSIONS)}
_COUNT_BITS: Final = 32
_COUNT_MASK: Final = (1 << _COUNT_BITS) - 1


class LimitWindow(NamedTuple):
    """The values of the three rate headers; a tuple, because one is made for every request."""

    limit: int
    remaining: int
    reset: int
    """The end of the window, in Unix seconds."""
    is_refused: bool = False
    """Whether the request is over the limit, and was not counted."""


class RateWindows:
    """The windows of all accounts. Source: specification, Limits; the size of the reduction is our choice."""

    def __init__(self, path: Path, options: ServiceOptions, clock: Clock) -> None:
        """Open the file, or make it. Raises: OSError."""
        self._limits = dict(options.limits)
        self._window_seconds = options.window_seconds
        self._quick_ms = int(options.quick_seconds * 1000)
        self._clock = clock
        self._file = path.open("r+b" if path.exists() else "w+b")
        try:
            self._map, self._words = self._mapped(max(_GROWTH_BYTES, path.stat().st_size))
        except OSError:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._words.release()
        self._map.close()
        self._file.close()

    def peek(self, version: Version, user_id: UserId | None) -> LimitWindow:
        """Return an account's window without counting; a fresh one if the account is unknown."""
        now = self._clock.now().timestamp()
        limit = self._limits[version]
        if user_id is not None:
            state = self._words[self._word_index(version, user_id)]
            reset = state >> _COUNT_BITS
            if now < reset:
                return LimitWindow(limit, max(0, limit - (state & _COUNT_MASK)), reset)
        return LimitWindow(limit, limit, ceil(now + self._window_seconds))

    def spend(self, version: Version, user_id: UserId) -> LimitWindow:
        """Count a request once, or twice if it follows the last one too quickly; refuse it if nothing is left."""
        now = self._clock.now().timestamp()
        now_ms = int(now * 1000)
        index = self._word_index(version, user_id)
        words = self._words
        state, last_ms = words[index], words[index + 1]
        reset, used = state >> _COUNT_BITS, state & _COUNT_MASK
        if not now < reset <= now + self._window_seconds + 1:  # over, or the operator made windows shorter
            reset, used = ceil(now + self._window_seconds), 0
        limit = self._limits[version]
        if used >= limit:
            return LimitWindow(limit, 0, reset, is_refused=True)
        used = min(limit, used + (2 if 0 <= now_ms - last_ms < self._quick_ms else 1))
        words[index] = reset << _COUNT_BITS | used
        words[index + 1] = now_ms
        return LimitWindow(limit, limit - used, reset)

    def _word_index(self, version: Version, user_id: UserId) -> int:
        index = user_id * _WORDS_PER_ACCOUNT + _WORD_OF_VERSION[version]
        if index + 1 >= len(self._words):
            self._grow((index + _WORDS_PER_ACCOUNT) * _BYTES_PER_WORD)
        return index

    def _grow(self, size: int) -> None:
        former_map, former_words = self._map, self._words
        self._map, self._words = self._mapped((size // _GROWTH_BYTES + 1) * _GROWTH_BYTES)
        former_words.release()
        former_map.close()

    def _mapped(self, size: int) -> tuple[mmap.mmap, memoryview]:
        if sys.platform == "linux":
            # Writing to a hole allocates space, and on a full disk that would kill the process.
            os.posix_fallocate(self._file.fileno(), 0, size)
        else:
            self._file.truncate(size)
        mapping = mmap.mmap(self._file.fileno(), size)
        return mapping, memoryview(mapping).cast("Q")


def windows_path(database: Path) -> Path:
    """Return where the windows of a database are kept: beside it."""
    return database.with_name(f"{database.name}-windows")


def delete_windows(database: Path) -> None:
    """Delete the windows of a database that is about to be created again."""
    with suppress(FileNotFoundError, NotADirectoryError):  # opening it reports a missing folder
        windows_path(database).unlink()


def window_headers(window: LimitWindow) -> CIMultiDict[str]:
    """Return the three rate headers. Source: specification, Limits."""
    return CIMultiDict(
        (
            ("X-Rate-Limit-Limit", str(window.limit)),
            ("X-Rate-Limit-Remaining", str(window.remaining)),
            ("X-Rate-Limit-Reset", str(window.reset)),
        )
    )
