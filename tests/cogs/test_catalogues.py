"""When the catalogue is asked for anew, and how urgently."""

import asyncio
import hashlib
import sqlite3
import zlib
from collections.abc import AsyncGenerator
from contextlib import closing, suppress
from datetime import UTC, datetime

import pytest
from aiohttp import web
from harness import Person
from patience import PATIENT_SECONDS
from pydantic import SecretStr
from world import World

from bot.base.clock import JST
from bot.domain.errors import ServiceDown
from bot.domain.ids import JP2, MemberId
from bot.features.shared import catalogues
from bot.features.shared.catalogues import next_catalogue_refresh
from bot.wire.songs import SongsReply
from bot.wire.versions import Version
from service.options import ServiceOptions

LIMIT = 20
SLOW = """
CREATE TRIGGER slow AFTER INSERT ON catalogues BEGIN
  SELECT count(*) FROM (
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000) SELECT i FROM n
  );
END
"""
"""Writing a catalogue down takes a moment."""


def test_a_catalogue_is_known_again_by_what_the_service_has_said_in_whole() -> None:
    """However it is written down: else each that is kept would be news once."""
    said = [
        {"meta": {"id": f"{number:016x}", "title": '音 \\ "'}, "data": {"MAS": {"const": 13.7}}}
        for number in (1, 2)
    ]
    for reply in (SongsReply.model_validate(said), SongsReply.model_validate([])):
        content = reply.model_dump_json().encode()
        kept = catalogues.pack(reply, JP2, datetime.now(UTC))
        assert kept.digest == hashlib.sha256(content).hexdigest()
        assert zlib.decompress(kept.content) == content


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


async def refreshed(world: World) -> None:
    """Wait until what is refreshed behind an answer has come, or has failed."""
    flights = world.bot.features.catalogues._cache._flights.values()
    await asyncio.gather(*(each.join(PATIENT_SECONDS) for each in flights), return_exceptions=True)


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
        await refreshed(world)
        assert failing.asked == 1
    world.clock.advance(1)
    await alice.slash(world.discord.channel, "song", title="AETHER")
    await refreshed(world)
    assert failing.asked == 2


async def test_a_clock_that_was_ahead_puts_no_refresh_off(world: World) -> None:
    alice = world.discord.person("Alice")
    world.clock.advance(7 * 86_400)
    await alice.slash(world.discord.channel, "song", title="AETHER")
    world.clock.set_back(7 * 86_400)
    counts = world.bot.features.catalogues._api.counts
    before = counts["sent"]
    await alice.slash(world.discord.channel, "song", title="AETHER")
    assert counts["sent"] == before + 1


async def test_what_answers_is_kept_already(world: World) -> None:
    """So a bot that ends after its first answer knows the songs when it starts again, also without the service."""
    await world.discord.stop()
    await world.change_database("DELETE FROM catalogues")
    await world.change_database(SLOW)
    await world.start_bot()
    loaded = None
    while loaded is None:
        with suppress(ServiceDown):
            loaded = await world.bot.features.catalogues.get(JP2, patience=0.01)
    with closing(sqlite3.connect(world.database)) as database:
        assert database.execute("SELECT count(*) FROM catalogues").fetchone() == (1,)


async def test_a_catalogue_without_news_is_indexed_once(world: World) -> None:
    """As at each start, where the kept one is the newest, and at most refreshes."""
    found = world.bot.features.catalogues
    before = await found.get(JP2, patience=30)
    world.clock.advance(86_400)
    while (after := await found.get(JP2, patience=30)).age.fetched_at == before.age.fetched_at:
        pass
    assert after.index is before.index
    assert after.catalogue is before.catalogue


async def test_a_catalogue_with_news_is_indexed_anew(world: World) -> None:
    found = world.bot.features.catalogues
    before = await found.get(JP2, patience=30)
    await world.rename_song("AETHER", "News")
    world.clock.advance(86_400)
    while (after := await found.get(JP2, patience=30)).age.fetched_at == before.age.fetched_at:
        pass
    assert [song.title for song in after.index.search("News")] == ["News"]


