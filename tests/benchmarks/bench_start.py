"""What the bot costs before anybody asks it anything, beside a process that imports discord.py and nothing else.

A real `kiroku run`, started again with the database of a run before, on a Discord and a record service on this machine, with
a catalogue as large as a region's. It is ready when Discord tells it so, and at rest once the first quiet moment, a minute
later, is over; the same with many servers. Times are of the CPU; all are medians of runs side by side. Exits 1 where a goal is
missed.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process, create_subprocess_exec
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from importlib.metadata import distribution
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory, mkdtemp
from typing import Final

from bench_autocomplete import invented_reply
from bench_search import saved
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rigged import Rig, running_rig, started

from service.options import ServiceOptions
from service.seed import seed
from service.server import running

GOALS: Final = {"ready": 5.0, "rest": 2.8, "servers": 130.0, "help": 0.15, "disk": 200.0}
SERVERS: Final = {"guilds": 2500, "channels": 30, "roles": 20, "forgets": True}
"""As many as Discord lets one connection serve, as large as those of people who play together are, named at each start."""
SHIPPED: Final = {"MALLOC_ARENA_MAX": "1"}
"""What `ops/` sets for the process."""
RUNS: Final = 3
QUIET_SECONDS: Final = 65.0
DISCORD: Final = "import discord"
BOT: Final = (
    "import bot.program.app, bot.program.process\n"
    "from bot.chat.registration import cog_names; [__import__(name) for name in cog_names()]"
)
HELP: Final = "from bot.__main__ import main; main(['--help'], standalone_mode=False)"


@asynccontextmanager
async def idle(code: str) -> AsyncGenerator[Process]:
    """Run some code in a new interpreter, which then waits."""
    code = f"{code}\nimport sys; print('done', flush=True); sys.stdin.read()"
    process = await create_subprocess_exec(sys.executable, "-c", code, stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    while await process.stdout.readline() != b"done\n":
        pass
    yield process
    await process.communicate(b"")


@asynccontextmanager
async def ready(rig: Rig, name: str, folder: Path, settings: Mapping[str, str]) -> AsyncGenerator[Process]:
    """Run the bot until Discord says that it is ready."""
    async with started(rig, name, folder, **settings) as process:
        await rig.until(lambda state: name in state.shards.get(0, ()))
        yield process
        process.terminate()
        await process.wait()


def cpu_seconds(process: Process) -> float:
    told = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process: Process) -> float:
    """Return what a process holds in memory, with what it shares."""
    told = Path(f"/proc/{process.pid}/smaps_rollup").read_text(encoding="utf-8")
    return int(told.partition("Rss:")[2].split()[0]) / 1024


def installed(requirement: Requirement, found: dict[str, float]) -> None:
    """Note what a package and all that it requires take on the disk, in MB; pip compiles each module beside it."""
    package = distribution(requirement.name)
    files = [file for file in package.files or () if file.suffix != ".pyc"]
    sizes = ((Path(str(file.locate())).stat().st_size, file.suffix == ".py") for file in files)
    found[canonicalize_name(requirement.name)] = (
        sum(size * (2 if is_py else 1) for size, is_py in sizes) / 1e6
    )
    for each in map(Requirement, package.requires or ()):
        is_wanted = not each.marker or any(
            each.marker.evaluate({"extra": extra}) for extra in requirement.extras or {""}
        )
        if is_wanted and (each.extras or canonicalize_name(each.name) not in found):
            installed(each, found)


async def main() -> int:
    with TemporaryDirectory() as name:
        folder = Path(name)
        report = seed(folder / "service.db", catalogue=saved() or invented_reply(folder))
        async with (
            running_rig() as rig,
            running_rig(**SERVERS) as full,
            running(folder / "service.db", options=ServiceOptions()) as url,
        ):
            settings = {"RECORD_API_URL": url, "RECORD_TOKEN": report.players[0].token, **SHIPPED}
            return 0 if await measure(rig, full, folder, settings) else 1


async def rest(rig: Rig, name: str, folder: Path, settings: Mapping[str, str]) -> float:
    """Return how much a bot holds in memory once it is at rest, in MB."""
    async with ready(rig, name, folder, settings) as bot:
        await asyncio.sleep(QUIET_SECONDS)
        return megabytes(bot)


async def prepare(rig: Rig, folder: Path, settings: Mapping[str, str]) -> None:
    """Have a bot run once, which makes the database and keeps the catalogue; its sessions are of this Discord."""
    async with ready(rig, "first", folder, settings):
        await asyncio.sleep(3)


async def measure(rig: Rig, full: Rig, folder: Path, settings: Mapping[str, str]) -> bool:
    folders = {rig: Path(mkdtemp(dir=folder)), full: Path(mkdtemp(dir=folder))}
    for each, place in folders.items():
        await prepare(each, place, settings)
    runs: list[dict[str, float]] = []
    for number in range(RUNS):
        run: dict[str, float] = {}
        for name, code in {"discord": DISCORD, "imports": BOT, "help": HELP}.items():
            async with idle(code) as process:
                run[name], run[f"{name} MB"] = cpu_seconds(process), megabytes(process)
        async with ready(rig, f"bot{number}", folders[rig], settings) as bot:
            run["ready"] = cpu_seconds(bot)
        at_rest = asyncio.gather(
            *(rest(each, f"rest{number}", place, settings) for each, place in folders.items())
        )
        run["alone MB"], run["serving MB"] = await at_rest
        runs.append(run)
    middle = {name: median(run[name] for run in runs) for name in runs[0]}
    found: dict[str, float] = {}
    installed(Requirement("kiroku"), found)
    beside = median(run["ready"] / run["discord"] for run in runs)
    rest_beside = middle["alone MB"] / middle["discord MB"]
    print(f"import discord: {middle['discord']:.2f} s, {middle['discord MB']:.0f} MB")
    print(f"our imports:    {middle['imports']:.2f} s, {middle['imports MB']:.0f} MB")
    lines = {
        "ready": (beside, f"times, {middle['ready']:.2f} s until ready"),
        "rest": (rest_beside, f"times, {middle['alone MB']:.0f} MB at rest"),
        "servers": (middle["serving MB"], f"MB with {SERVERS['guilds']} servers"),
        "help": (middle["help"], "s, kiroku --help"),
        "disk": (sum(found.values()), f"MB, {len(found)} packages for running"),
    }
    for name, (figure, what) in lines.items():
        verdict = "ok" if figure <= GOALS[name] else "MISSED"
        print(f"{figure:7.2f} {what:32} {verdict}, goal {GOALS[name]:g}")
    return all(figure <= GOALS[name] for name, (figure, _) in lines.items())


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
