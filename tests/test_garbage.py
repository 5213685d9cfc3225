"""Holds `bot/base/garbage.py`."""

import asyncio
import ctypes
import gc
import os
import subprocess
import sys
import weakref
from collections.abc import Generator
from pathlib import Path

import pytest
from collector import walks

from bot.base.garbage import PATIENT_LOOKS, settled, unwalked


@pytest.fixture(autouse=True)
def clean() -> Generator[None]:
    """Begin without garbage, so that what is counted is each test's own: also what stands frozen for all tests."""
    gc.unfreeze()
    gc.collect()
    yield
    gc.freeze()


class Ring:
    """Garbage that only a walk finds."""

    def __init__(self) -> None:
        self.itself = self


def old_garbage() -> asyncio.Event:
    """Leave garbage behind that has survived the walks of young objects; say when it is gone."""
    gone = asyncio.Event()
    ring = Ring()
    weakref.finalize(ring, gone.set)
    gc.collect(1)
    return gone


def test_while_everything_is_imported_nothing_is_walked_nor_that_afterwards() -> None:
    with walks() as noted, unwalked():
        kept = [[number] for number in range(200_000)]
    assert not noted
    assert gc.isenabled()
    assert gc.get_freeze_count() > len(kept)
    gc.unfreeze()


async def test_however_much_is_made_not_everything_is_walked() -> None:
    async with settled(lambda: False):
        assert gc.get_freeze_count() > 0
        with walks() as noted:
            kept = [[number] for number in range(200_000)]
        assert set(noted) == {0, 1}
        kept.clear()
    assert gc.get_freeze_count() == 0
    with walks() as noted:
        kept = [[number] for number in range(200_000)]
    assert 2 in noted


async def test_everything_is_walked_in_a_quiet_moment() -> None:
    async with settled(lambda: True, tick=0):
        long_lived, gone = [[number] for number in range(100_000)], old_garbage()
        before = gc.get_freeze_count()
        await asyncio.wait_for(gone.wait(), 60)
        assert gc.get_freeze_count() > before + len(long_lived) // 2


@pytest.mark.skipif(sys.platform != "linux", reason="another system's C library keeps what it likes")
async def test_what_is_free_is_given_back_in_a_quiet_moment() -> None:
    """A start needs more than what follows, and glibc gives the system the end of its heap alone back by itself."""
    parts = [bytes(100_000) for _ in range(1_000)]
    end = [bytes(100_000)]
    before = resident_megabytes()
    parts.clear()
    async with settled(lambda: True, tick=0), asyncio.timeout(30):
        while resident_megabytes() > before - 50:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0)
    assert end


def resident_megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def test_what_was_needed_in_a_quiet_moment_goes_in_a_later_one() -> None:
    async with settled(lambda: True, tick=0):
        ring, gone, before = Ring(), asyncio.Event(), gc.get_freeze_count()
        weakref.finalize(ring, gone.set)
        later = [[number] for number in range(10_000)]
        async with asyncio.timeout(60):
            while gc.get_freeze_count() < before + len(later) // 2:  # noqa: ASYNC110 - the collector tells nobody
                await asyncio.sleep(0)
            del ring
            await gone.wait()


async def test_after_the_first_quiet_moment_what_has_come_since_is_walked_alone() -> None:
    walked: list[int] = []

    def note(phase: str, told: dict[str, int]) -> None:
        if phase == "start" and told["generation"] == 2:
            walked.append(len(gc.get_objects()))

    long_lived = [[number] for number in range(100_000)]
    gc.callbacks.append(note)
    try:
        async with settled(lambda: True, tick=0), asyncio.timeout(60):
            while not walked or walked[-1] > len(long_lived):  # noqa: ASYNC110 - the collector tells nobody
                await asyncio.sleep(0)
            gone = old_garbage()
            await gone.wait()
            refreshed = [[number] for number in range(20_000)]
            frozen = gc.get_freeze_count()
            while gc.get_freeze_count() < frozen + len(refreshed) // 2:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0)
            del walked[:]
            while len(walked) < 3:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0)
            assert max(walked) < len(refreshed) // 2
    finally:
        gc.callbacks.remove(note)


async def test_where_no_moment_is_quiet_everything_is_walked_all_the_same_but_not_for_good() -> None:
    looks: list[bool] = []
    async with settled(lambda: bool(looks.append(True)), tick=0):
        gone, before = old_garbage(), gc.get_freeze_count()
        await asyncio.wait_for(gone.wait(), 60)
        assert PATIENT_LOOKS <= len(looks) < 2 * PATIENT_LOOKS
        assert gc.get_freeze_count() <= before


THREADS = """
import ctypes, os, sys, threading
from bot.base.garbage import share_memory
if sys.argv[1:]: share_memory()
together = threading.Barrier(4)
def work():
    together.wait()
    kept = [bytes(5000) for _ in range(100)]
    together.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
libc.malloc_info(0, ctypes.c_void_p(libc.fdopen(1, b"w")))
libc.fflush(None)
"""


@pytest.mark.skipif(not hasattr(ctypes.pythonapi, "malloc_info"), reason="the C library is not glibc")
def test_all_threads_take_memory_from_one_place() -> None:
    places = [
        subprocess.run([sys.executable, "-c", THREADS, *arguments], check=True, capture_output=True).stdout
        for arguments in ([], ["shared"])
    ]
    own, shared = (each.count(b"<heap nr=") for each in places)
    assert shared == 1 < own
