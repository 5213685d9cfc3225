"""The button "next day" of the demo: the players have played, and a day has gone by for everybody."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import ClientSession
from harness import Reply
from reading import is_answered

from bot.demo import session
from bot.demo.days import KIND, play_day
from bot.demo.world import RESIDENTS
from bot.domain.ids import JP2
from bot.ui.language.text import DEFAULT_ZONE
from service.accounts import get_account
from service.schema import opened
from service.seed import seed
from service.store import load_catalogue, load_records

NOW = datetime(2026, 11, 21, 20, tzinfo=UTC)
PLAYERS = [each.player for each in RESIDENTS]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Path:
    database = tmp_path_factory.mktemp("days") / "service.db"
    seed(database)
    return database


def scores_of(service: Path, name: str) -> dict[int, tuple[int, int]]:
    """Return score and time of each record, by chart."""
    with opened(service) as connection:
        account = get_account(connection, name)
        held = load_records(connection, load_catalogue(connection, JP2), account.user_id)
    return {each.chart.chart_id: (each.score, each.updated_at) for each in held}


def test_everybody_has_played_and_nothing_falls(service: Path) -> None:
    for day in range(3):
        now = NOW + timedelta(days=day)
        before = {name: scores_of(service, name) for name in PLAYERS}
        play_day(service, PLAYERS, now)
        for name in PLAYERS:
            after = scores_of(service, name)
            changed = {chart for chart, each in after.items() if before[name].get(chart) != each}
            assert changed
            assert before[name].keys() <= after.keys()
            for chart in changed:
                score, at = after[chart]
                assert score > before[name].get(chart, (0, 0))[0]
                assert now - timedelta(hours=3) <= datetime.fromtimestamp(at, UTC) <= now
            with opened(service) as connection:
                uploaded_at = get_account(connection, name).updated_at
            assert uploaded_at == max(after[chart][1] for chart in changed)


@pytest.mark.heavy
async def test_a_day_goes_by_on_the_page(tmp_path: Path) -> None:
    async with (
        session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _),
        ClientSession(headers={"X-Simcord-Capability": "demo"}) as client,
    ):
        before = page._simulator.backend.clock.now()
        base = page.url.removesuffix("/#demo")
        async with client.post(f"{base}/api/pages", json={}) as reply:
            context = (await reply.json())["context"]["id"]
        for day in (1, 2):
            headers = {"X-Simcord-Context": context}
            async with client.post(f"{base}/api/action", json={"kind": KIND}, headers=headers) as reply:
                assert reply.status == 200
            assert page._simulator.backend.clock.now() - before >= timedelta(days=day)
            result = await page.viewers[0].slash(page.channel, "session")
            assert await page._simulator.until(lambda result=result: is_answered(result, None), 30)
            told = Reply(page._simulator, result).everything
            assert "higher score" in told
            assert "Played " in told


@pytest.mark.heavy
async def test_a_post_of_whatever_hour_is_made_on_the_next_day(tmp_path: Path) -> None:
    async with (
        session.demo(tmp_path, session.DemoOptions(port=0)) as (page, _),
        ClientSession(headers={"X-Simcord-Capability": "demo"}) as client,
    ):
        alice, channel = page.viewers[0], page.channel
        at = page._simulator.backend.clock.now().astimezone(DEFAULT_ZONE) - timedelta(hours=11)
        for command, values in (
            ("daily channel", {"channel": channel, "time": f"{at:%H:%M}"}),
            ("daily join", {}),
        ):
            result = await alice.slash(channel, command, **values)
            assert await page._simulator.until(lambda result=result: is_answered(result, None), 30)
        before = len(channel.history())
        base = page.url.removesuffix("/#demo")
        async with client.post(f"{base}/api/pages", json={}) as reply:
            headers = {"X-Simcord-Context": (await reply.json())["context"]["id"]}
        async with client.post(f"{base}/api/action", json={"kind": KIND}, headers=headers) as reply:
            assert reply.status == 200
        assert await page._simulator.until(lambda: len(channel.history()) > before, 40)
        (post,) = channel.history()[before:]
        assert alice.mention in str(post.embeds[0].description)
