"""Serves metrics for Prometheus (/metrics), and health for supervisors (/healthz, /readyz).

Other packages only count; this module reads the counts on request. Imported only if METRICS_PORT is set.
"""

import asyncio
import logging
import platform
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Self

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)

from bot.api import RecordApi
from bot.api.budget.budget import ASSUMED_LIMITS
from bot.api.cache import AnswerCache
from bot.base.build import find_build
from bot.base.tally import BOUNDS, TimedTally
from bot.chat.client import KirokuBot
from bot.domain.rating_census import RatingCensus
from bot.features import Features
from bot.features.posts import PostOutbox
from bot.program.health import http_address
from bot.store import WHYS, FreeSpace, Store

_logger = logging.getLogger(__name__)

_REQUESTS: Final[Mapping[str, str]] = {
    "sent": "sent to the record service",
    "saved_by_cache": "not sent: a fresh answer was there",
    "saved_by_revalidating": "not sent: a profile said that nothing had changed",
    "saved_by_joining": "not sent: the same question was under way",
    "stood_in": "answered from the last known answer",
    "waited": "waited for the budget of their token",
    "refused": "not sent: the budget of their token was spent",
    "too_many": "answered with 429",
    "retried": "sent again after a brief outage",
    "lost_entries": "entries of replies that could not be read",
    "unreadable": "whole replies that could not be read",
}
_LEASES: Final[Mapping[str, str]] = {
    "taken": "taken by this process",
    "handed_over": "given to another process that asked",
    "waited": "waited for while another process had them",
    "lost": "good no more: this process was taken for dead, or may have been",
}
_POSTS: Final[Mapping[str, str]] = {
    "sent": "sent",
    "late": "of these, five minutes after their time or more",
    "skipped": "with nothing to say",
    "refused": "not taken by Discord: the channel is gone, or closed to the bot",
    "lost": "given up six hours after their time, or of unknown end",
    "put_off": "could not be made yet, and wait",
}
_LOOKED: Final[Mapping[str, str]] = {
    "looked": "looked at in the background",
    "fetched": "of these, whose records were fetched too",
    "failed": "could not be looked at, for a reason of their own",
    "put_off": "to be tried again soon",
}
ALIVE: Final = "alive\n"
"""The body of `/healthz`."""
_SCARCE_SHARE: Final = 0.25
"""An account with at most this share of its requests left counts as near its limit."""
_DATABASE_TIMEOUT_SECONDS: Final = 1.5
"""The timeout for the database: callers of /readyz commonly wait two or three seconds."""
_SILENT: Final = "the database says nothing"
_ACCESSES: Final = ("read", "written")
_LAG_POLL_SECONDS: Final = 0.5
"""Seconds between measurements of the event loop lag."""
_RETRY_SECONDS: Final = 1.0
"""Seconds between attempts to open a port."""
_MAX_LAG_SAMPLES: Final = 120
"""The worst of this many samples is reported: a minute, longer than the time between two scrapes."""


@dataclass(frozen=True, slots=True)
class _MetricSources:
    """The sources of metrics, once all of them are open."""

    bot: KirokuBot
    features: Features
    store: Store
    api: RecordApi
    cache: AnswerCache


