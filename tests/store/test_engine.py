"""Of `bot.database.engine`: what a transaction that is cut off leaves behind, who waits for whom, and a server that is away."""

import asyncio
import os
import random
import signal
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from unittest.mock import AsyncMock

import asyncpg
import pytest
from cluster import Cluster, create_database, name_of, run_sql
from harness import LogBook
from hearing import listens
from patience import PATIENT_SECONDS
from sqlalchemy import event, make_url, text
from sqlalchemy.util import await_only

from bot.database import engine
from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import LINKS
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.history import Snapshot
from bot.domain.ids import JP2, GuildId, MemberId, UserId, UserName
from bot.domain.kept import KeptAnswer, KeptWindow
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.store import KeptCatalogue, Store, Vault, new_key

LINK: Final = AccountLink(
    member=MemberId(1),
    user_id=UserId(7),
    user_name=UserName("alice"),
    region=JP2,
    visibility=Visibility.SERVERS,
    linked_at=datetime(2026, 11, 1, 12, tzinfo=UTC),
)
DISCORD_SECONDS: Final = 3.0
"""For which somebody's command may go unheard."""
WINDOW: Final = KeptWindow(
    account="account:7", version="2.0", limit=120, remaining=40, lost=1, reset_at=None, ends_at=None,
    sent_at=LINK.linked_at, spacing=0.5, dearest=2,
)  # fmt: skip


@pytest.mark.sqlite
def test_sqlite_syncs_at_checkpoints_alone(tmp_path: Path) -> None:
    """Every commit would wait for the disk with FULL, and with OFF a power cut could cost the file."""
    shipped = engine._PRAGMAS.removesuffix(" PRAGMA synchronous = OFF;")  # as `tests/conftest.py` has it
    with closing(sqlite3.connect(tmp_path / "any.db")) as connection:
        connection.executescript(shipped)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (1,)


@pytest.mark.sqlite
async def test_a_transaction_that_is_cut_off_keeps_nobody_from_writing(url: str) -> None:
    """As a bot that ends while it keeps a catalogue; cut at forty moments, for nobody knows which is the worst."""
    vault, chance = Vault([new_key()]), random.Random(7)  # noqa: S311 - a moment to cut at
    for number in range(40):
        async with Store(url, vault) as store:
            now = datetime.now(UTC)
            catalogue = KeptCatalogue(
                region=JP2,
                digest=str(number),
                first_seen_at=now,
                last_seen_at=now,
                content=os.urandom(300_000),
            )
            writing: list[asyncio.Task[Any]] = [
                asyncio.create_task(store.catalogues.save(catalogue)),
                asyncio.create_task(store.windows.store([], gone={"nobody"})),
                asyncio.create_task(store.members.get(MemberId(1))),
            ]
            await asyncio.sleep(chance.random() * 0.03)
            for each in writing:
                each.cancel()
            await asyncio.gather(*writing, return_exceptions=True)
            await asyncio.to_thread(write_at_once, Path(str(make_url(url).database)))


def write_at_once(file: Path) -> None:
    """Raise: sqlite3.OperationalError where somebody still holds the database."""
    database = sqlite3.connect(file, timeout=PATIENT_SECONDS / 3, isolation_level=None)
    try:
        database.execute("BEGIN IMMEDIATE")
        database.execute("ROLLBACK")
    finally:
        database.close()


@pytest.mark.postgres
async def test_what_is_kept_of_a_link_while_it_is_erased_goes_with_it(
    cluster: Path, url: str, store: Store
) -> None:
    """A writer that has seen the link is waited for, in whichever process it is."""
    await store.links.save(LINK, "5d" * 32)
    answer = KeptAnswer(account=LINK.user_id, question="player", body=b"x", fetched_at=LINK.linked_at)
    snapshot = Snapshot(
        member=LINK.member, region=JP2, day=date(2026, 11, 1), taken_at=LINK.linked_at,
        rating=Hundredths(1650), scores={},
    )  # fmt: skip
    for keep in (
        store.answers.save(answer, since=answer.fetched_at),
        store.snapshots.save(snapshot, account=LINK.user_id),
        store.daily.join(GuildId(7), LINK.member),
    ):
        with held_before_it_adds(store) as (has_looked, goes_on):
            keeping = asyncio.create_task(keep)
            await has_looked.wait()
            erasing = asyncio.create_task(store.links.erase(LINK.member))
            while not erasing.done() and not await are_locked(cluster, url):
                pass
            goes_on.set()
            await asyncio.gather(keeping, erasing)
        assert await store.answers.fetch_all(LINK.user_id) == []
        store.snapshots.drop(LINK.member)
        assert (await store.snapshots.get(LINK.member, JP2, until=snapshot.day)).newest == ()
        assert await store.daily.count_joined(LINK.member) == 0
        await store.links.save(LINK, "5d" * 32)


