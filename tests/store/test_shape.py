"""Versions side by side: nobody changes the shape of a database under one who serves, and an older version waits."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hearing import listens
from patience import PATIENT_SECONDS
from shapes import shape_as
from sqlalchemy import text

from bot.database.engine import Database
from bot.database.migrate import COPYING, find_applied, find_oldest, known_revisions, note_oldest
from bot.database.trouble import StoreHeld, StoreNotWhole
from bot.store import Store, StoreTooNew, Vault, new_key

BEFORE, NEWEST = known_revisions()[-2:]
WAITS_FOR_OLDER, IS_OLDER = "another process still uses it as it is", "newer than this version of Kiroku"


def store_of(url: str, *, serves: bool = True) -> Store:
    return Store(url, Vault([new_key()]), serves=serves)


async def find_shape(url: str) -> str | None:
    database = Database(url)
    async with database.read() as connection:
        found = await connection.run_sync(find_applied)
    await database.close()
    return found


async def set_shape(url: str, revision: str, *, oldest: str | None = None) -> None:
    """Say that a database has another shape, and which version may still serve with it: no older one, by itself."""
    database = Database(url)
    async with database.write() as connection:
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))  # noqa: S608 - a test's own
        await connection.run_sync(note_oldest, oldest or revision)
    await database.close()


async def until(said: str, caplog: pytest.LogCaptureFixture) -> None:
    async with asyncio.timeout(PATIENT_SECONDS):
        while said not in caplog.text:  # noqa: ASYNC110 - a log tells nobody
            await asyncio.sleep(0.01)


async def soon(awaited: Awaitable[object]) -> None:
    await asyncio.wait_for(awaited, PATIENT_SECONDS)


@pytest.fixture
async def older(url: str) -> AsyncIterator[tuple[Store, AsyncExitStack]]:
    """One who serves with a database in the shape before, and knows no other; and what ends them."""
    await shape_as(url, BEFORE)
    store = store_of(url)
    store._shape._known.remove(NEWEST)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(store)
        await listens(store)
        yield store, stack


@pytest.fixture
def changing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the last migration change what stands, whatever it says of itself."""
    for module in ("bot.database.migrate", "bot.cluster.schema_guard"):
        monkeypatch.setattr(f"{module}.adds_alone", "".__eq__)


@pytest.mark.usefixtures("changing")
class TestNewer:
    async def test_it_changes_nothing_until_the_older_one_has_ended(
        self, url: str, older: tuple[Store, AsyncExitStack], caplog: pytest.LogCaptureFixture
    ) -> None:
        _, ending = older
        async with AsyncExitStack() as stack:
            starting = asyncio.create_task(stack.enter_async_context(store_of(url)))
            await until(WAITS_FOR_OLDER, caplog)
            assert await find_shape(url) == BEFORE
            await ending.aclose()
            await soon(starting)
            assert await find_shape(url) == NEWEST
        assert caplog.text.count(WAITS_FOR_OLDER) == 1

    @pytest.mark.postgres
    @pytest.mark.usefixtures("cluster")
    async def test_the_older_one_hears_that_it_has_to_leave(
        self, url: str, older: tuple[Store, AsyncExitStack]
    ) -> None:
        store, ending = older
        async with AsyncExitStack() as stack:
            starting = asyncio.create_task(stack.enter_async_context(store_of(url)))
            await soon(store.until_outdated())
            assert await find_shape(url) == BEFORE
            await ending.aclose()
            await soon(starting)

    @pytest.mark.usefixtures("older")
    async def test_a_command_says_who_is_in_the_way(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("bot.cluster.schema_guard._MAX_POLLS", 2)
        with pytest.raises(StoreHeld, match="another process still uses it"):
            async with store_of(url, serves=False):
                pass
        assert await find_shape(url) == BEFORE

    async def test_two_that_start_at_once_both_serve(
        self, url: str, older: tuple[Store, AsyncExitStack]
    ) -> None:
        await older[1].aclose()
        async with AsyncExitStack() as stack:
            await soon(asyncio.gather(*(stack.enter_async_context(store_of(url)) for _ in range(4))))
            assert await find_shape(url) == NEWEST


class TestAddingAlone:
    """Between minor versions, whose migrations say so."""

    @pytest.fixture(autouse=True)
    def adding(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in ("bot.database.migrate", "bot.cluster.schema_guard"):
            monkeypatch.setattr(f"{module}.adds_alone", NEWEST.__eq__)

    async def test_a_newer_one_waits_for_nobody_and_the_older_one_serves_on(
        self, url: str, older: tuple[Store, AsyncExitStack]
    ) -> None:
        store, _ = older
        await set_shape(url, BEFORE)
        async with store_of(url) as newer:
            assert await find_shape(url) == NEWEST
            assert await store.find_trouble() is None
            assert await newer.find_trouble() is None
            assert not store._shape._outdated.is_set()

    async def test_an_older_one_that_starts_serves_too_and_no_command_changes_anything(
        self, url: str
    ) -> None:
        async with store_of(url):
            pass
        await set_shape(url, "9999", oldest=NEWEST)
        async with store_of(url) as store:
            assert await store.find_trouble() is None
        with pytest.raises(StoreTooNew):
            async with store_of(url, serves=False):
                pass

    @pytest.mark.sqlite
    @pytest.mark.usefixtures("all_migrations")
    async def test_what_does_not_only_add_is_written_down(self, tmp_path: Path) -> None:
        url = f"sqlite+aiosqlite:///{tmp_path / 'new.db'}"
        async with store_of(url):
            pass
        database = Database(url)
        async with database.read() as connection:
            oldest = await connection.run_sync(find_oldest)
        await database.close()
        assert oldest == BEFORE  # the last but one of the migrations: the last one only adds, here


class TestOlder:
    async def test_it_waits_and_says_so_once_until_it_can_serve(
        self, url: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        async with store_of(url):
            pass
        await set_shape(url, "9999")
        async with AsyncExitStack() as stack:
            starting = asyncio.create_task(stack.enter_async_context(store_of(url)))
            await until(IS_OLDER, caplog)
            await set_shape(url, NEWEST)
            await soon(starting)
        assert caplog.text.count(IS_OLDER) == 1

    async def test_a_command_refuses_at_once(self, url: str) -> None:
        async with store_of(url):
            pass
        await set_shape(url, "9999")
        with pytest.raises(StoreTooNew):
            async with store_of(url, serves=False):
                pass

    @pytest.mark.postgres
    @pytest.mark.usefixtures("cluster")
    async def test_one_that_lost_its_connection_sees_that_it_has_to_leave(
        self, url: str, older: tuple[Store, AsyncExitStack]
    ) -> None:
        """While it had none, nothing kept the newer one from changing the shape."""
        store, _ = older
        await set_shape(url, NEWEST)
        database = Database(url)
        async with database.write() as connection:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'"
            await connection.execute(text(cut))
        await database.close()
        await soon(store.until_outdated())


async def test_half_a_copy_is_refused_before_a_backup_is_made(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/bot.sqlite3"
    async with store_of(url):
        pass
    await set_shape(url, f"{COPYING}{NEWEST}", oldest=NEWEST)
    before = sorted(os.listdir(tmp_path))  # noqa: PTH208 - names alone, of a folder that is small

    with pytest.raises(StoreNotWhole):
        await soon(store_of(url).__aenter__())
    assert sorted(os.listdir(tmp_path)) == before  # noqa: PTH208 - as above