class MetricsServer:
    """Answers on a port of its own, in the event loop of everything else."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._sources: _MetricSources | None = None
        self._opening: Store | None = None
        """The store while it is being opened."""
        self._lag = deque[float](maxlen=_MAX_LAG_SAMPLES)
        self._trouble: str | None = None
        """Why this process cannot be relied on, by the current check."""
        self._room: FreeSpace | None = None
        self._examining: asyncio.Task[tuple[str | None, FreeSpace | None]] | None = None
        """The current check of the database, which concurrent callers share."""
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)
        self._stack = AsyncExitStack()
        self.address = ""
        """The address of the port; empty before it is open."""

    async def __aenter__(self) -> Self:
        """Open the port. Raises: OSError if it is taken."""
        async with AsyncExitStack() as stack:
            runner = web.ServerRunner(web.Server(self._answer, access_log=None))
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            await web.TCPSite(runner, self._host, self._port).start()
            looking = asyncio.create_task(self._sample_lag())
            stack.callback(looking.cancel)
            self._stack = stack.pop_all()
        self.address = http_address(self._host, runner.addresses[0][1])
        return self

    async def open_when_free(self) -> None:
        """Open the port as soon as it is free: another process of this machine may be about to end."""
        _logger.warning("port %d is in use: it is tried again until it is free", self._port)
        while not self.address:
            await asyncio.sleep(_RETRY_SECONDS)
            with suppress(OSError):
                await self.__aenter__()

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    def show_opening(self, store: Store) -> None:
        """Report the progress of the store's upgrade, until `show` is called."""
        self._opening = store

    @property
    def _upgrading(self) -> str | None:
        return None if self._opening is None else self._opening.upgrading

    def show(
        self, bot: KirokuBot, features: Features, store: Store, api: RecordApi, cache: AnswerCache
    ) -> None:
        """Report the counts of these from now on."""
        self._sources = _MetricSources(bot, features, store, api, cache)

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        match request.path:
            case "/healthz":
                return web.Response(text=ALIVE)
            case "/readyz":
                trouble, _ = await self._examine()
                status = HTTPStatus.SERVICE_UNAVAILABLE if trouble else HTTPStatus.OK
                return web.Response(status=status, text=f"{trouble or 'ready'}\n")
            case "/metrics":
                self._trouble, self._room = await self._examine()
                text = generate_latest(self._registry)
                return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST})
            case _:
                return web.Response(status=HTTPStatus.NOT_FOUND)

    async def _examine(self) -> tuple[str | None, FreeSpace | None]:
        """Return why this process cannot be relied on, or None, and the free space for the database."""
        if self._sources is None:
            return self._upgrading or "waiting for another process to end, or for the database", None
        trouble = _find_silence(self._sources.bot)
        if self._examining is None or self._examining.done():
            self._examining = asyncio.create_task(_ask_database(self._sources.store))
        await asyncio.wait({self._examining}, timeout=_DATABASE_TIMEOUT_SECONDS)
        wrong, room = self._examining.result() if self._examining.done() else (_SILENT, None)
        return trouble or wrong, room

    async def _sample_lag(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _LAG_POLL_SECONDS
            await asyncio.sleep(_LAG_POLL_SECONDS)
            self._lag.append(max(0.0, loop.time() - due))

    def collect(self) -> Iterator[Metric]:
        """Return all metrics, as prometheus-client requests them at each scrape."""
        lag = max(self._lag, default=0.0)
        yield _gauge(
            "event_loop_lag_seconds", "The longest that anything waited for its turn, in a minute.", lag
        )
        yield _gauge(
            "ready", "Whether Discord is connected and the database is as it should be.", not self._trouble
        )
        upgrading = "Whether the database is being brought up to date, which a large one takes minutes for."
        yield _gauge("upgrading", upgrading, self._upgrading is not None)
        is_spare = self._sources is None or self._sources.bot.is_spare
        yield _gauge(
            "spare", "Whether other processes serve everything, and this one waits its turn.", is_spare
        )
        if self._sources is None:
            return
        yield _build(self._sources.store)
        yield _durations(
            "command", "How long commands, buttons, forms and mentions took.", self._sources.bot.answered
        )
        yield _durations(
            "suggestion",
            "How long it took to suggest something while somebody types.",
            self._sources.bot.suggested,
        )
        yield _durations(
            "service_request", "How long requests to the record service took.", self._sources.api.timed
        )
        yield _counter("looks", self._sources.features.refresh.counts, _LOOKED)
        yield _counter("requests", self._sources.api.counts, _REQUESTS)
        yield _gauge("cached_answers", "Answers of the record service in memory.", self._sources.cache.size)
        yield from _budgets(self._sources.api)
        yield from _discord(self._sources.bot)
        yield from _posts(self._sources.features.posts)
        yield from _ratings(self._sources.features.game_ratings.census)
        yield from _database(self._sources.store, self._room)


def _build(store: Store) -> Metric:
    build = find_build()
    about = {
        "version": build.version,
        "commit": build.commit,
        "commit_day": str(build.day or ""),
        "python": platform.python_version(),
        "database": store.kind,
    }
    return InfoMetricFamily("kiroku_build", "What is running.", value=about)


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"kiroku_{name}", meaning, value=value)


def _gauges(name: str, meaning: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"kiroku_{name}", meaning, labels=[label])
    for value, number in values.items():
        family.add_metric([value], number)
    return family


def _counter(name: str, counts: Mapping[str, int], meanings: Mapping[str, str]) -> Metric:
    """Return a metric with a count for each meaning, present from the start."""
    meaning = "; ".join(f"{what}: {meant}" for what, meant in meanings.items())
    family = CounterMetricFamily(f"kiroku_{name}", f"{meaning}.", labels=["what"])
    for what in meanings:
        family.add_metric([what], counts.get(what, 0))
    return family


