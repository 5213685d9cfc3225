"""The song catalogue of each region, fetched once for the whole bot, with its index for searching."""

import asyncio
import hashlib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from threading import Lock
from typing import Final

from bot.api import Holder, Priority, RecordApi
from bot.api.cache import AnswerCache, Key, next_catalogue_refresh
from bot.clock import Clock
from bot.domain.age import Age
from bot.domain.changes import CatalogueChanges, compare_catalogues
from bot.domain.charts import Catalogue
from bot.domain.errors import BotError, NotLinked
from bot.domain.ids import Region
from bot.domain.search import Reader, SongIndex
from bot.features.aliases import resolve_aliases
from bot.features.readings import find_reader
from bot.store import KeptCatalogue, Store
from bot.wire.songs import Songs

_NO_NEWS: Final = CatalogueChanges(added=(), removed=(), new_charts=(), changed=())


@dataclass(frozen=True, slots=True)
class LoadedCatalogue:
    """A catalogue that can be searched."""

    catalogue: Catalogue
    index: SongIndex
    age: Age


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """What the last refresh that changed anything changed."""

    changes: CatalogueChanges
    since: datetime | None
    """When the catalogue before was last seen; None where none is kept."""
    seen_at: datetime
    """When the change was first seen."""


class Catalogues:
    """Keeps the newest catalogue of each region."""

    def __init__(  # noqa: PLR0913 - what a catalogue takes to be had, kept and searched
        self,
        api: RecordApi,
        answers: AnswerCache,
        store: Store,
        clock: Clock,
        *,
        operator_token: str,
        patience: timedelta,
        aliases: Mapping[str, str],
    ) -> None:
        self._api = api
        self._answers = answers
        self._shelf = store.catalogues
        self._clock = clock
        self._operator_token = operator_token
        self._patience = patience
        self._aliases = aliases
        """The operator's: folded, with the titles or ids that they stand for."""
        self._restored: dict[Region, LoadedCatalogue] = {}

    async def get(self, region: Region, token: str | None = None) -> LoadedCatalogue:
        """Return a region's catalogue, read with the operator's token, or with the asker's where there is none.

        Where the service cannot be asked, the newest that was kept stands in.
        Raises: NotLinked where there is neither token and no catalogue is at hand, and what the service answers.
        """
        try:
            answer = await self._answers.get(
                Key(None, ("catalogue", region)),
                lambda: self._fetch(region, token),
                fresh_until=next_catalogue_refresh(self._clock.now()),
                patience=self._patience.total_seconds(),
            )
        except BotError as trouble:  # of whatever kind: it is nobody's data
            restored = await self._restore(region)
            if restored is None:
                raise
            return replace(restored, age=Age(restored.age.fetched_at, trouble))
        catalogue, index = answer.value
        return LoadedCatalogue(catalogue, index, answer.age)

    async def find(self, region: Region, token: str | None = None) -> LoadedCatalogue | None:
        """Return a region's catalogue, or None where it cannot be had now."""
        try:
            return await self.get(region, token)
        except BotError:
            return None

    async def refresh(self, region: Region) -> None:
        """Fetch a region's catalogue if it is due and the operator's token can, so that nobody waits for it."""
        if self._operator_token:
            await self.find(region)

    async def news(self, region: Region, token: str | None = None) -> News:
        """Return what the last change of a region's catalogue was. Raises: as `get`."""
        loaded = await self.get(region, token)
        kept = await self._shelf.fetch(region)
        match kept:
            case [newest, before]:
                changes = await asyncio.to_thread(
                    lambda: compare_catalogues(_unpack(before), _unpack(newest))
                )
                return News(changes=changes, since=before.last_seen_at, seen_at=newest.first_seen_at)
            case _:
                return News(changes=_NO_NEWS, since=None, seen_at=loaded.age.fetched_at)

    async def _fetch(self, region: Region, token: str | None) -> tuple[Catalogue, SongIndex]:
        chosen = self._operator_token or token
        if not chosen:
            raise NotLinked
        reply = await self._holder(chosen).v2_0.music.showall(region=region)
        # Normalising some thousand titles takes longer than one turn of the event loop should.
        built, kept = await asyncio.to_thread(self._build, reply, region)
        await self._shelf.put(kept)
        self._restored.pop(region, None)
        return built

    async def _restore(self, region: Region) -> LoadedCatalogue | None:
        if region not in self._restored:
            kept = next(iter(await self._shelf.fetch(region)), None)
            if kept is None:
                return None
            catalogue, index = await asyncio.to_thread(lambda: self._index(_unpack(kept)))
            self._restored[region] = LoadedCatalogue(catalogue, index, Age(kept.last_seen_at))
        return self._restored[region]

    def _build(self, reply: Songs, region: Region) -> tuple[tuple[Catalogue, SongIndex], KeptCatalogue]:
        return self._index(reply.to_domain(region)), pack(reply, region, self._clock.now())

    def _index(self, catalogue: Catalogue) -> tuple[Catalogue, SongIndex]:
        aliases = resolve_aliases(self._aliases, catalogue)
        with _one_reader:
            return catalogue, SongIndex(catalogue.songs, reader=_reader(), aliases=aliases)

    def _holder(self, token: str) -> Holder:
        return self._api.holder(token, patience=self._patience.total_seconds(), priority=Priority.PERSON)


_one_reader = Lock()
"""The dictionary of readings knows one thread at a time."""


@cache
def _reader() -> Reader | None:
    return find_reader()


def pack(reply: Songs, region: Region, now: datetime) -> KeptCatalogue:
    """Return a catalogue as it is kept when it is first seen."""
    content = reply.model_dump_json().encode()
    return KeptCatalogue(
        region=region,
        digest=hashlib.sha256(content).hexdigest(),
        first_seen_at=now,
        last_seen_at=now,
        content=zlib.compress(content),
    )


def _unpack(kept: KeptCatalogue) -> Catalogue:
    return Songs.model_validate_json(zlib.decompress(kept.content)).to_domain(kept.region)
