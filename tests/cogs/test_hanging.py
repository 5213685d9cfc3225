"""A service that takes every request and answers none: what is kept is shown all the same, and at once."""

import asyncio
import time
from collections.abc import AsyncGenerator

import pytest
from aiohttp import web
from harness import PATIENT_SECONDS
from pydantic import SecretStr
from serving import serving
from world import World

from bot.domain.ids import MemberId
from bot.features.shared import catalogues

TYPING = 20.0
"""Seconds that suggestions may take on a busy machine: Discord takes none after three, and what waits has patience for a
minute."""
PATIENCE = 60.0


HURRY = catalogues._HURRY_SECONDS


@pytest.fixture
def hurry_seconds() -> float:
    """Return what ships."""
    return HURRY


class Hanging:
    """A service that never answers."""

    def __init__(self) -> None:
        self.url = ""
        self.paths: list[str] = []
        self._new = asyncio.Event()

    async def asked_for(self, path: str) -> None:
        """Wait until something of that name was asked for."""
        while not any(path in each for each in self.paths):
            self._new.clear()
            await self._new.wait()

    async def handle(self, request: web.BaseRequest) -> web.Response:
        self.paths.append(request.path)
        self._new.set()
        await asyncio.Event().wait()
        raise AssertionError


@pytest.fixture
async def hanging() -> AsyncGenerator[Hanging]:
    service = Hanging()
    runner = web.ServerRunner(web.Server(service.handle, access_log=None), shutdown_timeout=0.1)
    async with serving(runner) as service.url:
        yield service


async def move(world: World, service: Hanging, patience: float = PATIENCE) -> None:
    world.settings = world.settings.model_copy(
        update={"record_api_url": service.url, "patience_seconds": patience}
    )
    await world.start_bot()


async def seconds_of_suggesting(world: World, member: int, *, found: bool) -> float:
    began = time.perf_counter()
    songs = await world.bot.features.library.suggest(MemberId(member), "a", None)
    assert bool(songs) == found
    return time.perf_counter() - began


async def test_the_kept_catalogue_answers_at_once(world: World, hanging: Hanging) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "song", title="AETHER")
    await move(world, hanging)
    assert await seconds_of_suggesting(world, alice.id, found=True) < TYPING
    assert await alice.autocomplete(world.discord.channel, "song", title="aether")
    for _ in range(3):
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert reply.embed.title == "AETHER"
    began = time.perf_counter()
    await world.bot.features.about.report()
    assert time.perf_counter() - began < TYPING
    assert hanging.paths.count("/2.0/music/showall.json") == 1


async def test_with_nothing_kept_suggestions_give_up_in_time(world: World, hanging: Hanging) -> None:
    world.settings = world.settings.model_copy(update={"database_url": f"{world.settings.database_url}.new"})
    await move(world, hanging)
    assert await seconds_of_suggesting(world, 1, found=False) < TYPING
    assert await seconds_of_suggesting(world, 1, found=False) < TYPING
    alice = world.discord.person("Alice")
    assert await alice.autocomplete(world.discord.channel, "song", title="a") == []
    assert hanging.paths == ["/2.0/music/showall.json"]


@pytest.mark.parametrize("operator", [True, False])
async def test_a_failure_is_logged_once_and_marks_every_answer(
    world: World, monkeypatch: pytest.MonkeyPatch, *, operator: bool
) -> None:
    monkeypatch.setattr(catalogues, "_GRACE_SECONDS", PATIENT_SECONDS)
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    await alice.slash(world.discord.channel, "song", title="AETHER")
    if not operator:
        world.settings = world.settings.model_copy(update={"record_token": SecretStr("")})
    await world.stop_service()
    await world.start_bot()
    reply = await alice.slash(world.discord.channel, "song", title="AETHER")
    for _ in range(4):
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert "is not answering right now" in reply.everything
        world.clock.advance(60)
    assert world.log.text.count("the catalogue of jp2 cannot be refreshed") == 1
    await world.restart_service()
    world.clock.advance(60)
    async with asyncio.timeout(PATIENT_SECONDS):  # refreshed behind the answers
        while "is not answering right now" in reply.everything:
            world.clock.advance(60)
            reply = await alice.slash(world.discord.channel, "song", title="AETHER")


async def test_a_button_that_waits_as_the_bot_closes_is_told(world: World, hanging: Hanging) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "DrBeat")
    song = await alice.slash(world.discord.channel, "song", title="AETHER")
    await move(world, hanging)
    pressed = asyncio.create_task(alice.click(song, "Statistics"))
    await hanging.asked_for("music/stat")
    await world.discord.stop()
    assert (await pressed).text.startswith("The bot is being stopped or restarted")