class TestReserves:
    """What a refresh leaves for the people whose token it is read with."""

    @pytest.fixture
    def options(self) -> ServiceOptions:
        limits: dict[Version, int] = {"2.0": LIMIT, "1.3": 120, "1.0": 200}
        return ServiceOptions(quick_seconds=0, limits=limits, access_log=True)

    @pytest.fixture(autouse=True)
    def unhurried(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let answers wait for a refresh that may be sent, however busy the machine is."""
        monkeypatch.setattr(catalogues, "_GRACE_SECONDS", 30.0)

    async def spend(self, world: World, *, left: int, operator: bool) -> Person:
        """Have somebody read the catalogue and ask until so many requests are left, when it is due again."""
        await world.bot.features.catalogues.get(JP2, patience=30)  # cut off, it may have counted or not
        changes: dict[str, object] = {"fresh_seconds": 0}
        if not operator:
            changes["record_token"] = SecretStr("")
        world.settings = world.settings.model_copy(update={**changes})
        await world.start_bot()
        alice = world.discord.person("Alice")
        await world.link(alice, list(world.players)[-1])
        await alice.slash(world.discord.channel, "song", title="AETHER")
        due_at = next_catalogue_refresh(world.clock.now())
        world.clock.advance((due_at - world.clock.now()).total_seconds() - 60)
        while LIMIT - world.log.text.count("service.access: GET /2.0/") > left:
            await alice.slash(world.discord.channel, "friends")
        world.clock.advance(120)
        self.before = 0
        self.before = self.refreshes(world)
        return alice

    def refreshes(self, world: World) -> int:
        """Return how often the catalogue was read since it is due again."""
        return world.log.text.count("service.access: GET /2.0/music/showall.json") - self.before

    @pytest.mark.parametrize(("left", "refreshes"), [(3, 0), (4, 1)])
    async def test_behind_an_answer_a_refresh_leaves_some_of_the_askers_requests(
        self, world: World, left: int, refreshes: int
    ) -> None:
        alice = await self.spend(world, left=left, operator=False)
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert reply.embed.title == "AETHER"
        assert self.refreshes(world) == refreshes
        assert ("cannot be asked right now" in reply.everything) == (refreshes == 0)
        assert "used up" not in reply.everything

    @pytest.mark.parametrize(("left", "refreshes"), [(8, 0), (9, 1)])
    async def test_before_anybody_asks_a_refresh_leaves_more(
        self, world: World, left: int, refreshes: int
    ) -> None:
        alice = await self.spend(world, left=left, operator=True)
        await world.bot.features.catalogues.refresh(JP2)
        assert self.refreshes(world) == refreshes
        reply = await alice.slash(world.discord.channel, "song", title="AETHER")
        assert self.refreshes(world) == 1
        assert "right now" not in reply.everything

    async def test_who_asks_hastens_the_refresh_under_way(self, world: World) -> None:
        """It waits for the window to open, and would for ten seconds more."""
        alice = await self.spend(world, left=8, operator=True)
        report = await world.bot.features.accounts.report(MemberId(alice.id))
        ((_, left),) = [each for each in report.budgets if each[1].remaining == 8]
        assert left.reset_at is not None
        world.clock.advance((left.reset_at - world.clock.now()).total_seconds() - 10)
        ahead = asyncio.create_task(world.bot.features.catalogues.refresh(JP2))
        await alice.slash(world.discord.channel, "song", title="AETHER")
        assert self.refreshes(world) == 1
        await ahead


@pytest.mark.parametrize(
    ("now", "refresh"),
    [
        ("2026-11-21T00:00", "2026-11-21T12:10"),
        ("2026-11-21T12:09", "2026-11-21T12:10"),
        ("2026-11-21T12:10", "2026-11-21T21:10"),
        ("2026-11-21T21:09", "2026-11-21T21:10"),
        ("2026-11-21T21:10", "2026-11-22T12:10"),
        ("2026-12-31T23:00", "2027-01-01T12:10"),
    ],
)
def test_the_catalogue_is_fresh_until_ten_past_the_next_refresh(now: str, refresh: str) -> None:
    local = datetime.fromisoformat(now).replace(tzinfo=JST)
    assert next_catalogue_refresh(local.astimezone(UTC)) == datetime.fromisoformat(refresh).replace(
        tzinfo=JST
    )
