"""News between processes: heard by the others alone, once they are true; and what is kept where none come."""

import asyncio
import math
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from cluster import name_of, run_sql
from hearing import listens
from patience import PATIENT_SECONDS

from bot.cluster.invalidation import PROBE_QUERY, InvalidationBus
from bot.database.engine import Database
from bot.domain.errors import CannotRead
from bot.domain.ids import MemberId
from bot.domain.members import Member
from bot.store import Store, Vault, new_key
from bot.store.members import Members

postgres = pytest.mark.postgres

LISTENERS = "SELECT {} FROM pg_stat_activity WHERE datname = '{}' AND query IN ('LISTEN \"kiroku\"', '{}')"


class Hearer:
    """Takes down what it hears."""

    def __init__(self, bus: InvalidationBus) -> None:
        self.heard: list[str] = []
        self.losses = 0
        self._more = asyncio.Event()
        bus.subscribe("said", self._hear)
        bus.on_gap(self._lose)

    def _hear(self, text: str) -> None:
        self.heard.append(text)
        self._more.set()

    def _lose(self) -> None:
        self.losses += 1
        self._more.set()

    async def more(self) -> None:
        """Wait until there is something that nobody has waited for yet."""
        async with asyncio.timeout(PATIENT_SECONDS):
            await self._more.wait()
        self._more.clear()


@pytest.fixture
async def other(url: str, store: Store) -> AsyncIterator[Store]:
    """What another process would have open; the store of the test's own has made the database."""
    async with Store(url, Vault([new_key()])) as other:
        await listens(store)
        await listens(other)
        yield other


async def tell(store: Store, text: object) -> None:
    async with store._database.write() as connection:
        await store.bus.publish(connection, "said", text)


def ask_listeners(cluster: Path, store: Store, what: str) -> str:
    """Ask something about each connection that listens."""
    name = name_of(store._database._url)
    told = run_sql(cluster, LISTENERS.format(what, name, PROBE_QUERY.replace("'", "''")))
    assert told
    return told


@pytest.mark.sqlite
async def test_with_sqlite_nothing_is_told_and_everything_believed(store: Store) -> None:
    hearer = Hearer(store.bus)
    await tell(store, 1)
    assert await store.bus.until_current()
    assert (hearer.heard, hearer.losses) == ([], 0)


@postgres
class TestTold:
    async def test_the_others_hear_it_and_nobody_hears_themselves(self, store: Store, other: Store) -> None:
        mine, theirs = Hearer(store.bus), Hearer(other.bus)
        await tell(store, 1)
        await theirs.more()
        await tell(other, 2)
        await mine.more()
        assert (mine.heard, theirs.heard) == (["2"], ["1"])

    async def test_what_is_rolled_back_is_not_told(self, store: Store, other: Store) -> None:
        theirs = Hearer(other.bus)

        async def change_one_s_mind() -> None:
            async with store._database.write() as connection:
                await store.bus.publish(connection, "said", 1)
                raise LookupError

        with pytest.raises(LookupError):
            await change_one_s_mind()
        await tell(store, 2)
        await theirs.more()
        assert theirs.heard == ["2"]

    async def test_other_topics_are_nobodys(self, store: Store, other: Store) -> None:
        theirs = Hearer(other.bus)
        async with store._database.write() as connection:
            await store.bus.publish(connection, "to-come", 1)
            await store.bus.publish(connection, "said", "2 words")
        await theirs.more()
        assert theirs.heard == ["2 words"]

    async def test_what_cannot_be_read_may_be_about_anything(
        self, store: Store, other: Store, caplog: pytest.LogCaptureFixture
    ) -> None:
        theirs = Hearer(other.bus)
        heard: list[int] = []
        other.bus.subscribe("said", lambda text: heard.append(int(text)))
        await tell(store, "a number, in another version")
        await theirs.more()
        assert theirs.losses == 1
        assert "cannot be read: said" in caplog.text

    async def test_a_piece_of_news_is_bounded(self, store: Store) -> None:
        await tell(store, "x" * 7900)
        with pytest.raises(ValueError, match="too long for one notification: said"):
            await tell(store, "あ" * 3000)


