"""Each alert of ops/alerts.yml fires in a drill: by the numbers of a real bot that was driven into that trouble.

The numbers from before the trouble and from within it are played to promtool, Prometheus's own: half an hour of the
one, an hour of the other, in which what is counted goes on as it did, and then the first again.
"""

import asyncio
import json
import re
import subprocess
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Final

import aiohttp
import pytest
from dailies import at_nine, start_daily
from scraping import Scraper, free_port, scraping, until_answered
from tools import find_tool
from troubled import full, leave_free, refused_for_want_of_room
from world import World

from bot.api.protocol import Response
from bot.api.transport import HttpTransport
from bot.base.clock import SystemClock
from bot.domain.game_versions import VersionTable
from bot.features.about import About, AboutReport
from bot.program.app import App
from service.options import ServiceOptions

pytestmark = pytest.mark.heavy

OPS: Final = Path(__file__).parents[2] / "ops"
RULES: Final = OPS / "alerts.yml"
COUNTED: Final = ("_total", "_count", "_sum", "_bucket")
PLAYER: Final = "minamo_plays"
CALM, TROUBLE, AFTER = 30, 60, 100
"""Minutes."""
LIMITED: Final = 5
"""Requests of version 2.0 that an account has."""

Trouble = Callable[[World], Awaitable[None]]


@pytest.fixture
def options() -> ServiceOptions:
    return ServiceOptions(limits={"2.0": LIMITED, "1.3": 120, "1.0": 200}, quick_seconds=0)


async def end(world: World) -> None:
    await world.discord.stop()


async def lose_a_shard(world: World) -> None:
    await world.bot.shards[0].disconnect()


async def fail(world: World) -> None:
    async def report(_about: About) -> None:
        raise RuntimeError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(About, "report", report)
        await world.discord.person("Bob").slash(world.discord.channel, "about")


async def lose_the_service(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    await world.stop_service()
    await alice.slash(world.discord.channel, "friends")


async def answer_a_page(world: World) -> None:
    """Have somebody in front of the service answer for it that it is being repaired, with a status of 200."""

    async def fetch(*_: object, **_more: object) -> Response:
        return Response(200, {"Content-Type": "text/html"}, b"<html>Back soon</html>")

    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpTransport, "fetch", fetch)
        await alice.slash(world.discord.channel, "friends")


async def be_refused(world: World) -> None:
    """Let another program spend what the bot believes to have left."""
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    async with aiohttp.ClientSession(world.settings.record_api_url) as other:
        for _ in range(LIMITED):
            await other.get("/2.0/friends/list.json", params={"token": world.token(PLAYER)})
    await alice.slash(world.discord.channel, "friends")


async def spend(world: World) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    for command in ("friends", "courses", "worldsend", "scores"):
        await alice.slash(world.discord.channel, command)


async def hold_a_post_up(world: World) -> None:
    await start_daily(world, PLAYER)
    at_nine(world)
    await world.stop_service()
    await world.tick()


async def lose_a_post(world: World) -> None:
    await start_daily(world, PLAYER)
    at_nine(world)
    world.clock.advance(6 * 3600)
    await world.tick()


async def stand_still(_world: World) -> None:
    time.sleep(2.5)  # noqa: ASYNC251 - which is what keeps everybody waiting


async def write_nothing(world: World) -> None:
    await world.stack.enter_async_context(world.locked())  # until it has been looked at
    await world.discord.person("Bob").slash(world.discord.channel, "settings", timezone="Europe/Paris")


async def fill_the_disk(world: World) -> None:
    async with full(world):
        await refused_for_want_of_room(world)
    await world.discord.person("Ken").slash(world.discord.channel, "settings", timezone="Europe/Paris")


async def replace_the_database(world: World) -> None:
    """Put another file in its place; the former one is back after it has been looked at."""
    aside = await asyncio.to_thread(world.database.rename, world.database.with_name("aside.db"))
    await asyncio.to_thread(world.database.touch)
    world.stack.callback(aside.replace, world.database)
    await world.discord.person("Bob").slash(world.discord.channel, "settings", timezone="Europe/Paris")


