"""When the garbage collector walks through everything, which stops every thread, and what becomes of free memory."""

import asyncio
import ctypes
import gc
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

_TICK: Final = 60.0
"""Seconds between looks whether the moment is quiet."""
PATIENT_LOOKS: Final = 15
"""Looks after which everything is walked in a moment that is not."""
_NEVER: Final = 1_000_000_000
WHOLE_LOOKS: Final = 360
"""Quiet moments from one in which everything is walked to the next: six hours, where all are quiet."""
_give_back: Final[Callable[[int], object]] = getattr(ctypes.pythonapi, "malloc_trim", int)
"""Has the C library give what is free back to the system: glibc, where it is that, keeps most of it for later."""

_set_allocator: Final[Callable[[int, int], object]] = getattr(ctypes.pythonapi, "mallopt", divmod)
_MOST_ARENAS: Final = -8
"""Source: glibc's malloc.h, M_ARENA_MAX."""


def share_memory() -> None:
    """Have all threads take memory from one place, before the first of them begins.

    glibc gives each thread its own, so that none waits for another; ours wait for one another anyway.
    """
    _set_allocator(_MOST_ARENAS, 1)


@contextmanager
def unwalked() -> Generator[None]:
    """Walk nothing in a block that makes what will live as long as the program, nor that after it: imports.

    They make so much that the collector would walk all of it again and again: a sixth of what they take.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@asynccontextmanager
async def settled(is_quiet: Callable[[], bool], *, tick: float = _TICK) -> AsyncGenerator[None]:
    """Walk what is old in quiet moments alone, for a block: while a program that has started does its work.

    Everything is walked in the first of them, and then rarely: that stops every thread for a tenth of a second. What
    has come since is walked in each. Young objects are walked as ever.
    """
    young, middle, old = gc.get_threshold()
    gc.set_threshold(young, middle, _NEVER)
    gc.freeze()  # the start's own garbage goes in the first quiet moment: nobody should wait for that
    walking = asyncio.create_task(_Walker().go(is_quiet, tick))
    try:
        yield
    finally:
        walking.cancel()
        gc.set_threshold(young, middle, old)
        gc.unfreeze()


class _Walker:
    """Walks through what may be garbage, and lets be what is likely to be needed still."""

    def __init__(self) -> None:
        self._moments = 0
        """Quiet ones, up to now."""

    async def go(self, is_quiet: Callable[[], bool], tick: float) -> None:
        """Look for quiet moments for ever."""
        looks = 0
        while True:
            await asyncio.sleep(tick)
            looks += 1
            if is_quiet():
                self._settle()
                looks = 0
            elif looks == PATIENT_LOOKS:
                gc.collect()  # what serves those who wait may be garbage soon, and stays to be walked
                looks = 0

    def _settle(self) -> None:
        if self._moments % WHOLE_LOOKS == 0:
            gc.unfreeze()  # what was needed in an earlier one may be garbage by now: discord.py's caches are rings
        self._moments += 1
        gc.collect()  # else what has come since the last one, and is set aside now
        gc.freeze()
        _give_back(0)
