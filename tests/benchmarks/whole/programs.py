"""The programs that are measured, each a process, and what the kernel says that each has used of a processor."""

import asyncio
import os
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parents[1]
END_SECONDS = 30.0


def cpu_seconds(pid: int) -> float:
    """Return how long a process has had a processor, all its threads together."""
    return time.clock_gettime(~pid << 3 | 2)  # Linux's clock of a process, as clock_getcpuclockid(3) makes it


@dataclass(frozen=True)
class Program:
    """A process that runs, and where it writes its log."""

    process: Process
    log: Path

    @property
    def cpu(self) -> float:
        """Return the seconds of a processor that it has used."""
        return cpu_seconds(self.process.pid)

    @property
    def resident(self) -> float:
        """Return how much memory it has, in megabytes."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    def lines(self, text: str) -> int:
        """Return how many lines of its log have a text in them."""
        return sum(text in line for line in self.log.read_text(encoding="utf-8").splitlines())


@asynccontextmanager
async def running(
    arguments: Sequence[str], log: Path, *, settings: Mapping[str, str] | None = None
) -> AsyncGenerator[Program]:
    """Run a Python program with these settings alone; it is told to end at the end."""
    with log.open("ab") as written:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *arguments,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=written,
            cwd=log.parent,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(TESTS), **(settings or {})},
        )
    try:
        yield Program(process, log)
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                async with asyncio.timeout(END_SECONDS):
                    await process.wait()
            except TimeoutError:
                process.kill()
        await process.communicate()


@asynccontextmanager
async def record_service(database: Path) -> AsyncGenerator[tuple[Program, str]]:
    """Serve players whose requests nobody counts; yields the service and its address."""
    limits = [word for version in ("2-0", "1-3", "1-0") for word in (f"--limit-{version}", "1000000")]
    options = ["--db", str(database), "--port", "0", "--quick", "0", "--no-access-log", *limits]
    arguments = ["-m", "bot", "service", "serve", *options]
    async with running(arguments, database.parent / "service.log") as program:
        assert program.process.stdout is not None
        said = (await program.process.stdout.readline()).decode()
        yield program, said.removeprefix("ready:").strip()


@asynccontextmanager
async def kiroku(
    folder: Path, discord: str, settings: Mapping[str, str], *, noting: Path | None = None
) -> AsyncGenerator[Program]:
    """Run `kiroku run` as `ops/` does; where `noting` is a file, it notes there which callbacks have kept its event loop."""
    script = str(TESTS / "redirected.py") if noting is None else str(HERE / "noted.py")
    arguments = [script, *([] if noting is None else [str(noting)]), discord, "run"]
    given = {
        "DISCORD_TOKEN": "ours",
        "LOG_LEVEL": "WARNING",
        "LOG_FORMAT": "json",
        "MALLOC_ARENA_MAX": "1",
        **settings,
    }
    async with running(arguments, folder / "kiroku.log", settings=given) as program:
        yield program


@asynccontextmanager
async def bare(folder: Path, discord: str, answers: Path) -> AsyncGenerator[Program]:
    """Run the bare bot, which says what stands in a file."""
    arguments = [str(HERE / "bare.py"), discord, str(answers)]
    async with running(arguments, folder / "bare.log") as program:
        yield program
