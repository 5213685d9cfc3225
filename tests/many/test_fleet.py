"""Several `kiroku run` side by side on PostgreSQL, against the rig: who serves what, whoever comes and goes."""

import asyncio
import signal
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from cluster import Cluster, create_database, name_of, run_sql
from patience import PATIENT_SECONDS
from rig.guilds import BOT
from rigged import SECONDS, SOMEBODY, Rig, State, running_rig, started

from bot.store import new_key

pytestmark = pytest.mark.postgres
SHARDS = 4
LOST_SECONDS = 15.0
"""After which the shards of a machine that is lost are served again."""
MOST_SECONDS = 10.0
"""Which whatever ends a process commonly gives it."""
CLOSE_ALL = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


def shares(state: State) -> Counter[str]:
    """Return how many shards each process serves; none where one of them is served by two, or by nobody."""
    served = [processes for processes in state.shards.values() if len(processes) == 1]
    return Counter(process for (process,) in served) if len(served) == len(state.shards) else Counter()


async def until_shared(rig: Rig, **counts: int) -> State:
    return await rig.until(lambda state: shares(state) == counts)


async def ask_all(rig: Rig, guilds: Iterable[int] = range(SHARDS)) -> list[str]:
    """Use a command in servers of each shard; returns who has answered."""
    told = await asyncio.gather(*(rig.ask("about", guild=guild) for guild in guilds))
    (answered,) = {len(each.processes) for each in told}
    assert answered == 1
    return [each.processes[0] for each in told]


async def until_counted(cluster: Path, shared: dict[str, str], query: str, least: int) -> None:
    """Wait until the database counts so many of something."""
    database = name_of(shared["DATABASE_URL"])
    async with asyncio.timeout(SECONDS):
        while int(await asyncio.to_thread(run_sql, cluster, query, database=database)) < least:  # noqa: ASYNC110 - a database tells nobody
            await asyncio.sleep(0.1)


async def until_noted(cluster: Path, shared: dict[str, str], sessions: int) -> None:
    """Wait until the database knows so many sessions: one that is younger is lost with its process."""
    await until_counted(cluster, shared, "SELECT count(reached) FROM leases", sessions)


async def until_said(process: Process, words: bytes) -> None:
    assert process.stderr is not None
    while words not in (line := await process.stderr.readline()):
        assert line, "it has ended"


async def end(process: Process) -> None:
    process.send_signal(signal.SIGTERM)
    await process.communicate()
    assert process.returncode == 0


