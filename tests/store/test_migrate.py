"""The migrations: which there are, and that nothing of Alembic is loaded where all are applied."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

import aiohttp
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from harness import LogBook
from shapes import shape_as
from sqlalchemy import JSON, Date, Executable, String, TableClause, Time, column, select, table, text

from bot.database import progress
from bot.database.engine import Database
from bot.database.migrate import _MIGRATIONS, is_current, known_revisions
from bot.database.tables import KEPT_ANSWERS, POSTED_RATINGS, SNAPSHOTS, SNOWFLAKE, Utc
from bot.domain.charts import MASTER
from bot.domain.chronicle.packing import pack
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState
from bot.domain.ids import JP, JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import Post
from bot.program.metrics import MetricsServer
from bot.store import Store, Vault, new_key

SCORES: Final[list[tuple[str, str, int]]] = [
    (f"{number:016x}" if number % 5 else f"song {number}", "ULT" if number % 2 else "MAS", 1_010_000 - number)
    for number in range(31)
]
NOON: Final = datetime(2026, 11, 1, 12, tzinfo=UTC)
pytestmark = pytest.mark.usefixtures("all_migrations")


def test_they_are_numbered_in_the_order_in_which_alembic_applies_them() -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.set_main_option("path_separator", "os")
    walked = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert known_revisions() == walked[::-1]


async def test_alembic_is_loaded_only_where_the_database_is_behind(url: str) -> None:
    async with Store(url, Vault([new_key()])):
        pass
    code = (
        "import asyncio, sys\n"
        "from bot.store import Store, Vault, new_key\n"
        "async def main():\n"
        f"    async with Store({url!r}, Vault([new_key()])): pass\n"
        "asyncio.run(main())\n"
        "assert not any(name.startswith('alembic') for name in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: ASYNC221 - nothing else waits here


async def test_snapshots_are_packed_whole(url: str) -> None:
    """Those of the version before, more than are carried over at once, and some that fit no row."""
    names = ("member_id", "region", "day", "taken_at", "rating")
    before = table(
        "snapshots", *(column(name, SNAPSHOTS.c[name].type) for name in names), column("scores", JSON)
    )
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(700)]
    rows = [
        (member, region, day, NOON, 1650, [list(score) for score in SCORES[: day.day]])
        for member in (1, 2**63 - 1)
        for region in (JP, JP2)
        for day in days
    ]
    await begin_at("0005", url, before, rows)
    async with Store(url, Vault([new_key()])):
        pass
    kept = await run(
        url,
        select(*(SNAPSHOTS.c[name] for name in ("region", "day", "scores"))).where(
            SNAPSHOTS.c.member_id == 1
        ),
    )
    assert {(region, day) for region, day, _ in kept} == {
        (region, day) for region in (JP, JP2) for day in days
    }
    for _, day, scores in kept:
        assert {*map(tuple, scores)} == {*map(tuple, SCORES[: day.day])}


async def test_answers_written_another_way_are_dropped(url: str) -> None:
    await begin_at("0006", url, KEPT_ANSWERS, [(7, "player", b"", NOON)])
    async with Store(url, Vault([new_key()])):
        pass
    assert await run(url, select(KEPT_ANSWERS)) == []


SCHEDULES: Final = table(
    "daily_posts",
    column("guild_id", SNOWFLAKE),
    column("channel_id", SNOWFLAKE),
    column("post_at", Time),
    column("timezone", String),
    column("posted_on", Date),
    column("due_at", Utc),
)


@pytest.mark.parametrize("revision", ["0007", "0014"])
async def test_a_post_of_before_is_due_when_it_was(url: str, revision: str) -> None:
    due_at = datetime(2026, 11, 2, 12, tzinfo=UTC)
    columns = [*SCHEDULES.c][: 5 if revision == "0007" else 6]
    before = table("daily_posts", *(column(each.name, each.type) for each in columns))
    rows = [
        (number, 5, time(21), "Asia/Tokyo", date(2026, 11, 1), due_at)[: len(columns)] for number in (7, 8)
    ]
    await begin_at(revision, url, before, rows)
    async with Store(url, Vault([new_key()])) as store:
        await store.posts.note_due()
        assert await posts_due(store, due_at - timedelta(seconds=1)) == []
        one, other = await posts_due(store, due_at)
        assert (one.plan.guild, other.plan.guild) == (7, 8)
        assert (one.due_at, one.day, one.plan.post_at) == (due_at, date(2026, 11, 2), time(21))
        plan = await store.plans.save_first(one.plan, datetime(2026, 11, 1, 1, tzinfo=UTC))
        assert await store.posts.find_next(plan.id) == due_at  # the day that was marked counts as posted


@pytest.mark.sqlite
async def test_a_schedule_that_cannot_be_read_is_no_obstacle(url: str) -> None:
    rows = [(7, 5, time(21), "Asia/Tokyo", date(2026, 11, 1), NOON)]
    await begin_at("0014", url, SCHEDULES, rows)
    await run(url, text("UPDATE daily_posts SET post_at = 'nine', posted_on = 'a day'"))
    async with Store(url, Vault([new_key()])) as store:
        assert await posts_due(store, NOON) == []


async def posts_due(store: Store, now: datetime) -> list[Post]:
    return await store.posts.fetch_due(now, shards=((0,), 1), most=9)


async def begin_at(revision: str, url: str, before: TableClause, rows: Sequence[tuple[Any, ...]]) -> None:
    """Give a database the shape of an earlier version, with these rows in one of its tables."""
    await shape_as(url, revision)
    names = before.c.keys()
    await run(url, before.insert(), [dict(zip(names, row, strict=True)) for row in rows])


async def run(url: str, statement: Executable, rows: Sequence[dict[str, Any]] = ()) -> list[tuple[Any, ...]]:
    """Do something in a database, and return what that gives."""
    database = Database(url)
    async with database.write() as connection:
        result = await connection.execute(statement, rows or None)
        found = [tuple(row) for row in result] if result.returns_rows else []
    await database.close()
    return found


async def test_days_of_slots_outlive_the_chronicle(url: str) -> None:
    """Those of the version before stay as they are."""
    names = ("member_id", "region", "day", "taken_at", "rating", "scores")
    before = table("snapshots", *(column(name, SNAPSHOTS.c[name].type) for name in names))
    days = [date(2026, 1, 1) + timedelta(days=number) for number in range(5)]
    rows = [(1, JP2, day, NOON, 1650, [list(score) for score in SCORES[:3]]) for day in days]
    await begin_at("0011", url, before, rows)
    async with Store(url, Vault([new_key()])):
        pass
    kept = await run(url, select(SNAPSHOTS).order_by(SNAPSHOTS.c.day))
    assert [row[2] for row in kept] == days
    assert {row[-1] for row in kept} == {None}


async def test_what_a_post_has_shown_goes_to_its_first_plan(url: str) -> None:
    names = ("guild_id", "member_id", "rating")
    joined = table("daily_members", *(column(name, SNOWFLAKE) for name in names))
    await begin_at("0015", url, joined, [(7, 1, 1650), (7, 2, None)])
    for what in ("daily", "weekly"):
        plan = f"('{what}', 7, 5, '21:00:00', 'UTC', '', 0)"
        columns = "what, guild_id, channel_id, post_at, timezone, options, refused"
        await run(url, text(f"INSERT INTO post_plans ({columns}) VALUES {plan}"))  # noqa: S608 - of this test
    async with Store(url, Vault([new_key()])):
        pass
    kept = POSTED_RATINGS.c
    assert await run(url, select(kept.plan_id, kept.member_id, kept.joined_in, kept.rating)) == [
        (1, 1, 7, 1650)
    ]


async def test_days_stay_the_last_looks_that_they_were(url: str) -> None:
    """What an earlier version has written is read, and later looks stand beside it."""
    looks = [
        RecordsState(
            member=MemberId(1), region=JP2, taken_at=NOON + timedelta(hours=hours),
            figures=PlayerFigures(rating=Hundredths(1650)),
            marks={(SongId("a"), MASTER): RecordMark(1_000_000 + hours, 7, 1400, 0)},
        )
        for hours in (0, 24, 25, 26)
    ]  # fmt: skip
    link = AccountLink(
        member=MemberId(1), user_id=UserId(7), user_name=UserName("a"), region=JP2,
        visibility=Visibility.SERVERS, linked_at=NOON,
    )  # fmt: skip
    later = {"records_at", "whole", "new_average"}
    names = [column.name for column in SNAPSHOTS.c if column.name not in later]
    before = table("snapshots", *(column(name, SNAPSHOTS.c[name].type) for name in names))
    whole = pack(looks[0].marks)
    rows = [
        (1, JP2, each.day, each.taken_at, 1650, None, None, None, None, None, looks[0].day, written)
        for each, written in ((looks[0], whole), (looks[1], pack(looks[1].marks, whole)))
    ]
    await begin_at("0024", url, before, rows)
    async with Store(url, Vault([new_key()])) as store:
        await store.links.save(link, "5d" * 32)
        assert await store.chronicle.fetch(link.member, JP2, most=9) == looks[1::-1]
        for each in looks[2:]:
            assert await store.chronicle.save(each, account=link.user_id)
        found = await store.chronicle.fetch(link.member, JP2, most=9)
        assert found == looks[::-1]
        assert [each.stands_for_day for each in found] == [False, False, True, True]


async def test_what_a_newer_version_has_left_is_no_obstacle(url: str) -> None:
    """`pg_restore --clean` drops the tables that the copy has, and leaves those that came after it."""
    await shape_as(url, "0033")
    left = "CREATE TABLE song_titles (title varchar(9))", "INSERT INTO song_titles VALUES ('left')"
    for each in left:
        await run(url, text(each))
    async with Store(url, Vault([new_key()])) as store:
        assert await is_current(store._database)
    assert not await run(url, text("SELECT * FROM song_titles"))


@pytest.mark.sqlite
async def test_how_far_an_upgrade_is_is_told_while_it_goes_on(
    url: str, log: LogBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_LOG_SECONDS", 0.0)
    names = ("member_id", "region", "day", "taken_at", "rating")
    before = table(
        "snapshots", *(column(name, SNAPSHOTS.c[name].type) for name in names), column("scores", JSON)
    )
    rows = [
        (1, JP2, date(2015, 1, 1) + timedelta(days=number), NOON, 1650, [list(score) for score in SCORES])
        for number in range(2500)
    ]
    await begin_at("0005", url, before, rows)
    store = Store(url, Vault([new_key()]), serves=True)
    server = MetricsServer("127.0.0.1", 0)
    server.show_opening(store)
    said, upgrading = list[str](), set[str]()
    async with server, aiohttp.ClientSession(server.address) as session:
        opening = asyncio.create_task(store.__aenter__())
        while not opening.done():
            async with session.get("/readyz") as reply:
                assert reply.status == 503
                said.append(await reply.text())
            async with session.get("/healthz") as reply:
                assert reply.status == 200
            async with session.get("/metrics") as reply:
                upgrading |= set(re.findall(r"^kiroku_upgrading \S+", await reply.text(), re.MULTILINE))
    await opening
    await store.__aexit__(None, None, None)
    shares = [int(found[1]) for each in said if (found := re.search(r"(\d+)% done", each))]
    assert shares == sorted(shares)
    assert len({*shares}) > 2
    assert "kiroku_upgrading 1.0" in upgrading
    assert store.upgrading is None
    told = re.findall(r"brought up to date: (\d+)% done, about \d+ seconds left", log.text)
    assert [each for each in told if 0 < int(each) < 40], "within the step that takes longest"
