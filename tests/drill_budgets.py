"""Budgets that several processes share, under deaths, pauses, wrong clocks, lost news and a database that goes away.

`make drill` runs it after `drill.py`, or `python tests/drill_budgets.py --seconds 60`. The record service's own counters
judge. Processes ask without end for one account, or for many, so that every window is spent to its last request.
"""

import asyncio
import signal
import statistics
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
from cluster import Cluster, create_database, find_programs
from spender import Judge, Spender, said, spenders, spending_service

from bot.api.budget.unwritten import MAX_UNWRITTEN_REQUESTS

PROCESSES = 4
LIMIT, WINDOW_SECONDS = 60, 20
PAUSE_SECONDS = 7.0
"""Longer than a process lives without a word."""
AWAY_SECONDS = 4.0
TOGETHER = 0.95
NUMBERS = count(1)

Trouble = Callable[[Sequence[Spender], Cluster, float], Awaitable[int]]
"""Makes trouble for so many seconds; returns how many processes it took."""


async def none(_ones: Sequence[Spender], _cluster: Cluster, seconds: float) -> int:
    await asyncio.sleep(seconds)
    return 0


async def kills(ones: Sequence[Spender], _cluster: Cluster, seconds: float, *, every: float = 4.0) -> int:
    number = int(seconds / every)
    for turn in range(number):
        await asyncio.sleep(every)
        ones[turn % len(ones)].send(signal.SIGKILL)
    return number


async def pauses(ones: Sequence[Spender], _cluster: Cluster, seconds: float) -> int:
    number = max(1, int(seconds / (PAUSE_SECONDS + 3)))
    for turn in range(number):
        one = ones[turn % len(ones)]
        one.send(signal.SIGSTOP)
        await asyncio.sleep(PAUSE_SECONDS)
        one.send(signal.SIGCONT)
        await asyncio.sleep(seconds / number - PAUSE_SECONDS)
    return number


async def outage(_ones: Sequence[Spender], cluster: Cluster, seconds: float) -> int:
    await asyncio.sleep(seconds / 2)
    cluster.stop()
    await asyncio.sleep(AWAY_SECONDS)
    cluster.start()
    await asyncio.sleep(seconds / 2 - AWAY_SECONDS)
    return PROCESSES


@dataclass(frozen=True, kw_only=True)
class Scene:
    name: str
    trouble: Trouble = none
    processes: int = PROCESSES
    accounts: int = 1
    limit: int = LIMIT
    askers: int = 3
    is_shared: bool = True
    options: tuple[tuple[str, Any], ...] = ()


SCENES = (
    Scene(name="one process alone", processes=1, askers=3 * PROCESSES, is_shared=False),
    Scene(name="four, nothing wrong"),
    Scene(name="kill -9 every 4 s", trouble=kills),
    Scene(name="SIGSTOP for 7 s", trouble=pauses),
    Scene(name="every NOTIFY lost", options=(("is_deaf", True),)),
    Scene(name="PostgreSQL away for 4 s", trouble=outage),
    Scene(name="200 accounts, kill -9", trouble=kills, accounts=200, limit=6, askers=25),
)


@dataclass(frozen=True)
class Outcome:
    refused: int
    windows: Sequence[int]
    """What was granted in each whole window."""
    deaths: int
    said: dict[str, int]

    @property
    def share(self) -> float:
        return statistics.fmean(self.windows) if self.windows else 0.0


async def play(scene: Scene, folder: Path, cluster: Cluster, seconds: float) -> Outcome:
    url = create_database(cluster.folder, f"drill{next(NUMBERS)}") if scene.is_shared else ""
    async with (
        spending_service(
            folder, accounts=scene.accounts, limit=scene.limit, window_seconds=WINDOW_SECONDS, delay=0.03
        ) as judge,
        spenders(judge, scene.processes, database=url, askers=scene.askers, **dict(scene.options)) as ones,
    ):
        deaths = await scene.trouble(ones, cluster, seconds)
        words = dict(said(ones))
    return Outcome(judge.refused, windows_of(judge), deaths, words)


def windows_of(judge: Judge) -> Sequence[int]:
    return [granted for account, _ in judge.tokens for granted in judge.whole_windows(account)]


@click.command()
@click.option("--seconds", default=3 * WINDOW_SECONDS + 8, help="How long each scene takes.")
@click.option("--only", default="", help="Scenes whose names hold this.")
def main(seconds: float, only: str) -> None:
    """Spend budgets together in the face of trouble, and say what the service counted."""
    if find_programs() is None:
        click.echo("PostgreSQL is not installed: nothing was drilled")
        return
    missed, alone = False, 0.0
    with Cluster() as cluster:
        for scene in SCENES:
            if only not in scene.name and scene.is_shared:
                continue
            with TemporaryDirectory() as folder:
                outcome = asyncio.run(play(scene, Path(folder), cluster, seconds))
            alone = alone or outcome.share
            spent = MAX_UNWRITTEN_REQUESTS * outcome.deaths * WINDOW_SECONDS / seconds
            least = alone * TOGETHER - spent if scene.accounts == 1 else 0.0
            if scene.name == "PostgreSQL away for 4 s":
                least = 0.0
            is_met = not outcome.refused and outcome.share >= least
            missed |= not is_met
            click.echo(
                f"{'met   ' if is_met else 'MISSED'}  {scene.name}: {outcome.refused} refused with 429 (at most 0),"
                f" {outcome.share:.1f} of {scene.limit} granted in each of {len(outcome.windows)} windows"
                f" (at least {least:.1f}), {outcome.deaths} deaths; {outcome.said}"
            )
    sys.exit(missed)


if __name__ == "__main__":
    main()