async def test_who_joins_is_given_a_share_and_who_ends_leaves_theirs(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    async with (
        running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
    ):
        await until_shared(rig, one=4)
        async with started(rig, "two", tmp_path, **shared):
            await until_shared(rig, one=2, two=2)
            assert Counter(await ask_all(rig)) == {"one": 2, "two": 2}
            async with started(rig, "three", tmp_path, **shared):
                await rig.until(lambda state: sorted(shares(state).values()) == [1, 1, 2])
                await end(one)
                await until_shared(rig, two=2, three=2)
                assert set(await ask_all(rig)) == {"two", "three"}
        counts = (await rig.state()).counts
    assert counts["identifies"] == SHARDS
    assert {counts.get(name, 0) for name in ("resumes_refused", "served_twice", "answered_twice")} == {0}


async def test_a_session_that_is_about_to_begin_is_left_where_it_is(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    """Another process would have to begin one more: Discord counts them."""
    async with (
        running_rig(shards=2, guilds=2, patience=PATIENT_SECONDS, is_silent=True) as rig,
        started(rig, "one", tmp_path, **shared),
    ):
        await rig.until(lambda state: state.shards == {0: ["one"], 1: ["one"]})
        async with started(rig, "two", tmp_path, **shared):
            await until_counted(cluster, shared, "SELECT count(shards) FROM processes", 2)
            await rig.do("set", is_silent=False)
            await until_shared(rig, one=1, two=1)
            assert sorted(await ask_all(rig, range(2))) == ["one", "two"]
        assert (await rig.state()).counts["identifies"] == 2


async def test_what_a_killed_process_served_goes_on_where_it_was(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    async with (
        running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
        started(rig, "two", tmp_path, **shared),
    ):
        await until_shared(rig, one=2, two=2)
        await until_noted(cluster, shared, SHARDS)
        await ask_all(rig)
        one.kill()
        await one.wait()
        assert await ask_all(rig) == ["two"] * SHARDS
        counts = (await until_shared(rig, two=4)).counts
    assert (counts["identifies"], counts["served_twice"]) == (SHARDS, 0)


async def test_what_a_lost_machine_served_is_served_by_another(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    """One that stands still keeps its lock, as one does whose machine is gone: the end of its time tells."""
    async with (
        running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
        started(rig, "two", tmp_path, **shared),
    ):
        await until_shared(rig, one=2, two=2)
        await until_noted(cluster, shared, SHARDS)
        before = asyncio.get_running_loop().time()
        one.send_signal(signal.SIGSTOP)
        await until_shared(rig, two=4)
        assert asyncio.get_running_loop().time() - before < LOST_SECONDS
        assert await ask_all(rig) == ["two"] * SHARDS
        one.send_signal(signal.SIGCONT)
        await until_shared(rig, one=2, two=2)
        counts = (await rig.state()).counts
    assert (counts["identifies"], counts["served_twice"]) == (SHARDS, 0)


async def test_a_database_that_says_nothing_keeps_nobody_from_ending(tmp_path: Path) -> None:
    with Cluster() as silent:
        shared = {"DATABASE_URL": create_database(silent.folder, "silent"), "TOKEN_KEYS": new_key()}
        async with (
            running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
            started(rig, "one", tmp_path, **shared) as one,
        ):
            await until_shared(rig, one=4)
            await until_noted(silent.folder, shared, SHARDS)
            with silent.paused():
                async with asyncio.timeout(MOST_SECONDS):
                    await end(one)


async def test_a_mention_is_answered_once(tmp_path: Path, shared: dict[str, str], cluster: Path) -> None:
    """Also where whoever has answered it is killed, and another one is told of it again."""
    async with (
        running_rig(patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
    ):
        await until_noted(cluster, shared, 1)
        await rig.do("say", user=SOMEBODY, number=0, text=f"<@{BOT['id']}>")
        await rig.until(lambda state: state.counts.get("posted") == 1)
        one.kill()
        await one.wait()
        async with started(rig, "two", tmp_path, **shared):
            await rig.until(lambda state: "posted_before" in state.counts)
        assert (await rig.state()).counts["posted"] == 1


async def test_more_processes_than_shards(tmp_path: Path, shared: dict[str, str]) -> None:
    async with (
        running_rig(patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
    ):
        await until_shared(rig, one=1)
        async with started(rig, "two", tmp_path, **{**shared, "LOG_LEVEL": "INFO"}) as two:
            await until_said(two, b"waiting until one of them ends")
            assert await ask_all(rig, [0]) == ["one"]
            await end(one)
            assert await ask_all(rig, [0]) == ["two"]


async def test_as_many_shards_as_the_first_says(tmp_path: Path, shared: dict[str, str]) -> None:
    async with running_rig(guilds=SHARDS, patience=PATIENT_SECONDS) as rig:
        async with started(rig, "one", tmp_path, SHARDS="2", **shared) as one:
            await until_shared(rig, one=2)
            async with started(rig, "two", tmp_path, SHARDS="4", **shared) as two:
                await until_shared(rig, one=1, two=1)
                await end(one)
                await until_shared(rig, two=2)
                assert await ask_all(rig) == ["two"] * SHARDS
                await end(two)
        async with started(rig, "three", tmp_path, SHARDS="4", **shared):
            await until_shared(rig, three=4)
            assert await ask_all(rig) == ["three"] * SHARDS


async def test_where_discord_has_forgotten_a_session_one_begins_and_none_too_soon(
    tmp_path: Path, shared: dict[str, str]
) -> None:
    async with (
        running_rig(shards=2, guilds=2, concurrency=1, patience=PATIENT_SECONDS, forgets=True) as rig,
        started(rig, "one", tmp_path, **shared) as one,
        started(rig, "two", tmp_path, **shared),
    ):
        await until_shared(rig, one=1, two=1)
        one.kill()
        await one.wait()
        counts = (await until_shared(rig, two=2)).counts
        assert await ask_all(rig, range(2)) == ["two"] * 2
    assert {counts.get(name, 0) for name in ("identifies_too_soon", "served_twice")} == {0}


async def test_who_was_taken_for_dead_begins_anew(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    async with (
        running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared),
        started(rig, "two", tmp_path, **shared),
    ):
        await until_shared(rig, one=2, two=2)
        await until_noted(cluster, shared, SHARDS)
        before = (await rig.state()).counts
        run_sql(cluster, "DELETE FROM processes", database=name_of(shared["DATABASE_URL"]))
        await rig.until(lambda state: state.counts.get("resumes", 0) >= before.get("resumes", 0) + SHARDS)
        await until_shared(rig, one=2, two=2)
        assert Counter(await ask_all(rig)) == {"one": 2, "two": 2}
        counts = (await rig.state()).counts
    assert (counts["identifies"], counts["served_twice"]) == (before["identifies"], 0)


async def test_while_the_database_is_away_nothing_is_opened_anew(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    """And what is open is answered on."""
    name = name_of(shared["DATABASE_URL"])
    async with (
        running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared) as one,
        started(rig, "two", tmp_path, **shared) as two,
    ):
        await until_shared(rig, one=2, two=2)
        await until_noted(cluster, shared, SHARDS)
        run_sql(cluster, f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS false')
        run_sql(cluster, CLOSE_ALL.replace("current_database()", f"'{name}'"))
        for process in (one, two):
            await until_said(process, b"was not told that this process lives")
        await rig.do("drop", shard=0)
        await rig.until(lambda state: 0 not in state.shards)
        await ask_all(rig, range(1, SHARDS))
        assert 0 not in (await rig.state()).shards
        run_sql(cluster, f'ALTER DATABASE "{name}" WITH ALLOW_CONNECTIONS true')
        counts = (await until_shared(rig, one=2, two=2)).counts
        await ask_all(rig)
    assert (counts["identifies"], counts["served_twice"]) == (SHARDS, 0)


async def test_a_database_that_is_lost_for_a_moment_moves_nothing(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    async with (
        running_rig(shards=SHARDS, guilds=SHARDS, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, **shared),
        started(rig, "two", tmp_path, **shared) as two,
    ):
        before = await until_shared(rig, one=2, two=2)
        closed = run_sql(cluster, CLOSE_ALL, database=name_of(shared["DATABASE_URL"]))
        assert int(closed) >= 4
        assert Counter(await ask_all(rig)) == {"one": 2, "two": 2}
        async with started(rig, "three", tmp_path, **shared):
            await rig.until(lambda state: sorted(shares(state).values()) == [1, 1, 2])
        after = await until_shared(rig, one=2, two=2)
        assert two.returncode is None
    assert after.counts["identifies"] == before.counts["identifies"] == SHARDS
