"""Several shards in one process, and in one after the other, against the rig."""

import asyncio
import inspect
import signal
import sqlite3
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import cast

import discord
import pytest
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient
from discord.shard import Shard
from discord.state import AutoShardedConnectionState
from rig.guilds import channel_id
from rigged import Rig, running_rig, started

from bot.shards import _HEARD, _NAMING, ShardedBot, _Connection
from bot.store import Store, Vault, new_key
from bot.store.leases import Lease, ProcessId

pytestmark = pytest.mark.processes


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


@asynccontextmanager
async def serving(rig: Rig, name: str, folder: Path, shards: int = 1) -> AsyncGenerator[Process]:
    """Run a process, from the moment in which it answers on each of one or two shards."""
    async with started(rig, name, folder) as process:
        await rig.until(lambda state: state.shards == {shard: [name] for shard in range(shards)})
        for guild in (0, 1):
            assert (await rig.ask("about", guild=guild)).processes == [name]
        yield process


def begun(counts: Mapping[str, int]) -> int:
    """Return how many sessions began, none of them too soon, also not that of the next process."""
    assert counts.get("identifies_too_soon", 0) == 0
    return counts["identifies"]


async def end(process: Process) -> None:
    process.send_signal(signal.SIGTERM)
    await process.communicate()
    assert process.returncode == 0


PATIENT = 50.0
"""Longer than any start takes on a busy machine."""


async def test_the_next_process_goes_on_with_the_sessions_and_what_was_asked_meanwhile(
    tmp_path: Path,
) -> None:
    async with running_rig(shards=2, patience=PATIENT) as rig:
        async with serving(rig, "one", tmp_path, shards=2) as one:
            await end(one)
        asked = [asyncio.create_task(rig.ask("about", guild=guild)) for guild in (0, 1, 2, None)]
        await rig.until(lambda state: state.counts["asked"] == 6)
        async with started(rig, "two", tmp_path):
            told = await asyncio.gather(*asked)
        assert [each.processes for each in told] == [["two"]] * 4
        counts = (await rig.state()).counts
        assert (counts["identifies"], counts["resumes"], counts.get("resumes_refused", 0)) == (2, 2, 0)


async def test_what_nobody_waits_for_any_more_is_not_even_refused(tmp_path: Path) -> None:
    async with running_rig() as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        await rig.do("set", patience=-60)
        await rig.ask("about", seconds=0)
        await rig.do("set", patience=PATIENT)
        async with started(rig, "two", tmp_path):
            assert (await rig.ask("about")).processes == ["two"]
        tries = [len(each["tries"]) for each in await rig.do("asked")]
        assert tries == [2, 2, 0, 2]


async def test_a_session_that_discord_has_forgotten_is_begun_anew(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        await rig.do("set", forgets=True)
        async with started(rig, "two", tmp_path):
            await rig.until(lambda state: len(state.shards) == 1)
            assert (await rig.ask("about")).processes == ["two"]
        counts = (await rig.state()).counts
        assert (counts["resumes_refused"], begun(counts)) == (1, 2)


async def test_what_another_version_left_is_not_gone_on_with(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        with closing(sqlite3.connect(tmp_path / "data" / "kiroku.db")) as database, database:
            changed = database.execute(
                "UPDATE leases SET state = json_set(state, '$.new', 1) WHERE name LIKE 'shard%'"
            )
            assert changed.rowcount == 1
        async with serving(rig, "two", tmp_path):
            pass
        counts = (await rig.state()).counts
        assert (begun(counts), counts.get("resumes", 0)) == (2, 0)


async def test_a_killed_process_leaves_no_session_behind(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        for name in ("two", "three"):  # what "two" went on with is too old for whoever comes after its death
            async with serving(rig, name, tmp_path):
                pass
        counts = (await rig.state()).counts
        assert (begun(counts), counts["resumes"], counts.get("resumes_refused", 0)) == (2, 1, 0)


async def test_a_server_that_was_not_named_again_is_known_when_it_is_needed(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        async with started(rig, "two", tmp_path):
            told = await rig.ask("daily channel", channel=channel_id(1), time="21:00", guild=1)
        assert f"<#{channel_id(1)}>" in str(told.message)
        assert (await rig.state()).counts["resumes"] == 1


async def test_what_a_process_had_before_it_was_taken_for_dead_is_not_opened_again(tmp_path: Path) -> None:
    """Whoever has taken its place goes on with that session, which Discord would take away from them."""
    opened: list[ProcessId] = []
    url = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"
    async with Store(url, Vault([new_key()])) as store, store.presence() as presence:
        bot = ShardedBot("", intents=discord.Intents(guilds=True))
        bot.fleet = store.fleet(presence)
        bot._reconnect = True
        await bot._async_setup_hook()
        for owner in (presence.me, ProcessId(presence.me + 1)):

            async def opening(owner: ProcessId = owner) -> None:
                opened.append(owner)

            lease = Lease("shard 0 of 1", owner, fence=1, state={})
            await _Connection(cast("DiscordWebSocket", None), bot, lease)._open_again(opening)
        assert opened == [presence.me]


def test_what_is_used_of_discord_py_is_where_it_was() -> None:
    source = inspect.getsource(discord.shard)
    for line in (
        "self.__shards = {}",
        "self.__queue = asyncio.PriorityQueue()",
        "self.__shards[shard_id] = ret = Shard(ws, self, self.__queue.put_nowait)",
        "self._connection.shard_count = self.shard_count",
        "self._connection.shard_ids = shard_ids",
    ):
        assert line in source, line
    for line in (
        "self._queue_put(EventItem(EventType.reconnect, self, e))",
        "self._task = self._client.loop.create_task(self.worker())",
        "await item.shard.reidentify(item.error)",
        "await item.shard.reconnect()",
    ):
        assert line in source, line
    assert inspect.signature(Shard._cancel_task).return_annotation == "None"
    assert {"session", "sequence", "gateway", "resume", "shard_id"} <= set(
        inspect.signature(DiscordWebSocket.from_client).parameters
    )
    for name in ("_add_guild_from_data", "_remove_guild", "call_handlers"):
        assert hasattr(AutoShardedConnectionState, name), name
    assert hasattr(HTTPClient, "get_bot_gateway")
    assert "self._discord_parsers[event]" in inspect.getsource(DiscordWebSocket.received_message)
    assert "ws._discord_parsers = client._connection.parsers" in inspect.getsource(
        DiscordWebSocket.from_client
    )
    for name in _HEARD | _NAMING:
        assert hasattr(AutoShardedConnectionState, f"parse_{name.lower()}"), name
