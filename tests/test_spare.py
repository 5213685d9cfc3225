"""A second `kiroku run` with the same database: it waits, says so, and takes over in whichever way the first ends."""

import asyncio
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from discord.http import Route
from harness import SimulatedDiscord
from redirected import start_program

pytestmark = pytest.mark.processes

WAITS = b"another process serves with this database"
SECONDS = 60.0


@asynccontextmanager
async def program(folder: Path) -> AsyncGenerator[Process]:
    settings = {"DISCORD_TOKEN": "simulated", "RECORD_API_URL": "http://127.0.0.1:1", "LOG_LEVEL": "INFO"}
    started = await start_program(Route.BASE.removesuffix("/api/v10"), "run", folder, settings)
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def says(process: Process, words: bytes) -> None:
    assert process.stderr is not None
    async with asyncio.timeout(SECONDS):
        while words not in (line := await process.stderr.readline()):
            assert line, "it ended before"


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGKILL], ids=["told", "killed"])
async def test_the_second_takes_over(discord: SimulatedDiscord, tmp_path: Path, ends: signal.Signals) -> None:
    async with program(tmp_path) as first:
        await discord._gateway.bot_connected(SECONDS)
        discord._gateway.expect_bot()
        async with program(tmp_path) as second:
            await says(second, WAITS)
            first.send_signal(ends)
            await discord._gateway.bot_connected(SECONDS)
            alice = discord.person("Alice")
            assert (await alice.slash(discord.channel, "rating")).posts
            second.terminate()


async def test_one_that_waits_ends_when_it_is_told(discord: SimulatedDiscord, tmp_path: Path) -> None:
    async with program(tmp_path):
        await discord._gateway.bot_connected(SECONDS)
        async with program(tmp_path) as second:
            await says(second, WAITS)
            second.terminate()
            await asyncio.wait_for(second.communicate(), SECONDS)
            assert second.returncode == 0
