"""The song catalogue of each region, fetched once for the whole bot, with its index for searching."""

import asyncio
import hashlib
import logging
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cache
from threading import Lock
from typing import Final

from bot.api import Holder, Priority, RecordApi
from bot.api.cache import next_catalogue_refresh
from bot.clock import Clock
from bot.domain.age import Age
from bot.domain.changes import CatalogueChanges, compare_catalogues
from bot.domain.charts import Catalogue
from bot.domain.errors import (
    BotError,
    BudgetSpent,
    CannotKeep,
    NotLinked,
    NotYet,
    ServiceDown,
    TokenRejected,
    UnreadableReply,
)
from bot.domain.ids import Region
from bot.domain.search import Reader, SongIndex
from bot.features.aliases import resolve_aliases
from bot.features.readings import find_reader
from bot.store import KeptCatalogue, Store
from bot.wire.songs import Songs

_log = logging.getLogger(__name__)

_GLANCE: Final = 1.5
"""Seconds from the beginning of a refresh in which answers wait for it although an older catalogue is at hand:
enough for a service that is down to be known as such."""
_HURRY: Final = 2.0
"""Seconds that suggestions wait where no catalogue is at hand: Discord takes none after three."""
_PAUSE: Final = timedelta(seconds=30)
"""Between a refresh that failed and the next, where an older catalogue is at hand."""
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
    region: Region
    age: Age
    """The newest catalogue's."""


@dataclass(frozen=True, slots=True)
class _Refresh:
    """A request for a newer catalogue; goes on whoever waits for it."""

    holder: Holder
    task: asyncio.Task[LoadedCatalogue]
    began_at: float
    """By the loop's own clock."""

    async def wait(self, seconds: float) -> LoadedCatalogue | None:
        """Return what it brings within so many seconds of its beginning; None where it takes longer."""
        left = self.began_at + seconds - asyncio.get_running_loop().time()
        await asyncio.wait({self.task}, timeout=max(0, left))
        return self.task.result() if self.task.done() else None


