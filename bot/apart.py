"""Work on thousands of records, beside the event loop: one piece after another, for each takes turns with the loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

T = TypeVar("T")

_worker: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="apart")


async def apart(work: Callable[[], T]) -> T:
    """Return what `work` returns, done where the event loop need not wait for it. Raises: what it raises."""
    return await asyncio.get_running_loop().run_in_executor(_worker, work)
