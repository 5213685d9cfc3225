"""Stores that hear of what other processes change: until then nothing is kept in memory."""

import asyncio

from bot.store import Store


async def listens(store: Store) -> None:
    """Wait until a store may believe its memory, as it does from the beginning where nobody else writes."""
    while not await store.bus.until_current():  # noqa: ASYNC110 - it tries by itself
        await asyncio.sleep(0.01)
