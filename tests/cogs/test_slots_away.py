"""What `/best` and `/rating` say where the records did not come by which the game counts new songs apart."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from aiohttp import web
from world import World

from service.server import Service

LATER = timedelta(days=2).total_seconds()


@pytest.fixture(autouse=True)
def _no_backoff(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.api.client._RETRY_SECONDS", 0)


@contextmanager
def records_away() -> Generator[None]:
    """Let the service say nothing of anybody's records, for a block."""
    answer = Service.__call__

    async def refuse(service: Service, request: web.BaseRequest) -> web.Response:
        if request.rel_url.raw_path.endswith("/records/showall.json"):
            return web.Response(status=503)
        return await answer(service, request)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Service, "__call__", refuse)
        yield


@pytest.mark.parametrize(
    ("locale", "listed", "said", "reason"),
    [
        ("en-US", "List", "own best 30 of all songs", "is not answering"),
        ("ja", "一覧", "全曲のベスト30", "応答していません"),
    ],
)
async def test_the_services_own_slot_is_told_as_such(
    world: World, locale: str, listed: str, said: str, reason: str
) -> None:
    alice = world.discord.person("Alice", locale=locale)
    await world.link(alice, "minamo_plays")
    with records_away():
        card = await alice.slash(world.discord.channel, "best")
        for answer in (
            card,
            await alice.click(card, listed),
            await alice.slash(world.discord.channel, "rating"),
        ):
            assert said in answer.everything
            assert reason in answer.everything
    assert "floor" not in str(card.files[0].description)
    assert "枠下限" not in str(card.files[0].description)


@pytest.mark.parametrize("asked", ["best", "rating"])
async def test_nothing_came_in_because_the_records_were_away_for_a_day(world: World, asked: str) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, "minamo_plays")
    for is_away in (False, True, False):
        if is_away:
            with records_away():
                await world.start_bot()  # the one before has written what it was about to keep
                await world.change_database("DELETE FROM kept_answers")
                answer = await alice.slash(world.discord.channel, asked)
        else:
            answer = await alice.slash(world.discord.channel, "best")
        assert ("own best 30" in answer.everything) is is_away
        assert "Came in" not in answer.everything
        world.clock.advance(LATER)
