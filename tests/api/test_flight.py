"""Holds `bot/api/single_flight.py`."""

import asyncio
from contextlib import suppress

from bot.api.budget.budget import Priority
from bot.api.budget.rate_limiter import SharedPriority
from bot.api.single_flight import SingleFlight


async def test_what_is_given_up_twice_may_still_clean_up() -> None:
    begun, is_clean = asyncio.Event(), False

    async def fetch() -> None:
        nonlocal is_clean
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)  # as a database does, that closes a connection in the middle of a write
            is_clean = True

    flight = SingleFlight(fetch, SharedPriority(Priority.PERSON))
    waiting = asyncio.create_task(flight.join(None))
    await begun.wait()
    waiting.cancel()
    with suppress(asyncio.CancelledError):
        await waiting
    await flight.end()
    assert is_clean
