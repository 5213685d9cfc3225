"""Restarts and deaths under load: `make drill`, or `python tests/drill.py --restarts 50 --kills 18 --rate 10`.

Real `kiroku run` processes side by side on a PostgreSQL of their own, against the rig, which judges.
"""

import asyncio
import random
import time
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from cluster import Cluster, create_database
from rig.guilds import Json
from rigged import Rig, State, running_rig, started

from bot.store import new_key

SHARDS = 8
GUILDS = 1000
QUIET_SECONDS = 3.5
"""Longer than a command may go unanswered."""
DEATH_SECONDS = 2.0
"""Before and after the death of a shard's process, in which a command may be lost."""


@dataclass
class Fleet:
    """Processes, each of which has another name."""

    rig: Rig
    folder: Path
    settings: Mapping[str, str]
    stack: AsyncExitStack
    running: dict[str, Process] = field(default_factory=dict[str, Process])
    """The oldest first."""
    dead: dict[str, float] = field(default_factory=dict[str, float])
    """When each was killed."""
    gaps: list[float] = field(default_factory=list[float])
    """For how long some shard was not served, or by one who was to end."""

    async def start(self) -> str:
        name = f"p{len(self.running) + len(self.dead)}-{random.randrange(16**6):06x}"  # noqa: S311 - a name
        process = await self.stack.enter_async_context(started(self.rig, name, self.folder, **self.settings))
        self.running[name] = process
        return name

    def is_served(self, state: State) -> bool:
        """Return whether each shard is served by one process, all of them by those that run."""
        return len(state.shards) == SHARDS and all(
            len(processes) == 1 and processes[0] in self.running for processes in state.shards.values()
        )

    async def until_all_serve(self) -> None:
        await self.rig.until(
            lambda state: (
                self.is_served(state) and {name for (name,) in state.shards.values()} == self.running.keys()
            )
        )

    async def end_oldest(self, *, kill: bool) -> None:
        """Let the oldest end, and wait until its shards are served again."""
        name = next(iter(self.running))
        process = self.running.pop(name)
        began = time.monotonic()
        if kill:
            self.dead[name] = began
            process.kill()
        else:
            process.terminate()
        await self.rig.until(self.is_served)
        self.gaps.append(time.monotonic() - began)
        await process.wait()

    def judge(self, report: Json) -> str:
        """Return what became of a command, in a word."""
        by = {each["process"] for each in report["tries"] if each["status"] < 300}
        if len(by) > 1:
            return "answered by several"
        if report["answered"]:
            return "answered"
        if report["acknowledged"]:
            return "deferred in a process that was killed" if by & self.dead.keys() else "never finished"
        near = [abs(report["at"] - self.dead[each]) for each in report["told"] if each in self.dead]
        return "lost beside a death" if near and min(near) <= DEATH_SECONDS else "unanswered"


@asynccontextmanager
async def fleet(processes: int) -> AsyncGenerator[Fleet]:
    """Run some processes, until each of them serves."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        cluster = stack.enter_context(Cluster())
        settings = {
            "DATABASE_URL": create_database(cluster.folder, "drill"),
            "TOKEN_KEYS": new_key(),
        }
        rig = await stack.enter_async_context(running_rig(shards=SHARDS, guilds=GUILDS))
        running = Fleet(rig, folder, settings, stack)
        for _ in range(processes):
            await running.start()
        await running.until_all_serve()
        yield running


@asynccontextmanager
async def asking(rig: Rig, rate: float) -> AsyncGenerator[None]:
    """Use commands of any server, so many a second, whatever becomes of them."""

    async def ask_all() -> None:
        asked: set[asyncio.Task[object]] = set()
        began = time.perf_counter()
        for number in range(10**9):
            await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
            guild = random.randrange(GUILDS)  # noqa: S311 - load, no secret
            asked.add(task := asyncio.create_task(rig.ask("calc", constant="13.7", guild=guild, seconds=0)))
            task.add_done_callback(asked.discard)

    task = asyncio.create_task(ask_all())
    yield
    await asyncio.sleep(QUIET_SECONDS)
    task.cancel()
    await asyncio.wait({task})
    await asyncio.sleep(QUIET_SECONDS)


@dataclass
class Course:
    """One run: how many processes, how they end, and how often."""

    name: str
    processes: int
    ends: int
    rate: float
    kill: bool
    every: float = 0.0
    """Seconds between two ends; 0: as soon as the next one serves."""
    forgets: bool = False
    """Whether Discord refuses to go on with any session."""


async def run(course: Course) -> tuple[Counter[str], State, list[float]]:
    async with fleet(course.processes) as running:
        await running.rig.do("set", forgets=course.forgets)
        async with asking(running.rig, course.rate):
            for _ in range(course.ends):
                began = time.monotonic()
                if course.kill:
                    await running.end_oldest(kill=True)
                    await running.start()  # as whatever looks after it would
                else:
                    await running.start()
                    await running.until_all_serve()
                    await running.end_oldest(kill=False)
                await asyncio.sleep(max(0.0, began + course.every - time.monotonic()))
        became = Counter(running.judge(each) for each in await running.rig.do("asked"))
        return became, await running.rig.state(), sorted(running.gaps)


def judged(course: Course, became: Counter[str], counts: Mapping[str, int]) -> bool:
    """Say how a run ended; return whether it missed a goal."""
    found = Counter(counts) + became
    goals = {"served_twice": 0, "identifies_too_soon": 0, "answered by several": 0}
    if not course.forgets:
        goals |= {"unanswered": 0, "never finished": 0}
        if not course.kill:
            goals |= {"answered_twice": 0, "identifies": SHARDS}
    missed = False
    for name, most in goals.items():
        verdict = "ok" if found[name] <= most else "MISSED"
        missed |= found[name] > most
        click.echo(f"  {name}: at most {most}, found {found[name]}: {verdict}")
    return missed


@click.command()
@click.option("--restarts", default=50)
@click.option("--kills", default=18, help="For 2 processes and for 4, one each 10 seconds.")
@click.option("--rate", default=10.0, help="Commands a second; twice as many where processes are restarted.")
def main(restarts: int, kills: int, rate: float) -> None:
    """Restart and kill, and say what became of those who asked."""
    courses = [
        Course("restarts of 2", 2, restarts, 2 * rate, kill=False),
        Course("deaths of 2", 2, kills, rate, kill=True, every=10),
        Course("deaths of 4", 4, kills, rate, kill=True, every=10),
        Course(
            "restarts of 2 that Discord has forgotten", 2, min(restarts, 3), rate, kill=False, forgets=True
        ),
        Course(
            "deaths of 2 that Discord has forgotten",
            2,
            min(kills, 3),
            rate,
            kill=True,
            every=10,
            forgets=True,
        ),
    ]
    missed = False
    for course in courses:
        if not course.ends:
            continue
        became, state, gaps = asyncio.run(run(course))
        click.echo(f"{course.ends} {course.name}: {dict(became)}; {dict(state.counts)}")
        click.echo(
            f"  all shards served again: median {gaps[len(gaps) // 2]:.2f} s, at most {gaps[-1]:.2f} s"
        )
        missed |= judged(course, became, state.counts)
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
