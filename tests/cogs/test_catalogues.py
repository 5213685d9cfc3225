"""When the catalogue is asked for anew, and how urgently."""

from collections.abc import AsyncGenerator

import pytest
from aiohttp import web
from world import World


class Failing:
    """A service that fails at once, and counts how often it is asked."""

    def __init__(self) -> None:
        self.url = ""
        self.asked = 0

    async def handle(self, _request: web.BaseRequest) -> web.Response:
        self.asked += 1
        return web.Response(status=500)


@pytest.fixture
async def failing() -> AsyncGenerator[Failing]:
    service = Failing()
    runner = web.ServerRunner(web.Server(service.handle, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    service.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield service
    await runner.cleanup()


async def test_a_refresh_that_failed_is_tried_again_after_thirty_seconds(
    world: World, failing: Failing
) -> None:
    alice = world.discord.person("Alice")
    await alice.slash(world.discord.channel, "song", title="AETHER")
    world.settings = world.settings.model_copy(update={"record_api_url": failing.url})
    await world.start_bot()
    for seconds in (0, 10, 10, 9):
        world.clock.advance(seconds)
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert reply.embed.title == "AETHER"
        assert failing.asked == 1
    world.clock.advance(1)
    await alice.slash(world.discord.channel, "song", title="AETHER")
    assert await world.discord.wire.until(lambda: failing.asked == 2, 5)
