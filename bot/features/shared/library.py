"""Song lookup: the catalogue of the asker's region, with the aliases of their server."""

import re
from collections import OrderedDict
from collections.abc import Collection, Mapping
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.api.cache_control import only_if_cached
from bot.base.clock import Clock
from bot.domain.charts import Catalogue, Chart, Difficulty, Song
from bot.domain.entries import find_removed_song
from bot.domain.errors import BotError, CannotKeep, NotFound, NotLinked, TooOld
from bot.domain.folding import compared, fold
from bot.domain.ids import GuildId, MemberId, Region, SongId
from bot.domain.nicknames import Kinship
from bot.domain.other_names import OtherNames
from bot.domain.players import Target
from bot.domain.search import LIMIT, SearchResult
from bot.features.shared.alias_packs import write_pack
from bot.features.shared.aliases import MAX_LENGTH, ServerAliases
from bot.features.shared.askers import Asker, Askers
from bot.features.shared.catalogues import Catalogues, ChangesReport, LoadedCatalogue
from bot.features.shared.paging import Part, part_of
from bot.store import HostAffairs

ALIASES_ON_PAGE: Final = 20
_ID: Final = re.compile(r"[0-9a-f]{16}")
"""The shape of a song's id, which hardly any title has."""
_LINES: Final = 6
"""The most lines of a message that are searched, if no title appears in it literally."""
_MAX_LINE_CHARACTERS: Final = 100
_MAX_SONGS_PER_LINE: Final = 5
"""The most songs taken from an ambiguous line."""
_ASKED_BACK_MEMBERS: Final = 1_000
"""The most members whose last choice between songs is remembered."""


class NoChart(BotError):
    """A song has no chart of the requested difficulty, or no chart at all."""

    def __init__(self, difficulty: Difficulty | None, others: tuple[Difficulty, ...]) -> None:
        self.difficulty = difficulty
        """The requested difficulty; None if none was named."""
        self.others = others
        """The difficulties that the song has."""
        super().__init__(f"the song has no {difficulty or ''} chart")


class NoSongNamed(BotError):
    """A message names no song of the catalogue."""

    def __init__(self) -> None:
        super().__init__("the message names no song")


class SongRemoved(BotError):
    """The requested song is no longer in the catalogue, though the asker has records of it."""

    def __init__(self, title: str) -> None:
        self.title = title
        super().__init__("the catalogue has the song no more")


def get_chart(song: Song, difficulty: Difficulty | None) -> Chart:
    """Return a chart of a song, the hardest if no difficulty is given. Raises: NoChart."""
    charts = {chart.difficulty: chart for chart in song.charts}
    chart = charts.get(difficulty) if difficulty else next(reversed(charts.values()), None)
    if chart is None:
        raise NoChart(difficulty, tuple(charts))
    return chart


@dataclass(frozen=True, slots=True, kw_only=True)
class SongChoice:
    """Several songs that may be meant."""

    text: str
    songs: tuple[Song, ...]
    """The candidates, likeliest first, at most 25."""
    reasons: tuple[Kinship, ...] = ()
    """The kind of similarity of each, if none matches what was typed."""
    may_suggest: bool = False
    """Whether it was asked in a server, where an alias can be suggested."""


class WantedAliases:
    """Counts the songs that people choose when their words led to another song, or to none."""

    def __init__(self, affairs: HostAffairs, clock: Clock) -> None:
        self._affairs = affairs
        self._clock = clock
        self._asked: OrderedDict[MemberId, SongChoice] = OrderedDict()

    def ask(self, viewer: MemberId, choice: SongChoice) -> SongChoice:
        """Remember a choice that a member was given, until their next song."""
        self._asked[viewer] = choice
        self._asked.move_to_end(viewer)
        if len(self._asked) > _ASKED_BACK_MEMBERS:
            self._asked.popitem(last=False)
        return choice

    async def heed(self, viewer: MemberId, song: Song, catalogue: Catalogue) -> Song:
        """Count the typed name for the chosen song, if the member was just given a choice; the member is not stored."""
        choice = self._asked.pop(viewer, None)
        name = " ".join(choice.text.casefold().split())[: MAX_LENGTH + 1] if choice else ""
        others = choice.songs[0 if choice.reasons else 1 :] if choice and len(name) <= MAX_LENGTH else ()
        if fold(name) and song in others:
            with suppress(CannotKeep):  # the song is shown regardless
                line = write_pack([(name, song)], catalogue).strip()
                await self._affairs.note_wanted(line, self._clock.now())
        return song


