"""Information about the bot, and how fresh its data is."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from bot.base.build import Build, find_build
from bot.base.config import Settings
from bot.domain.age import Age
from bot.domain.errors import CannotRead
from bot.domain.ids import Region
from bot.features.shared.catalogues import Catalogues
from bot.store import StatisticsExtent, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class AboutReport:
    """The content of `/about`."""

    build: Build
    source_url: str
    """The address of the source; empty if the operator has set none, as the next two."""
    support_url: str
    privacy_url: str
    notice: Mapping[str, str]
    """The host's current notice, by language."""
    takes_feedback: bool
    region: Region
    songs: int | None
    """The number of songs in the catalogue; None if it is unavailable now."""
    age: Age | None
    """The age of the catalogue."""
    statistics: StatisticsExtent | None
    """The number of charts with known statistics; None if that cannot be read now."""
    is_prefetching: bool
    """Whether the bot requests the other charts' statistics by itself."""


class About:
    """Describes the running bot."""

    def __init__(
        self,
        store: Store,
        catalogues: Catalogues,
        default_region: Region,
        *,
        settings: Settings,
    ) -> None:
        self._statistics = store.statistics
        self._settings = settings
        self.notice: Mapping[str, str] = {}
        """The host's notice, which they may replace while the bot runs."""
        self._catalogues = catalogues
        self._default_region = default_region

    async def report(self) -> AboutReport:
        """Return the build, and the state of the catalogue and the statistics."""
        loaded = await self._catalogues.find(self._default_region)
        statistics = None
        with suppress(CannotRead):
            statistics = await self._statistics.count()
        return AboutReport(
            build=await asyncio.to_thread(find_build),
            source_url=self._settings.source_url,
            support_url=self._settings.support_url,
            privacy_url=self._settings.privacy_url,
            notice=self.notice,
            takes_feedback=self._settings.feedback_channel is not None,
            region=self._default_region,
            songs=len(loaded.catalogue.songs) if loaded else None,
            age=loaded.age if loaded else None,
            statistics=statistics,
            is_prefetching=bool(self._settings.record_token.get_secret_value()),
        )
