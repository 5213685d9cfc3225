"""Every query of the store: what grows is looked up by an index, never read through, and no row is added blindly."""

import asyncio
import inspect
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
import sittings
from sqlalchemy import make_url
from statements import statements_of

from bot.cluster.leases import Lease, ProcessId
from bot.domain.boards import Measure
from bot.domain.charts import MASTER
from bot.domain.chronicle.state import PlayerFigures, RecordsState
from bot.domain.coach.summaries import ChartSummary
from bot.domain.daily import Posted
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, ChannelId, GuildId, MemberId, MessageId, SongId, UserId, UserName
from bot.domain.kept import KeptAnswer, KeptWindow
from bot.domain.members import AccountLink, Preferences, Visibility
from bot.domain.numbers import Hundredths
from bot.domain.posts import PlanId, Post, PostFailure, PostKind, PostPlan
from bot.domain.rating_census import RatingCheck
from bot.store import (
    Alias,
    InvalidationBus,
    KeptCatalogue,
    LookOutcome,
    NewGoal,
    Store,
    Vault,
    Whose,
    new_key,
)

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DAY = date(2026, 11, 1)
ALICE, GUILD, ACCOUNT = MemberId(1), GuildId(77), UserId(7)
TOKEN = "5d" * 32
VAULT = Vault([new_key()])
LINK = AccountLink(
    member=ALICE,
    user_id=ACCOUNT,
    user_name=UserName("alice"),
    region=JP2,
    visibility=Visibility.SERVERS,
    linked_at=NOW,
)
PLAN = PostPlan(id=PlanId(1), guild=GUILD, channel=ChannelId(5), post_at=time(21), timezone="Asia/Tokyo")
POST = Post(plan=PLAN, day=DAY, due_at=NOW)
POST_SEEN = replace(POST, look_at=NOW)
ANSWER = KeptAnswer(account=ACCOUNT, question="player", body=b"", fetched_at=NOW)
WINDOW = KeptWindow(
    account="account:7", version="2.0", limit=120, remaining=40, lost=1, reset_at=NOW, ends_at=None,
    sent_at=NOW, spacing=0.5, dearest=2,
)  # fmt: skip
CATALOGUE = KeptCatalogue(region=JP2, digest="a", first_seen_at=NOW, last_seen_at=NOW, content=b"")
ONE, NEW_IDS = ProcessId(1), count(2)
CHART = SongId("a"), MASTER
LEASE = Lease("shards", ONE, fence=1, state={})
SNAPSHOT = Snapshot(member=ALICE, region=JP2, day=DAY, taken_at=NOW, rating=Hundredths(1650), scores={})
STATE = RecordsState(
    member=ALICE, region=JP2, taken_at=NOW, figures=PlayerFigures(rating=Hundredths(1650)), marks={}
)  # fmt: skip
FEED = replace(PLAN, id=PlanId(2), what=PostKind.FEED)
FOUND = LookOutcome(sittings.sitting(), NOW, NOW)
"""Which goes on, and begins in a feed that has none yet."""


async def waiting_in_feed(store: Store) -> Post:
    """Return the post of what waits to be told in the feed."""
    posts = await store.posts.fetch_due(NOW, shards=((0,), 1), most=9)
    return next((post for post in posts if post.part), POST)


async def find_sitting(store: Store) -> object:
    return await store.feed.find_sitting(await waiting_in_feed(store))


async def skip(store: Store) -> None:
    await store.posts.mark_skipped(POST, PostFailure.REFUSED, NOW, refused=True)
    await store.posts.mark_skipped(await waiting_in_feed(store), PostFailure.REFUSED, NOW, refused=True)


