"""The log as an operator would read it."""

import asyncio
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager

from patience import PATIENT_SECONDS

SHOWN_LINES = 15
OURS = ("", "bot", "cogs", "service")
"""The root logger takes INFO from the libraries; our own packages tell all."""


class LogBook(logging.Handler):
    """Everything that was logged."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        self.lines: list[str] = []
        self._readers: list[Callable[[], object]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))
        for wake in self._readers:
            wake()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def tail(self) -> str:
        return "\n".join(self.lines[-SHOWN_LINES:]) or "(nothing logged)"

    async def until(self, said: str, seconds: float = PATIENT_SECONDS) -> None:
        """Wait until something is said. Raises: AssertionError where it never is."""
        loop, more = asyncio.get_running_loop(), asyncio.Event()
        self._readers.append(lambda: loop.call_soon_threadsafe(more.set))  # people log from other threads too
        try:
            async with asyncio.timeout(seconds):
                while said not in self.text:
                    more.clear()
                    await more.wait()
        except TimeoutError:
            raise AssertionError(f"nobody said {said!r} within {seconds:g} s; log:\n{self.tail()}") from None
        finally:
            self._readers.clear()


@contextmanager
def listening() -> Generator[LogBook]:
    """Note all that is logged in a block."""
    book = LogBook()
    loggers = [logging.getLogger(name) for name in OURS]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.DEBUG if logger.name in OURS else logging.INFO)
    logging.getLogger().addHandler(book)
    try:
        yield book
    finally:
        logging.getLogger().removeHandler(book)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
