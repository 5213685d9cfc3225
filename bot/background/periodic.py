"""Periodic tasks: how a process starts, repeats and stops its background work."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from bot.domain.errors import CannotKeep, CannotRead

_logger = logging.getLogger(__name__)

_START_DELAY_SECONDS: Final = 60.0
"""Work begins this many seconds after the start: people who waited for the bot come first."""
_RETRY_DELAY_SECONDS: Final = 20.0
"""Failed work is tried again after this many seconds."""


class PeriodicTasks:
    """The periodic tasks of a process, which run until all of them are stopped together."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def start(
        self, name: str, work: Callable[[], Awaitable[float]], *, delay: float = _START_DELAY_SECONDS
    ) -> None:
        """Do some work after `delay` seconds, and repeat it after as many seconds as it returns.

        Failures are logged under its `name`.
        """
        self._tasks.append(asyncio.create_task(_repeat(name, work, delay), name=name))

    async def stop(self) -> None:
        """Stop all tasks, in the middle of their work if need be, and wait until they have ended."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()


async def _repeat(name: str, work: Callable[[], Awaitable[float]], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            seconds = await work()
        except (CannotKeep, CannotRead):  # the store has logged why
            seconds = _RETRY_DELAY_SECONDS
        except Exception:  # the next run may succeed, and nobody waits for this one
            _logger.exception("%s failed, and will run again", name)
            seconds = _RETRY_DELAY_SECONDS
