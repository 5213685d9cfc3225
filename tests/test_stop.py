"""How the bot ends as a program: whoever waits is answered, or told in their language that they will not be.

Within ten seconds, which is what systemd or a container's runtime commonly gives, and far less than a command's
patience. They are counted in turns of a tenth, each as long as a machine that is busy makes it, for the bot as for
the test: so what is held is how long the bot itself waits, and not how much else has to be done there.
"""

import asyncio
import json
import os
import signal
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
import reading
from aiohttp import web
from discord.http import Route
from harness import SimulatedDiscord
from redirected import start_program
from refusing import Refusing, refusing_discord

from bot.chat import answers
from bot.chat.gateway import connection
from bot.domain.ids import JP2, MemberId, UserId, UserName
from bot.domain.members import AccountLink, Visibility
from bot.store import Store, open_vault

pytestmark = pytest.mark.processes

PATIENCE = 120.0
"""Seconds for which a person would wait if the bot did not end."""
MOST_SECONDS = 10
TURNS = 10
"""In a second."""


class Silent:
    """A record service that takes every request, and answers none until it is told to."""

    def __init__(self) -> None:
        self.url = ""
        self._tokens = asyncio.Queue[str]()
        self._answers = asyncio.Event()

    async def handle(self, request: web.BaseRequest) -> web.Response:
        self._tokens.put_nowait(request.query["token"])
        await self._answers.wait()
        return web.Response(status=404)

    async def asked_by(self, people: int) -> None:
        """Wait until so many people have asked."""
        tokens: set[str] = set()
        while len(tokens) < people:
            tokens.add(await self._tokens.get())

    def answer(self) -> None:
        self._answers.set()


