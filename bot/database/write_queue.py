"""One writer at a time within a process, in the order in which they came.

SQLite lets waiting writers retry at random, so that under load some starve. Here each writer is woken when it is its
turn, and only then asks for SQLite's lock, which no other writer of this process holds.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Final

MAX_WAIT_SECONDS: Final = 10.0
"""The longest wait for a turn, however many writers are ahead."""


class WriteQueue:
    """A fair lock, whose holder reports when the database has let it write."""

    def __init__(self) -> None:
        self._is_taken = False
        self._has_begun = False
        """Whether the holder of the turn is writing, not waiting for another program."""
        self._passed = 0
        self._waiting = deque[asyncio.Future[None]]()

    @asynccontextmanager
    async def writing(self, seconds: float) -> AsyncGenerator[None]:
        """Hold the turn for a block.

        Raises: TimeoutError if no writer ahead makes progress within `seconds`, for example because another program
        blocks it; or if the turn does not come within MAX_WAIT_SECONDS.
        """
        await self._take(seconds)
        try:
            yield
        finally:
            self._pass_on()

    def begin(self) -> None:
        """Report that the database has let the holder of the turn write."""
        self._has_begun = True

    async def _take(self, seconds: float) -> None:
        if not self._is_taken:
            self._is_taken = True
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await self._wait(turn, seconds)
        except BaseException:
            if turn.done():
                self._pass_on()
            with suppress(ValueError):
                self._waiting.remove(turn)
            raise

    async def _wait(self, turn: asyncio.Future[None], seconds: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + MAX_WAIT_SECONDS
        while not turn.done():
            passed = self._passed
            await asyncio.wait({turn}, timeout=min(seconds, until - loop.time()))
            stands_still = passed == self._passed and not self._has_begun
            if not turn.done() and (stands_still or loop.time() >= until):
                raise TimeoutError

    def _pass_on(self) -> None:
        self._passed += 1
        self._has_begun = False
        self._is_taken = bool(self._waiting)
        if self._waiting:
            self._waiting.popleft().set_result(None)
