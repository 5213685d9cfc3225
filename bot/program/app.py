"""Composition root: builds everything, closes it in reverse order."""

import asyncio
import errno
import logging
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.api import Priority, RecordApi
from bot.api.cache import AnswerCache
from bot.api.transport import parse_base_url
from bot.base.clock import Clock, SystemClock
from bot.base.config import CannotStart, Settings
from bot.chat.client import KirokuBot
from bot.chat.hosting import tell_host
from bot.chat.post_scheduler import PostScheduler
from bot.domain.chronicle.retention import Retention
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.ids import Region
from bot.features import Features
from bot.features.shared.alias_packs import read_packs
from bot.features.shared.asking import FRESH_FOR
from bot.features.shared.game_data import read_game_versions, read_host_constants
from bot.features.shared.notices import read_notice
from bot.store import ClusterMember, ShardFleet, Store, open_vault

if TYPE_CHECKING:
    from bot.program.metrics import MetricsServer

_logger = logging.getLogger(__name__)

_SILENCE_POLL_SECONDS: Final = 0.25
"""Seconds between checks whether the database still answers."""
_CATALOGUE_DELAY_SECONDS: Final = 1.0
"""The bot connects before the catalogue is read: that takes a third of a second, and nobody asks so soon."""
_EVERYTHING: Final = "everything"
"""The lease of all of a bot's work, where only one process can serve."""


class BadAddress(CannotStart, ValueError):
    """RECORD_API_URL is missing, or no token may be sent to it."""


class App:
    """The bot with everything below it, which is opened and closed together."""

    posts: PostScheduler
    """The scheduler of posts; only after `open`."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        check_address(settings.record_api_url)
        self.bot = KirokuBot(self, shards=None if settings.shards == "auto" else settings.shards)
        self._stack = AsyncExitStack()
        self._closing = asyncio.Lock()
        self.fleet: ShardFleet | None = None
        """The processes that serve with one database, after `open`; None if this one could not join them."""
        self._store: Store
        self._giving_up: asyncio.Task[None] | None = None

    async def open(self) -> Features:
        """Open the database and the API layer, and build the features on them. Raises: CannotStart."""
        settings, clock = self._settings, self._clock
        song_names = read_packs(settings.alias_file)
        notice = read_notice(settings.notice_file)
        versions = read_game_versions(settings.game_versions)
        constants = read_host_constants(settings.constants_file)
        metrics = self._make_metrics()
        if metrics is not None:
            with suppress(CannotStart):  # the process that this one waits to replace may have the port
                await self._open_metrics(metrics)
        vault = open_vault(settings.token_keys_in_clear, settings.database_path, url=settings.database_url)
        keeping = Retention(*settings.history_days)
        opening = Store(settings.database_url, vault, serves=True, keeping=keeping)
        if metrics is not None:
            metrics.show_opening(opening)
        store = self._store = await self._stack.enter_async_context(opening)
        joining = store.member() if store.is_shared else _alone(store.member())
        member = await self._stack.enter_async_context(joining)
        self.fleet = None if member is None else store.fleet(member)
        if metrics is not None:
            await self._ensure_metrics_open(metrics, store)
        api, cache = await self._open_api(store)
        leader = store.leader_lease(member)
        features = Features(settings, clock, store, api, cache, leader, song_names, versions, constants)
        features.about.notice = notice
        for each in (features.boards, features.chronicle, features.catalogues):
            await self._stack.enter_async_context(each)
        if metrics is not None:
            metrics.show(self.bot, features, store, api, cache)
        self.posts = PostScheduler(self.bot)
        self._start_background(features)
        return features

    def _start_background(self, features: Features) -> None:
        """Start the periodic tasks; the bot stops them when it closes."""
        tasks = self.bot.background
        refresh = partial(features.catalogues.keep_fresh, Region(self._settings.default_region))
        tasks.start("refreshing the catalogue", refresh, delay=_CATALOGUE_DELAY_SECONDS)
        tasks.start("deleting old days", features.old_days.delete_some)
        tasks.start("looking at members", features.refresh.run_once)
        tasks.start("counting explained ratings", features.game_ratings.take_census)
        if self._settings.record_token.get_secret_value():
            tasks.start("gathering statistics", features.statistics_prefetch.run_once)
        if features.hosting.owners:
            tasks.start("looking for what the host is told", partial(tell_host, self.bot))
        tasks.start("making posts", self.posts.make_due, delay=0.0)
        tasks.start("preparing posts", self.posts.prepare_upcoming, delay=0.0)

    async def reload(self) -> None:
        """Reload the operator's files; if one cannot be read, its former content stays."""
        try:
            aliases = await asyncio.to_thread(read_packs, self._settings.alias_file)
        except CannotStart as error:
            _logger.warning("the aliases stay as they were: %s", error)
        else:
            self.bot.features.catalogues.rename(aliases)
            _logger.info("%d aliases reloaded", len(aliases.lines))
        try:
            versions = await asyncio.to_thread(read_game_versions, self._settings.game_versions)
        except CannotStart as error:
            _logger.warning("the game's versions stay as they were: %s", error)
        else:
            self.bot.features.game_ratings.versions = versions
            _logger.info("%d versions of the game reloaded", len(versions.versions))
        try:
            constants = await asyncio.to_thread(read_host_constants, self._settings.constants_file)
        except CannotStart as error:
            _logger.warning("the constants stay as they were: %s", error)
        else:
            await self.bot.features.catalogues.fill(constants)
            _logger.info("%d constants reloaded", len(constants))
        try:
            self.bot.features.about.notice = await asyncio.to_thread(read_notice, self._settings.notice_file)
        except CannotStart as error:
            _logger.warning("the notice stays as it was: %s", error)

    async def describe_database(self) -> str:
        """Return the kind of the database and its revision; only after `open`."""
        try:
            return f"{self._store.kind} at revision {await self._store.find_revision()}"
        except CannotRead:
            return f"{self._store.kind}, which cannot be read now"

    async def until_outdated(self) -> None:
        """Wait until a newer version wants to upgrade the database; only after `open`."""
        await self._store.until_outdated()

    async def _open_api(self, store: Store) -> tuple[RecordApi, AnswerCache]:
        settings, clock = self._settings, self._clock
        reserves = dict(zip(Priority, (0, *settings.reserve_percents), strict=True))
        api = await self._stack.enter_async_context(
            RecordApi(
                settings.record_api_url,
                clock=clock,
                kept_percent=reserves,
                windows=store.windows,
                shared=None if self.fleet is None else store.budgets(self.fleet.member),
            )
        )
        seconds = settings.fresh_seconds
        fresh_for = FRESH_FOR if seconds is None else timedelta(seconds=seconds)
        cache = await self._stack.enter_async_context(
            AnswerCache(
                clock,
                fresh_for=fresh_for,
                keeper=store.answers,
                counts=api.counts,
                are_believed=store.bus.until_current if store.is_shared else None,
            )
        )
        return api, cache

    def _make_metrics(self) -> "MetricsServer | None":
        if not self._settings.metrics_port:
            return None
        from bot.program.metrics import MetricsServer  # noqa: PLC0415 - prometheus-client, for the few who want it

        return MetricsServer(self._settings.metrics_host, self._settings.metrics_port)

    async def _open_metrics(self, metrics: "MetricsServer") -> None:
        try:
            await self._stack.enter_async_context(metrics)
        except OSError as error:
            raise bad_port(self._settings, error) from None

    async def _ensure_metrics_open(self, metrics: "MetricsServer", store: Store) -> None:
        """Open the port, if it is not open yet. Raises: CannotStart, unless another serving process has it."""
        if not metrics.address and store.is_shared:
            opening = asyncio.create_task(metrics.open_when_free())
            self._stack.callback(opening.cancel)
        elif not metrics.address:
            await self._open_metrics(metrics)
        self._stack.push_async_exit(metrics)  # the port has to be released before this process's lease

    async def _give_up_once_silent(self) -> None:
        if self.fleet is not None:
            while self.fleet.member.is_alive:  # noqa: ASYNC110 - time alone tells
                await asyncio.sleep(_SILENCE_POLL_SECONDS)
            self._store.give_up()

    def stop_waiting(self) -> None:
        """Stop waiting for a silent database from now on: `close` is about to be called."""
        if self._giving_up is None:
            self._giving_up = asyncio.create_task(self._give_up_once_silent())

    async def close(self) -> None:
        """Close everything, the last opened first; safe to call repeatedly, concurrently, or before `open`."""
        async with self._closing:
            await self._stack.aclose()
            if self._giving_up is not None:
                self._giving_up.cancel()