USES: Final[Mapping[str, Callable[[Store], Awaitable[object]]]] = {
    "leases.join": lambda store: store.leases.join(ProcessId(next(NEW_IDS)), seconds=None),
    "leases.heartbeat": lambda store: store.leases.heartbeat(ONE, seconds=5),
    "leases.reap": lambda store: store.leases.reap([ONE]),
    "leases.fetch_processes": lambda store: store.leases.fetch_processes(),
    "leases.find_owner": lambda store: store.leases.find_owner("shards"),
    "leases.acquire": lambda store: store.leases.acquire("commands", ONE),
    "leases.write_state": lambda store: store.leases.write_state(LEASE, {}),
    "leases.note_progress": lambda store: store.leases.note_progress([(LEASE, 1), (LEASE, 2)]),
    "leases.release": lambda store: store.leases.release(LEASE, {}),
    "links.save": lambda store: store.links.save(LINK, TOKEN),
    "links.open_token": lambda store: store.links.open_token(LINK),
    "members.load": lambda store: store.members.load([ALICE, MemberId(2)]),
    "members.get": lambda store: store.members.get(ALICE),
    "members.save_preferences": lambda store: store.members.save_preferences(ALICE, Preferences()),
    "links.set_visibility": lambda store: store.links.set_visibility(ALICE, Visibility.ONLY_ME),
    "links.is_linked": lambda store: store.links.is_linked(ACCOUNT),
    "links.set_protected": lambda store: store.links.set_protected(LINK, is_protected=True),
    "links.set_game_version": lambda store: store.links.set_game_version(ALICE, "a"),
    "links.set_region": lambda store: store.links.set_region(ALICE, JP2),
    "links.are_kept": lambda store: store.links.are_kept(),
    "links.rotate_keys": lambda store: store.links.rotate_keys(),
    "links.erase": lambda store: store.links.erase(ALICE),
    "sightings.note": lambda store: store.sightings.note(GUILD, ALICE),
    "sightings.fetch": lambda store: store.sightings.fetch(GUILD),
    "sightings.delete": lambda store: store.sightings.delete(GUILD, [ALICE]),
    "plans.save": lambda store: store.plans.save(PLAN, NOW),
    "plans.save_first": lambda store: store.plans.save_first(PLAN, NOW),
    "plans.find": lambda store: store.plans.find(GUILD),
    "plans.fetch": lambda store: store.plans.fetch(GUILD),
    "plans.fetch_direct": lambda store: store.plans.fetch_direct(ALICE),
    "posts.find_next": lambda store: store.posts.find_next(PLAN.id),
    "posts.find_last": lambda store: store.posts.find_last(PLAN, DAY),
    "posts.hurry": lambda store: store.posts.hurry(PLAN, DAY, NOW),
    "posts.keep_until": lambda store: store.posts.keep_until(NOW),
    "posts.fetch_due": lambda store: store.posts.fetch_due(NOW, shards=((0,), 2), most=9, after=POST_SEEN),
    "plans.fetch_doubted": lambda store: store.plans.fetch_doubted(NOW),
    "plans.plan_anew": lambda store: store.plans.plan_anew(PLAN, NOW),
    "posts.note_due": lambda store: store.posts.note_due(),
    "posts.claim": lambda store: store.posts.claim(
        [
            replace(POST, shown_ratings={ALICE: Posted(Hundredths(1650), NOW)}),
            replace(POST, day=DAY + timedelta(days=1)),
        ],
        ONE,
        NOW,
    ),
    "posts.mark_delivered": lambda store: store.posts.mark_delivered(POST, MessageId(9), NOW),
    "posts.mark_skipped": skip,
    "posts.retry_later": lambda store: store.posts.retry_later(POST, NOW, PostFailure.DISCORD),
    "plans.delete": lambda store: store.plans.delete(PLAN.id),
    "daily.join": lambda store: store.daily.join(GuildId(78), ALICE, openly=True),
    "daily.fetch_members": lambda store: store.daily.fetch_members(PLAN),
    "daily.count_joined": lambda store: store.daily.count_joined(ALICE),
    "daily.leave": lambda store: store.daily.leave(GUILD, ALICE),
    "feed.join": lambda store: store.feed.join(GuildId(78), ALICE, joined_at=NOW),
    "daily.is_in": lambda store: store.daily.is_in(GUILD, ALICE),
    "feed.is_in": lambda store: store.feed.is_in(GUILD, ALICE),
    "feed.count_joined": lambda store: store.feed.count_joined(ALICE),
    "feed.find_sitting": find_sitting,
    "feed.leave": lambda store: store.feed.leave(GUILD, ALICE),
    "answers.save": lambda store: store.answers.save(ANSWER, since=NOW),
    "answers.find": lambda store: store.answers.find(ACCOUNT, "player", since=NOW),
    "answers.fetch": lambda store: store.answers.fetch([ACCOUNT], "player", since=NOW),
    "answers.fetch_all": lambda store: store.answers.fetch_all(ACCOUNT),
    "answers.fetch_titles": lambda store: store.answers.fetch_titles(),
    "answers.add_titles": lambda store: store.answers.add_titles({SongId("ab"): "A title"}),
    "answers.erase": lambda store: store.answers.erase(ACCOUNT),
    "answers.erase_all": lambda store: store.answers.erase_all(),
    "windows.store": lambda store: store.windows.store(
        [WINDOW, replace(WINDOW, version="1.3")], gone=["token:a"]
    ),
    "windows.load": lambda store: store.windows.load(),
    "aliases.save": lambda store: store.aliases.save(GUILD, "a", Alias("A", SongId("a"))),
    "aliases.fetch": lambda store: store.aliases.fetch(GUILD),
    "aliases.delete": lambda store: store.aliases.delete(GUILD, "a"),
    "aliases.save_all": lambda store: store.aliases.save_all(
        GUILD, {"b": Alias("B", SongId("b")), "c": Alias("C", SongId("a"))}
    ),
    "suggestions.add": lambda store: store.suggestions.add(GUILD, ALICE, "A", SongId("a"), NOW, most=9),
    "suggestions.fetch": lambda store: store.suggestions.fetch(GUILD),
    "suggestions.find": lambda store: store.suggestions.find(GUILD, 1),
    "suggestions.delete": lambda store: store.suggestions.delete(GUILD, 1),
    "hosting.block": lambda store: store.hosting.block(GUILD, NOW),
    "hosting.unblock": lambda store: store.hosting.unblock(GUILD),
    "hosting.fetch_blocked": lambda store: store.hosting.fetch_blocked(),
    "hosting.count_members": lambda store: store.hosting.count_members(),
    "hosting.claim_alert": lambda store: store.hosting.claim_alert("posts late", NOW, unless_since=NOW),
    "hosting.note_wanted": lambda store: store.hosting.note_wanted("a = b", NOW),
    "members.find_sealed_token": lambda store: store.members.find_sealed_token(LINK),
    "chronicle.fetch_unrated": lambda store: store.chronicle.fetch_unrated(
        ALICE, JP2, since=DAY, after=None, most=9
    ),
    "chronicle.save_averages": lambda store: store.chronicle.save_averages(
        ALICE, JP2, {NOW: (Decimal("16.9"), Decimal("16.5"))}
    ),
    "catalogues.save": lambda store: store.catalogues.save(CATALOGUE),
    "catalogues.fetch": lambda store: store.catalogues.fetch(JP2),
    "statistics.save": lambda store: store.statistics.save(CHART, ChartSummary(1, b""), NOW),
    "statistics.save_all": lambda store: store.statistics.save_all({CHART: ChartSummary(1, b"")}, NOW),
    "statistics.is_settled": lambda store: store.statistics.is_settled(CHART, NOW),
    "statistics.fetch_settled": lambda store: store.statistics.fetch_settled(NOW),
    "statistics.count": lambda store: store.statistics.count(),
    "statistics.fetch_all": lambda store: store.statistics.fetch_all(),
    "goals.add": lambda store: store.goals.add(ALICE, "rating 16.50", NOW, start=3, is_reached=False, most=9),
    "goals.fetch": lambda store: store.goals.fetch(ALICE),
    "goals.fetch_reached": lambda store: store.goals.fetch_reached([ALICE], NOW),
    "goals.note_reached": lambda store: store.goals.note_reached(ALICE, ["a", "b"], NOW),
    "goals.delete": lambda store: store.goals.delete(ALICE, "a"),
    "goal_packs.take": lambda store: store.goal_packs.take(
        ALICE, "{}", [NewGoal("rating 16.50", 3, is_reached=False)], NOW, most=3
    ),
    "goal_packs.fetch": lambda store: store.goal_packs.fetch(ALICE),
    "goal_packs.delete": lambda store: store.goal_packs.delete(ALICE, "a", kept=["b"]),
    "goal_packs.pin": lambda store: store.goal_packs.pin(GUILD, "{}", most=3),
    "goal_packs.fetch_pinned": lambda store: store.goal_packs.fetch_pinned(GUILD),
    "goal_packs.unpin": lambda store: store.goal_packs.unpin(GUILD, "a"),
    "members.lock_song": lambda store: store.members.lock_song(ALICE, SongId("a"), most=9),
    "members.unlock_song": lambda store: store.members.unlock_song(ALICE, SongId("a")),
    "greetings.claim": lambda store: store.greetings.claim(GUILD, NOW, again_at=NOW),
    "greetings.begin": lambda store: store.greetings.begin(NOW),
    "greetings.put_off": lambda store: store.greetings.put_off(GUILD, NOW),
    "questions.save": lambda store: store.questions.save("const>=13", NOW),
    "questions.find": lambda store: store.questions.find("a"),
    "rating_checks.fetch": lambda store: store.rating_checks.fetch(ALICE),
    "rating_checks.note": lambda store: store.rating_checks.note(
        LINK, JP2, RatingCheck("a", Hundredths(3), NOW)
    ),
    "rating_checks.count_since": lambda store: store.rating_checks.count_since(NOW),
    "refresh_schedule.fetch_waiting": lambda store: store.refresh_schedule.fetch_waiting(NOW, most=9),
    "refresh_schedule.find": lambda store: store.refresh_schedule.find([ALICE]),
    "refresh_schedule.note": lambda store: store.refresh_schedule.note(LINK, NOW, again_at=NOW),
    "refresh_schedule.put_off": lambda store: store.refresh_schedule.put_off(ALICE, NOW, failures=1),
    "snapshots.save": lambda store: store.snapshots.save(SNAPSHOT, account=ACCOUNT),
    "snapshots.delete_old": lambda store: store.snapshots.delete_old(
        MemberId(-1), DAY + timedelta(days=9_999)
    ),
    "snapshots.fetch_ratings": lambda store: store.snapshots.fetch_ratings(),
    "snapshots.get": lambda store: store.snapshots.get(ALICE, JP2, until=DAY),
    "chronicle.save": lambda store: store.chronicle.save(STATE, FOUND, account=ACCOUNT),
    "chronicle.fetch": lambda store: store.chronicle.fetch(ALICE, JP2, until=NOW, most=2),
    "chronicle.find": lambda store: store.chronicle.find(ALICE, JP2, until=NOW),
    "chronicle.find_next": lambda store: store.chronicle.find_next(ALICE, JP2, after=NOW - timedelta(days=1)),
    "chronicle.fetch_next": lambda store: store.chronicle.fetch_next(ALICE, JP2, after=None, most=2),
    "chronicle.fetch_chart": lambda store: store.chronicle.fetch_chart(ALICE, JP2, (SongId("a"), MASTER)),
    "chronicle.find_beginning": lambda store: store.chronicle.find_beginning(ALICE, JP2),
    "chronicle.find_figures": lambda store: store.chronicle.find_figures(ALICE, JP2),
    "boards.fetch_scores": lambda store: store.boards.fetch_scores(CHART, Whose(GUILD), JP2),
    "boards.fetch_standings": lambda store: store.boards.fetch_standings(
        Measure.RATING, Whose(GUILD), JP2, NOW
    ),
    "boards.fetch_moments": lambda store: store.boards.fetch_moments([ALICE], JP2),
    "boards.backfill_scores": lambda store: store.boards.backfill_scores(ALICE, JP2),
    "boards.fetch_figures": lambda store: store.boards.fetch_figures(Measure.BEST, [ALICE], JP2),
    "chronicle.fetch_changes": lambda store: store.chronicle.fetch_changes(ALICE),
    "chronicle.fetch_looks": lambda store: store.chronicle.fetch_looks([ALICE], JP2, first=DAY, last=DAY),
    "belongings.export": lambda store: store.belongings.export(ALICE),
    "belongings.erase": lambda store: store.belongings.erase(ALICE),
    "belongings.fetch_guilds": lambda store: store.belongings.fetch_guilds(),
    "belongings.erase_guild": lambda store: store.belongings.erase_guild(GUILD, is_left=lambda: True),
}
"""Every method of every repository."""

