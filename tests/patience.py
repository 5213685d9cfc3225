"""How long a test waits for what comes.

Each wait ends with what it waits for, so only a failure takes this long, and a machine that is busy has the time it needs.
"""

import asyncio
import time
from collections.abc import Awaitable
from typing import Final, TypeVar

T = TypeVar("T")

PATIENT_SECONDS: Final = 60.0
_TURN_SECONDS: Final = 0.05


async def timed(awaited: Awaitable[T]) -> tuple[T, float]:
    """Return a result and how many seconds it took, counted in turns: each is as long as a busy machine makes it.

    So what is told is how long something waits by itself, and not how much else has to be done there; or, where that is
    more, how long this thread has worked meanwhile, for a loop that is held up has few turns.
    """
    begun = time.thread_time()
    doing, turns = asyncio.ensure_future(awaited), 0
    while not doing.done():
        await asyncio.wait({doing}, timeout=_TURN_SECONDS)
        turns += 1
    return await doing, max(turns * _TURN_SECONDS, time.thread_time() - begun)
