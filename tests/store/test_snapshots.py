"""bot/store/snapshots.py: what of members' pasts is in memory, and that nothing of it outlives what takes it away."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from hearing import listens
from sqlalchemy import event
from sqlalchemy.util import await_only
from statements import statements_of

from bot.domain.charts import MASTER
from bot.domain.history import Past, Snapshot
from bot.domain.ids import JP, JP2, MemberId, SongId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.domain.numbers import Hundredths
from bot.store import Store, Vault, new_key, snapshots

ALICE, BOB = MemberId(1), MemberId(2)
TOKEN = "5d" * 32
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
TODAY = NOW.date()
LINK = AccountLink(
    member=ALICE, user_id=UserId(7), user_name=UserName("alice"), region=JP2,
    visibility=Visibility.SERVERS, linked_at=NOW,
)  # fmt: skip
OTHER = replace(LINK, user_id=UserId(8), user_name=UserName("other"))

ENDS: Final[dict[str, Callable[[Store], Awaitable[object]]]] = {
    "unlink": lambda store: store.links.erase(ALICE),
    "erase": lambda store: store.belongings.erase(ALICE),
    "another account": lambda store: store.links.save(OTHER, TOKEN),
}
each_end = pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)


def snapshot(days_ago: int, *, member: MemberId = ALICE, score: int = 1_001_000) -> Snapshot:
    then = NOW - timedelta(days=days_ago)
    return Snapshot(
        member=member, region=JP2, day=then.date(), taken_at=then, rating=Hundredths(1650),
        scores={(SongId("0" * 16), MASTER): score},
    )  # fmt: skip


@pytest.fixture(autouse=True)
async def _alice(store: Store) -> None:
    await store.links.save(LINK, TOKEN)
    for days_ago in (2, 1, 0):
        await store.snapshots.save(snapshot(days_ago), account=LINK.user_id)


async def past_of(store: Store, member: MemberId = ALICE, *, until: date = TODAY) -> Past:
    return await store.snapshots.get(member, JP2, until=until)


async def is_in_memory(store: Store, member: MemberId = ALICE, *, until: date = TODAY) -> bool:
    with statements_of(store) as sent:
        await past_of(store, member, until=until)
    return not sent


async def test_a_past_is_read_once(store: Store) -> None:
    past = await past_of(store)
    assert past.newest == (snapshot(0), snapshot(1))
    assert past.ratings == tuple((NOW - timedelta(days=days), 1650) for days in (2, 1, 0))
    assert await is_in_memory(store)
    assert await is_in_memory(store) is not await is_in_memory(store, BOB)


async def test_another_day_or_region_is_read_anew(store: Store) -> None:
    await past_of(store)
    assert (await past_of(store, until=snapshot(1).day)).newest == (snapshot(1), snapshot(2))
    assert (await store.snapshots.get(ALICE, JP, until=TODAY)).newest == ()


async def test_memory_is_bounded(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "AT_HAND", 2)
    async with Store(url, Vault([new_key()])) as store:
        await listens(store)
        for member in (1, 2, 1, 3):
            await past_of(store, MemberId(member))
        assert [*store.snapshots.at_hand] == [1, 3]


async def test_what_is_saved_is_known_at_once(store: Store) -> None:
    await past_of(store)
    newer = snapshot(0, score=1_002_000)
    await store.snapshots.save(newer, account=LINK.user_id)
    assert (await past_of(store)).newest == (newer, snapshot(1))


async def test_one_that_is_saved_by_somebody_who_is_cancelled_is_known(store: Store) -> None:
    await past_of(store)
    newer = snapshot(0, score=1_002_000)
    saving = asyncio.create_task(store.snapshots.save(newer, account=LINK.user_id))

    def cancel(_connection: Any) -> None:
        saving.cancel()

    event.listen(store.members._database._engine.sync_engine, "commit", cancel, once=True)
    with suppress(asyncio.CancelledError):
        await saving
    assert (await past_of(store)).newest[0] == newer


@each_end
async def test_nothing_outlives_the_link(store: Store, end: Callable[[Store], Awaitable[object]]) -> None:
    bobs = snapshot(0, member=BOB)
    await store.links.save(replace(LINK, member=BOB), TOKEN)
    await store.snapshots.save(bobs, account=LINK.user_id)
    for member in (ALICE, BOB):
        await past_of(store, member)
    await end(store)
    assert [*store.snapshots.at_hand] == [BOB]
    past = await past_of(store)
    assert (past.newest, past.ratings) == ((), ())


@each_end
async def test_a_reading_that_began_before_brings_nothing_back(
    store: Store, end: Callable[[Store], Awaitable[object]]
) -> None:
    has_read, goes_on = asyncio.Event(), asyncio.Event()

    def hold(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "FROM snapshots" in statement and not has_read.is_set():
            has_read.set()
            await_only(goes_on.wait())

    engine = store.members._database._engine.sync_engine
    event.listen(engine, "after_cursor_execute", hold)
    try:
        reading = asyncio.create_task(past_of(store))
        await has_read.wait()
        await end(store)
        goes_on.set()
        assert (await reading).newest == ()
    finally:
        event.remove(engine, "after_cursor_execute", hold)
    assert (await past_of(store)).newest == ()


@pytest.mark.sqlite
async def test_no_more_is_read_than_is_shown(store: Store, tmp_path: Path) -> None:
    with statements_of(store) as sent:
        past = await past_of(store)
    with closing(sqlite3.connect(tmp_path / "kiroku.db")) as database:
        read = [len(database.execute(statement, values).fetchall()) for statement, values in sent]
    assert read == [len(past.newest), len(past.ratings)] == [2, 3]


async def test_ratings_are_those_of_the_linked_region_as_they_were_last_seen(store: Store) -> None:
    for other in (
        replace(snapshot(5), rating=Hundredths(1500)),
        replace(snapshot(0), region=JP, rating=Hundredths(1400)),
    ):
        await store.snapshots.save(other, account=LINK.user_id)
    assert await store.snapshots.fetch_ratings() == {Hundredths(1650)}
