"""Writes that failed, and are retried in the background until they succeed."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, Self

from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.ids import MemberId

_logger = logging.getLogger(__name__)

MAX_WRITINGS: Final = 500
"""The most writes that are queued; beyond that the oldest are dropped."""
_RETRY_SECONDS: Final = 1.0
"""Seconds until the first retry; doubled after each failure."""
_MAX_RETRY_SECONDS: Final = 60.0

Key = tuple[str | int, ...]
"""The identity of a write: a newer one with the same key replaces it."""


class WriteBacklog:
    """The queue of pending writes, the newest for each key, retried until they succeed."""

    def __init__(self) -> None:
        self._left: OrderedDict[Key, tuple[MemberId | None, Callable[[], Awaitable[object]]]] = OrderedDict()
        self._going: asyncio.Task[None] | None = None
        self._is_too_long = False
        """Whether the log has reported that the queue overflows."""

    def __len__(self) -> int:
        """Return the number of pending writes."""
        return len(self._left)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Try once more; writes that fail then are lost, and the log says so."""
        if self._going is not None:
            self._going.cancel()
            await asyncio.wait({self._going})
        if not await self._write_all():
            _logger.warning("%d queued writes are lost", len(self._left))

    def add(self, key: Key, write: Callable[[], Awaitable[object]], *, of: MemberId | None = None) -> None:
        """Queue a write, in place of a pending one with the same key.

        A write `of` a member is dropped if the member has their data erased. `write` may raise CannotKeep or CannotRead,
        and is then called again.
        """
        self._left[key] = of, write
        self._left.move_to_end(key)
        if len(self._left) > MAX_WRITINGS:
            self._left.popitem(last=False)
            if not self._is_too_long:
                _logger.warning("too many writes are queued: the oldest is lost")
            self._is_too_long = True
        if self._going is None or self._going.done():
            self._going = asyncio.create_task(self._go())

    def drop(self, member: MemberId) -> None:
        """Drop the pending writes of a member."""
        for key in [key for key, (whose, _) in self._left.items() if whose == member]:
            del self._left[key]

    async def _go(self) -> None:
        pause = _RETRY_SECONDS
        while self._left:
            await asyncio.sleep(pause)
            pause = _RETRY_SECONDS if await self._write_all() else min(2 * pause, _MAX_RETRY_SECONDS)

    async def _write_all(self) -> bool:
        """Run pending writes, the oldest first, until one fails; return whether all succeeded."""
        for key, (_, write) in list(self._left.items()):
            if key not in self._left:
                continue
            try:
                await write()
            except (CannotKeep, CannotRead):
                return False
            except Exception:  # nobody waits for it, and it must not block the writes behind it
                _logger.exception("a queued write is lost")
            found = self._left.get(key)
            if found is not None and found[1] is write:
                del self._left[key]
        self._is_too_long = False
        return True
