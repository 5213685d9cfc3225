"""Processes that are told to end at once, as one deployment ends them: each within what commonly ends it by force."""

import asyncio
import signal
import time
from asyncio.subprocess import Process
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from patience import PATIENT_SECONDS
from rigged import running_rig, started

pytestmark = [pytest.mark.postgres, pytest.mark.processes]
PROCESSES = ("one", "two", "three", "four")
MOST_SECONDS = 10.0
"""Which README promises, and whatever ends a process commonly gives it."""


async def end(process: Process) -> float:
    """Wait until a process has ended that was told to; returns when."""
    await process.communicate()
    assert process.returncode == 0
    return time.monotonic()


async def test_four_that_are_told_at_once_end_within_ten_seconds(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    """None of them has another one to leave its shards to, and all of them would."""
    async with (
        running_rig(shards=len(PROCESSES), guilds=len(PROCESSES), patience=PATIENT_SECONDS) as rig,
        AsyncExitStack() as stack,
    ):
        running = [
            await stack.enter_async_context(started(rig, name, tmp_path, **shared)) for name in PROCESSES
        ]
        await rig.until(lambda state: sorted(state.shards.values()) == sorted([name] for name in PROCESSES))
        told = time.monotonic()
        for process in running:
            process.send_signal(signal.SIGTERM)
        ended = await asyncio.gather(*map(end, running))
        assert max(ended) - told < MOST_SECONDS
        assert (await rig.state()).shards == {}
