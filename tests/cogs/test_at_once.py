"""A profile and the records beside it are asked for at once: whoever waits, waits for the slower alone."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from aiohttp import ClientSession, web
from harness import Person
from serving import serving
from world import World

AT_ONCE = 2


class Door:
    """Stands before the service; what is asked about a player waits until two such questions have come."""

    def __init__(self, service: str, session: ClientSession) -> None:
        self._service = service
        self._session = session
        self._waiting: list[asyncio.Event] = []

    async def handle(self, request: web.Request) -> web.Response:
        if request.path.startswith(("/1.3/users/", "/2.0/records/")):
            await self._both_came()
        async with self._session.get(f"{self._service}{request.path_qs}") as reply:
            return web.Response(status=reply.status, body=await reply.read(), headers=reply.headers)

    async def _both_came(self) -> None:
        came = asyncio.Event()
        self._waiting.append(came)
        if len(self._waiting) == AT_ONCE:
            for each in self._waiting:
                each.set()
            self._waiting.clear()
        await came.wait()


@pytest.fixture
async def alice(world: World) -> AsyncGenerator[Person]:
    """Somebody whose bot asks through the door."""
    person = world.discord.person("Alice")
    await world.link(person, "minamo_plays")
    async with ClientSession(auto_decompress=False) as session:
        application = web.Application()
        application.router.add_get("/{path:.*}", Door(world.settings.record_api_url, session).handle)
        runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.1)
        async with serving(runner) as url:
            world.settings = world.settings.model_copy(update={"record_api_url": url})
            await world.start_bot()
            yield person
            await world.discord.stop()


@pytest.mark.parametrize("command", ["rating", "best", "plan", "overpower"])
async def test_both_are_under_way_at_once(world: World, alice: Person, command: str) -> None:
    reply = await alice.slash(world.discord.channel, command)
    assert "ＭＩＮＡＭＯ" in reply.everything


async def test_what_goes_wrong_with_both_is_told_once(world: World, alice: Person) -> None:
    reply = await alice.slash(world.discord.channel, "rating", player="nobody_of_that_name")
    assert reply.is_private
    assert "Check the spelling" in reply.text
