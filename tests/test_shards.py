"""Several shards in one process, against the rig."""

import asyncio
from pathlib import Path

import pytest
from rigged import running_rig, started


async def test_one_process_opens_as_many_as_discord_recommends(tmp_path: Path) -> None:
    async with running_rig(shards=3, guilds=6) as rig, started(rig, "one", tmp_path):
        await rig.until(lambda state: len(state.shards) == 3)
        told = await asyncio.gather(*(rig.ask("about", guild=guild) for guild in (*range(6), None)))
        assert {process for each in told for process in each.processes} == {"one"}
        counts = (await rig.state()).counts
        assert (counts["identifies"], counts["unanswered"]) == (3, 0)


async def test_a_number_of_ones_own(tmp_path: Path) -> None:
    async with running_rig(shards=3) as rig, started(rig, "one", tmp_path, SHARDS="2"):
        await rig.until(lambda state: len(state.shards) == 2)
        assert (await rig.ask("about", guild=1)).processes == ["one"]
        assert (await rig.state()).counts["identifies"] == 2


@pytest.mark.first
async def test_sessions_of_one_bucket_begin_apart_and_what_is_open_is_looked_after(tmp_path: Path) -> None:
    async with running_rig(shards=2, concurrency=1) as rig, started(rig, "one", tmp_path):
        await rig.until(lambda state: 0 in state.shards)
        await rig.do("drop", shard=0)  # while the second waits for its turn
        assert (await rig.ask("about", guild=None)).processes == ["one"]
        assert (await rig.state()).counts["identifies"] == 1
        await rig.until(lambda state: len(state.shards) == 2)
        counts = (await rig.state()).counts
        assert (counts["identifies"], counts.get("identifies_too_soon", 0)) == (2, 0)
