"""How much memory the process takes that serves thousands of different members for half an hour: `make soak`.

`kiroku run`, the record service and the tests' Discord are processes, as in the rest of this bench. Members are drawn from
all of them and ask what a visit of the simulated week asks. Exits 1 where there is more than the goal, or where the last
third of the time brought more than a fiftieth.
"""

import asyncio
import sys
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Final

import click
from rigged import running_rig

from whole.answers import Answers, Step
from whole.people import settle
from whole.programs import kiroku, record_service
from whole.rows import Row, print_table
from whole.week import visits_of_week

MOST_MB: Final = 250.0
MOST_GROWTH: Final = 1.02
"""Of the last third of the time beside the third before it."""
STEP_SECONDS: Final = 10.0


@asynccontextmanager
async def _running(folder: Path, members: int) -> AsyncGenerator[Answers]:
    bench = Answers(await settle(folder, members), rounds=1)
    settings = dict(bench.people.settings)
    async with (
        running_rig(guilds=3) as rig,
        record_service(bench.people.service) as (_, address),
        kiroku(folder, rig.address("ours"), settings | {"RECORD_API_URL": address}) as ours,
    ):
        await rig.until(lambda state: bool(state.shards))
        bench.ours = ours, rig
        yield bench


def _lane(bench: Answers, chance: Random) -> list[Step]:
    """Return what members who are drawn from all ask one after another."""
    visits = visits_of_week(len(bench.people.accounts), chance)
    return [bench.step(each.member, habit) for each in visits for habit in each.commands]


async def soak(folder: Path, members: int, minutes: float, rate: float) -> list[Row]:
    taken: list[tuple[float, float]] = []
    async with _running(folder, members) as bench:
        program, rig = bench.ours
        steps, asked = iter(_lane(bench, bench.chance)), set[object]()
        began = time.monotonic()
        while (since := time.monotonic() - began) < minutes * 60:
            due = began + since + STEP_SECONDS
            part = [step for step, _ in zip(steps, range(int(rate * STEP_SECONDS)), strict=False)]
            if not part:
                steps = iter(_lane(bench, bench.chance))
                continue
            asked.update(step["user"] for step in part)
            await rig.do("play", lanes=[part[lane::4] for lane in range(4)], seconds=120)
            await rig.do("forget")
            taken.append((time.monotonic() - began, program.resident))
            print(f"{taken[-1][0] / 60:5.1f} min  {taken[-1][1]:6.1f} MB  {len(asked)} members", flush=True)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
    end = taken[-1][0]
    last = mean(size for at, size in taken if at > end * 2 / 3)
    before = mean(size for at, size in taken if end / 3 < at <= end * 2 / 3)
    return [
        Row(
            f"memory after {len(asked)} members",
            [size for at, size in taken if at > end * 2 / 3],
            MOST_MB,
            "MB",
        ),
        Row("the last third beside the one before", [last / before], MOST_GROWTH, ""),
    ]


@click.command()
@click.option("--members", default=5000)
@click.option("--minutes", default=30.0)
@click.option("--rate", default=6.0, help="Commands a second.")
@click.option("--folder", type=click.Path(path_type=Path), help="Where members are kept for another time.")
def main(members: int, minutes: float, rate: float, folder: Path | None) -> None:
    with TemporaryDirectory() as name:
        rows = asyncio.run(soak(folder or Path(name), members, minutes, rate))
    print_table(rows)
    sys.exit(not all(row.is_met for row in rows))


if __name__ == "__main__":
    main()
