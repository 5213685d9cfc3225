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
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final
from zoneinfo import ZoneInfo

from cluster import Cluster, create_database, find_programs
from sqlalchemy import func, literal, select, text

from bot.database.tables import LINKS, SIGHTINGS, SNAPSHOTS
from bot.domain.boards import Measure, Ranking
from bot.domain.charts import EXPERT, MASTER, ULTIMA
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState
from bot.domain.curves import DaySpan, curve_of
from bot.domain.history import ChartKey
from bot.domain.ids import JP2, GuildId, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.store import Store, Vault, Whose, new_key

NOW: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY: Final = NOW.date()
GUILD: Final = GuildId(77)
MEMBERS: Final = tuple(MemberId(number) for number in range(1, 6))
RECORDS: Final = 1_500
CHANGES: Final = 12
YEARS_DAYS: Final = 1_095
ALL_DAYS: Final = 400
CHANGED_IN_A_WEEK: Final = 4
LATELY: Final = 120
ROUNDS: Final = 15

MOST_BYTES: Final = 2_000
MOST_MS: Final = 50.0
LONG: Final = {"one chart of 1,000 members, none written out": 1_000.0}
"""What takes longer, in milliseconds: all records of everybody are opened, beside the event loop."""


def charts_of(chance: random.Random) -> list[ChartKey]:
    """Return three charts of each of a thousand songs."""
    songs = [SongId(f"{chance.getrandbits(64):016x}") for _ in range(1_000)]
    return [(song, difficulty) for song in songs for difficulty in (MASTER, EXPERT, ULTIMA)]


def begun(chance: random.Random, charts: list[ChartKey]) -> dict[ChartKey, RecordMark]:
    """Return what a member has on the first day."""
    return {
        chart: RecordMark(
            1_010_000 - int(chance.expovariate(1 / 8_000)),
            chance.choice([7, 7, 15, 31]),
            chance.randint(100, 155) * 10,
            0,
        )
        for chart in chance.sample(charts, RECORDS)
    }


def played(
    chance: random.Random, charts: list[ChartKey], before: Mapping[ChartKey, RecordMark], days_ago: int
) -> dict[ChartKey, RecordMark]:
    """Return what a member has after another day."""
    marks, moment = dict(before), int((NOW - timedelta(days=days_ago)).timestamp()) - 7_200
    for chart in chance.sample(sorted(marks), CHANGES - 1):
        score = min(1_010_000, marks[chart].score + chance.randrange(1, 2_000))
        marks[chart] = marks[chart]._replace(score=score, played_at=moment + chance.randrange(7_200))
    marks[chance.choice(charts)] = RecordMark(1_000_000, 7, 1400, moment)
    return marks


async def fill(store: Store) -> float:
    """Write what is kept of five members for three years; return the bytes of records a changed day."""
    chance = random.Random(1)
    charts = charts_of(chance)
    first = begun(chance, charts)
    for member in MEMBERS:
        link = AccountLink(
            member=member, user_id=UserId(1), user_name=UserName("alice"), region=JP2,
            visibility=Visibility.SERVERS, linked_at=NOW,
        )  # fmt: skip
        await store.links.save(link, "5d" * 32)
        for days_ago in range(YEARS_DAYS, ALL_DAYS, -7):  # a look a week, of which nobody reads the records
            await save(store, member, days_ago, {})
        for days_ago in (each for each in range(ALL_DAYS, -1, -1) if each % 7 < CHANGED_IN_A_WEEK):
            is_first = days_ago == ALL_DAYS
            before = None if is_first else await store.chronicle.find(member, JP2)
            await save(
                store, member, days_ago, played(chance, charts, before.marks if before else first, days_ago)
            )
    written = select(func.avg(func.length(SNAPSHOTS.c.records))).where(
        SNAPSHOTS.c.day >= TODAY - timedelta(days=ALL_DAYS)
    )
    async with store.links._database.read() as connection:
        return float((await connection.execute(written)).scalar_one())