async def test_memory_stands_in_where_nothing_is_heard_and_nothing_can_be_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def are_heard(_bus: InvalidationBus) -> bool:
        return False

    async def cannot_be_read(_members: Members, _member: MemberId) -> Member:
        raise CannotRead

    known = await store.members.get(MemberId(1))
    while MemberId(1) not in store.members.at_hand:
        known = await store.members.get(MemberId(1))
    monkeypatch.setattr(InvalidationBus, "is_current", False)
    monkeypatch.setattr(InvalidationBus, "until_current", are_heard)
    monkeypatch.setattr(Members, "_read", cannot_be_read)
    assert await store.members.get(MemberId(1)) == known
    with pytest.raises(CannotRead):
        await store.members.get(MemberId(2))


async def test_memory_is_not_believed_where_nothing_is_heard(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def are_heard(_bus: InvalidationBus) -> bool:
        return False

    while MemberId(1) not in store.members.at_hand:
        await store.members.get(MemberId(1))
    read = Members._read
    asked: list[MemberId] = []

    async def noted(members: Members, member: MemberId) -> object:
        asked.append(member)
        return await read(members, member)

    monkeypatch.setattr(Members, "_read", noted)
    await store.members.get(MemberId(1))
    assert not asked
    monkeypatch.setattr(InvalidationBus, "is_current", False)
    monkeypatch.setattr(InvalidationBus, "until_current", are_heard)
    await store.members.get(MemberId(1))
    assert asked == [MemberId(1)]


@postgres
class TestLost:
    async def test_a_cut_connection_is_made_anew_and_nothing_before_believed(
        self, cluster: Path, store: Store, other: Store
    ) -> None:
        theirs = Hearer(other.bus)
        ask_listeners(cluster, other, "pg_terminate_backend(pid)")
        await theirs.more()
        assert theirs.losses == 1
        await listens(other)
        await tell(store, 1)
        await theirs.more()
        assert theirs.heard == ["1"]

    async def test_while_none_come_and_the_database_answers_nothing_is_believed(
        self, cluster: Path, other: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def refuse(_database: Database) -> None:
            raise OSError

        theirs = Hearer(other.bus)
        with monkeypatch.context() as patch:
            patch.setattr(Database, "connection_apart", refuse)
            ask_listeners(cluster, other, "pg_terminate_backend(pid)")
            while await other.bus.until_current():  # noqa: ASYNC110 - the server says so a moment later
                await asyncio.sleep(0.01)
        await theirs.more()
        await listens(other)

    async def test_while_the_database_does_not_answer_memory_is_believed(
        self, cluster: Path, other: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        refused = asyncio.Event()

        async def refuse(_database: Database) -> None:
            refused.set()
            raise OSError

        async def cannot(_bus: InvalidationBus) -> bool:
            return False

        monkeypatch.setattr(Database, "connection_apart", refuse)
        monkeypatch.setattr(InvalidationBus, "_read", cannot)
        ask_listeners(cluster, other, "pg_terminate_backend(pid)")
        await refused.wait()
        assert await other.bus.until_current()

    async def test_a_connection_that_says_nothing_is_given_up(
        self, cluster: Path, store: Store, other: Store
    ) -> None:
        """As where a router has forgotten it: nobody is told that it is gone."""
        theirs = Hearer(other.bus)
        pids = [int(pid) for pid in ask_listeners(cluster, other, "pid").split()]
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            await theirs.more()
            await listens(other)
            await tell(store, 1)
            await theirs.more()
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
        assert (theirs.losses, theirs.heard) == (1, ["1"])

    async def test_a_process_that_stood_still_believes_nothing_before_it_has_heard(
        self, other: Store
    ) -> None:
        believed_until = other.bus._current_until = -math.inf
        assert await other.bus.until_current()
        assert other.bus._current_until > believed_until
