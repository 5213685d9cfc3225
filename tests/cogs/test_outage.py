"""What members notice once the record service is back: nothing of what nobody answered while it was away."""

import re

import pytest
from aiohttp import ClientSession
from door import Door, Outage, be_unavailable, close, cut
from harness import Reply
from world import World

from bot.api.budget.window import WINDOW_SECONDS
from service.options import ServiceOptions

COMMANDS = 15
LIMIT = 40


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.api.client._RETRY_SECONDS", 0)


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(limits=dict.fromkeys(("2.0", "1.3", "1.0"), LIMIT), quick_seconds=0)


@pytest.mark.parametrize("outage", [close, be_unavailable, cut])
async def test_the_first_command_after_an_outage_is_answered_at_once(world: World, outage: Outage) -> None:
    door = Door(lambda _path: False, 1)
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    async with world.behind(door):
        door.outage = outage
        told: list[Reply] = []
        for _ in range(COMMANDS):
            told.append(await alice.slash(world.discord.channel, "friends"))
            world.clock.advance(1)
        assert {reply.text.partition(".")[0] for reply in told} == {"The record service is not answering"}
        door.outage = None
        back = await alice.slash(world.discord.channel, "friends")
    assert back.embed.title, back.text
    assert "what it said" not in back.everything


async def test_what_is_said_to_be_used_up_after_an_outage_is(world: World) -> None:
    """Another program has spent all meanwhile: one request hears of it, and the sentence names the moment."""
    door = Door(lambda _path: False, 1)
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    service, token = world.settings.record_api_url, world.players["minamo_plays"].token
    async with world.behind(door), ClientSession(service) as session:
        door.outage = close
        for _ in range(COMMANDS):
            await alice.slash(world.discord.channel, "friends")
            world.clock.advance(1)
        door.outage = None
        for _ in range(LIMIT):
            async with session.get("/2.0/friends/list.json", params={"token": token}) as reply:
                assert reply.status in {200, 429}
        asked: list[str] = []
        door.passed = asked.append
        for _ in range(2):
            told = await alice.slash(world.discord.channel, "friends")
            assert "are used up for now" in told.text
            (resets_at,) = re.findall(r"<t:(\d+):R>", told.text)
            assert WINDOW_SECONDS - 60 < int(resets_at) - world.clock.now().timestamp() <= WINDOW_SECONDS + 2
    assert [path for path in asked if path.startswith("/2.0")] == ["/2.0/friends/list.json"]