@pytest.fixture
async def silent() -> AsyncGenerator[Silent]:
    service = Silent()
    runner = web.ServerRunner(web.Server(service.handle, access_log=None), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    service.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield service
    await runner.cleanup()


async def link(folder: Path, *people: int) -> None:
    path = folder / "data" / "kiroku.db"
    async with Store(f"sqlite+aiosqlite:///{path}", open_vault((), path)) as store:
        for number, person in enumerate(people, start=1):
            await store.links.save(
                AccountLink(
                    member=MemberId(person),
                    user_id=UserId(number),
                    user_name=UserName(f"player{number}"),
                    region=JP2,
                    visibility=Visibility.SERVERS,
                    linked_at=datetime(2026, 11, 1, tzinfo=UTC),
                ),
                f"{number:064x}",
            )


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let people wait longer than the bot may take to end, and less than it would have patience."""
    monkeypatch.setattr(reading, "ANSWER_SECONDS", PATIENCE / 2)


@asynccontextmanager
async def running_program(
    discord: SimulatedDiscord, service: Silent, folder: Path
) -> AsyncGenerator[Process]:
    """Run `kiroku run` until it can be spoken to; it is to end by itself."""
    settings = {
        "DISCORD_TOKEN": "simulated",
        "RECORD_API_URL": service.url,
        "PATIENCE_SECONDS": f"{PATIENCE:g}",
        "LOG_LEVEL": "WARNING",
    }
    program = await start_program(Route.BASE.removesuffix("/api/v10"), "run", folder, settings)
    try:
        await discord._gateway.bot_connected(60)
        yield program
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()


async def run_at(discord: Refusing, folder: Path, **settings: str) -> Process:
    """Run `kiroku run` with a Discord of little patience."""
    given = {"DISCORD_TOKEN": "x", "RECORD_API_URL": "http://127.0.0.1:1", "LOG_LEVEL": "WARNING", **settings}
    return await start_program(discord.url, "run", folder, given)


async def end(program: Process, sent: signal.Signals) -> str:
    """Tell the program to end; it does so in time, as one that did well. Returns what it logs."""
    program.send_signal(sent)
    ending = asyncio.create_task(program.communicate())
    for _ in range(MOST_SECONDS * TURNS):
        await asyncio.wait({ending}, timeout=1 / TURNS)
    assert ending.done(), f"the bot waits longer than {MOST_SECONDS} s for its end"
    _, said = await ending
    assert program.returncode == 0, said.decode()
    return said.decode()


async def test_who_waits_in_vain_is_told(discord: SimulatedDiscord, silent: Silent, tmp_path: Path) -> None:
    alice, sakura, ken = discord.person("Alice"), discord.person("Sakura", locale="ja"), discord.person("Ken")
    await link(tmp_path, alice.id, sakura.id, ken.id)
    async with running_program(discord, silent, tmp_path) as program:
        await ken.say(discord.channel, f"<@{discord.wire.backend.bot_user.id}> AETHER")
        asked = [
            asyncio.create_task(alice.slash(discord.channel, "rating")),
            asyncio.create_task(sakura.slash(discord.channel, "best")),
        ]
        await silent.asked_by(3)
        assert await end(program, signal.SIGTERM) == ""
        english, japanese = await asyncio.gather(*asked)
    assert english.is_private
    assert english.text.startswith("The bot is being stopped or restarted")
    assert japanese.text.startswith("ボットの停止・再起動のため")
    (_, told) = discord.channel.posts()
    assert told.content == english.text


async def test_what_can_be_finished_is_finished(
    discord: SimulatedDiscord, silent: Silent, tmp_path: Path
) -> None:
    alice = discord.person("Alice")
    await link(tmp_path, alice.id)
    async with running_program(discord, silent, tmp_path) as program:
        asked = asyncio.create_task(alice.slash(discord.channel, "rating"))
        await silent.asked_by(1)
        ended = asyncio.create_task(end(program, signal.SIGINT))
        await asyncio.sleep(1.5)  # the bot has heard, and goes on with what it was asked
        silent.answer()
        assert await ended == ""
        assert (await asked).text.startswith("The record service")


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("begins", [False, True])
async def test_it_ends_while_discord_closes_every_connection(
    sent: signal.Signals, tmp_path: Path, *, begins: bool
) -> None:
    async with refusing_discord() as discord:
        discord.close, discord.begins = 4000, begins
        program = await run_at(discord, tmp_path, LOG_LEVEL="INFO")
        await discord.until("HELLO", 2)
        said = await end(program, sent)
    assert "Discord closed the connection with 4000 (an unknown error of Discord's)" in said
    assert "Traceback" not in said
    assert begins == bool(discord.counts["RESUME"])
    assert discord.counts["HELLO"] < 6


STATES = ["/users/@me", "/applications/1/commands", "/gateway/bot", "HELLO", "IDENTIFY", "RESUME"]


@pytest.mark.parametrize("state", STATES)
async def test_it_ends_in_every_state_of_its_start(state: str, tmp_path: Path) -> None:
    async with refusing_discord() as discord:
        discord.close, discord.begins, discord.silent = 4000, state == "RESUME", state
        program = await run_at(discord, tmp_path)
        await discord.until(state)
        assert "Traceback" not in await end(program, signal.SIGTERM)


async def test_what_never_ends_does_not_keep_it(tmp_path: Path) -> None:
    """A file that is never read to its end, as on a disk of the network."""
    os.mkfifo(tmp_path / "aliases")
    async with refusing_discord() as discord:
        program = await run_at(discord, tmp_path, ALIAS_FILE="aliases", LOG_FORMAT="json", LOG_LEVEL="INFO")
        writing = await asyncio.to_thread(os.open, tmp_path / "aliases", os.O_WRONLY)  # once it reads
        said = await end(program, signal.SIGTERM)
        os.close(writing)
    assert json.loads(said.splitlines()[-1])["message"].startswith("ended before everything was closed")


def test_a_discord_that_says_nothing_leaves_time_to_close_everything() -> None:
    waits = (answers._ANSWER_GRACE_SECONDS, answers._NOTICE_TIMEOUT_SECONDS, connection.CLOSE_TIMEOUT_SECONDS)
    assert sum(waits) < MOST_SECONDS - 3