READ_THROUGH: Final[Mapping[str, tuple[set[str], str]]] = {
    "leases.reap": (
        {"processes"},
        "there are never more of them than run at a time, and who was killed since",
    ),
    "leases.fetch_processes": ({"processes"}, "as above"),
    "windows.load": ({"kept_windows"}, "once, at start: they are kept in memory"),
    "statistics.fetch_settled": (
        {"chart_statistics"},
        "there are never more than the game has charts, and one process asks four times an hour",
    ),
    "answers.fetch_titles": (
        {"song_titles"},
        "there are never more than the game has songs, read when one is new",
    ),
    "statistics.count": ({"chart_statistics"}, "there are never more than the game has charts"),
    "snapshots.fetch_ratings": (
        {"links"},
        "whom charts have to be in reach of: one process asks four times an hour",
    ),
    "hosting.fetch_blocked": ({"blocked_servers"}, "once, at start: a host blocks few"),
    "hosting.count_members": ({"links"}, "when the host asks how the bot is"),
    "hosting.note_wanted": (
        {"wanted_aliases"},
        "there are never more than a thousand, and few people are asked",
    ),
    "links.rotate_keys": ({"links"}, "every token is encrypted anew, by an operator's command"),
    "belongings.fetch_guilds": (
        {"alias_suggestions", "aliases", "daily_members", "feed_members", "pinned_packs", "sightings"},
        "once, at start: which servers the bot is in, Discord alone knows",
    ),
}
"""The methods that read whole tables on purpose, which ones, and why."""

