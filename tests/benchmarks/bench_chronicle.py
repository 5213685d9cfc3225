"""The memory of records: bytes a changed day, and what reading three years of it takes on each engine that is there.

A member of 1,500 records plays on four days a week, 12 changes each. Written by the code that ships; times are medians.
Exits 1 where a goal is missed.
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from cluster import Cluster, create_database, find_programs
from sqlalchemy import func, select

from bot.domain.charts import EXPERT, MASTER, ULTIMA
from bot.domain.chronicle import Figures, Mark, State
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import Link, Visibility
from bot.domain.numbers import Hundredths
from bot.store import Store, Vault, new_key
from bot.store.tables import SNAPSHOTS

NOW: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY: Final = NOW.date()
MEMBERS: Final = tuple(MemberId(number) for number in range(1, 6))
RECORDS: Final = 1_500
CHANGES: Final = 12
YEARS_DAYS: Final = 1_095
ALL_DAYS: Final = 400
CHANGED_IN_A_WEEK: Final = 4
ROUNDS: Final = 15

MOST_BYTES: Final = 2_000
MOST_MS: Final = 50.0


def charts_of(chance: random.Random) -> list[ChartKey]:
    """Return three charts of each of a thousand songs."""
    songs = [SongId(f"{chance.getrandbits(64):016x}") for _ in range(1_000)]
    return [(song, difficulty) for song in songs for difficulty in (MASTER, EXPERT, ULTIMA)]


def begun(chance: random.Random, charts: list[ChartKey]) -> dict[ChartKey, Mark]:
    """Return what a member has on the first day."""
    return {
        chart: Mark(
            1_010_000 - int(chance.expovariate(1 / 8_000)),
            chance.choice([7, 7, 15, 31]),
            chance.randint(100, 155) * 10,
            0,
        )
        for chart in chance.sample(charts, RECORDS)
    }


def played(
    chance: random.Random, charts: list[ChartKey], before: Mapping[ChartKey, Mark], days_ago: int
) -> dict[ChartKey, Mark]:
    """Return what a member has after another day."""
    marks, moment = dict(before), int((NOW - timedelta(days=days_ago)).timestamp()) - 7_200
    for chart in chance.sample(sorted(marks), CHANGES - 1):
        score = min(1_010_000, marks[chart].score + chance.randrange(1, 2_000))
        marks[chart] = marks[chart]._replace(score=score, played_at=moment + chance.randrange(7_200))
    marks[chance.choice(charts)] = Mark(1_000_000, 7, 1400, moment)
    return marks


async def fill(store: Store) -> float:
    """Write what is kept of five members for three years; return the bytes of records a changed day."""
    chance = random.Random(1)
    charts = charts_of(chance)
    first = begun(chance, charts)
    for member in MEMBERS:
        link = Link(
            member=member, user_id=UserId(1), user_name=UserName("alice"), region=JP2,
            visibility=Visibility.SERVERS, linked_at=NOW,
        )  # fmt: skip
        await store.links.save(link, "5d" * 32)
        for days_ago in range(YEARS_DAYS, ALL_DAYS, -7):  # a look a week, of which nobody reads the records
            await save(store, member, days_ago, {})
        for days_ago in (each for each in range(ALL_DAYS, -1, -1) if each % 7 < CHANGED_IN_A_WEEK):
            day = TODAY - timedelta(days=days_ago)
            is_first = days_ago == ALL_DAYS
            before = None if is_first else await store.chronicle.find(member, JP2, until=day)
            await save(
                store, member, days_ago, played(chance, charts, before.marks if before else first, days_ago)
            )
    written = select(func.avg(func.length(SNAPSHOTS.c.records))).where(
        SNAPSHOTS.c.day >= TODAY - timedelta(days=ALL_DAYS)
    )
    async with store.links._database.read() as connection:
        return float((await connection.execute(written)).scalar_one())


async def save(store: Store, member: MemberId, days_ago: int, marks: Mapping[ChartKey, Mark]) -> None:
    taken_at = NOW - timedelta(days=days_ago)
    figures = Figures(rating=Hundredths(1600 + days_ago % 9), highest=Hundredths(1610))
    state = State(member=member, region=JP2, taken_at=taken_at, figures=figures, marks=marks)
    await store.chronicle.save(state, account=UserId(1))


async def milliseconds(use: Callable[[], Awaitable[object]]) -> float:
    """Return the median time of one use."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await use()
        taken.append((time.perf_counter() - start) * 1000)
    return median(taken)


async def read_past(store: Store) -> None:
    store.snapshots.forget(MEMBERS[0])
    await store.snapshots.get(MEMBERS[0], JP2, until=TODAY)


async def measure(url: str) -> tuple[float, dict[str, float]]:
    async with Store(url, Vault([new_key()])) as store:
        size = await fill(store)
        first = TODAY - timedelta(days=YEARS_DAYS)
        chart = next(iter((await store.chronicle.fetch_newest(MEMBERS, JP2))[MEMBERS[0]].marks))
        return size, {
            "three years of five members": await milliseconds(
                lambda: store.chronicle.fetch_looks(MEMBERS, JP2, first=first, last=TODAY)
            ),
            "one chart of five members": await milliseconds(
                lambda: store.chronicle.fetch_scores(chart, MEMBERS, JP2)
            ),
            "the two newest states": await milliseconds(
                lambda: store.chronicle.fetch(MEMBERS[0], JP2, until=TODAY, most=2)
            ),
            "what /rating reads": await milliseconds(lambda: read_past(store)),
        }


def main() -> int:
    is_met = True
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        urls = {"SQLite": f"sqlite+aiosqlite:///{Path(folder) / 'kiroku.db'}"}
        if find_programs() is not None:
            urls["PostgreSQL"] = create_database(stack.enter_context(Cluster()).folder, "bench")
        for engine, url in urls.items():
            size, times = asyncio.run(measure(url))
            for name, figure, most in (
                ("a changed day of all records, bytes", size, MOST_BYTES),
                *((f"{name}, ms", figure, MOST_MS) for name, figure in times.items()),
            ):
                is_met &= figure <= most
                print(
                    f"{engine:12} {name:40} <= {most:>7,.0f} {figure:>10,.1f}  {'met' if figure <= most else 'MISSED'}"
                )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
