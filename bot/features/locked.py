"""Songs that members have not unlocked: plans, draws and totals leave them out."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from bot.api.cache_control import only_if_cached
from bot.base.worker import run_in_worker
from bot.domain.charts import Song
from bot.domain.entries import still_locked
from bot.domain.errors import BotError, CannotRead
from bot.domain.ids import GuildId, MemberId
from bot.domain.locked import likely_locked
from bot.domain.players import Target
from bot.domain.scores import Record
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.library import SongLibrary, SongLookup
from bot.features.shared.paging import LINES, Part, part_of
from bot.store import Store

MAX_LOCKED_SONGS: Final = 500
"""The most locked songs of one member: they are in memory with the member."""
_SUGGESTED_SONGS: Final = 5


class TooManyLocked(BotError):
    """A member has reached the limit of locked songs."""

    def __init__(self) -> None:
        super().__init__(f"a member has {MAX_LOCKED_SONGS} locked songs at most")


class NotLocked(BotError):
    """A song to be unlocked is not locked."""

    def __init__(self, title: str) -> None:
        self.title = title
        super().__init__("the song is not locked")


@dataclass(frozen=True, slots=True)
class Locking:
    """The result of `/locked add`."""

    song: Song
    is_played: bool
    """Whether the song was played, so that nothing is stored, as it counts anyway; False also if records are not in
    memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedReport:
    """The content of `/locked list`."""

    part: Part[Song]
    """One page of the songs, by title."""
    suggested: tuple[Song, ...]
    """Songs that nobody of the member's rating has played, as far as known."""


class LockedSongs:
    """Stores which songs members have not unlocked."""

    def __init__(self, store: Store, askers: Askers, library: SongLibrary, chronicle: Chronicles) -> None:
        self._members = store.members
        self._statistics = store.statistics
        self._askers = askers
        self._library = library
        self._chronicle = chronicle

    async def lock(self, viewer: MemberId, wanted: str, guild: GuildId | None) -> Locking:
        """Mark a song as locked, unless it is known to be played.

        Raises: as `SongLookup.get_playable`, NotLinked, TooManyLocked, CannotKeep.
        """
        asker = await self._askers.get(viewer)
        song = await (await self._library.enter(asker, guild)).get_playable(wanted)
        records: Sequence[Record] = ()
        with suppress(BotError), only_if_cached():
            _, records = (await self._chronicle.fetch(asker)).value
        is_played = not still_locked({song.id}, records)
        if not is_played and not await self._members.lock_song(viewer, song.id, most=MAX_LOCKED_SONGS):
            raise TooManyLocked
        return Locking(song, is_played=is_played)

    async def unlock(self, viewer: MemberId, wanted: str, guild: GuildId | None) -> Song:
        """Remove a song from the viewer's locked ones. Raises: NotLinked, NotFound, NotLocked, CannotKeep."""
        visit = await self._visit(viewer, guild)
        song = next((song for song in self._locked(visit) if song.id == wanted), None) or visit.get(wanted)
        if song.id not in visit.locked:
            raise NotLocked(song.title)
        await self._members.unlock_song(viewer, song.id)
        return song

    async def suggest(self, viewer: MemberId, typed: str, guild: GuildId | None) -> list[Song]:
        """Return the still locked songs that match what was typed so far; sends no request for records."""
        try:
            asker = await self._askers.get(viewer)
            visit = await self._library.enter(asker, guild)
        except BotError:
            return []
        still = visit.locked
        with suppress(BotError), only_if_cached():
            records = await asker.fetch_records(Target(), visit.region) if still else None
            still = still_locked(still, records.value) if records else still
        locked = [song for song in self._locked(visit) if song.id in still]
        if not typed.strip():
            return locked
        matches = {*visit.matches(typed)}
        return [song for song in locked if song.id in matches]

    async def report(self, viewer: MemberId, number: int, guild: GuildId | None) -> LockedReport:
        """Return one page of the member's locked songs. Raises: NotLinked, errors of the service."""
        asker = await self._askers.get(viewer)
        visit = await self._library.enter(asker, guild)
        player, records = (await self._chronicle.fetch(asker)).value
        still = still_locked(visit.locked, records)
        locked = [song for song in self._locked(visit) if song.id in still]
        try:
            summaries = await self._statistics.fetch_all()
        except CannotRead:
            summaries = {}
        likely = await run_in_worker(
            likely_locked, visit.loaded.catalogue.songs, records, summaries, player.rating
        )
        return LockedReport(
            part=part_of(locked, LINES, number),
            suggested=tuple(song for song in likely if song.id not in still)[:_SUGGESTED_SONGS],
        )

    async def _visit(self, viewer: MemberId, guild: GuildId | None) -> SongLookup:
        asker: Asker = await self._askers.get(viewer)
        return await self._library.enter(asker, guild)

    @staticmethod
    def _locked(visit: SongLookup) -> list[Song]:
        songs = visit.loaded.catalogue.by_id
        found = [songs[song] for song in visit.locked if song in songs]
        return sorted(found, key=lambda song: (song.title.casefold(), song.id))