async def leave_little_room(world: World) -> None:
    """Leave 200 MB on the disk, until it has been looked at."""
    patch = world.stack.enter_context(pytest.MonkeyPatch.context())
    leave_free(patch, 200_000_000)


async def miss_a_version(world: World) -> None:
    ratings = world.bot.features.game_ratings
    ratings.versions = VersionTable(ratings.versions.versions[:1])
    for player in ("minamo_plays", "DrBeat", "mio"):
        person = world.discord.person(player)
        await world.link(person, player)
        await person.slash(world.discord.channel, "session")
    await ratings.take_census()


async def answer_slowly(world: World) -> None:
    async def report(about: About) -> AboutReport:
        await asyncio.sleep(2.1)
        return await make(about)

    make = About.report
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(About, "report", report)
        await world.discord.person("Bob").slash(world.discord.channel, "about")


DRILL: Final[dict[Trouble, Collection[str]]] = {
    end: ["KirokuDown"],
    lose_a_shard: ["KirokuShardAway", "KirokuNotReady"],
    fail: ["KirokuAnswersFail"],
    lose_the_service: ["KirokuRecordServiceFails"],
    answer_a_page: ["KirokuRecordServiceFails"],
    be_refused: ["KirokuRefusedByRecordService", "KirokuBudgetNearLimit"],
    spend: ["KirokuBudgetNearLimit"],
    hold_a_post_up: ["KirokuPostsLate", "KirokuRecordServiceFails"],
    lose_a_post: ["KirokuPostsLost"],
    stand_still: ["KirokuLoopLags"],
    write_nothing: ["KirokuDatabaseAway", "KirokuDatabaseRefuses", "KirokuAnswersSlow"],
    fill_the_disk: ["KirokuDiskFull", "KirokuNotReady"],
    replace_the_database: [
        "KirokuDatabaseReplaced",
        "KirokuNotReady",
        "KirokuDatabaseAway",
        "KirokuDatabaseRefuses",
    ],
    leave_little_room: ["KirokuDiskNearlyFull"],
    answer_slowly: ["KirokuAnswersSlow"],
    miss_a_version: ["KirokuGameVersionsOutdated"],
}


async def look(scraper: Scraper, instance: str = "one") -> dict[str, float]:
    """Return what Prometheus would keep of one look, by series."""
    try:
        samples = await scraper.scrape()
    except aiohttp.ClientError:
        return {_series("up", instance, {}): 0}
    told = {key: value for key, value in samples.values.items() if key[0].startswith("kiroku_")}
    return {
        _series("up", instance, {}): 1,
        **{_series(name, instance, dict(labels)): told[name, labels] for name, labels in told},
    }


def _series(name: str, instance: str, labels: dict[str, str]) -> str:
    told = {"job": "kiroku", "instance": instance, **labels}
    return f"{name}{{{','.join(f'{label}={json.dumps(value)}' for label, value in told.items())}}}"


def played(before: dict[str, float], within: dict[str, float]) -> Iterator[dict[str, str]]:
    """Return each series over time, as promtool writes it."""
    for series in before | within:
        name = series.partition("{")[0]
        calm, trouble = before.get(series), within.get(series)
        if calm is None and trouble is None:
            continue
        if trouble is None or not name.endswith(COUNTED):
            parts = [_still(calm, CALM), _still(trouble, TROUBLE), _still(calm, AFTER)]
        else:
            step = trouble - (calm or 0)
            reached = (calm or 0) + step * TROUBLE
            parts = [_still(calm, CALM), f"{trouble}+{step}x{TROUBLE - 1}", _still(reached, AFTER)]
        yield {"series": series, "values": " ".join(parts)}


def _still(value: float | None, minutes: int) -> str:
    return f"_x{minutes}" if value is None else f"{value}+0x{minutes - 1}"