ERASING: Final[dict[str, Callable[[Store, AccountLink], Awaitable[object]]]] = {
    "unlink": lambda store, link: store.links.erase(link.member),
    "erase": lambda store, link: store.belongings.erase(link.member),
    "link another": lambda store, link: store.links.save(
        replace(link, user_id=UserId(99 + link.member)), "5d" * 32
    ),
}


@pytest.mark.postgres
@pytest.mark.parametrize("erase", ERASING.values(), ids=ERASING)
async def test_two_who_erase_one_account_at_once_do_not_wait_for_each_other(
    cluster: Path, url: str, store: Store, erase: Callable[[Store, AccountLink], Awaitable[object]]
) -> None:
    both = [LINK, replace(LINK, member=MemberId(2))]
    for link in both:
        await store.links.save(link, "5d" * 32)
    answer = KeptAnswer(account=LINK.user_id, question="player", body=b"x", fetched_at=LINK.linked_at)
    await store.answers.save(answer, since=answer.fetched_at)
    with held_before(store, "FOR KEY SHARE", 2) as (arrived, goes_on):
        erasing = [asyncio.ensure_future(erase(store, link)) for link in both]
        while len(arrived) < len(both) and not await are_locked(cluster, url):
            pass
        goes_on.set()
        await asyncio.gather(*erasing)
    assert await store.answers.fetch_all(LINK.user_id) == []


@pytest.mark.postgres
async def test_who_keeps_an_answer_and_who_erases_the_account_do_not_wait_for_each_other(
    cluster: Path, url: str, store: Store
) -> None:
    await store.links.save(LINK, "5d" * 32)
    old = KeptAnswer(account=LINK.user_id, question="player", body=b"x", fetched_at=LINK.linked_at)
    await store.answers.save(old, since=old.fetched_at)
    new = replace(old, fetched_at=old.fetched_at + timedelta(days=8))
    with held_before(store, "FOR KEY SHARE", 1) as (arrived, goes_on):
        keeping = asyncio.create_task(store.answers.save(new, since=new.fetched_at))
        while not arrived:
            await are_locked(cluster, url)
        erasing = asyncio.create_task(store.links.erase(LINK.member))
        while not erasing.done() and not await are_locked(cluster, url):
            pass
        goes_on.set()
        await asyncio.gather(keeping, erasing)
    assert await store.answers.fetch_all(LINK.user_id) == []


async def are_locked(cluster: Path, url: str) -> bool:
    """Return whether a session of a database waits for another one."""
    waiting = f"SELECT 1 FROM pg_stat_activity WHERE datname = '{name_of(url)}' AND wait_event_type = 'Lock'"  # noqa: S608 - of this test
    return bool(await asyncio.to_thread(run_sql, cluster, waiting))


