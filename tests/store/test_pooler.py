"""The bot behind PgBouncer: one that keeps a session for each connection serves it, any other is named."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from pooling import pooled

from bot.__main__ import main
from bot.base.clock import SystemClock
from bot.base.config import parse_settings
from bot.database.engine import Database
from bot.database.pooler import check_sessions
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.program.doctor import Doctor
from bot.program.findings import Finding, Verdict
from bot.store import Store, StoreUnavailable, Vault, new_key

KEYS = new_key()


async def diagnosed(url: str) -> Finding:
    found = await Doctor(parse_settings({"database_url": url, "token_keys": KEYS}), SystemClock()).examine()
    return next(each for each in found if each.what == "DATABASE_URL")


@pytest.mark.postgres
async def test_one_that_keeps_sessions_serves_the_bot(cluster: Path, url: str) -> None:
    with pooled(url, cluster, "session") as address:
        assert (await diagnosed(address)).mark is Verdict.FINE
        async with Store(address, Vault([KEYS])) as store, store.member() as presence:
            await asyncio.gather(*(store.links.save(link_of(number), "token") for number in range(1, 9)))
            assert (await store.members.get(MemberId(3))).link == link_of(3)
            assert await presence.acquire("something") is not None
            async with store._database.read() as connection:
                told = await connection.exec_driver_sql("SHOW lock_timeout")
                assert told.scalar_one() == "5s"
                told = await connection.exec_driver_sql("SHOW idle_in_transaction_session_timeout")
                assert told.scalar_one() == "30s"


@pytest.mark.postgres
async def test_one_that_keeps_none_is_named(cluster: Path, url: str) -> None:
    with pooled(url, cluster, "transaction") as address:
        for _ in range(3):  # what an earlier connection has left there is no other cause
            found = await diagnosed(address)
            assert found.mark is Verdict.WRONG
            assert found.sentence.startswith("DATABASE_URL leads to a pooler that keeps no session")
            assert "`pool_mode = session`" in found.sentence
            with pytest.raises(StoreUnavailable, match="keeps no session"):
                async with Store(address, Vault([KEYS]), serves=True):
                    pass


@pytest.mark.postgres
async def test_one_that_others_use_is_named_all_the_same(cluster: Path, url: str) -> None:
    """They take what the first connection had, so that the second has another one."""
    with pooled(url, cluster, "transaction") as address:
        others = [Database(address) for _ in range(4)]
        ended = asyncio.Event()

        async def work(database: Database) -> None:
            while not ended.is_set():
                async with database.write() as connection:
                    await connection.exec_driver_sql("SELECT pg_sleep(0.002)")

        working = [asyncio.create_task(work(each)) for each in others]
        for _ in range(5):
            database = Database(address)
            with pytest.raises(StoreUnavailable, match="keeps no session"):
                await check_sessions(database)
            await database.close()
        ended.set()
        await asyncio.gather(*working, return_exceptions=True)
        for each in others:
            await each.close()


@pytest.mark.postgres
def test_a_start_says_so_in_one_sentence(
    cluster: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pooled(url, cluster, "transaction") as address:
        said = CliRunner().invoke(main, ["db", "upgrade"], env={"DATABASE_URL": address, "TOKEN_KEYS": KEYS})
    assert said.exit_code == 1
    (sentence,) = said.stderr.splitlines()
    assert sentence.startswith("DATABASE_URL leads to a pooler that keeps no session for each connection. ")


async def test_without_one_nothing_is_taken_for_one(url: str) -> None:
    database = Database(url)
    await check_sessions(database)
    await database.close()


def link_of(number: int) -> AccountLink:
    return AccountLink(
        member=MemberId(number), user_id=UserId(number), user_name=UserName(f"player{number}"), region=JP2,
        visibility=Visibility.ONLY_ME, linked_at=datetime(2026, 11, 1, tzinfo=UTC),
    )  # fmt: skip