@dataclass(frozen=True, slots=True)
class SongLookup:
    """One visit of a member to the library."""

    viewer: MemberId
    asker: Asker | None
    """The asker; None for a member who is not linked."""
    wanted: WantedAliases
    region: Region
    loaded: LoadedCatalogue
    aliases: OtherNames
    is_in_server: bool = False

    @property
    def locked(self) -> frozenset[SongId]:
        """The songs that the asker marked as not unlocked."""
        return self.asker.locked if self.asker else frozenset()

    def search(self, text: str) -> list[Song]:
        """Return at most 25 songs, best match first."""
        return self.loaded.index.search(text, aliases=self.aliases, count_plays=self._count_plays)

    def find(self, text: str) -> SearchResult:
        """Return the songs that a text may mean, and whether the first is certain."""
        return self.loaded.index.find(text, aliases=self.aliases, count_plays=self._count_plays)

    def _count_plays(self) -> Mapping[SongId, int]:
        return self.asker.count_plays(self.region) if self.asker else {}

    def matches(self, words: str) -> Collection[SongId]:
        """Return every song that matches the words, best first."""
        return self.loaded.index.matches(words, aliases=self.aliases)

    async def pick(self, wanted: str) -> Song | SongChoice:
        """Return the song with an id or a name, or several to choose from.

        If nothing matches, the choice has the most similar songs. Raises: NotFound if nothing is similar, TooOld for
        the id of a song that is no longer in the catalogue.
        """
        song = self.loaded.catalogue.by_id.get(SongId(wanted))
        if song is not None:
            return await self.wanted.heed(self.viewer, song, self.loaded.catalogue)
        found = self.find(wanted)
        if found.is_certain:
            return found.songs[0]
        if _ID.fullmatch(wanted):  # nobody types an id: it comes from a button or a suggestion
            raise TooOld
        choice = SongChoice(text=wanted, songs=found.songs) if found.songs else self._nearest(wanted)
        return self.wanted.ask(self.viewer, choice)

    async def pick_played(self, wanted: str, target: Target, *, asks: bool = False) -> Song | SongChoice:
        """As `pick`; or a song removed from the catalogue, if a player has records of it and no other song has that name.

        If `asks`, records are requested when nothing else is found; otherwise only cached ones are used.
        """
        found: Song | SongChoice | BotError
        try:
            found = await self.pick(wanted)
        except (NotFound, TooOld) as error:
            found = error
        if not isinstance(found, Song) or not self._is_called(found, wanted):
            asks = asks and isinstance(found, BotError)
            found = await self._find_removed(wanted, target, asks=asks) or found
        if isinstance(found, BotError):
            raise found
        return found

    def _is_called(self, song: Song, wanted: str) -> bool:
        """Return whether the text is a song's title, alias or id, rather than a mere match."""
        named = self.aliases.songs.get(fold(wanted))
        return song.id in (wanted, named) or compared(song.title) == compared(wanted)

    async def pick_playable(self, wanted: str) -> Song | SongChoice:
        """As `pick`. Raises: also SongRemoved if the asker has records of a song that is no longer in the catalogue."""
        found = await self.pick_played(wanted, Target())
        if isinstance(found, Song) and found.id not in self.loaded.catalogue.by_id:
            raise SongRemoved(found.title)
        return found

    async def get_playable(self, wanted: str) -> Song:
        """As `get`. Raises: also SongRemoved if the asker has records of a song that is no longer in the catalogue."""
        found: Song | BotError
        try:
            found = self.get(wanted)
        except (NotFound, TooOld) as error:
            found = error
        if not isinstance(found, Song) or not self._is_called(found, wanted):
            removed = await self._find_removed(wanted, Target(), asks=False)
            found = found if removed is None else SongRemoved(removed.title)
        if isinstance(found, BotError):
            raise found
        return found

    async def _find_removed(self, wanted: str, target: Target, *, asks: bool) -> Song | None:
        if self.asker is None:
            return None
        # If records are unavailable, answer as if they did not have the song.
        with suppress(BotError), nullcontext() if asks else only_if_cached():
            records = (await self.asker.fetch_records(target, self.region)).value
            return find_removed_song(wanted, records, self.loaded.catalogue)
        return None

    def _nearest(self, wanted: str) -> SongChoice:
        near = self.loaded.index.nearest(wanted)
        if not near:
            raise NotFound(wanted)
        songs, reasons = zip(*near, strict=True)
        return SongChoice(text=wanted, songs=songs, reasons=reasons, may_suggest=self.is_in_server)

    def pick_in_message(self, text: str) -> Song | SongChoice:
        """Return the song that a message names, or several to choose from. Raises: NoSongNamed."""
        songs, is_certain = self.loaded.index.named_in(text), True
        if not songs:
            lines = [line for line in text.splitlines() if line.strip()][:_LINES]
            found = [self.find(line[:_MAX_LINE_CHARACTERS]) for line in lines]
            chosen = [
                song for each in found for song in each.songs[: 1 if each.is_certain else _MAX_SONGS_PER_LINE]
            ]
            songs = list({song.id: song for song in chosen}.values())
            is_certain = all(each.is_certain for each in found if each.songs)
        if not songs:
            raise NoSongNamed
        return songs[0] if len(songs) == 1 and is_certain else SongChoice(text="", songs=tuple(songs[:LIMIT]))

    def get(self, wanted: str) -> Song:
        """Return the song with the id `wanted`, or the first search result. Raises: NotFound, TooOld."""
        known = self.loaded.catalogue.by_id.get(SongId(wanted))
        if known is None and _ID.fullmatch(wanted):
            raise TooOld
        song = known or next(iter(self.search(wanted)), None)
        if song is None or not wanted.strip():
            raise NotFound(wanted)
        return song