def firing(minute: int, alarms: Mapping[str, int]) -> dict[str, object]:
    return {
        "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
        "eval_time": f"{minute}m",
        "exp_samples": [
            {"labels": f'{{alertname="{name}"}}', "value": count} for name, count in alarms.items()
        ],
    }


@pytest.mark.sqlite
@pytest.mark.parametrize("trouble", DRILL, ids=lambda trouble: trouble.__name__)
async def test_each_alert_fires_in_its_trouble_and_in_no_other(
    world: World, trouble: Trouble, tmp_path: Path
) -> None:
    world.settings = world.settings.model_copy(update={"metrics_port": free_port()})
    await world.start_bot()
    await world.bot.wait_until_ready()
    async with scraping(world.settings.metrics_port) as scraper:
        before = await look(scraper)
        await trouble(world)
        await until_answered()
        within = await look(scraper)
    await world.stop_service()  # and what has troubled it
    await play(before, within, dict.fromkeys(DRILL[trouble], 1), tmp_path)


@pytest.mark.sqlite
async def test_a_spare_alarms_nobody_while_another_process_is_ready(world: World, tmp_path: Path) -> None:
    ports = free_port(), free_port()
    world.settings = world.settings.model_copy(update={"metrics_port": ports[0]})
    await world.start_bot()
    await world.bot.wait_until_ready()
    spare = App(world.settings.model_copy(update={"metrics_port": ports[1]}), SystemClock())
    waiting = asyncio.create_task(spare.open())
    await world.log.until("waiting until it ends")
    async with scraping(ports[0]) as one, scraping(ports[1]) as two:
        is_up = _series("up", "two", {})
        while not (waits := await look(two, "two"))[is_up]:  # noqa: ASYNC110 - it says so before it can be asked
            await asyncio.sleep(0.01)
        before = await look(one) | waits
        await lose_a_shard(world)
        within = await look(one) | waits
    waiting.cancel()
    await asyncio.wait({waiting})
    await spare.close()
    assert waits[_series("kiroku_ready", "two", {})] == 0
    alarms = {"KirokuShardAway": 1, "KirokuNotReady": 2}  # with nobody to be a spare of
    await play(before, within, alarms, tmp_path)


async def play(
    before: dict[str, float], within: dict[str, float], alarms: Mapping[str, int], folder: Path
) -> None:
    """Have promtool play a trouble, in which so many processes raise each alarm, and none before and after."""
    promtool = find_tool("promtool", "KIROKU_TEST_DEMANDS_PROMTOOL")
    drill = {
        "rule_files": [str(RULES)],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": list(played(before, within)),
                "promql_expr_test": [
                    firing(CALM - 1, {}),
                    firing(CALM + TROUBLE - 1, alarms),
                    firing(CALM + TROUBLE + AFTER - 1, {}),
                ],
            }
        ],
    }
    file = folder / "drill.yml"
    file.write_text(json.dumps(drill), encoding="utf-8")  # which is YAML too
    tried = await asyncio.to_thread(
        subprocess.run, [promtool, "test", "rules", file], check=False, capture_output=True, text=True
    )
    assert tried.returncode == 0, tried.stdout + tried.stderr


def test_each_alert_has_its_drill() -> None:
    named = re.findall(r"^ +- alert: (\w+)$", RULES.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) == len(set(named)) > 9
    assert {name for names in DRILL.values() for name in names} == set(named)


async def test_what_dashboard_and_alerts_ask_for_is_told(world: World) -> None:
    world.settings = world.settings.model_copy(update={"metrics_port": free_port()})
    await world.start_bot()
    await world.link(world.discord.person("Alice"), PLAYER)
    await until_answered()
    async with scraping(world.settings.metrics_port) as scraper:
        told = {name for name, _ in (await scraper.scrape()).values}
    board = json.loads((OPS / "dashboard.json").read_text(encoding="utf-8"))
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert len(asked) > 15
    for text in (*asked, RULES.read_text(encoding="utf-8")):
        assert set(re.findall(r"\b(?:kiroku|process)_\w+", text)) - told == set(), text
