"""Composition root: builds everything, closes it in reverse order."""

import errno
from collections.abc import Mapping
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from random import SystemRandom
from typing import Final

from bot.api import Priority, RecordApi
from bot.api.cache import AnswerCache
from bot.api.transport import parse_base_url
from bot.client import KirokuBot
from bot.clock import Clock, SystemClock
from bot.config import CannotStart, Settings
from bot.domain.ids import Region
from bot.features import Features
from bot.features.about import About
from bot.features.accounts import Accounts
from bot.features.aliases import ServerAliases, read_alias_file
from bot.features.askers import Askers
from bot.features.best import Best
from bot.features.calculator import Calculator
from bot.features.catalogues import Catalogues
from bot.features.comparison import Comparisons
from bot.features.courses import Courses
from bot.features.daily import Daily
from bot.features.exports import RecordExports
from bot.features.friends import Friends
from bot.features.history import History
from bot.features.library import Library
from bot.features.overpower import OverPowers
from bot.features.plan import Plans
from bot.features.preferences import MemberPreferences
from bot.features.privacy import Privacy
from bot.features.rating import Ratings
from bot.features.scores import Scores
from bot.features.searches import Searches
from bot.features.songs import Songs
from bot.features.statistics import Statistics
from bot.metrics import MetricsPage
from bot.store import Store, open_vault

_CATALOGUE_PATIENCE: Final = timedelta(seconds=30)
"""The catalogue is large and the same for everyone: worth a longer wait than one answer, and nobody waits for it
where an older one is at hand."""


class App:
    """Everything below the bot, opened and closed together."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        parse_base_url(settings.record_api_url)
        self._stack = AsyncExitStack()

    async def open(self) -> Features:
        """Open the database and the API layer, and build the features on them. Raises: CannotStart."""
        settings, clock = self._settings, self._clock
        region = Region(settings.default_region)
        named = _read_aliases(settings.alias_file)
        vault = open_vault(settings.token_keys_in_clear, settings.database_path)
        store = await self._stack.enter_async_context(Store(settings.database_url, vault))
        api, cache = await self._open_api(store)
        askers = Askers(store, api, cache, clock, patience=timedelta(seconds=settings.patience_seconds))
        aliases = ServerAliases(store)
        catalogues = Catalogues(
            api,
            store,
            clock,
            operator_token=settings.record_token.get_secret_value(),
            patience=_CATALOGUE_PATIENCE,
            aliases=named,
        )
        await self._stack.enter_async_context(catalogues.keeping_fresh(region))
        library = Library(askers, catalogues, aliases, default_region=region)
        preferences = MemberPreferences(store)
        await preferences.load()
        history = History(store)
        return Features(
            about=About(catalogues, region, source_url=settings.source_url),
            accounts=Accounts(store, askers, clock, default_region=region),
            aliases=aliases,
            best=Best(askers, history),
            calculator=Calculator(askers, default_region=region),
            catalogues=catalogues,
            comparisons=Comparisons(askers, library),
            courses=Courses(askers),
            daily=Daily(store, askers, clock),
            exports=RecordExports(askers),
            friends=Friends(askers),
            library=library,
            over_powers=OverPowers(askers, catalogues),
            plans=Plans(askers, library),
            preferences=preferences,
            privacy=Privacy(store, askers, preferences, clock),
            ratings=Ratings(askers, history),
            scores=Scores(askers, library),
            searches=Searches(library, store, clock, SystemRandom()),
            songs=Songs(askers, library),
            statistics=Statistics(askers, library),
        )

    async def _open_api(self, store: Store) -> tuple[RecordApi, AnswerCache]:
        settings, clock = self._settings, self._clock
        reserves = dict(zip(Priority, (0, *settings.reserve_percents), strict=True))
        api = await self._stack.enter_async_context(
            RecordApi(settings.record_api_url, clock=clock, kept_percent=reserves, windows=store.windows)
        )
        fresh_for = timedelta(seconds=settings.fresh_seconds)
        cache = await self._stack.enter_async_context(
            AnswerCache(clock, fresh_for=fresh_for, keeper=store.answers, counts=api.counts)
        )
        if settings.metrics_port:
            await self._open_metrics(api)
        return api, cache

    async def _open_metrics(self, api: RecordApi) -> None:
        port = self._settings.metrics_port
        try:
            await self._stack.enter_async_context(MetricsPage(port, api.counts))
        except OSError as error:
            reason = "is in use" if error.errno == errno.EADDRINUSE else "cannot be used"
            message = f"Port {port} {reason}. Set METRICS_PORT to another one, or to 0 to do without."
            raise CannotStart(message) from None

    async def close(self) -> None:
        """Close everything, the last opened first; safe to call again, or before `open`."""
        await self._stack.aclose()


def _read_aliases(file: Path | None) -> Mapping[str, str]:
    try:
        return read_alias_file(file)
    except (OSError, UnicodeError) as error:
        reason = (
            "is no text in UTF-8" if isinstance(error, UnicodeError) else f"cannot be read ({error.strerror})"
        )
        message = f"The file {file} {reason}. Set ALIAS_FILE to one that is right, or leave it out."
        raise CannotStart(message) from None


def create_bot(settings: Settings, *, clock: Clock | None = None) -> KirokuBot:
    """Build the bot; nothing is opened, read or sent before it logs in.

    Raises: ValueError if the record service's address is none that a token may be sent to.
    """
    return KirokuBot(App(settings, clock or SystemClock()))
