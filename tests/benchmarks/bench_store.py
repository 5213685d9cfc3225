"""The database with 1,000, 10,000 and 100,000 members and set-ups: bytes on the disk, and time of the event loop.

Rows are made by the code that ships and copied by SQLite under other ids. Every size is a file of its own; times are
medians, beside those of the smallest. Exits 1 where a goal is missed.
"""

# ruff: noqa: S608 - every statement is made of words of this file
import asyncio
import random
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bot.api import answer_store as kept
from bot.base.clock import ManualClock
from bot.domain.charts import EXPERT, MASTER, ULTIMA
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Player
from bot.domain.posts import Post, PostPlan
from bot.domain.rating import song_rating
from bot.domain.scores import Lamps, RatingData, Record, Slot, SlotName
from bot.features.posts import AT_ONCE
from bot.store import Store, Vault, new_key

SIZES: Final = (1_000, 10_000, 100_000)
DAYS: Final = 20
"""With a snapshot of each member; of the largest size one, or the disk would be full of them."""
RECORDS: Final = 1_280
"""Of a member who uses everything."""
CHARTS_A_SONG: Final = 1.4
ROUNDS: Final = 30
NOW: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY: Final = date(2026, 11, 20)
ME: Final = MemberId(2**59)

MAX_KEPT_BYTES: Final = 30_000
MOST_A_DAY: Final = 600
MOST_GROWTH: Final = 5.0
"""Of what is looked up by an index, from the smallest size to a hundred times as many rows."""


@dataclass
class Figures:
    """What one size costs."""

    kept_bytes: float
    """Of answers, a member."""
    day_bytes: float
    seconds: dict[str, float]


