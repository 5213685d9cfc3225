"""Restarts and deaths under load: `make drill`, or `python tests/drill.py --restarts 50 --kills 10 --rate 20`.

Real `kiroku run` processes on one database against the rig, each next one started before the one that serves ends.
"""

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from rigged import Rig, running_rig, started

SHARDS = 8
GUILDS = 1000
START_SECONDS = 6.0
"""From the start of a process until it waits for its turn."""
QUIET_SECONDS = 3.5
"""Longer than a command may go unanswered."""

Ending = Callable[[asyncio.subprocess.Process], None]


async def roll(rig: Rig, folder: Path, rate: float, ways: list[Ending]) -> list[float]:
    """Let one process after the other end, in each of these ways; returns for how long no shard was served by all."""
    gaps: list[float] = []
    async with AsyncExitStack() as stack:
        serving = await stack.enter_async_context(started(rig, "p0", folder))
        await rig.until(lambda state: len(state.shards) == SHARDS)
        asking = asyncio.create_task(ask(rig, rate))
        for number, end in enumerate(ways, 1):
            name = f"p{number}"
            following = await stack.enter_async_context(started(rig, name, folder))
            await asyncio.sleep(START_SECONDS)
            began = time.perf_counter()
            end(serving)
            await rig.until(
                lambda state, name=name: state.shards == {shard: [name] for shard in range(SHARDS)}
            )
            gaps.append(time.perf_counter() - began)
            await serving.wait()
            serving = following
        await asyncio.sleep(QUIET_SECONDS)
        asking.cancel()
        await asyncio.wait({asking})
        await asyncio.sleep(QUIET_SECONDS)
    return gaps


async def ask(rig: Rig, rate: float) -> None:
    """Use commands of any server, so many a second, whatever becomes of them."""
    asked: set[asyncio.Task[object]] = set()
    began = time.perf_counter()
    for number in range(10**9):
        await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
        guild = random.randrange(GUILDS)  # noqa: S311 - load, no secret
        asked.add(task := asyncio.create_task(rig.ask("calc", constant="13.7", guild=guild, seconds=0)))
        task.add_done_callback(asked.discard)


async def drill(ways: list[Ending], rate: float) -> tuple[dict[str, int], list[float]]:
    with TemporaryDirectory() as folder:
        async with running_rig(shards=SHARDS, guilds=GUILDS) as rig:
            gaps = await roll(rig, Path(folder), rate, ways)
            return dict((await rig.state()).counts), sorted(gaps)


@click.command()
@click.option("--restarts", default=50)
@click.option("--kills", default=10)
@click.option("--rate", default=20.0, help="Commands a second.")
def main(restarts: int, kills: int, rate: float) -> None:
    """Restart and kill, and say what became of those who asked."""
    missed = False
    runs: list[tuple[str, list[Ending]]] = [
        ("restarts", [asyncio.subprocess.Process.terminate] * restarts),
        ("deaths", [asyncio.subprocess.Process.kill] * kills),
    ]
    for what, ways in runs:
        if not ways:
            continue
        counts, gaps = asyncio.run(drill(ways, rate))
        click.echo(
            f"{len(ways)} {what}: {counts}; gap median {gaps[len(gaps) // 2]:.2f} s, max {gaps[-1]:.2f} s"
        )
        goals = {"answered_twice": 0, "served_twice": 0, "identifies_too_soon": 0}
        if what == "restarts":
            goals |= {"unanswered": 0, "begun": 0, "identifies": SHARDS}
        for name, most in goals.items():
            found = counts.get(name, 0)
            verdict = "ok" if found <= most else "MISSED"
            missed |= found > most
            click.echo(f"  {name}: at most {most}, found {found}: {verdict}")
    raise SystemExit(missed)


if __name__ == "__main__":
    main()
