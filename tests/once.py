"""Files that every worker of a run needs, and that one makes for all."""

import fcntl
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], T]) -> tuple[Path, T]:
    """Return a folder of this run with what `make` returned when it filled it: for the first that asks."""
    base = factory.getbasetemp()
    whole = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"once-{name}"
    whole.mkdir(exist_ok=True)
    folder, returned = whole / "made", whole / "returned"
    with (whole / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not returned.exists():
            folder.mkdir()
            returned.write_bytes(pickle.dumps(make(folder)))
    return folder, pickle.loads(returned.read_bytes())  # noqa: S301 - written above
