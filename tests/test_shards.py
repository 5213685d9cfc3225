"""The connections of one process, and of one after the other, against the rig: here in this process, or real ones."""

import asyncio
import inspect
import signal
import socket
import sqlite3
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

import discord
import pytest
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient
from discord.shard import Shard
from discord.state import AutoShardedConnectionState
from patience import PATIENT_SECONDS
from rig import sessions
from rig.__main__ import Rig as RigHere
from rig.guilds import channel_id, guild_id
from rigged import Rig, running_rig, started
from yarl import URL

from bot.chat.gateway.connection import ShardConnection
from bot.chat.gateway.events import HANDLED_EVENTS, NAMING_EVENTS, count_unreadable
from bot.chat.gateway.shards import ShardedBot
from bot.cluster import fleet
from bot.cluster.leases import Lease, ProcessId
from bot.demo.redirected import redirected
from bot.store import ShardFleet, Store, Vault, new_key

INTENTS: Final = discord.Intents(guilds=True)


@pytest.mark.processes
async def test_one_process_opens_as_many_as_discord_recommends(tmp_path: Path) -> None:
    async with running_rig(shards=3, guilds=6) as rig, started(rig, "one", tmp_path):
        await rig.until(lambda state: len(state.shards) == 3)
        told = await asyncio.gather(*(rig.ask("about", guild=guild) for guild in (*range(6), None)))
        assert {process for each in told for process in each.processes} == {"one"}
        counts = (await rig.state()).counts
        assert (counts["identifies"], counts["unanswered"]) == (3, 0)


@pytest.mark.processes
async def test_a_number_of_ones_own(tmp_path: Path) -> None:
    async with running_rig(shards=3) as rig, started(rig, "one", tmp_path, SHARDS="2"):
        await rig.until(lambda state: len(state.shards) == 2)
        assert (await rig.ask("about", guild=1)).processes == ["one"]
        assert (await rig.state()).counts["identifies"] == 2


@pytest.mark.processes
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


@pytest.mark.processes
async def test_the_next_process_goes_on_with_the_sessions_and_what_was_asked_meanwhile(
    tmp_path: Path,
) -> None:
    async with running_rig(shards=2, patience=PATIENT_SECONDS) as rig:
        async with serving(rig, "one", tmp_path, shards=2) as one:
            await end(one)
        asked = [asyncio.create_task(rig.ask("about", guild=guild)) for guild in (0, 1, 2, None)]
        await rig.until(lambda state: state.counts["asked"] == 6)
        async with started(rig, "two", tmp_path):
            told = await asyncio.gather(*asked)
        assert [each.processes for each in told] == [["two"]] * 4
        counts = (await rig.state()).counts
        assert (counts["identifies"], counts["resumes"], counts.get("resumes_refused", 0)) == (2, 2, 0)


@pytest.mark.processes
async def test_what_nobody_waits_for_any_more_is_not_even_refused(tmp_path: Path) -> None:
    async with running_rig() as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        await rig.do("set", patience=-60)
        await rig.ask("about", seconds=0)
        await rig.do("set", patience=PATIENT_SECONDS)
        async with started(rig, "two", tmp_path):
            assert (await rig.ask("about")).processes == ["two"]
        tries = [len(each["tries"]) for each in await rig.do("asked")]
        assert tries == [2, 2, 0, 2]


@pytest.mark.processes
async def test_a_session_that_discord_has_forgotten_is_begun_anew(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT_SECONDS) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        await rig.do("set", forgets=True)
        async with started(rig, "two", tmp_path):
            await rig.until(lambda state: len(state.shards) == 1)
            assert (await rig.ask("about")).processes == ["two"]
        counts = (await rig.state()).counts
        assert (counts["resumes_refused"], begun(counts)) == (1, 2)


@pytest.mark.processes
async def test_what_another_version_left_is_not_gone_on_with(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT_SECONDS) as rig:
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