@asynccontextmanager
async def _alone(member: ClusterMember) -> AsyncGenerator[ClusterMember | None]:
    """Wait until no other process serves with this database, and keep others waiting.

    If the database or its folder cannot be written, others cannot be kept waiting; the bot serves anyway, and this yields
    None.
    """
    async with AsyncExitStack() as stack:
        joined: ClusterMember | None = None
        try:
            await stack.enter_async_context(member)
            await member.wait_to_acquire(
                _EVERYTHING, why="another process serves with this database: waiting until it ends"
            )
            joined = member
        except (CannotKeep, CannotRead, OSError):
            _logger.warning("another process with this database would not be noticed")
        yield joined


def check_address(text: str) -> None:
    """Check that a token may be sent to the record service's address. Raises: BadAddress."""
    if not text:
        message = "RECORD_API_URL is not set. Put the base address of the record service into .env."
        raise BadAddress(message)
    try:
        parse_base_url(text)
    except ValueError as error:
        message = f"RECORD_API_URL is not right: {error}."
        raise BadAddress(message) from None


def bad_port(settings: Settings, error: OSError) -> CannotStart:
    """Return the error for a METRICS_PORT that cannot be opened."""
    port, host = settings.metrics_port, settings.metrics_host
    if error.errno == errno.EADDRINUSE:
        return CannotStart(f"Port {port} is in use. Set METRICS_PORT to another one, or to 0 to do without.")
    return CannotStart(
        f"Port {port} of {host} cannot be opened ({error.strerror}). "
        "Set METRICS_HOST to an address of this machine, and METRICS_PORT to a port that you may use."
    )


def create_bot(settings: Settings, *, clock: Clock | None = None) -> KirokuBot:
    """Build the bot; nothing is opened, read or sent before it logs in.

    Raises: BadAddress.
    """
    return App(settings, clock or SystemClock()).bot
