"""Of `bot.database.file_identity`: a file that is deleted or replaced under the bot is noticed, and nothing is written meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from harness import LogBook
from patience import PATIENT_SECONDS
from sqlalchemy import make_url
from world import MORNING

from bot import store as rooms
from bot.database.engine import Database
from bot.domain.errors import CannotKeep, CannotRead
from bot.store import Store, StoreUnavailable, Vault, examine, new_key

pytestmark = pytest.mark.sqlite


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with Store(url, Vault([new_key()]), serves=True) as store, store.member():
        yield store


@pytest.fixture
def file(url: str) -> Path:
    return Path(str(make_url(url).database))


def size_of(file: Path) -> int | None:
    return file.stat().st_size if file.exists() else None


def away(file: Path) -> Path:
    return file.rename(file.with_name("aside.db"))


def back(aside: Path, file: Path) -> None:
    aside.replace(file)


async def keep(store: Store, text: str) -> str:
    return await store.questions.save(text, MORNING)


@pytest.mark.parametrize("is_replaced", [True, False], ids=["replaced", "deleted"])
async def test_nothing_is_written_until_the_file_is_back(
    url: str, store: Store, file: Path, log: LogBook, *, is_replaced: bool
) -> None:
    before = await keep(store, "const>=13")
    aside = away(file)
    if is_replaced:
        await asyncio.to_thread(file.touch)
    for _ in range(2):
        with pytest.raises(CannotKeep):
            await keep(store, "const>=14")
    assert log.text.count("was deleted or replaced") == 1
    assert await store.find_trouble() == "the file of the database was deleted or replaced"
    with pytest.raises(StoreUnavailable, match="deleted or replaced under the bot that runs"):
        await examine(url)
    assert size_of(file) == (0 if is_replaced else None)
    back(aside, file)
    after = await keep(store, "const>=15")
    assert await store.questions.find(after) == "const>=15"
    assert await store.questions.find(before) == "const>=13"
    assert await store.find_trouble() is None
    assert "the file of the database is back" in log.text
    assert (await examine(url)).kind == "SQLite"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("is_replaced", [True, False], ids=["replaced", "deleted"])
async def test_no_other_file_is_opened_for_who_reads(
    url: str, file: Path, log: LogBook, *, is_replaced: bool
) -> None:
    database = Database(url)
    await database.connect()
    async with database.read():  # so that whoever reads beside them needs another connection
        aside = away(file)
        if is_replaced:
            await asyncio.to_thread(file.touch)
        with pytest.raises(CannotRead):
            async with database.read():
                pass
        assert size_of(file) == (0 if is_replaced else None)
    async with database.read():  # by what is open still
        pass
    assert "can be read again" not in log.text
    async with database.read():
        back(aside, file)
        async with database.read():
            pass
    assert "can be read again" in log.text
    await database.close()


async def test_it_is_looked_at_when_nobody_writes(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "_LOOK_SECONDS", 0.001)
    watching = asyncio.create_task(store._watch())
    aside = away(file)
    async with asyncio.timeout(PATIENT_SECONDS):
        while not store.is_displaced:  # noqa: ASYNC110 - nobody is told
            await asyncio.sleep(0)
        back(aside, file)
        while store.is_displaced:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0)
    watching.cancel()


async def test_a_bot_that_has_ended_says_nothing_of_the_file(url: str, file: Path) -> None:
    async with Store(url, Vault([new_key()]), serves=True) as store, store.member():
        pass
    away(file)
    assert (await examine(url)).revision is None
