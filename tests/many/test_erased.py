"""What is erased in one process is answered by no other: real ones, side by side on PostgreSQL."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path

import pytest
from cluster import name_of, run_sql
from drill import service
from patience import PATIENT_SECONDS
from rigged import SOMEBODY, Rig, Told, running_rig, started

pytestmark = pytest.mark.postgres
AFTER_SECONDS = 1.0
"""After which nobody answers what was erased."""
TRIES = 5
"""On a machine on which whoever has to hear of it has no turn for so long; who did not hear of it answers for minutes."""
CUT = (
    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
    "WHERE datname = current_database() AND query LIKE '%heard%' AND pid <> pg_backend_pid()"
)
"""Ends every connection over which a process hears what others change."""
UNLINKED = "You have not linked an account"


async def until_unlinked(rig: Rig, guild: int, user: int) -> None:
    for _ in range(TRIES):
        await asyncio.sleep(AFTER_SECONDS)
        if UNLINKED in (await rig.ask("rating", guild=guild, user=user)).message["content"]:
            return


@asynccontextmanager
async def cutting(cluster: Path, database: str) -> AsyncGenerator[None]:
    """Cut those connections again and again, before what is done in the block, meanwhile, and right after."""
    begun, done = asyncio.Event(), asyncio.Event()

    async def cut() -> int:
        ended = 0
        while not done.is_set():
            ended += int(await asyncio.to_thread(run_sql, cluster, CUT, database=database))
            begun.set()
        return ended

    task = asyncio.create_task(cut())
    await begun.wait()
    try:
        yield
    finally:
        done.set()
        assert await task >= 2


async def unlink(rig: Rig, guild: int, user: int) -> Told:
    return await rig.ask("unlink", guild=guild, user=user)


async def erase(rig: Rig, guild: int, user: int) -> Told:
    message = (await rig.ask("privacy erase", guild=guild, user=user)).message
    (button, *_) = message["components"][0]["components"]
    pressed = {"user": user, "guild": guild, "message": message["id"], "button": button["custom_id"]}
    return Told(await rig.do("press", **pressed))


async def test_what_is_erased_in_one_process_no_other_answers(
    tmp_path: Path, shared: dict[str, str], cluster: Path
) -> None:
    """Also where the connections over which they hear of it are cut at that very moment."""
    database = name_of(shared["DATABASE_URL"])
    async with (
        service(tmp_path, shared) as (url, _replies),
        running_rig(shards=2, guilds=2, patience=PATIENT_SECONDS) as rig,
        started(rig, "one", tmp_path, RECORD_API_URL=url, **shared),
        started(rig, "two", tmp_path, RECORD_API_URL=url, **shared),
    ):
        state = await rig.until(lambda state: sorted(state.shards.values()) == [["one"], ["two"]])
        here, there = sorted(state.shards, key=state.shards.__getitem__)
        for user, (do, is_cut) in enumerate(
            [(unlink, False), (erase, False), (unlink, True), (erase, True)], start=SOMEBODY
        ):
            shown = await rig.ask("rating", guild=there, user=user)
            assert shown.processes == ["two"]
            assert shown.message["embeds"]
            async with cutting(cluster, database) if is_cut else nullcontext():
                assert (await do(rig, here, user)).processes == ["one"]
            await until_unlinked(rig, there, user)
            for command in ("rating", "best"):
                told = await rig.ask(command, guild=there, user=user)
                assert told.processes == ["two"]
                assert UNLINKED in told.message["content"]
                assert not told.message["embeds"]