@pytest.mark.processes
async def test_a_killed_process_leaves_no_session_behind(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT_SECONDS) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        for name in ("two", "three"):  # what "two" went on with is too old for whoever comes after its death
            async with serving(rig, name, tmp_path):
                pass
        counts = (await rig.state()).counts
        assert (begun(counts), counts["resumes"], counts.get("resumes_refused", 0)) == (2, 1, 0)


@pytest.mark.processes
async def test_a_server_that_was_not_named_again_is_known_when_it_is_needed(tmp_path: Path) -> None:
    async with running_rig(patience=PATIENT_SECONDS) as rig:
        async with serving(rig, "one", tmp_path) as one:
            await end(one)
        async with started(rig, "two", tmp_path):
            told = await rig.ask("daily channel", channel=channel_id(1), time="21:00", guild=1)
        assert f"<#{channel_id(1)}>" in str(told.message)
        assert (await rig.state()).counts["resumes"] == 1


@asynccontextmanager
async def rig_here(**world: Any) -> AsyncGenerator[RigHere]:
    """Run a Discord in this process, which every bot made meanwhile finds."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = URL.build(scheme="http", host="127.0.0.1", port=listener.getsockname()[1])
        rig = RigHere(address)
        await rig.set(**world)
        runner = web.AppRunner(rig.application(), access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        await web.SockSite(runner, listener).start()
        try:
            with redirected(address / "here"):
                yield rig
        finally:
            await runner.cleanup()


@asynccontextmanager
async def connected(
    rig: RigHere, name: str, url: str, *, intents: discord.Intents = INTENTS
) -> AsyncGenerator[ShardedBot]:
    """Run a bot without commands, from the moment in which it serves all shards that Discord recommends."""
    async with (
        Store(url, Vault([new_key()])) as store,
        store.member() as presence,
        ShardedBot("", intents=intents) as bot,
    ):
        bot.fleet = store.fleet(presence)
        running = asyncio.create_task(bot.start(name))
        await until_served(rig, bot, name)
        yield bot
        await bot.close()
        await running


async def until_served(rig: RigHere, bot: ShardedBot, name: str) -> None:
    """Wait until one process serves every shard, and was told all their sessions."""
    every = range(rig._world.shards)
    async with asyncio.timeout(PATIENT_SECONDS):
        while (await rig.state(-1))["shards"] != {shard: [name] for shard in every} or any(  # noqa: ASYNC110 - either may be late
            bot._open[shard].ws.session_id is None for shard in every
        ):
            await asyncio.sleep(0.01)


async def test_who_comes_next_goes_on_with_the_sessions(url: str) -> None:
    async with rig_here(shards=2, guilds=4) as rig:
        async with connected(rig, "one", url) as one:
            while len(one.guilds) < 4:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0.01)
        async with connected(rig, "two", url) as two:
            assert (two.served, two.absent) == ([0, 1], [])
            assert {guild.id for guild in two.guilds} == {guild_id(number) for number in range(4)}
        counts = (await rig.state(-1))["counts"]
        assert (counts["identifies"], counts["resumes"], counts.get("resumes_refused", 0)) == (2, 2, 0)


async def test_a_session_that_told_of_other_things_is_not_gone_on_with(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a session tells was asked for when it began: this one would never hear of messages."""
    monkeypatch.setattr(fleet, "_SESSION_START_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 0.0)
    async with rig_here() as rig:
        async with connected(rig, "one", url):
            pass
        async with connected(rig, "two", url, intents=INTENTS | discord.Intents(guild_messages=True)):
            pass
        counts = (await rig.state(-1))["counts"]
        assert (counts["identifies"], counts.get("resumes", 0)) == (2, 0)


async def test_a_session_that_is_gone_is_begun_anew_here_too(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fleet, "_SESSION_START_INTERVAL_SECONDS", 0.0)
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 0.0)
    async with rig_here() as rig:
        async with connected(rig, "one", url):
            pass
        await rig.set(forgets=True)
        async with connected(rig, "two", url):
            pass
        with closing(sqlite3.connect(URL(url).path)) as database, database:
            database.execute("UPDATE leases SET state = json_set(state, '$.new', 1)")
        async with connected(rig, "three", url):
            pass
        counts = (await rig.state(-1))["counts"]
        assert (counts["identifies"], counts.get("resumes", 0), counts["resumes_refused"]) == (3, 0, 1)


