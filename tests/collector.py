"""When the garbage collector walks through which generation."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def walks() -> Generator[list[int]]:
    """Note each walk, by the generation that was walked."""
    noted: list[int] = []

    def note(phase: str, told: dict[str, int]) -> None:
        if phase == "stop":
            noted.append(told["generation"])

    gc.callbacks.append(note)
    try:
        yield noted
    finally:
        gc.callbacks.remove(note)
