"""What a real bot tells on METRICS_PORT, read as Prometheus and whoever looks after it read it."""

import asyncio
import re
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from socket import create_server
from typing import Any

import aiohttp
import pytest
from patience import PATIENT_SECONDS
from scraping import Samples, Scraper, free_port, scraping, until_answered
from troubled import full, leave_free, refused_for_want_of_room
from world import World

from bot.base.build import find_build
from bot.base.clock import SystemClock
from bot.domain.members import Visibility
from bot.features.about import About
from bot.program import metrics
from bot.program.app import App
from bot.program.metrics import MetricsServer
from bot.store import WHYS, ClusterMember, Store
from bot.wire.endpoints import ENDPOINTS

PLAYER = "minamo_plays"


@pytest.fixture
async def scraper(world: World) -> AsyncGenerator[Scraper]:
    """Return who asks the bot, which was started anew with a port for that."""
    world.settings = world.settings.model_copy(update={"metrics_port": free_port()})
    await world.start_bot()
    await world.bot.wait_until_ready()
    async with scraping(world.settings.metrics_port) as scraper:
        yield scraper


def commands(found: Samples) -> dict[tuple[str, str], float]:
    """Return how many there were, by name and outcome."""
    return {
        (labels["command"], labels["outcome"]): count
        for labels, count in found.of("kiroku_command_duration_seconds_count")
    }


