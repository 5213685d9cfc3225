"""Where pictures are drawn: one worker beside the event loop. A picture that fails never costs the answer."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final, ParamSpec

from discord import File

from bot.ui.markdown import one_line

_log = logging.getLogger(__name__)

P = ParamSpec("P")

PATIENCE: Final = 8.0
"""Seconds that an answer waits for its picture; the first plot loads matplotlib and its fonts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A drawn picture and what it says to people who do not see it."""

    png: bytes = field(repr=False)
    alt: str
    name: str = "kiroku.png"

    def to_file(self) -> File:
        """Return it as Discord takes it; each file is sent once."""
        return File(BytesIO(self.png), filename=self.name, description=one_line(self.alt)[:1024])


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file to keep, beside a message."""

    content: bytes = field(repr=False)
    name: str

    def to_file(self) -> File:
        """Return it as Discord takes it; each file is sent once."""
        return File(BytesIO(self.content), filename=self.name)


class Studio:
    """The one worker: pictures are drawn one after another, and matplotlib knows one thread alone."""

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="studio")
        self._patience = patience

    async def draw(self, function: Callable[P, bytes], /, *args: P.args, **values: P.kwargs) -> bytes | None:
        """Return what `function` drew, as PNG; None where it failed or took too long, which is logged."""
        job = asyncio.get_running_loop().run_in_executor(self._worker, lambda: function(*args, **values))
        try:
            return await asyncio.wait_for(job, self._patience)
        except TimeoutError:
            _log.warning("a picture took too long: %s", function.__name__)
        except Exception as error:  # noqa: BLE001 - whatever went wrong with a picture, the answer goes out without it
            # The kind and the place, never the values: a traceback's text could name a player.
            _log.error("a picture failed: %s, %s", function.__name__, type(error).__name__)
        return None

    async def picture(
        self, alt: str, function: Callable[P, bytes], /, *args: P.args, **values: P.kwargs
    ) -> Picture | None:
        """Return what `function` drew with its alternative text; None as `draw`."""
        png = await self.draw(function, *args, **values)
        return None if png is None else Picture(png=png, alt=alt)

    async def close(self) -> None:
        """Let the picture being drawn end, and drop those that wait."""
        await asyncio.to_thread(self._worker.shutdown, wait=True, cancel_futures=True)
