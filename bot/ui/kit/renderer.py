"""Pictures are drawn by one worker beside the event loop. If one fails, the answer is sent without it."""

import asyncio
import logging
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from typing import Final, ParamSpec

from discord import File

from bot.domain.players import Player
from bot.ui.kit.markdown import one_line
from bot.ui.kit.picture_cache import MAX_CACHE_BYTES, PictureCache

_logger = logging.getLogger(__name__)

P = ParamSpec("P")

DRAW_TIMEOUT_SECONDS: Final = 8.0
"""The longest that an answer waits for its picture; the first picture loads the fonts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawn picture with its alternative text."""

    png: bytes
    alt: str
    name: str = "kiroku.png"

    def to_file(self) -> File:
        """Return a new file for discord.py: each can be sent only once."""
        return File(BytesIO(self.png), filename=self.name, description=one_line(self.alt)[:1024])


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file to download, attached to a message."""

    content: bytes
    name: str

    def to_file(self) -> File:
        """Return a new file for discord.py: each can be sent only once."""
        return File(BytesIO(self.content), filename=self.name)


class PictureRenderer:
    """The worker that draws pictures one after another, in a thread that keeps the fonts loaded."""

    def __init__(self, *, timeout: float = DRAW_TIMEOUT_SECONDS, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pictures")
        self._timeout = timeout
        self.cache = PictureCache(max_bytes)
        self._under_way: dict[Hashable, asyncio.Task[bytes | None]] = {}

    async def draw(self, function: Callable[P, bytes], /, *args: P.args, **values: P.kwargs) -> bytes | None:
        """Run `function` and return its PNG; None if it failed or took too long, which is logged."""
        job = asyncio.get_running_loop().run_in_executor(self._worker, lambda: function(*args, **values))
        try:
            async with asyncio.timeout(self._timeout):
                return await job
        except TimeoutError:
            _logger.warning("a picture took too long: %s", function.__name__)
        except Exception as error:  # noqa: BLE001 - whatever went wrong with a picture, the answer is sent without it
            # The function and the type of the error, never values: the text of a traceback could name a player.
            _logger.log(logging.ERROR, "a picture failed: %s, %s", function.__name__, type(error).__name__)
        return None

    async def picture(
        self, alt: str, of: Player | None, function: Callable[P, bytes], /, *args: P.args, **values: P.kwargs
    ) -> Picture | None:
        """Run `function` and return its picture with the alternative text; None as `draw`.

        A picture `of` a player is cached as long as the answer that holds them, and reused for equal values, which
        have to be hashable and must not hold the player. Concurrent callers share one drawing.
        """
        if of is None:
            png = await self.draw(function, *args, **values)
        else:
            drawing = (function, args, frozenset(values.items()))
            png = self.cache.find(of, drawing)
            if png is None:
                png = await self._join(drawing, function, *args, **values)
                if png is not None:
                    self.cache.put(of, drawing, png)
        return None if png is None else Picture(png=png, alt=alt)

    async def _join(
        self, drawing: Hashable, function: Callable[P, bytes], /, *args: P.args, **values: P.kwargs
    ) -> bytes | None:
        """Draw, or wait for the same drawing of a concurrent caller."""
        task = self._under_way.get(drawing)
        if task is None:
            task = asyncio.create_task(self.draw(function, *args, **values))
            self._under_way[drawing] = task
            task.add_done_callback(lambda _done: self._under_way.pop(drawing))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Finish the current picture, and drop those that wait."""
        await asyncio.to_thread(self._worker.shutdown, wait=True, cancel_futures=True)
