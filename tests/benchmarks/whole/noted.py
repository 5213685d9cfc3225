"""`kiroku`, with its Discord at an address, and with a note of each callback that keeps its event loop: `noted.py FILE ADDRESS run`.

What a callback takes is the time that its thread had a processor: other programs of the machine are not measured. Each line
of the file has milliseconds and what it was.
"""

import asyncio
import sys
import time
from pathlib import Path
from typing import Final

from yarl import URL

from bot.__main__ import main
from bot.demo.redirected import redirected

NOTED_SECONDS: Final = 0.004


def note_callbacks(file: Path) -> None:
    """Have each callback of every event loop timed from now on."""
    handle, run = asyncio.events.Handle, asyncio.events.Handle._run
    written = file.open("a", encoding="utf-8", buffering=1)

    def timed(self: asyncio.Handle) -> None:
        began = time.thread_time()
        run(self)
        took = time.thread_time() - began
        if took >= NOTED_SECONDS:
            written.write(f"{took * 1000:.1f}\t{_name(self)}\n")

    handle._run = timed  # pyright: ignore[reportAttributeAccessIssue]


def _name(handle: asyncio.Handle) -> str:
    """Return what a callback is of: the task that it goes on with, or itself."""
    called = handle._callback
    task = getattr(called, "__self__", None)
    if isinstance(task, asyncio.Task):
        return _chain(task.get_coro())
    return getattr(called, "__qualname__", repr(called))


def _chain(coroutine: object) -> str:
    """Return by what a coroutine waits now, from outside in."""
    names: list[str] = []
    while coroutine is not None and len(names) < 12:
        names.append(getattr(coroutine, "__qualname__", type(coroutine).__name__))
        coroutine = getattr(coroutine, "cr_await", None)
    return " < ".join(reversed(names))


if __name__ == "__main__":
    note_callbacks(Path(sys.argv[1]))
    with redirected(URL(sys.argv[2])):
        main(sys.argv[3:])
