"""What is done when nobody asks."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from bot.domain.errors import CannotKeep, CannotRead

_logger = logging.getLogger(__name__)

_START_DELAY_SECONDS: Final = 60.0
"""Seconds: whoever has waited for the bot to start comes first."""
_RETRY_DELAY_SECONDS: Final = 60.0
"""Seconds after something went wrong."""


@asynccontextmanager
async def periodic_task(name: str, work: Callable[[], Awaitable[float]]) -> AsyncGenerator[None]:
    """Do some work all the while: each time again after as many seconds as it says."""
    task = asyncio.create_task(_go(name, work))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


async def _go(name: str, work: Callable[[], Awaitable[float]]) -> None:
    seconds = _START_DELAY_SECONDS
    while True:
        await asyncio.sleep(seconds)
        try:
            seconds = await work()
        except (CannotKeep, CannotRead):  # of which the log has told
            seconds = _RETRY_DELAY_SECONDS
        except Exception:  # the next time may succeed, and nobody waits for this one
            _logger.exception("%s failed, and goes on", name)
            seconds = _RETRY_DELAY_SECONDS