@dataclass(frozen=True, slots=True)
class NamedSong:
    """An alias and its song."""

    name: str
    song: Song | None
    """The song; None if the viewer's region does not have it."""


class SongLibrary:
    """Lets members of Discord look songs up, linked or not."""

    def __init__(
        self,
        askers: Askers,
        catalogues: Catalogues,
        aliases: ServerAliases,
        wanted: WantedAliases,
        *,
        default_region: Region,
    ) -> None:
        self._wanted = wanted
        self._askers = askers
        self._catalogues = catalogues
        self._aliases = aliases
        self._default_region = default_region

    async def visit(
        self, viewer: MemberId, guild: GuildId | None, region: Region | None = None
    ) -> SongLookup:
        """Return the lookup of a member in a server, or in a direct message.

        `region` is that of a page shown earlier; by default the member's own. Raises: NotLinked if there is no
        catalogue without a token, and errors of the service.
        """
        return await self._enter(viewer, await self._find_asker(viewer), guild, region)

    async def find(self, asker: Asker, guild: GuildId | None) -> SongLookup | None:
        """Return the lookup of a linked member; None if it is unavailable now."""
        try:
            return await self.enter(asker, guild)
        except BotError:
            return None

    async def enter(self, asker: Asker, guild: GuildId | None) -> SongLookup:
        """Return the lookup of a member whose link is known already. Raises: as `visit`."""
        return await self._enter(asker.link.member, asker, guild)

    async def _enter(
        self, viewer: MemberId, asker: Asker | None, guild: GuildId | None, region: Region | None = None
    ) -> SongLookup:
        region = region or (asker.link.region if asker else self._default_region)
        loaded = await self._catalogues.get(
            region,
            asker.open_token if asker else None,
            patience=asker.patience if asker else None,
        )
        aliases = await self._aliases.find(guild)
        return SongLookup(
            viewer, asker, self._wanted, region, loaded, aliases, is_in_server=guild is not None
        )

    async def find_in_message(self, viewer: MemberId, text: str, guild: GuildId | None) -> Song | SongChoice:
        """Return the song that a message names, or several to choose from. Raises: NoSongNamed, and as `visit`."""
        return (await self.visit(viewer, guild)).pick_in_message(text)

    async def suggest(self, viewer: MemberId, text: str, guild: GuildId | None) -> list[Song]:
        """Return at most 25 songs for what was typed so far; none if no catalogue is available within two seconds.

        If nothing was typed, the viewer's latest songs come first. No request is sent for them: a keystroke is not
        worth one.
        """
        asker = await self._find_asker(viewer)
        region = asker.link.region if asker else self._default_region
        try:
            loaded = await self._catalogues.get(region, partial(self._open_token, viewer), hurried=True)
            aliases = await self._aliases.find(guild)
            found = SongLookup(viewer, asker, self._wanted, region, loaded, aliases).search(text)
            if asker is None or text.strip():
                return found
            known = await asker.find_rating_data(region)
        except BotError:
            return []
        by_id = loaded.catalogue.by_id
        latest = [by_id[song] for song in known.latest_songs if song in by_id] if known else []
        return list({song.id: song for song in (*latest, *found)}.values())[:LIMIT]

    async def changes(self, viewer: MemberId) -> ChangesReport:
        """Return the last change of the catalogue of the viewer's region. Raises: as `visit`."""
        asker = await self._find_asker(viewer)
        region = asker.link.region if asker else self._default_region
        return await self._catalogues.changes(region, asker.open_token if asker else None)

    async def aliases(self, viewer: MemberId, guild: GuildId, number: int = 0) -> Part[NamedSong]:
        """Return one page of a server's aliases by name, each with its song. Raises: as `visit`."""
        songs = (await self.visit(viewer, guild)).loaded.catalogue.by_id
        kept = await self._aliases.fetch(guild)
        named = [NamedSong(alias.name, songs.get(alias.song)) for alias in kept.values()]
        return part_of(named, ALIASES_ON_PAGE, number)

    async def _open_token(self, viewer: MemberId) -> str:
        return await (await self._askers.get(viewer)).open_token()

    async def _find_asker(self, viewer: MemberId) -> Asker | None:
        try:
            return await self._askers.get(viewer)
        except NotLinked:
            return None
