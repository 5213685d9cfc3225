"""Leases: one owner each, a fence that only grows, and nothing left to the dead."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from patience import PATIENT_SECONDS

from bot.cluster.leases import Leases, ProcessId
from bot.cluster.member import MEMBER_TTL_SECONDS
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.store import ClusterMember, Store, Vault, new_key

ONE, OTHER = ProcessId(1), ProcessId(2**61)
HOLD = """
import asyncio, sys
from bot.store import Store, Vault, new_key

async def hold():
    async with Store(sys.argv[1], Vault([new_key()])) as store, store.member() as presence:
        print((await presence.acquire("shards")).fence, flush=True)
        await asyncio.sleep(3600)

asyncio.run(hold())
"""


@pytest.fixture
async def leases(store: Store) -> Leases:
    for process in (ONE, OTHER):
        await store.leases.join(process, seconds=None)
    return store.leases


@pytest.fixture
async def neighbour(url: str) -> AsyncIterator[ClusterMember]:
    """What another process would be; the store of the test's own has made the database."""
    async with Store(url, Vault([new_key()])) as other, other.member() as presence:
        yield presence


class TestRows:
    async def test_one_has_it_and_nobody_else(self, leases: Leases) -> None:
        taken = await leases.acquire("shards", ONE)
        assert taken is not None
        assert (taken.owner, taken.state) == (ONE, {})
        assert await leases.acquire("shards", OTHER) is None
        assert await leases.acquire("shards", ONE) is None
        assert await leases.find_owner("shards") == ONE
        assert await leases.acquire("catalogue", OTHER) is not None

    async def test_of_many_at_once_one_has_it(self, leases: Leases) -> None:
        taken = await asyncio.gather(*(leases.acquire("shards", each) for each in (ONE, OTHER) * 5))
        assert len([each for each in taken if each]) == 1

    async def test_the_next_one_goes_on_from_what_was_left(self, leases: Leases) -> None:
        first = await leases.acquire("shards", ONE)
        assert first is not None
        assert await leases.write_state(first, {"sequence": 7})
        assert await leases.release(first, {"sequence": 8})
        assert await leases.find_owner("shards") is None
        second = await leases.acquire("shards", OTHER)
        assert second is not None
        assert second.state == {"sequence": 8}
        assert second.fence > first.fence

    async def test_who_had_it_before_writes_nothing(self, leases: Leases) -> None:
        first = await leases.acquire("shards", ONE)
        assert first is not None
        assert await leases.release(first, {})
        assert not await leases.write_state(first, {"late": True})
        again = await leases.acquire("shards", ONE)
        assert again is not None
        assert not await leases.write_state(first, {"late": True})
        assert not await leases.release(first, {"late": True})
        assert await leases.write_state(again, {"late": False})

    async def test_what_the_dead_had_is_free_and_they_take_nothing_more(self, leases: Leases) -> None:
        kept = await leases.acquire("catalogue", OTHER)
        first = await leases.acquire("shards", ONE)
        assert kept is not None
        assert first is not None
        await leases.reap([ONE])
        assert await leases.acquire("commands", ONE) is None
        assert not await leases.write_state(first, {})
        second = await leases.acquire("shards", OTHER)
        assert second is not None
        assert second.fence > first.fence
        assert await leases.write_state(kept, {})

    async def test_whose_time_is_over_has_nothing(self, leases: Leases) -> None:
        third = ProcessId(3)
        await leases.join(third, seconds=3600)
        assert await leases.acquire("shards", third) is not None
        await leases.reap()
        assert await leases.find_owner("shards") == third
        assert await leases.heartbeat(third, seconds=-1)
        assert await leases.find_owner("shards") is None
        await leases.reap()
        assert not await leases.heartbeat(third, seconds=3600)
        assert await leases.acquire("shards", ONE) is not None