async def test_a_connection_that_breaks_off_is_opened_again(url: str) -> None:
    async with rig_here(shards=2) as rig, connected(rig, "one", url) as bot:
        await rig.drop(1)
        while "resumes" not in (await rig.state(-1))["counts"]:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
        await until_served(rig, bot, "one")
        assert (await rig.state(-1))["counts"]["identifies"] == 2


async def test_nothing_is_heard_from_the_moment_on_that_it_is_to_end(url: str) -> None:
    """What it is to hand over may take seconds, in which nobody would answer what it took."""
    async with rig_here(shards=2) as rig, connected(rig, "one", url) as bot:
        await until_served(rig, bot, "one")
        open_ones = list(bot._open.values())
        bot.stop_listening()
        assert [connection.is_released for connection in open_ones] == [True, True]


async def test_no_more_than_a_fair_share_of_what_is_free_is_taken(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left over is for a process that serves and has not looked yet."""

    async def open_nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(ShardedBot, "_open_shard", open_nothing)
    async with AsyncExitStack() as stack:
        fleets: list[ShardFleet] = []
        for _ in range(2):
            store = await stack.enter_async_context(Store(url, Vault([new_key()])))
            fleets.append(store.fleet(await stack.enter_async_context(store.member())))
            await fleets[-1].join(4)
        bots = [ShardedBot("", intents=INTENTS, shard_count=4) for _ in fleets]
        for bot, each in zip(bots, fleets, strict=True):
            await bot._take_share(each)
            assert bot.leased == 2
            await bot._take_share(each)
            assert bot.leased == 2
        assert {*bots[0]._leases, *bots[1]._leases} == {0, 1, 2, 3}


async def test_a_shard_is_noted_to_be_behind_by_some_of_what_it_heard() -> None:
    """What was heard last may still wait for its first answer: after a death it is told again."""
    bot = ShardedBot("", intents=INTENTS)
    bot._reconnect = True
    await bot._async_setup_hook()
    ws = SimpleNamespace(session_id=None, sequence=None)
    connection = ShardConnection(
        cast("DiscordWebSocket", ws), bot, None, member=None, unreadable=count_unreadable()
    )
    assert connection.note_progress() is None
    noted: list[int | None] = []
    for session, heard in [("a", 5), ("a", 6), ("a", 7), ("a", 8), ("a", 9), ("b", 2), ("b", 3)]:
        ws.session_id, ws.sequence = session, heard
        noted.append(connection.note_progress())
    assert noted == [1, 1, 1, 5, 6, 1, 1]


async def test_what_a_process_had_before_it_was_taken_for_dead_is_not_opened_again(tmp_path: Path) -> None:
    """Whoever has taken its place goes on with that session, which Discord would take away from them."""
    opened: list[ProcessId] = []
    url = f"sqlite+aiosqlite:///{tmp_path / 'kiroku.db'}"
    async with Store(url, Vault([new_key()])) as store, store.member() as presence:
        bot = ShardedBot("", intents=discord.Intents(guilds=True))
        bot.fleet = store.fleet(presence)
        bot._reconnect = True
        await bot._async_setup_hook()
        for owner in (presence.me, ProcessId(presence.me + 1)):

            async def opening(owner: ProcessId = owner) -> None:
                opened.append(owner)

            lease = Lease("shard 0 of 1", owner, fence=1, state={})
            connection = ShardConnection(
                cast("DiscordWebSocket", None), bot, lease, member=presence, unreadable=bot.unreadable
            )
            await connection._open_again(opening)
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
    for name in HANDLED_EVENTS | NAMING_EVENTS:
        assert hasattr(AutoShardedConnectionState, f"parse_{name.lower()}"), name