_NEVER_THERE: Final = {"leases.join", "suggestions.add"}
"""The methods whose rows have a key that was made in that moment, by chance or by the database."""
_MEMBERS_WRITTEN: Final = re.compile(
    r"(INSERT INTO|UPDATE|DELETE FROM) (links|preferences)\b(?! SET token=\S+ WHERE)"
)
"""But for tokens alone, of which memory has none."""
_PAST_WRITTEN: Final = re.compile(r"(INSERT INTO|UPDATE|DELETE FROM) snapshots\b(?! SET best_average=)")
"""But for averages that were worked out later, of which memory has none."""
_SCAN: Final = re.compile(r"SCAN (\w+)")
_ALIAS: Final = re.compile(r"(\w+) AS (\w+)")


def tables_read_through(database: Path, statement: str, values: Any) -> set[str]:
    with closing(sqlite3.connect(database)) as connection:
        steps = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}", values)]
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    called = {alias: name for name, alias in _ALIAS.findall(statement) if name in tables}
    scanned = {found[1] for step in steps if (found := _SCAN.match(step))}
    return {called.get(name, name) for name in scanned} & tables


def test_a_table_is_known_by_its_alias(filled: Path) -> None:
    assert tables_read_through(filled, "SELECT whole.rating FROM snapshots AS whole", ()) == {"snapshots"}


