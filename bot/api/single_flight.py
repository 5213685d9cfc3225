"""One request under way, and all who wait for its answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Generic, TypeVar

from bot.api.budget.rate_limiter import SharedPriority
from bot.domain.errors import ServiceDown

T = TypeVar("T")


class SingleFlight(Generic[T]):
    """Goes on while anybody waits for it, whoever began it; or by itself."""

    def __init__(
        self, fetch: Callable[[], Awaitable[T]], urgency: SharedPriority, *, goes_on: bool = False
    ) -> None:
        self.urgency = urgency
        """That of who began it; somebody more urgent may hasten it."""
        self.is_over = False
        """It is done, or nobody waits for it any more: too late to join."""
        self.goes_on = goes_on
        """Whether or not anybody waits for it."""
        self._began_at = asyncio.get_running_loop().time()
        self._waiting = 0
        self._task: asyncio.Task[T] = asyncio.ensure_future(_run(fetch))

    async def join(self, patience: float | None) -> T:
        """Wait for the answer, at most `patience` seconds; since it began, where it goes on by itself.

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
        """Call this when there is an answer, or will be none."""

        def done(task: asyncio.Task[T]) -> None:
            self.is_over = True
            if not task.cancelled():
                task.exception()  # marks it as seen, should everybody have gone
            call()

        self._task.add_done_callback(done)

    async def end(self) -> None:
        """Give it up: all who wait are cancelled."""
        self._cancel()
        with suppress(asyncio.CancelledError, Exception):
            await self._task

    def _cancel(self) -> None:
        self.is_over = True
        # Once alone: a database that is closing a connection for the first would hang, and the process with it.
        if not self._task.cancelling():
            self._task.cancel()  # of no effect where it is done


async def _run(fetch: Callable[[], Awaitable[T]]) -> T:
    return await fetch()