@contextmanager
def held_before(store: Store, words: str, most: int) -> Generator[tuple[list[str], asyncio.Event]]:
    """Hold the first so many statements in which some words are, until they may go on."""
    arrived, goes_on = list[str](), asyncio.Event()

    def hold(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if words in statement and len(arrived) < most:
            arrived.append(statement)
            await_only(goes_on.wait())

    engine = store._database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", hold)
    try:
        yield arrived, goes_on
    finally:
        event.remove(engine, "before_cursor_execute", hold)


@contextmanager
def held_before_it_adds(store: Store) -> Generator[tuple[asyncio.Event, asyncio.Event]]:
    """Hold the first statement that adds a row, until it may go on."""
    has_looked, goes_on = asyncio.Event(), asyncio.Event()

    def hold(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.startswith("INSERT") and not has_looked.is_set():
            has_looked.set()
            await_only(goes_on.wait())

    engine = store._database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", hold)
    try:
        yield has_looked, goes_on
    finally:
        event.remove(engine, "before_cursor_execute", hold)


async def test_a_writer_that_waits_too_long_for_another_keeps_nothing(url: str, store: Store) -> None:
    await store.links.save(LINK, "5d" * 32)
    other = Database(url)
    async with other.write() as connection:
        await connection.execute(LINKS.delete())
        with pytest.raises(CannotKeep):
            await store.windows.store([replace(WINDOW, account=f"account:{LINK.user_id}")])
    await other.close()


@pytest.mark.postgres
async def test_an_answer_waits_less_for_another_writer_than_a_change(store: Store) -> None:
    waits: list[str] = []
    for seconds in (None, COURTESY_SECONDS):
        async with store._database.write(seconds=seconds) as connection:
            waits += (await connection.execute(text("SHOW lock_timeout"))).scalars()
    assert waits == ["5s", "500ms"]


@pytest.mark.postgres
async def test_a_connection_that_the_server_has_closed_is_noticed_before_it_is_used(
    cluster: Path, url: str, store: Store
) -> None:
    async with store._database.read() as connection:
        session: Any = (await connection.get_raw_connection()).driver_connection
    sessions = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name_of(url)}'"  # noqa: S608 - of this test
    run_sql(cluster, sessions)
    while not session.is_closed():  # noqa: ASYNC110 - nobody is told
        await asyncio.sleep(0)
    await store.members.get(MemberId(1))


@pytest.mark.postgres
@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_server_that_goes_away_is_told_and_found_again(log: LogBook, how: signal.Signals) -> None:
    with Cluster() as own:
        async with Store(create_database(own.folder, "own"), Vault([new_key()])) as store:
            await store.links.save(LINK, "5d" * 32)
            async with asyncio.timeout(PATIENT_SECONDS):
                await listens(store)
            known = await store.members.get(LINK.member)
            own.stop(how)
            for _ in range(2):
                with pytest.raises(CannotRead):
                    await store.links.are_kept()
                assert await store.links.open_token(LINK) == "5d" * 32  # it stands in memory with the member
                with pytest.raises(CannotKeep):
                    await store.questions.save("const>=13", LINK.linked_at)
            assert await store.members.get(LINK.member) == known
            assert log.text.count("the database cannot be read") == 1
            assert log.text.count("the database cannot be written") == 1
            own.start()
            assert await store.links.open_token(LINK) == "5d" * 32
            assert await store.questions.find(await store.questions.save("const>=13", LINK.linked_at))
            assert "the database can be written again" in log.text


@pytest.mark.postgres
@pytest.mark.usefixtures("cluster")
async def test_a_server_that_stands_still_keeps_nobody_waiting_for_long() -> None:
    with Cluster() as own:
        async with Store(create_database(own.folder, "own"), Vault([new_key()])) as store:
            with own.paused(), pytest.raises(CannotRead):
                await store.links.is_linked(LINK.user_id)
            assert not await store.links.is_linked(LINK.user_id)


@pytest.mark.postgres
@pytest.mark.usefixtures("cluster")
def test_a_server_that_stands_still_goes_on_though_a_session_ended_as_it_was_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Cluster() as own:
        ended = subprocess.Popen(["true"])
        ended.wait()
        monkeypatch.setattr(own, "list_sessions", lambda: [ended.pid])
        with own.paused():
            pass
        assert run_sql(own.folder, "SELECT 1") == "1\n"


@pytest.mark.postgres
@pytest.mark.usefixtures("cluster")
async def test_while_discord_waits_a_server_that_stands_still_is_hardly_waited_for() -> None:
    """Two members are asked for in three seconds: settings, then who may see the answer."""
    with Cluster() as own:
        async with Store(create_database(own.folder, "own"), Vault([new_key()])) as store:
            with own.paused():
                async with asyncio.timeout(2 * DISCORD_SECONDS):  # a third of what two statements may take
                    for member in (LINK.member, MemberId(2)):
                        with pytest.raises(CannotRead):
                            await store.members.get(member)
            async with asyncio.timeout(PATIENT_SECONDS):
                while store.bus._overdue:  # noqa: ASYNC110 - nobody is told
                    await asyncio.sleep(0.05)
            assert (await store.members.get(LINK.member)).link is None


@pytest.mark.postgres
@pytest.mark.parametrize(
    "error", [asyncpg.InternalClientError("cannot switch"), asyncpg.AdminShutdownError()]
)
async def test_a_server_that_goes_away_while_it_lets_somebody_in_is_away(
    url: str, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver raises whatever its state comes to, and nobody wraps that before the first statement."""
    database = Database(url)
    async with database.read():
        monkeypatch.setattr(asyncpg.Connection, "execute", AsyncMock(side_effect=error))
        with pytest.raises(CannotRead):
            async with database.read():
                pass
    await database.close()


@pytest.mark.postgres
async def test_connections_that_could_only_read_are_thrown_away(cluster: Path, url: str) -> None:
    """As those to a server that was a copy of another one for a while."""
    name = f'"{name_of(url)}"'
    run_sql(cluster, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    database = Database(url)
    await asyncio.gather(*(database.connect() for _ in range(3)))
    run_sql(cluster, f"ALTER DATABASE {name} RESET default_transaction_read_only")
    with pytest.raises(CannotKeep):
        await add_link(database)
    for _ in range(4):
        await add_link(database)
    await database.close()


async def add_link(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(LINKS.delete())


async def test_what_is_asked_after_the_end_opens_nothing(url: str) -> None:
    """As by a task that has not heard yet: nobody would close it."""
    async with Store(url, Vault([new_key()])) as store:
        await store.members.get(LINK.member)
    with pytest.raises(CannotRead):
        await store.aliases.fetch(GuildId(1))
