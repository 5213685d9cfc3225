"""Runs work on thousands of records in a thread, one piece at a time, because each competes with the event loop."""

import asyncio
import gc
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_TURN_SECONDS: Final = 0.0002
"""How long the thread runs before the loop gets the interpreter back. The loop waits this long after each of its own reads
and writes: a dozen times in a turn in which ten replies arrive."""
_MAX_OBJECTS: Final = 5_000
"""New objects that are walked through at once, or those of several pieces of work would be, together."""
_worker: Final = ThreadPoolExecutor(
    max_workers=1,
    thread_name_prefix="apart",
    initializer=sys.setswitchinterval,
    initargs=(_TURN_SECONDS,),
)


async def run_in_worker(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Run `work` in the worker thread and return its result. Raises: what it raises."""

    def uncollected() -> T:
        """Work without walks through thousands of new objects, none of which is garbage."""
        gc.disable()
        try:
            return work(*args, **kwargs)
        finally:
            if gc.get_count()[0] > _MAX_OBJECTS:
                gc.collect(1)
            gc.enable()

    return await asyncio.get_running_loop().run_in_executor(_worker, uncollected)