async def fill(store: Store) -> None:
    """Have a row of everything, so that no method ends before its last query."""
    await store.links.save(LINK, TOKEN)
    assert await store.plans.save(replace(PLAN, id=PlanId(0)), NOW - timedelta(days=1)) == PLAN
    await store.daily.join(GUILD, ALICE)
    assert await store.plans.save(replace(FEED, id=PlanId(0)), NOW - timedelta(days=1)) == FEED
    await store.feed.join(GUILD, ALICE, joined_at=NOW - timedelta(days=1))
    await store.chronicle.save(STATE, FOUND, account=ACCOUNT)
    assert await store.plans.save(replace(FEED, id=PlanId(0), channel=ChannelId(6)), NOW - timedelta(days=1))
    await store.snapshots.save(SNAPSHOT, account=ACCOUNT)
    await store.sightings.note(GUILD, ALICE)
    await store.leases.join(ONE, seconds=None)
    assert await store.leases.acquire(LEASE.name, ONE) == LEASE


@pytest.fixture(scope="module")
def filled(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an SQLite database with a row of everything, for copies."""
    file = Path(shutil.copy(migrated, tmp_path_factory.mktemp("filled")))

    async def fill_it() -> None:
        async with Store(f"sqlite+aiosqlite:///{file}", VAULT) as store:
            await fill(store)

    asyncio.run(fill_it())
    return file


@pytest.fixture
def filled_url(request: pytest.FixtureRequest, url: str) -> str:
    if url.startswith("sqlite"):
        shutil.copy(request.getfixturevalue("filled"), make_url(url).database or "")
    return url


@pytest.fixture
async def store(filled_url: str) -> AsyncIterator[Store]:
    async with Store(filled_url, VAULT) as store:
        if not filled_url.startswith("sqlite"):
            await fill(store)
        yield store


def test_every_method_of_the_store_is_used_here(url: str) -> None:
    repositories: dict[str, object] = {
        name: each
        for name, each in vars(Store(url, Vault([new_key()]))).items()
        if name[0] != "_" and not isinstance(each, InvalidationBus)  # which stands in no table
    }
    methods = {
        f"{name}.{method}"
        for name, repository in repositories.items()
        for method, _ in inspect.getmembers(type(repository), inspect.iscoroutinefunction)
        if not method.startswith("_")
    }
    assert set(USES) == methods


@pytest.mark.sqlite
@pytest.mark.parametrize("use", USES)
async def test_no_query_reads_through_a_table_that_grows(store: Store, tmp_path: Path, use: str) -> None:
    with statements_of(store) as sent:
        await USES[use](store)
    assert sent
    read_through = {
        table
        for statement, values in sent
        for table in tables_read_through(tmp_path / "kiroku.db", statement, values)
    }
    assert read_through == (READ_THROUGH[use][0] if use in READ_THROUGH else set())


@pytest.mark.heavy
@pytest.mark.parametrize("use", sorted(USES.keys() - _NEVER_THERE))
async def test_every_row_that_is_added_may_be_there_already(store: Store, use: str) -> None:
    """Another program may have added it since: on PostgreSQL nothing else keeps it from coming between."""
    with statements_of(store) as sent:
        await USES[use](store)
    added = [statement for statement, _ in sent if statement.startswith("INSERT")]
    assert [statement for statement in added if "ON CONFLICT" not in statement] == []


@pytest.mark.heavy
@pytest.mark.parametrize("use", USES)
async def test_whoever_is_written_is_read_anew(store: Store, use: str) -> None:
    for read, written in (("members.get", _MEMBERS_WRITTEN), ("snapshots.get", _PAST_WRITTEN)):
        await USES[read](store)
        with statements_of(store) as sent:
            await USES[use](store)
        if any(written.match(statement) for statement, _ in sent):
            with statements_of(store) as sent:
                await USES[read](store)
            assert sent
