"""The demo as people start it: a program of its own."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

START_SECONDS = 90.0
STOP_SECONDS = 15.0
COMMAND = (sys.executable, "-m", "bot", "demo", "--no-browser", "--port", "0")
TOKEN = re.compile(r"\b[0-9a-f]{64}\b")


@dataclass
class Demonstration:
    """A demo that has said that it is ready."""

    process: Process
    folder: Path
    """Where it keeps its databases."""
    said: list[str] = field(default_factory=list[str])

    @property
    def url(self) -> str:
        (line,) = [line for line in self.said if line.startswith("ready: ")]
        return line.removeprefix("ready: ").strip()

    @property
    def token(self) -> str:
        """The token of the one who has not linked."""
        (found,) = [found for line in self.said for found in TOKEN.findall(line)]
        return found

    @property
    def log(self) -> str:
        return (self.folder / "log.txt").read_text(encoding="utf-8")

    def databases(self) -> dict[str, bytes]:
        return {
            path.name: path.read_bytes() for path in self.folder.glob("kiroku-demo-*/*") if path.is_file()
        }

    async def stop(self, sent: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(sent)
        return await asyncio.wait_for(self.process.wait(), STOP_SECONDS)


@asynccontextmanager
async def demonstration(folder: Path, *arguments: str) -> AsyncGenerator[Demonstration]:
    """Start the demo and wait until it is ready; its temporary directory is made in `folder`."""
    with (folder / "log.txt").open("w") as log:
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *arguments, stdout=PIPE, stderr=log, env={**os.environ, "TMPDIR": str(folder)}
        )
    running = Demonstration(process, folder)
    try:
        async with asyncio.timeout(START_SECONDS):
            await _read(running)
        yield running
    finally:
        if process.returncode is None:
            await running.stop()


async def _read(running: Demonstration) -> None:
    assert running.process.stdout is not None
    async for line in running.process.stdout:
        running.said.append(line.decode())
        if running.said[-1].startswith("ready: "):
            return
    raise AssertionError(f"the demo ended before it was ready:\n{running.log}")