@dataclass(slots=True)
class _Shelf:
    """What is at hand of one region's catalogue."""

    loaded: LoadedCatalogue | None = None
    due_at: datetime | None = None
    """When to ask for a newer one; None: now."""
    trouble: BotError | None = None
    """What came of the last refresh, where that would have come of anybody's."""
    refresh: _Refresh | None = None
    unkept: KeptCatalogue | None = None
    """The newest, where it could not be written down."""
    door: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Before what is kept on disk."""


class Catalogues:
    """Keeps the newest catalogue of each region."""

    def __init__(
        self,
        api: RecordApi,
        store: Store,
        clock: Clock,
        *,
        operator_token: str,
        patience: timedelta,
        aliases: Mapping[str, str],
    ) -> None:
        self._api = api
        self._kept = store.catalogues
        self._clock = clock
        self._operator_token = operator_token
        self._patience = patience
        self._aliases = aliases
        """The operator's: folded, with the titles or ids that they stand for."""
        self._shelves: dict[Region, _Shelf] = {}

    async def get(
        self,
        region: Region,
        token: str | None = None,
        *,
        patience: float | None = None,
        hurried: bool = False,
        priority: Priority = Priority.PERSON,
    ) -> LoadedCatalogue:
        """Return a region's catalogue, read with the operator's token, or with the asker's where there is none.

        The one at hand, in memory or on disk, is returned almost at once, and refreshed behind the answer; marked
        with the trouble where the service cannot be asked. `patience` is how many seconds to wait at most;
        `hurried` answers have two in all, and wait for nothing where a catalogue is at hand. `priority` is how urgent
        it is where none is; a refresh of one at hand leaves some of the token's requests to people.
        Raises: NotLinked where there is neither token and no catalogue is at hand, and what the service answers.
        """
        shelf = self._shelves.setdefault(region, _Shelf())
        loaded = await self._at_hand(region, shelf)
        seconds = _HURRY if hurried else patience or self._patience.total_seconds()
        if loaded is None:
            newest = await self._newest(region, shelf, token, seconds, priority)
            if newest is None:
                reason = "no answer in time"
                raise ServiceDown(reason)
            return newest
        trouble = shelf.trouble
        if shelf.due_at is None or self._clock.now() >= shelf.due_at:
            glance = 0 if hurried or trouble else min(_GLANCE, seconds)
            try:
                newest = await self._newest(region, shelf, token, glance, max(priority, Priority.REFRESH))
            except BotError as error:  # of whatever kind: it is nobody's data
                trouble = error
            else:
                if newest is not None:
                    return newest
        return replace(loaded, age=Age(loaded.age.fetched_at, trouble))

    async def close(self) -> None:
        """Give up every refresh under way."""
        tasks = [shelf.refresh.task for shelf in self._shelves.values() if shelf.refresh]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def find(self, region: Region, token: str | None = None) -> LoadedCatalogue | None:
        """Return a region's catalogue, or None where it cannot be had now."""
        try:
            return await self.get(region, token)
        except BotError:
            return None

    async def refresh(self, region: Region) -> None:
        """Fetch a region's catalogue if it is due and the operator's token can, before anybody asks for it.

        One that could not be written down is written down now, if that can be.
        """
        shelf = self._shelves.setdefault(region, _Shelf())
        if shelf.unkept is not None:
            await self._keep(shelf, shelf.unkept)
        if self._operator_token:
            with suppress(BotError):
                await self.get(region, priority=Priority.PREFETCH)

    async def news(self, region: Region, token: str | None = None) -> News:
        """Return what the last change of a region's catalogue was. Raises: as `get`."""
        loaded = await self.get(region, token)
        kept = await self._kept.fetch(region)
        unkept = self._shelves[region].unkept
        if unkept is not None and [each.digest for each in kept[:1]] != [unkept.digest]:
            kept = [unkept, *kept[:1]]
        match kept:
            case [newest, before]:
                changes = await asyncio.to_thread(
                    lambda: compare_catalogues(_unpack(before), _unpack(newest))
                )
                return News(
                    changes=changes,
                    since=before.last_seen_at,
                    seen_at=newest.first_seen_at,
                    region=region,
                    age=loaded.age,
                )
            case _:
                return News(
                    changes=_NO_NEWS, since=None, seen_at=loaded.age.fetched_at, region=region, age=loaded.age
                )

    async def _at_hand(self, region: Region, shelf: _Shelf) -> LoadedCatalogue | None:
        async with shelf.door:
            if shelf.loaded is None:
                kept = next(iter(await self._kept.fetch(region)), None)
                if kept is not None:
                    catalogue, index = await asyncio.to_thread(lambda: self._index(_unpack(kept)))
                    # A refresh may have ended meanwhile.
                    shelf.loaded = shelf.loaded or LoadedCatalogue(catalogue, index, Age(kept.last_seen_at))
        return shelf.loaded

    async def _newest(
        self, region: Region, shelf: _Shelf, token: str | None, seconds: float, priority: Priority
    ) -> LoadedCatalogue | None:
        """Return what the refresh under way brings, or one that begins now; None where it takes longer."""
        chosen = self._operator_token or token
        if shelf.refresh is not None:
            shelf.refresh.holder.urgency.hasten(priority)
        if shelf.refresh is not None and shelf.refresh.holder.token != chosen:
            with suppress(BudgetSpent, TokenRejected):  # another's own trouble
                return await shelf.refresh.wait(seconds)
        if not chosen:
            raise NotLinked
        if shelf.refresh is None:
            holder = self._api.holder(chosen, patience=self._patience.total_seconds(), priority=priority)
            task = asyncio.create_task(self._refresh(region, shelf, holder))
            task.add_done_callback(_look_at)
            shelf.refresh = _Refresh(holder, task, asyncio.get_running_loop().time())
        return await shelf.refresh.wait(seconds)

    async def _refresh(self, region: Region, shelf: _Shelf, holder: Holder) -> LoadedCatalogue:
        try:
            shelf.loaded, kept = await self._fetch(region, holder)
        except NotYet:  # who is more urgent may try at once
            raise
        except BotError as error:
            if holder.token == self._operator_token or isinstance(error, ServiceDown | UnreadableReply):
                if shelf.trouble is None:
                    _log.warning("the catalogue of %s cannot be refreshed: %s", region, error)
                shelf.trouble, shelf.due_at = error, self._clock.now() + _PAUSE
            raise
        else:
            shelf.trouble, shelf.due_at = None, next_catalogue_refresh(shelf.loaded.age.fetched_at)
            await self._keep(shelf, kept)
            return shelf.loaded
        finally:
            shelf.refresh = None

    async def _keep(self, shelf: _Shelf, kept: KeptCatalogue) -> None:
        """Write a catalogue down; one that cannot be is at hand all the same."""
        try:
            await self._kept.put(kept)
        except CannotKeep:
            if shelf.unkept is None:
                _log.warning("the catalogue of %s is in memory alone", kept.region)
            shelf.unkept = kept
        else:
            shelf.unkept = None

    async def _fetch(self, region: Region, holder: Holder) -> tuple[LoadedCatalogue, KeptCatalogue]:
        reply = await holder.v2_0.music.showall(region=region)
        fetched_at = self._clock.now()
        # Normalising some thousand titles takes longer than one turn of the event loop should.
        (catalogue, index), kept = await asyncio.to_thread(self._build, reply, region)
        return LoadedCatalogue(catalogue, index, Age(fetched_at)), kept

    def _build(self, reply: Songs, region: Region) -> tuple[tuple[Catalogue, SongIndex], KeptCatalogue]:
        return self._index(reply.to_domain(region)), pack(reply, region, self._clock.now())

    def _index(self, catalogue: Catalogue) -> tuple[Catalogue, SongIndex]:
        aliases = resolve_aliases(self._aliases, catalogue)
        with _one_reader:
            return catalogue, SongIndex(catalogue.songs, reader=_reader(), aliases=aliases)


_one_reader = Lock()
"""The dictionary of readings knows one thread at a time."""


@cache
def _reader() -> Reader | None:
    return find_reader()


def _look_at(refresh: asyncio.Task[LoadedCatalogue]) -> None:
    """Leave no failure unseen, should nobody wait for it any more."""
    error = None if refresh.cancelled() else refresh.exception()
    if error is not None and not isinstance(error, BotError):
        _log.error("the refresh of a catalogue failed", exc_info=error)


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
