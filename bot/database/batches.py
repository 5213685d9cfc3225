"""Writes of one kind that arrive together are committed together: each alone would be a transaction of five statements."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")

_PAUSE_SECONDS: Final = 0.05
"""A batch waits this long for more writes: nobody waits for writes of this kind."""


class BatchWriter(Generic[K, V]):
    """Writes what was added since the last batch, the newest value of each key."""

    def __init__(self, write: Callable[[Mapping[K, V]], Awaitable[None]]) -> None:
        self._write = write
        self._waiting: dict[K, V] = {}
        self._next: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    async def add(self, key: K, value: V) -> None:
        """Return once this value, or a newer one with the same key, is written. Raises: what `write` raises.

        A caller that is cancelled withdraws its value, unless it is being written.
        """
        self._waiting[key] = value
        if self._next is None:
            self._next = asyncio.create_task(self._write_soon())
        try:
            await asyncio.shield(self._next)
        except asyncio.CancelledError:
            if self._waiting.get(key) is value:
                del self._waiting[key]
            raise

    async def _write_soon(self) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        async with self._lock:
            self._next = None
            batch, self._waiting = self._waiting, {}
            if batch:
                await self._write(batch)
