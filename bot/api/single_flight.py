"""One request in flight, shared by all who wait for its answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from bot.api.budget.rate_limiter import SharedPriority
from bot.domain.errors import ServiceDown

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """A request that continues while anybody waits for it, or, if `goes_on`, by itself."""

    def __init__(
        self, fetch: Callable[[], Awaitable[T]], urgency: SharedPriority, *, goes_on: bool = False
    ) -> None:
        self.urgency = urgency
        """The urgency of its initiator; a more urgent caller who joins raises it."""
        self.is_over = False
        """Whether it is done or abandoned, so that nobody can join it."""
        self.goes_on = goes_on
        """Whether it continues even if nobody waits for it."""
        self._began_at = asyncio.get_running_loop().time()
        self._waiting = 0
        self._task: asyncio.Task[T] = asyncio.ensure_future(_run(fetch))

    async def join(self, patience: float | None) -> T:
        """Wait for the answer, at most `patience` seconds; if it `goes_on` by itself, counted from its beginning.

        Raises: what the request raises; ServiceDown when the patience is over.
        """
        if self.goes_on and patience is not None:
            patience = max(0, self._began_at + patience - asyncio.get_running_loop().time())
        self._waiting += 1
        try:
            await asyncio.wait({self._task}, timeout=patience)
        finally:
            self._waiting -= 1
            if not self._waiting and not self.goes_on:
                self._cancel()
        if not self._task.done():
            reason = "no answer in time"
            raise ServiceDown(reason)
        return self._task.result()

    def when_done(self, call: Callable[[], None]) -> None:
        """Call this when the request has ended, with an answer or without."""

        def done(task: asyncio.Task[T]) -> None:
            self.is_over = True
            if not task.cancelled():
                task.exception()  # retrieve it, in case nobody waits any more
            call()

        self._task.add_done_callback(done)

    async def end(self) -> None:
        """Cancel the request and everybody who waits for it."""
        self._cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self._task

    def _cancel(self) -> None:
        self.is_over = True
        # Only once: a second cancellation could interrupt the closing of a database connection, and hang the process.
        if not self._task.cancelling():
            self._task.cancel()  # has no effect if it is done


async def _run(fetch: Callable[[], Awaitable[T]]) -> T:
    return await fetch()