class TestPresence:
    async def test_who_leaves_leaves_nothing_behind(self, store: Store, neighbour: ClusterMember) -> None:
        async with store.member() as presence:
            assert await presence.acquire("shards") is not None
            assert await neighbour.acquire("shards") is None
            assert len(await store.leases.fetch_processes()) == 2
        assert len(await store.leases.fetch_processes()) == 1
        assert await neighbour.acquire("shards") is not None

    async def test_who_waits_has_it_once_it_is_given_back(
        self, store: Store, neighbour: ClusterMember, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level("INFO", "bot.cluster.member")
        async with store.member() as presence:
            held = await presence.acquire("shards")
            assert held is not None
            waiting = asyncio.create_task(neighbour.wait_to_acquire("shards", why="somebody has it"))
            while "somebody has it" not in caplog.messages:  # noqa: ASYNC110 - a log tells nobody
                await asyncio.sleep(0.01)
            assert await presence.release(held, {"left": 1})
            assert (await waiting).state == {"left": 1}
        assert caplog.messages.count("somebody has it") == 1

    async def test_who_waits_waits_on_while_the_database_is_away(
        self, store: Store, neighbour: ClusterMember, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        refusals = iter((CannotRead, CannotKeep))
        asked = asyncio.Event()

        async def refuse(_name: str) -> None:
            refusal = next(refusals, None)
            if refusal is None:
                asked.set()
                monkeypatch.undo()
                return
            raise refusal

        async with store.member() as presence:
            held = await presence.acquire("shards")
            assert held is not None
            monkeypatch.setattr(neighbour._leases, "find_owner", refuse)
            waiting = asyncio.create_task(neighbour.wait_to_acquire("shards", why="somebody has it"))
            asking = asyncio.create_task(asked.wait())
            await asyncio.wait({waiting, asking}, return_when=asyncio.FIRST_COMPLETED)
            assert asking.done()
            assert await presence.release(held, {})
            assert await waiting

    @pytest.mark.postgres
    async def test_who_is_taken_for_dead_while_waiting_waits_on(
        self, store: Store, neighbour: ClusterMember
    ) -> None:
        async with store.member() as presence:
            held = await presence.acquire("shards")
            assert held is not None
            waiting = asyncio.create_task(neighbour.wait_to_acquire("shards", why="somebody has it"))
            buried = (await store.leases.fetch_processes()).keys() - {held.owner}
            await store.leases.reap(buried)
            await presence.release(held, {})
            async with asyncio.timeout(PATIENT_SECONDS):
                taken = await waiting
            assert taken.owner not in buried

    @pytest.mark.postgres
    async def test_who_is_taken_for_dead_begins_anew_with_nothing(
        self, store: Store, neighbour: ClusterMember
    ) -> None:
        had = await neighbour.acquire("shards")
        assert had is not None
        await store.leases.reap(await store.leases.fetch_processes())
        async with asyncio.timeout(PATIENT_SECONDS):
            while neighbour.me == had.owner:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)
            await neighbour.until_alive()
        assert not await neighbour.write(had, {})
        again = await neighbour.acquire("shards")
        assert again is not None
        assert again.owner == neighbour.me

    @pytest.mark.parametrize("refusal", [CannotKeep, CannotRead])
    async def test_at_once_a_server_that_is_away_is_waited_for_and_a_file_is_not(
        self, url: str, neighbour: ClusterMember, monkeypatch: pytest.MonkeyPatch, refusal: type[BotError]
    ) -> None:
        async def refuse(*_arguments: object) -> None:
            monkeypatch.undo()
            raise refusal

        monkeypatch.setattr(neighbour._leases, "acquire", refuse)
        waiting = neighbour.wait_to_acquire("shards", why="somebody has it")
        if url.startswith("sqlite"):
            with pytest.raises(refusal):
                await waiting
        else:
            async with asyncio.timeout(PATIENT_SECONDS):
                assert await waiting

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell who was killed")
    async def test_what_a_killed_process_had_is_free_at_once(self, store: Store, url: str) -> None:
        process = await asyncio.create_subprocess_exec(sys.executable, "-c", HOLD, url, stdout=PIPE)
        try:
            assert process.stdout is not None
            fence = int(await process.stdout.readline())
            async with store.member() as presence:
                assert await presence.acquire("shards") is None
                process.kill()
                await process.wait()
                taken = await presence.acquire("shards")
                assert taken is not None
                assert taken.fence > fence
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    async def test_those_of_databases_in_memory_are_alone(self) -> None:
        async with AsyncExitStack() as stack:
            for _ in range(2):
                store = Store("sqlite+aiosqlite://", Vault([new_key()]))
                await stack.enter_async_context(store)
                presence = await stack.enter_async_context(store.member())
                assert await presence.acquire("shards") is not None

    @pytest.mark.sqlite
    @pytest.mark.skipif(sys.platform != "linux", reason="there is none on other systems")
    async def test_the_file_of_the_locks_is_its_owners_alone(self, store: Store, tmp_path: Path) -> None:
        async with store.member():
            (mode,) = [each.stat().st_mode for each in tmp_path.glob("*-lives")]  # noqa: ASYNC240 - a moment
            assert mode & 0o077 == 0

    @pytest.mark.sqlite
    async def test_who_was_not_heard_for_a_while_buries_nobody(
        self, store: Store, neighbour: ClusterMember
    ) -> None:
        """While the database was away no other was heard either."""
        now = asyncio.get_running_loop().time
        async with store.member() as gone:
            assert await gone.acquire("shards") is not None
            await gone._liveness_lock.close()  # as where it was killed
            neighbour._may_reap_from = now() + 3600
            assert await neighbour.acquire("shards") is None
            assert await neighbour.reap_dead()
            assert gone.me in await store.leases.fetch_processes()
            neighbour._may_reap_from = now()
            assert await neighbour.acquire("shards") is not None
            assert gone.me not in await store.leases.fetch_processes()

    @pytest.mark.sqlite
    async def test_nobody_counts_on_their_life_until_its_very_end(self, neighbour: ClusterMember) -> None:
        """By the clock of the database it is over sooner or later than by ours."""
        now = asyncio.get_running_loop().time()
        neighbour._seconds = MEMBER_TTL_SECONDS
        neighbour._note_heard(now - MEMBER_TTL_SECONDS + 1)
        assert neighbour.is_within_ttl
        neighbour._note_heard(now - MEMBER_TTL_SECONDS + 0.3)
        assert not neighbour.is_within_ttl
        neighbour._seconds = None
