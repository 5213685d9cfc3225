"""When the garbage collector walks through which generation."""

import gc
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager


def walks() -> AbstractContextManager[list[int]]:
    """Note each walk, by the generation that was walked."""
    return _noted(lambda: True)


def asked_walks() -> AbstractContextManager[list[int]]:
    """Note each walk that somebody asked for while the collector makes none by itself."""
    return _noted(lambda: not gc.isenabled())


@contextmanager
def _noted(is_noted: Callable[[], bool]) -> Generator[list[int]]:
    noted: list[int] = []

    def note(phase: str, told: dict[str, int]) -> None:
        if phase == "stop" and is_noted():
            noted.append(told["generation"])

    gc.callbacks.append(note)
    try:
        yield noted
    finally:
        gc.callbacks.remove(note)
