"""The song catalogue of each region, fetched once for the whole bot, with its search index."""

import asyncio
import hashlib
import logging
import zlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Self, TypeAlias
from weakref import WeakKeyDictionary

from bot.api import Priority, RecordApi
from bot.api.answer import Answer, Key
from bot.api.budget.rate_limiter import SharedPriority
from bot.api.cache import AnswerCache
from bot.base.clock import JST, Clock
from bot.base.worker import run_in_worker
from bot.cluster.invalidation import CATALOGUE_TOPIC
from bot.domain.age import Age
from bot.domain.changes import CatalogueChanges, compare_catalogues
from bot.domain.charts import Catalogue, Song
from bot.domain.errors import BotError, CannotKeep, CannotRead, NotLinked
from bot.domain.host_constants import HostConstant
from bot.domain.ids import Region, SongId
from bot.domain.other_names import OtherNames
from bot.domain.search import SongIndex
from bot.features.readings import read_titles
from bot.features.readings.meanings import read_meanings
from bot.features.shared.alias_packs import AliasPack, PackLine, name_lines
from bot.features.shared.host_constants import HostConstants
from bot.features.shared.reports import Fetched
from bot.store import KeptCatalogue, LeaderLease, Store
from bot.wire.reading import read_reply
from bot.wire.songs import SongsReply

_logger = logging.getLogger(__name__)

_GRACE_SECONDS: Final = 1.5
"""Seconds from the start of a refresh in which answers wait for it although an older catalogue is available: enough to
notice that a service is down."""
_HURRY_SECONDS: Final = 2.0
"""Seconds that suggestions wait if there is no catalogue: Discord accepts none after three."""
_TICK_SECONDS: Final = 300.0
"""Seconds between checks whether the catalogue is due, so that no typing member has to wait for a refresh."""
_GRACE: Final = timedelta(minutes=15)
"""How long a process waits for the leader to refresh the catalogue before it sends its own request."""
_REFRESH_HOURS: Final = (12, 21)
_REFRESH_MARGIN: Final = timedelta(minutes=10)
OpenToken: TypeAlias = Callable[[], Awaitable[str]]
"""Returns the asker's token. Raises: NotLinked."""
_Indexed: TypeAlias = tuple[Catalogue, SongIndex]
_NO_CHANGES: Final = CatalogueChanges(added=(), removed=(), new_charts=(), changed=())


@dataclass(frozen=True, slots=True)
class LoadedCatalogue:
    """A catalogue with its search index."""

    catalogue: Catalogue
    index: SongIndex
    age: Age


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesReport(Fetched):
    """The changes of the last refresh that changed anything; the age is that of the newest catalogue."""

    changes: CatalogueChanges
    since: datetime | None
    """The moment at which the previous catalogue was last seen; None if none is stored."""
    seen_at: datetime
    """The moment at which the change was first seen."""
    charts: int = 0
    """The count of new charts."""
    felt: int = 0
    """The count of new charts whose felt difficulty is known for players at their level."""