def _durations(name: str, meaning: str, tally: TimedTally) -> Metric:
    family = HistogramMetricFamily(f"kiroku_{name}_duration_seconds", meaning, labels=tally.labels)
    for values, timed in tally:
        below = [(str(bound), count) for bound, count in zip((*BOUNDS, "+Inf"), timed.below, strict=True)]
        family.add_metric(values, below, timed.seconds)
    return family


def _discord(bot: KirokuBot) -> Iterator[Metric]:
    connected = sum(not shard.is_closed() for shard in bot.shards.values())
    shards = {"connected": connected, "away": len(bot.absent)}
    yield _gauges("shards", "Connections to Discord that this process has, or should have.", "state", shards)
    yield _gauge("leases", "Shards that are this process's among all that share its database.", bot.leased)
    is_heard = bot.fleet is not None and bot.fleet.member.is_alive
    yield _gauge("presence_heard", "Whether the database has heard that this process lives.", is_heard)
    yield _gauge("servers", "Servers on Discord that this process knows.", len(bot.guilds))
    unreadable = CounterMetricFamily(
        "kiroku_events_unreadable", "Of Discord's, by kind: told, and lost here.", labels=["event"]
    )
    for event, count in sorted(bot.unreadable.items()):
        unreadable.add_metric([event], count)
    yield unreadable


def _posts(posts: PostOutbox) -> Iterator[Metric]:
    yield _counter("posts", posts.counts, _POSTS)
    yield _gauge(
        "posts_waiting", "Daily posts whose time has come and that could not be made yet.", posts.waiting
    )


def _budgets(api: RecordApi) -> Iterator[Metric]:
    shares: dict[str, list[float]] = {each: [] for each in ASSUMED_LIMITS}
    for each, share in api.fractions_left():
        shares[each].append(share)
    near = {each: sum(share <= _SCARCE_SHARE for share in left) for each, left in shares.items()}
    least = {each: min(left, default=1.0) for each, left in shares.items()}
    counts = {each: len(left) for each, left in shares.items()}
    yield _gauges(
        "budgets", "Accounts that have asked a version of the record service lately.", "version", counts
    )
    yield _gauges(
        "budgets_near_limit",
        "Of these, how many have a quarter of their requests left or less.",
        "version",
        near,
    )
    yield _gauges("budget_left_ratio", "What is left to the account that has least.", "version", least)
    held, became = api.leases
    yield _gauge(
        "budget_leases_held",
        "Accounts whose budget is this process's among all that share its database.",
        held,
    )
    yield _counter("budget_leases", became, _LEASES)


def _ratings(census: RatingCensus) -> Iterator[Metric]:
    yield _gauges(
        "ratings",
        "Members whose records were looked at in a week: the rating is what these come to, above or below it.",
        "what",
        census._asdict(),
    )
    outdated = "Whether over half of them differ in one direction: a version of the game is not known."
    yield _gauge("game_versions_outdated", outdated, census.is_outdated)


def _database(store: Store, room: FreeSpace | None) -> Iterator[Metric]:
    refused = {what: float(what in store.refused) for what in _ACCESSES}
    yield _gauges("database_refuses", "Whether the database cannot be read, or written.", "what", refused)
    times = CounterMetricFamily(
        "kiroku_database_refused",
        "How often the database could not be read, or written, and why.",
        labels=["what", "why"],
    )
    for what in _ACCESSES:
        for why in WHYS:  # all from the start: an increase shows only on a series that existed before
            times.add_metric([what, why], store.refusals.get((what, why), 0))
    yield times
    displaced = "Whether the file of an SQLite database was deleted or replaced since it was opened."
    yield _gauge("database_displaced", displaced, store.is_displaced)
    if room is not None and room.free is not None:
        yield _gauge("database_bytes", "What an SQLite database takes on its disk.", room.used)
        yield _gauge("database_free_bytes", "What is free on the disk of an SQLite database.", room.free)


def _find_silence(bot: KirokuBot) -> str | None:
    """Return why Discord's events do not arrive, or None."""
    if not bot.is_ready():
        return "not connected to Discord, or other processes serve every shard"
    if bot.absent:
        return f"not connected to Discord: shard {', '.join(map(str, bot.absent))}"
    return None


async def _ask_database(store: Store) -> tuple[str | None, FreeSpace | None]:
    return await store.find_trouble(), await store.find_room()