async def save(store: Store, member: MemberId, days_ago: int, marks: Mapping[ChartKey, RecordMark]) -> None:
    taken_at = NOW - timedelta(days=days_ago)
    figures = PlayerFigures(
        rating=Hundredths(1600 + days_ago % 9),
        highest=Hundredths(1610),
        over_power=OverPower(9_000_000 - days_ago),
    )
    state = RecordsState(member=member, region=JP2, taken_at=taken_at, figures=figures, marks=marks)
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
    store.snapshots.drop(MEMBERS[0])
    await store.snapshots.get(MEMBERS[0], JP2, until=TODAY)


async def crowd(store: Store) -> list[MemberId]:
    """Fill a server: a thousand members, each with the last months of what one of the five has."""
    members = [MemberId(number) for number in range(1_000, 2_000)]
    sighted = SIGHTINGS.insert().from_select(
        ["guild_id", "member_id"], select(literal(GUILD), LINKS.c.member_id)
    )
    async with store.links._database.write() as connection:
        for number, member in enumerate(members):
            like = MEMBERS[number % len(MEMBERS)]
            for table in (LINKS, SNAPSHOTS):
                theirs = [literal(member) if column.name == "member_id" else column for column in table.c]
                of_one = select(*theirs).where(table.c.member_id == like)
                if table is SNAPSHOTS:
                    of_one = of_one.where(SNAPSHOTS.c.day >= TODAY - timedelta(days=LATELY))
                await connection.execute(
                    table.insert().from_select([column.name for column in table.c], of_one)
                )
        await connection.execute(sighted)
        await connection.execute(text("ANALYZE"))  # as a server does by itself
    return members


async def board(store: Store, measure: Measure) -> None:
    """Read what a board of a server is made of, as `bot.features.boards` does."""
    found = await store.boards.fetch_standings(measure, Whose(GUILD), JP2, NOW)
    assert len(Ranking(found)) >= 1_000


async def history(store: Store) -> None:
    """Read and compute what `/history` of five members shows."""
    looks = await store.chronicle.fetch_looks(MEMBERS, JP2, first=date.min, last=date.max)
    for member in MEMBERS:
        seen = [(look.taken_at, look.over_power) for look in looks if look.member == member]
        assert len(curve_of(member, seen, DaySpan(), ZoneInfo("Asia/Tokyo")).points) > 300


async def measure(url: str) -> tuple[float, dict[str, float]]:
    async with Store(url, Vault([new_key()])) as store:
        size = await fill(store)
        first = TODAY - timedelta(days=YEARS_DAYS)
        newest = await store.chronicle.find(MEMBERS[0], JP2)
        assert newest is not None
        chart = next(iter(newest.marks))
        await crowd(store)
        return size, {
            "/history of five members": await milliseconds(lambda: history(store)),
            "/leaderboard of 1,000 by rating": await milliseconds(lambda: board(store, Measure.RATING)),
            "/leaderboard of 1,000 by over power": await milliseconds(
                lambda: board(store, Measure.OVER_POWER)
            ),
            "one chart of 1,000 members, none written out": await milliseconds(
                lambda: store.boards.fetch_scores(chart, Whose(GUILD), JP2)
            ),
            "three years of five members": await milliseconds(
                lambda: store.chronicle.fetch_looks(MEMBERS, JP2, first=first, last=TODAY)
            ),
            "the two newest states": await milliseconds(
                lambda: store.chronicle.fetch(MEMBERS[0], JP2, most=2)
            ),
            "the twelve newest, as the coach reads them": await milliseconds(
                lambda: store.chronicle.fetch(MEMBERS[0], JP2, most=12)
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
                *((f"{name}, ms", figure, LONG.get(name, MOST_MS)) for name, figure in times.items()),
            ):
                is_met &= figure <= most
                print(
                    f"{engine:12} {name:40} <= {most:>7,.0f} {figure:>10,.1f}  {'met' if figure <= most else 'MISSED'}"
                )
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
