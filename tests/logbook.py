"""The log as an operator would read it."""

import asyncio
import logging
from collections.abc import Callable

SHOWN_LINES = 15


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

    async def until(self, said: str, seconds: float) -> None:
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
