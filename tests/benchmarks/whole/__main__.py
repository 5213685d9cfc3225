"""The whole process, as it ships: `make bench-whole`, or `python -m whole --only mix --rounds 3`.

`kiroku run` is a process of its own, and so are the record service and the tests' Discord (`tests/rig`), which speak HTTP and
gateway frames. What an answer costs is the processor time that the kernel has counted for the bot's process, all its threads;
a bare discord.py bot, asked for the same in turns, answers with the same bytes. Medians of the rounds, with the least and the
most. Exits 1 where a goal is missed.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from whole.answers import Answers, measured
from whole.people import settle
from whole.rows import Row, print_table

MEMBERS = 400


async def measure(folder: Path, only: str, rounds: int) -> list[Row]:
    people = await settle(folder, MEMBERS)
    rows: list[Row] = []
    async with measured(people, rounds) as bench:
        for part in PARTS if not only else only.split(","):
            rows += await PARTS[part](bench)
            print_table(rows)
    return rows


PARTS: Mapping[str, Callable[[Answers], Awaitable[list[Row]]]] = {
    "warm": Answers.warm,
    "first": Answers.first,
    "mix": Answers.mix,
    "posts": Answers.posts,
}


@click.command()
@click.option("--only", default="", help="Parts, separated by commas.")
@click.option("--rounds", default=7)
@click.option("--folder", type=click.Path(path_type=Path), help="Where members are kept for another time.")
@click.option("--to", type=click.Path(path_type=Path), help="A file that is given the figures as JSON.")
def main(only: str, rounds: int, folder: Path | None, to: Path | None) -> None:
    with TemporaryDirectory() as name:
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        rows = asyncio.run(measure(folder or Path(name), only, rounds))
        print(f"load {os.getloadavg()[0]:.1f}")
        print_table(rows)
    if to is not None:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(json.dumps([row.as_json() for row in rows], indent=1) + "\n", encoding="utf-8")
    sys.exit(not all(row.is_met for row in rows))


if __name__ == "__main__":
    main()