class Catalogues:
    """Keeps the newest catalogue of each region."""

    def __init__(  # noqa: PLR0913 - each is a separate dependency
        self,
        api: RecordApi,
        store: Store,
        clock: Clock,
        leader: LeaderLease,
        *,
        operator_token: str,
        patience: timedelta,
        aliases: AliasPack,
        constants: HostConstants | None = None,
    ) -> None:
        self._api = api
        self._kept = store.catalogues
        self._clock = clock
        self._leader = leader
        self._is_shared = store.is_shared
        self._operator_token = operator_token
        self._patience = patience.total_seconds()
        self._constants = constants or HostConstants()
        self._aliases = aliases
        """The operator's aliases, like the constants above."""
        self._named = WeakKeyDictionary[SongIndex, AliasPack]()
        """The pack of aliases that each index uses."""
        self._unfit: dict[Region, frozenset[PackLine]] = {}
        """The aliases that match no song in the newest catalogue of each region."""
        self._told_of = ""
        """The last log message about them."""
        self._cache = AnswerCache(clock, fresh_for=self._fresh_until)
        self._unkept: dict[Region, KeptCatalogue] = {}
        """The newest catalogues that could not be stored."""
        self._indexed: dict[Region, tuple[object, _Indexed]] = {}
        """The last catalogue of each region, with its state: a digest and the operator's constants."""
        self._told: set[Region] = set()
        """The regions for which another process may have fetched a newer catalogue."""
        self._is_told = asyncio.Event()
        store.bus.subscribe(CATALOGUE_TOPIC, lambda text: self._hear(Region(text)))
        store.bus.on_gap(lambda: self._hear(*self._indexed))

    async def __aenter__(self) -> Self:
        await self._cache.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Cancel every running request."""
        await self._cache.__aexit__()

    async def get(
        self,
        region: Region,
        open_token: OpenToken | None = None,
        *,
        patience: float | None = None,
        hurried: bool = False,
        priority: Priority = Priority.PERSON,
    ) -> LoadedCatalogue:
        """Return a region's catalogue, fetched with the operator's token, or else with the asker's.

        A catalogue in memory or in the database is returned almost at once and refreshed in the background; it is
        marked with the error if the service cannot be asked. `patience` is the most seconds to wait; `hurried` answers
        wait at most two seconds, and not at all if a catalogue is available. `priority` applies if none is; a refresh
        of an available one leaves some of the token's requests to people.

        Raises: NotLinked if there is neither a token nor a catalogue, and errors of the service.
        """
        key = _key(region)
        await self._cache.load_once(key, lambda: self._read_kept(region), is_fresh=self._is_shared)
        answer = await self._cache.get_at_hand(
            key,
            lambda urgency: self._fetch(region, open_token, urgency),
            priority=priority,
            patience=_HURRY_SECONDS if hurried else patience or self._patience,
            grace=0 if hurried else _GRACE_SECONDS,
            is_for_all=bool(self._operator_token),
        )
        return LoadedCatalogue(*self._name(region, answer.value), answer.age)

    def rename(self, aliases: AliasPack) -> None:
        """Replace the operator's aliases."""
        self._aliases, self._told_of = aliases, ""
        self._unfit.clear()
        for region, (_, indexed) in self._indexed.items():
            self._name(region, indexed)

    async def fill(self, constants: tuple[HostConstant, ...]) -> None:
        """Replace the operator's constants, also in the catalogues in memory."""
        self._constants.replace(constants)
        self._hear(*self._indexed)
        await self.take_told()

    async def find(self, region: Region, open_token: OpenToken | None = None) -> LoadedCatalogue | None:
        """Return a region's catalogue; None if it is unavailable now."""
        try:
            return await self.get(region, open_token)
        except BotError:
            return None

    async def find_songs(self, region: Region) -> Catalogue | None:
        """Return the songs of a region; None if they are unavailable now."""
        loaded = await self.find(region)
        return None if loaded is None else loaded.catalogue

    def genres(self, region: Region, songs: Iterable[SongId | None]) -> tuple[str | None, ...]:
        """Return the genres of songs, as far as a catalogue is in memory; sends no request."""
        indexed = self._indexed.get(region)
        by_id: Mapping[SongId, Song] = indexed[1][0].by_id if indexed else {}
        return tuple(song.genre if each and (song := by_id.get(each)) else None for each in songs)

    async def refresh(self, region: Region) -> None:
        """Fetch a region's catalogue ahead of questions, if it is due and there is an operator's token.

        Only one process does so for all that share a database. Catalogues that could not be stored earlier are stored
        now if possible.
        """
        for kept in list(self._unkept.values()):
            await self._save(kept)
        if self._operator_token and await self._leader.acquire():
            with suppress(BotError):
                await self.get(region, priority=Priority.PREFETCH)

    async def changes(self, region: Region, open_token: OpenToken | None = None) -> ChangesReport:
        """Return the last change of a region's catalogue. Raises: as `get`."""
        loaded = await self.get(region, open_token)
        kept = await self._kept.fetch(region)
        unkept = self._unkept.get(region)
        if unkept is not None and [each.digest for each in kept[:1]] != [unkept.digest]:
            kept = [unkept, *kept[:1]]
        match kept:
            case [newest, before]:
                changes = await run_in_worker(lambda: compare_catalogues(_unpack(before), _unpack(newest)))
                return ChangesReport(
                    changes=changes,
                    since=before.last_seen_at,
                    seen_at=newest.first_seen_at,
                    region=region,
                    age=loaded.age,
                )
            case _:
                return ChangesReport(
                    changes=_NO_CHANGES,
                    since=None,
                    seen_at=loaded.age.fetched_at,
                    region=region,
                    age=loaded.age,
                )

    async def keep_fresh(self, region: Region) -> float:
        """Refresh a region's catalogue if it is due, and load what other processes have fetched.

        Returns once another process has fetched one, or it is time to check again; the result is the seconds until the
        next call.
        """
        await self.take_told()
        await self.refresh(region)
        with suppress(TimeoutError):
            async with asyncio.timeout(_TICK_SECONDS):
                await self._is_told.wait()
        return 0.0

    async def take_told(self) -> None:
        """Load the catalogues that other processes have fetched, of the regions in memory."""
        self._is_told.clear()
        while self._told:
            region = self._told.pop()
            for key, answer in (await self._read_kept(region)).items():
                self._cache.tell(key, answer)

    def _hear(self, *regions: Region) -> None:
        self._told.update(region for region in regions if region in self._indexed)
        if self._told:
            self._is_told.set()

    def _fresh_until(self, fetched_at: datetime) -> datetime:
        due = next_catalogue_refresh(fetched_at)
        return due if self._leader.is_held else due + _GRACE

    async def _read_kept(self, region: Region) -> Mapping[Key, Answer[_Indexed]]:
        try:
            kept = next(iter(await self._kept.fetch(region)), None)
        except CannotRead:
            return {}
        if kept is None:
            return {}
        indexed = await run_in_worker(lambda: self._index(kept, lambda: _unpack(kept)))
        return {_key(region): Answer(indexed, Age(kept.last_seen_at))}

    async def _fetch(self, region: Region, open_token: OpenToken | None, urgency: SharedPriority) -> _Indexed:
        token = self._operator_token
        if not token:
            if open_token is None:
                raise NotLinked
            token = await open_token()
        holder = replace(self._api.holder(token, patience=self._patience), urgency=urgency)
        reply = await holder.v2_0.music.showall(region=region)
        # Normalising thousands of titles would block the event loop for too long.
        indexed, kept = await run_in_worker(self._build, reply, region, self._clock.now())
        await self._save(kept)
        return indexed

    async def _save(self, kept: KeptCatalogue) -> None:
        """Store a catalogue; if that fails, it stays available in memory."""
        try:
            await self._kept.save(kept)
        except CannotKeep:
            if kept.region not in self._unkept:
                _logger.warning("the catalogue of %s is in memory alone", kept.region)
            self._unkept[kept.region] = kept
        else:
            self._unkept.pop(kept.region, None)

    def _build(self, reply: SongsReply, region: Region, now: datetime) -> tuple[_Indexed, KeptCatalogue]:
        kept = pack(reply, region, now)
        return self._index(kept, lambda: reply.to_domain(region)), kept

    def _index(self, kept: KeptCatalogue, make: Callable[[], Catalogue]) -> _Indexed:
        """Return a catalogue with its index; the one in memory if nothing changed, as at most refreshes."""
        region, state = kept.region, (kept.digest, self._constants.given)
        found = self._indexed.get(region)
        if found is None or found[0] != state:
            catalogue = self._constants.fill_catalogue(make(), kept.first_seen_at)
            found = self._indexed[region] = (
                state,
                (catalogue, SongIndex(catalogue.songs, reader=read_titles, meanings=read_meanings)),
            )
        return found[1]

    def _name(self, region: Region, indexed: _Indexed) -> _Indexed:
        """Make an index use the operator's current aliases."""
        catalogue, index = indexed
        if self._named.get(index) is not self._aliases:
            songs, self._unfit[region] = self._aliases.resolve(catalogue)
            index.aliases = OtherNames(songs)
            self._named[index] = self._aliases
            self._tell_unfit()
        return indexed

    def _tell_unfit(self) -> None:
        """Log the lines that have no effect in any known region, if they differ from those logged before."""
        unfit = frozenset[PackLine].intersection(*self._unfit.values())
        said = name_lines(self._aliases.unread, unfit)
        if said and said != self._told_of:
            _logger.warning("ALIAS_FILE: %s", said)
        self._told_of = said


def _key(region: Region) -> Key:
    return Key(None, ("catalogue", region))


def next_catalogue_refresh(now: datetime) -> datetime:
    """Return when the service will have a newer catalogue, plus ten minutes for it to settle.

    Source: specification, rule 5 (daily at 12:00 and 21:00, UTC+9).
    """
    local = now.astimezone(JST)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    refreshes = [midnight + timedelta(hours=hour) + _REFRESH_MARGIN for hour in (*_REFRESH_HOURS, 24 + 12)]
    return next(moment for moment in refreshes if moment > local)


def pack(reply: SongsReply, region: Region, now: datetime) -> KeptCatalogue:
    """Return a catalogue in its storage form, as first seen now."""
    # Dumped song by song: pydantic does not release the other threads until a call is finished.
    content = f"[{','.join([song.model_dump_json() for song in reply])}]".encode()
    return KeptCatalogue(
        region=region,
        digest=hashlib.sha256(content).hexdigest(),
        first_seen_at=now,
        last_seen_at=now,
        content=zlib.compress(content),
    )


def _unpack(kept: KeptCatalogue) -> Catalogue:
    return read_reply(SongsReply, zlib.decompress(kept.content)).reply.to_domain(kept.region)