@pytest.mark.sqlite  # which alone tells of its file
async def test_every_metric_stands_in_the_page_for_hosts_and_no_other(scraper: Scraper) -> None:
    samples = await scraper.scrape()
    told = re.findall(r"^# TYPE (kiroku_\w+) ", samples.text, re.MULTILINE)
    page = (Path(__file__).parents[2] / "docs/hosting.md").read_text(encoding="utf-8")
    table = "\n".join(line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `kiroku_"))
    assert sorted(set(re.findall(r"`(kiroku_\w+)`", table))) == sorted(told), (
        "each has a row in docs/hosting.md, and a name of its own"
    )


async def test_commands_are_told_by_name_and_outcome(
    world: World, scraper: Scraper, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, bob = world.discord.person("Alice"), world.discord.person("Bob")
    await world.link(alice, PLAYER)
    shown = await alice.slash(world.discord.channel, "rating")
    await alice.click(shown, "Refresh")
    await bob.slash(world.discord.channel, "rating")
    await bob.context_menu(world.discord.channel, "Show best", alice)

    async def fail(_about: About) -> None:
        raise RuntimeError

    monkeypatch.setattr(About, "report", fail)
    await bob.slash(world.discord.channel, "about")
    assert world.bot.user is not None
    posts = len(world.discord.channel.posts())
    await bob.say(world.discord.channel, f"<@{world.bot.user.id}>")
    await world.discord.post(world.discord.channel, after=posts + 1)
    await until_answered()
    counted = commands(await scraper.scrape())
    assert counted == {
        ("link", "answered"): 1,
        ("form", "answered"): 1,
        ("rating", "answered"): 1,
        ("button rating", "answered"): 1,
        ("rating", "told"): 1,
        ("Show best", "told"): 1,
        ("about", "fault"): 1,
        ("mention", "answered"): 1,
    }


async def test_suggestions_are_timed_apart(world: World, scraper: Scraper) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    before = commands(await scraper.scrape())
    await alice.autocomplete(world.discord.channel, "song", title="AETH")
    await alice.autocomplete(world.discord.channel, "settings", timezone="tokyo")
    await until_answered()
    found = await scraper.scrape()
    assert found.get("kiroku_suggestion_duration_seconds_count") == 2
    assert commands(found) == before


async def test_requests_are_told_by_endpoint_and_outcome(world: World, scraper: Scraper) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    await alice.slash(world.discord.channel, "rating")
    found = await scraper.scrape()
    name = "kiroku_service_request_duration_seconds_count"
    assert found.get(name, endpoint="/1.3/users/me.json", outcome="2xx")
    assert {labels["endpoint"] for labels, _ in found.of(name)} <= {each.path for each in ENDPOINTS}
    sent = sum(count for _, count in found.of(name))
    assert found.get("kiroku_requests_total", what="sent") == sent > 0
    assert found.get("kiroku_requests_total", what="too_many") == 0
    assert (found.get("kiroku_cached_answers") or 0) >= 1
    await world.stop_service()
    await alice.slash(world.discord.channel, "friends")
    assert (await scraper.scrape()).get(name, endpoint="/2.0/friends/list.json", outcome="not_sent")


async def test_budgets_are_told_of_all_accounts_together(world: World, scraper: Scraper) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER)
    found = await scraper.scrape()
    assert (found.get("kiroku_budgets", version="1.3") or 0) >= 1
    assert found.get("kiroku_budgets_near_limit", version="1.3") == 0
    least = found.get("kiroku_budget_left_ratio", version="1.3")
    assert least is not None
    assert 0.9 < least < 1


async def test_budgets_that_travel_are_told(world: World, scraper: Scraper) -> None:
    before = await scraper.scrape()
    await world.link(world.discord.person("Alice"), PLAYER)
    found = await scraper.scrape()
    taken = [each.get("kiroku_budget_leases_total", what="taken") or 0 for each in (before, found)]
    held = found.get("kiroku_budget_leases_held")
    if world.settings.database_url.startswith("sqlite"):
        assert (taken, held) == ([0, 0], 0)
    else:
        assert taken[0] < taken[1]
        assert held
    for what in ("handed_over", "waited", "lost"):
        assert found.get("kiroku_budget_leases_total", what=what) == 0


async def test_nothing_in_it_is_somebodys(world: World, scraper: Scraper) -> None:
    alice = world.discord.person("Alice")
    await world.link(alice, PLAYER, Visibility.SERVERS)
    shown = await alice.slash(world.discord.channel, "song", title="AETHER")
    await alice.slash(world.discord.channel, "scores", filter="title:AETHER")
    await alice.slash(world.discord.channel, "rating", player="mio")
    await until_answered()
    found = await scraper.scrape()
    assert shown.posts
    values = {value for (_, labels), _ in found.values.items() for _, value in labels}
    values.discard(find_build().commit)
    assert [each for each in values if re.search(r"\d{5}", each)] == []  # neither an id nor a token
    said = found.text.casefold()
    for name in ("alice", PLAYER, "mio", "aether", world.token(PLAYER), world.discord.home.guild.name):
        assert name.casefold() not in said, name


async def test_what_is_alive_and_ready(scraper: Scraper) -> None:
    assert (await scraper.ask("/healthz"))[0] == 200
    assert await scraper.ask("/readyz") == (200, "ready\n")
    found = await scraper.scrape()
    assert found.get("kiroku_ready") == 1
    assert found.get("kiroku_shards", state="connected") == 1
    assert found.get("kiroku_shards", state="away") == 0
    assert found.get("kiroku_leases") == 1
    assert found.get("kiroku_presence_heard") == 1
    assert found.get("kiroku_servers") == 1
    assert (await scraper.ask("/anything"))[0] == 404


async def test_a_shard_that_is_away(world: World, scraper: Scraper) -> None:
    await world.bot.shards[0].disconnect()
    assert await scraper.ask("/readyz") == (503, "not connected to Discord: shard 0\n")
    found = await scraper.scrape()
    assert found.get("kiroku_ready") == 0
    assert found.get("kiroku_shards", state="away") == 1
    assert (await scraper.ask("/healthz"))[0] == 200


async def test_a_database_that_another_version_has_changed(world: World, scraper: Scraper) -> None:
    await world.change_database("UPDATE alembic_version SET version_num = '9999'")
    assert await scraper.ask("/readyz") == (200, "ready\n")  # it may have added to it alone
    is_file = world.settings.database_url.startswith("sqlite")
    oldest = "PRAGMA user_version = 9999" if is_file else "COMMENT ON TABLE alembic_version IS '9999'"
    await world.change_database(oldest)
    status, why = await scraper.ask("/readyz")
    assert status == 503
    assert why.startswith("the database is at revision 9999, this version at ")


@pytest.mark.sqlite
async def test_a_full_disk_is_counted_and_told_although_the_database_takes_something_again(
    world: World, scraper: Scraper
) -> None:
    name = "kiroku_database_refused_total"
    alice = world.discord.person("Alice")
    before = await scraper.scrape()
    assert {labels["why"] for labels, count in before.of(name) if count == 0} == set(WHYS)
    async with full(world):
        await refused_for_want_of_room(world)
        assert await scraper.ask("/readyz") == (503, "the disk of the database is full\n")
    await world.link(alice, PLAYER)
    found = await scraper.scrape()
    assert found.get("kiroku_database_refuses", what="written") == 0
    assert (found.get(name, what="written", why="full") or 0) >= 1
    assert found.get(name, what="written", why="locked") == 0
    assert found.get("kiroku_ready") == 0


@pytest.mark.sqlite
async def test_what_is_free_on_the_disk_is_told(
    world: World, scraper: Scraper, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = await scraper.scrape()
    assert (found.get("kiroku_database_bytes") or 0) >= world.database.stat().st_size
    assert (found.get("kiroku_database_free_bytes") or 0) > 0
    assert found.get("kiroku_ready") == 1
    leave_free(monkeypatch, 12)
    assert (await scraper.scrape()).get("kiroku_database_free_bytes") == 12
    assert await scraper.ask("/readyz") == (503, "the disk of the database is full\n")


async def test_who_asks_whether_it_is_ready_hears_within_two_seconds_that_the_database_is_silent(
    scraper: Scraper, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on, asked = asyncio.Event(), list[Store]()
    find = Store.find_revision

    async def stall(store: Store) -> str | None:
        asked.append(store)
        await going_on.wait()
        return await find(store)

    monkeypatch.setattr(Store, "find_revision", stall)
    monkeypatch.setattr("bot.program.metrics._DATABASE_TIMEOUT_SECONDS", 0.05)
    for _ in range(3):
        assert await scraper.ask("/readyz") == (503, "the database says nothing\n")
    assert (await scraper.scrape()).get("kiroku_ready") == 0
    assert len(asked) == 1  # the others wait for the same look
    going_on.set()
    async with asyncio.timeout(PATIENT_SECONDS):
        while await scraper.ask("/readyz") != (200, "ready\n"):
            pass


def test_those_who_ask_have_more_patience_than_the_bot_with_its_database() -> None:
    assert metrics._DATABASE_TIMEOUT_SECONDS < 2


async def test_the_longest_wait_for_a_turn(scraper: Scraper) -> None:
    time.sleep(1.5)  # noqa: ASYNC251 - which is what keeps everybody waiting
    await asyncio.sleep(0)
    lag = (await scraper.scrape()).get("kiroku_event_loop_lag_seconds")
    assert lag is not None
    assert lag > 0.5


@pytest.mark.sqlite
async def test_who_waits_for_another_process_is_alive_and_takes_its_port_over(world: World) -> None:
    await world.discord.stop()
    ports = free_port(), free_port()
    ours, other, same = (
        App(world.settings.model_copy(update={"metrics_port": port}), SystemClock())
        for port in (ports[0], ports[1], ports[0])
    )
    for app in (ours, other, same):
        app.bot = world.bot
    await ours.open()
    waiting = [asyncio.create_task(each.open()) for each in (other, same)]
    for _ in waiting:
        await world.log.until("waiting until it ends")
    async with scraping(ports[1]) as scraper:
        assert (await scraper.ask("/healthz"))[0] == 200
        assert await scraper.ask("/readyz") == (
            503,
            "waiting for another process to end, or for the database\n",
        )
        waiting[0].cancel()
        await asyncio.wait({waiting[0]})
        await other.close()
        with pytest.raises(aiohttp.ClientError):
            await scraper.ask("/healthz")
    await ours.close()
    await waiting[1]
    async with scraping(ports[0]) as scraper:
        assert (await scraper.ask("/healthz"))[0] == 200
    await same.close()


async def test_its_port_is_free_before_another_process_takes_its_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.discord.stop()
    port = free_port()
    leave, left = ClusterMember.__aexit__, list[str]()

    async def look(member: ClusterMember, *why: Any) -> None:
        with create_server(("127.0.0.1", port)):
            left.append("free")
        await leave(member, *why)

    monkeypatch.setattr(ClusterMember, "__aexit__", look)
    app = App(world.settings.model_copy(update={"metrics_port": port}), SystemClock())
    app.bot = world.bot
    await app.open()
    await app.close()
    assert left == ["free"]


async def test_a_port_that_another_process_gives_back_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.program.metrics._RETRY_SECONDS", 0.01)
    port = free_port()
    following = MetricsServer("127.0.0.1", port)
    async with MetricsServer("127.0.0.1", port):
        opening = asyncio.create_task(following.open_when_free())
        with pytest.raises(OSError, match="address already in use"):
            await following.__aenter__()
        assert not following.address
    await opening
    async with scraping(port) as scraper:
        assert await scraper.ask("/healthz") == (200, "alive\n")
    await following.__aexit__(None, None, None)
