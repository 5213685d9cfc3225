"""The worker beside the loop, with something to do: what is wanted of it meanwhile waits."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from threading import Event

from bot.base import worker


@asynccontextmanager
async def busy_worker() -> AsyncGenerator[Callable[[], Awaitable[None]]]:
    """Keep the worker busy until the block is over; what is yielded waits until something else is wanted of it."""
    has_begun, is_over = Event(), Event()

    def wait() -> None:
        has_begun.set()
        is_over.wait()

    async def until_wanted() -> None:
        while not worker._worker._work_queue.qsize():  # noqa: ASYNC110 - an executor tells nobody
            await asyncio.sleep(0)

    working = asyncio.create_task(worker.run_in_worker(wait))
    while not has_begun.is_set():  # noqa: ASYNC110 - it is another thread's
        await asyncio.sleep(0)
    try:
        yield until_wanted
    finally:
        is_over.set()
        await working
