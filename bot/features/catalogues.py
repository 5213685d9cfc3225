"""The song catalogue of each region, fetched once for the whole bot, with its index for searching."""

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.api import Holder, Priority, RecordApi
from bot.api.cache import AnswerCache, Key, next_catalogue_refresh
from bot.clock import Clock
from bot.domain.charts import Catalogue
from bot.domain.errors import BotError, NotLinked
from bot.domain.ids import Region
from bot.domain.search import SongIndex


@dataclass(frozen=True, slots=True)
class LoadedCatalogue:
    """A catalogue that can be searched."""

    catalogue: Catalogue
    index: SongIndex
    fetched_at: datetime
    is_stale: bool


class Catalogues:
    """Keeps the newest catalogue of each region."""

    def __init__(
        self, api: RecordApi, cache: AnswerCache, clock: Clock, *, operator_token: str, patience: timedelta
    ) -> None:
        self._api = api
        self._cache = cache
        self._clock = clock
        self._operator_token = operator_token
        self._patience = patience

    async def get(self, region: Region, token: str | None = None) -> LoadedCatalogue:
        """Return a region's catalogue, read with the operator's token, or with the asker's where there is none.

        Raises: NotLinked where there is neither and no catalogue is known, and what the service answers.
        """

        async def ask() -> tuple[Catalogue, SongIndex]:
            chosen = self._operator_token or token
            if not chosen:
                raise NotLinked
            reply = await self._holder(chosen).v2_0.music.showall(region=region)
            # Normalising some thousand titles takes longer than one turn of the event loop should.
            return await asyncio.to_thread(_index, reply.to_domain(region))

        answer = await self._cache.get(
            Key(None, ("catalogue", region)),
            ask,
            fresh_until=next_catalogue_refresh(self._clock.now()),
            patience=self._patience.total_seconds(),
        )
        catalogue, index = answer.value
        return LoadedCatalogue(catalogue, index, answer.fetched_at, answer.is_stale)

    async def find(self, region: Region, token: str | None = None) -> LoadedCatalogue | None:
        """Return a region's catalogue, or None where it cannot be had now."""
        try:
            return await self.get(region, token)
        except BotError:
            return None

    def _holder(self, token: str) -> Holder:
        return self._api.holder(token, patience=self._patience.total_seconds(), priority=Priority.PERSON)


def _index(catalogue: Catalogue) -> tuple[Catalogue, SongIndex]:
    return catalogue, SongIndex(catalogue.songs)