def records(chance: random.Random) -> tuple[Record, ...]:
    """Return as many as a member may have, on invented songs."""
    letters = "夏祭記録響き星空のカナデABCDEFGabcdefg"
    songs = [
        (SongId(f"{chance.getrandbits(64):016x}"), "".join(chance.choices(letters, k=chance.randint(3, 16))))
        for _ in range(int(RECORDS / CHARTS_A_SONG))
    ]
    made: list[Record] = []
    for number in range(RECORDS):
        song, title = songs[number % len(songs)]
        constant, score = chance.randint(100, 155) * 10, 1_010_000 - int(chance.expovariate(1 / 8_000))
        level = constant // 100 * 100 + (50 if constant % 100 >= 50 else 0)
        made.append(
            Record(
                song_id=song, title=title, difficulty=(MASTER, EXPERT, ULTIMA)[number // len(songs)],
                level=Hundredths(level), constant=Hundredths(constant), score=score,
                rating=song_rating(Hundredths(constant), score, JP2), is_estimated=False, genre=f"GENRE {number % 7}",
                lamps=Lamps(
                    is_clear=True, is_full_combo=chance.random() < 0.5, is_all_justice=False, is_full_chain=False
                ),
                updated_at=NOW - timedelta(seconds=chance.randrange(63_000_000)),
            )
        )  # fmt: skip
    return tuple(made)


def answers(chance: random.Random) -> dict[tuple[object, ...], object]:
    """Return what the service says to a member who uses everything, by question."""
    owned = records(chance)
    slots = {
        name: Slot(average=None, entries=tuple(chance.sample(owned, count)))
        for name, count in ((SlotName.BEST, 30), (SlotName.RECENT, 10), (SlotName.OUTSIDE, 20))
    }
    player = Player(
        user_id=UserId(1), user_name=UserName("alice"), is_protected=False, player_name="ＡＬＩＣＥ", honor="夏の覇者",
        honor_type=4, level=87, rating=Hundredths(1600), rating_max=Hundredths(1610), class_emblem=3,
        updated_on=TODAY,
    )  # fmt: skip
    return {
        ("player",): player,
        ("rating_data", JP2): RatingData(slots=slots),
        ("records", JP2): owned,
        ("worlds_end", JP2): owned[:20],
        ("courses", JP2): (),
        ("friends",): (),
    }  # fmt: skip


async def write_one(store: Store) -> None:
    """Have one member write down everything, the way the bot does."""
    chance = random.Random(1)
    link = AccountLink(
        member=ME, user_id=UserId(1), user_name=UserName("alice"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=NOW,
    )  # fmt: skip
    await store.links.save(link, "5d" * 32)
    copies = kept.AnswerCopies(ManualClock(NOW), store.answers)
    for question, value in answers(chance).items():
        copies.save_soon(UserId(1), question, value, NOW)
        await copies.close()
    scores = {
        (SongId(f"{chance.getrandbits(64):016x}"), chance.choice((MASTER, EXPERT, ULTIMA))): score
        for score in range(960_000, 1_000_000, 1_000)
    }
    snapshot = Snapshot(
        member=ME, region=JP2, day=TODAY, taken_at=NOW, rating=Hundredths(1600), scores=scores
    )
    await store.snapshots.save(snapshot, account=UserId(1))
    plan = PostPlan(guild=GuildId(ME), channel=ChannelId(ME), post_at=time_of_day(21), timezone="Asia/Tokyo")
    await store.plans.save(plan, NOW)


COPY: Final = {"links": {"member_id", "user_id"}, "post_plans": {"id", "guild_id"}, "posts": {"plan_id"}}
"""Tables, and what is another in each copy of a row."""


def copied(file: Path, members: int, days: int) -> tuple[float, float]:
    """Make so many members out of one; return the bytes of answers a member, and of snapshots a day."""
    numbers = (
        f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {members - 1})"
    )
    with closing(sqlite3.connect(file)) as database, database:
        for table, others in COPY.items():
            names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            columns = ", ".join(f"{name} + n" if name in others else name for name in names)
            database.execute(
                f"INSERT INTO {table} ({', '.join(names)}) {numbers} SELECT {columns} FROM {table}, numbers"
            )
        # Snapshots come in day by day, of everybody: as the pages of the index fill up.
        for day in range(1, days + 1):
            database.execute(
                f"INSERT INTO snapshots (member_id, region, day, taken_at, rating, scores) {numbers}"
                " SELECT member_id + n, region, date(day, ?), taken_at, rating, scores FROM snapshots, numbers"
                " WHERE member_id = ? AND day = ?",
                [f"-{day} days", ME, str(TODAY)],
            )
    snapshots = size_of(file, "snapshots") / (1 + (members - 1) * days)
    with closing(sqlite3.connect(file)) as database, database:
        database.execute(
            "CREATE TABLE measured AS SELECT * FROM kept_answers"  # the largest would take gigabytes
        )
        some = min(members, SIZES[0])
        database.execute(
            f"INSERT INTO kept_answers {numbers}"
            " SELECT account + n, question, body, fetched_at FROM measured, numbers WHERE n < ?",
            [some],
        )
        database.execute("DROP TABLE measured")
    return size_of(file, "kept_answers") / some, snapshots


def size_of(file: Path, table: str) -> int:
    """Return the bytes of a table with its indexes: those that the file needs less without it."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        page = database.execute("PRAGMA page_size").fetchone()[0]
        before = database.execute("PRAGMA freelist_count").fetchone()[0]
        database.execute("PRAGMA secure_delete = OFF")
        database.execute("BEGIN")
        database.execute(f"DELETE FROM {table}")
        freed = database.execute("PRAGMA freelist_count").fetchone()[0] - before
        database.execute("ROLLBACK")
    return int(freed * page)


async def seconds(use: Callable[[], Awaitable[object]]) -> float:
    """Return the median time of one use."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        await use()
        taken.append(time.perf_counter() - start)
    return median(taken)


async def read_past(store: Store, member: MemberId) -> None:
    store.snapshots.drop(member)
    await store.snapshots.get(member, JP2, until=TODAY)


async def look_at_clock(store: Store) -> list[Post]:
    assert await store.plans.fetch_doubted(NOW) == []
    return await store.posts.fetch_due(NOW, shards=((0,), 2), most=AT_ONCE)


async def measure(folder: Path, members: int, vault: Vault) -> Figures:
    file = folder / f"{members}.db"
    url = f"sqlite+aiosqlite:///{file}"
    async with Store(url, vault) as store:
        await write_one(store)
    kept_bytes, day_bytes = copied(file, members, DAYS if members < SIZES[-1] else 2)
    async with Store(url, vault) as store:
        assert await look_at_clock(store) == []
        taken = {
            "a look at the clock": await seconds(lambda: look_at_clock(store)),
            "a member's past, from the disk": await seconds(
                lambda: read_past(store, MemberId(ME + members - 1))
            ),
            "a kept answer": await seconds(
                lambda: store.answers.find(UserId(1), "player", since=NOW - kept.KEPT_FOR)
            ),
        }
    return Figures(kept_bytes, day_bytes, taken)


async def main() -> int:
    vault, found = Vault([new_key()]), dict[int, Figures]()
    with TemporaryDirectory() as folder:
        for members in SIZES:
            found[members] = await measure(Path(folder), members, vault)
            (Path(folder) / f"{members}.db").unlink()
    least, most = found[SIZES[0]], found[SIZES[-1]]
    print(f"{'':40} {'goal':>14} " + "".join(f"{size:>12,}" for size in SIZES))
    rows = [
        (
            f"kept answers a member ({RECORDS} records), kB", f"<= {MAX_KEPT_BYTES / 1000:g}",
            [each.kept_bytes / 1000 for each in found.values()],
            all(each.kept_bytes <= MAX_KEPT_BYTES for each in found.values()),
        ),
        (
            "a changed day, kB", f"<= {MOST_A_DAY / 1000:g}", [each.day_bytes / 1000 for each in found.values()],
            all(each.day_bytes <= MOST_A_DAY for each in found.values()),
        ),
        *(
            (
                f"{name}, ms", f"<= {MOST_GROWTH:g} times", [each.seconds[name] * 1000 for each in found.values()],
                most.seconds[name] <= MOST_GROWTH * least.seconds[name],
            )
            for name in least.seconds
        ),
    ]  # fmt: skip
    for name, goal, figures, is_met in rows:
        shown = "".join(f"{figure:>12.2f}" for figure in figures)
        print(f"{name:40} {goal:>14} {shown}  {'met' if is_met else 'MISSED'}")
    return 0 if all(row[-1] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
