"""Aliases that members suggest, and alias packs that servers exchange."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.base.clock import Clock
from bot.domain.charts import Song
from bot.domain.errors import BotError, TooOld
from bot.domain.folding import is_same
from bot.domain.ids import GuildId, MemberId
from bot.domain.typed import MAX_KEPT_CHARACTERS
from bot.features.shared.alias_packs import PackLine, Place, read_pack, write_pack
from bot.features.shared.aliases import MAX_LENGTH, ServerAliases, check_alias
from bot.features.shared.library import SongLibrary
from bot.features.shared.pauses import Pauses
from bot.store import Store, Suggestion

_PAUSE: Final = timedelta(seconds=30)
"""The time between two suggestions of one member: each is a message that others see."""
_MAX_WAITING: Final = 5
"""The most pending suggestions of one member in a server."""


class NameTaken(BotError):
    """A suggested name is already an alias in this server."""

    def __init__(self) -> None:
        super().__init__("the name is taken")


class TitleTaken(BotError):
    """A name is the title of another song, which a search finds first."""

    def __init__(self, title: str) -> None:
        self.title = title
        super().__init__("the name is another song's title")


class TooManySuggestions(BotError):
    """A member has reached the limit of pending suggestions in a server."""

    def __init__(self) -> None:
        self.most = _MAX_WAITING
        super().__init__("no room for another suggestion")


@dataclass(frozen=True, slots=True)
class SuggestedName:
    """A suggested alias and its song."""

    kept: Suggestion
    song: Song | None
    """The song; None if the viewer's region does not have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackTaken:
    """The result of importing a pack into a server."""

    taken: int
    unread: tuple[Place, ...]
    """Lines that cannot be parsed, or whose alias is too long."""
    unfit: tuple[PackLine, ...]
    """Lines that match no song, or several."""
    hidden: tuple[tuple[PackLine, Song], ...] = ()
    """Lines whose name is the title of another song, which a search finds first."""
    left_out: int
    """The number of aliases that did not fit."""


class AliasKeeping:
    """Takes members' suggestions, and whole packs."""

    def __init__(self, store: Store, aliases: ServerAliases, library: SongLibrary, clock: Clock) -> None:
        self._suggestions = store.suggestions
        self._aliases = aliases
        self._library = library
        self._clock = clock
        self._pauses = Pauses(clock, _PAUSE)

    async def add(self, viewer: MemberId, guild: GuildId, name: str, wanted: str) -> Song:
        """Add an alias.

        Raises: BadQuery, TooLong, TitleTaken, TooManyAliases, and as `SongLookup.get_playable`.
        """
        song = await self._song_for(viewer, guild, name, wanted)
        await self._aliases.add(guild, name, song.id)
        return song

    async def suggest(self, member: MemberId, guild: GuildId, name: str, wanted: str) -> SuggestedName:
        """Store a member's suggestion until the server's managers decide.

        Raises: BadQuery, TooLong, TitleTaken, NameTaken, TooManySuggestions, TooSoon, and as `SongLookup.get_playable`.
        """
        song = await self._song_for(member, guild, name, wanted)
        if check_alias(name) in await self._aliases.fetch(guild):
            raise NameTaken
        self._pauses.check(member)
        kept = await self._suggestions.add(
            guild, member, name.strip(), song.id, self._clock.now(), most=_MAX_WAITING
        )
        if kept is None:
            raise TooManySuggestions
        self._pauses.admit(member)
        return SuggestedName(kept, song)

    async def _song_for(self, viewer: MemberId, guild: GuildId, name: str, wanted: str) -> Song:
        """Return the song for an alias; the alias may equal its own title, even if other songs share that title."""
        visit = await self._library.visit(viewer, guild)
        song = await visit.get_playable(wanted)
        same = [each for each in visit.loaded.catalogue.songs if is_same(each.title, name)]
        if same and song not in same:
            raise TitleTaken(same[0].title)
        return song

    async def fetch_waiting(self, viewer: MemberId, guild: GuildId) -> Sequence[SuggestedName]:
        """Return the pending suggestions of a server, oldest first. Raises: as `SongLibrary.visit`."""
        songs = (await self._library.visit(viewer, guild)).loaded.catalogue.by_id
        return [SuggestedName(each, songs.get(each.song)) for each in await self._suggestions.fetch(guild)]

    async def get(self, viewer: MemberId, guild: GuildId, number: int) -> SuggestedName:
        """Return a pending suggestion. Raises: TooOld if it is no longer pending, and as `SongLibrary.visit`."""
        kept = await self._suggestions.find(guild, number)
        if kept is None:
            raise TooOld
        songs = (await self._library.visit(viewer, guild)).loaded.catalogue.by_id
        return SuggestedName(kept, songs.get(kept.song))

    async def take(self, viewer: MemberId, guild: GuildId, number: int) -> SuggestedName:
        """Accept a suggestion as an alias. Raises: TooManyAliases, and as `get`."""
        found = await self.get(viewer, guild, number)
        await self._aliases.add(guild, found.kept.name, found.kept.song)
        await self._suggestions.delete(guild, number)
        return found

    async def refuse(self, viewer: MemberId, guild: GuildId, number: int) -> SuggestedName:
        """Delete a suggestion. Raises: as `get`."""
        found = await self.get(viewer, guild, number)
        await self._suggestions.delete(guild, number)
        return found

    async def export(self, viewer: MemberId, guild: GuildId) -> str:
        """Return a server's aliases as a pack, for songs of the viewer's region. Raises: as `SongLibrary.visit`."""
        catalogue = (await self._library.visit(viewer, guild)).loaded.catalogue
        kept = (await self._aliases.fetch(guild)).values()
        named = ((alias.name, catalogue.by_id.get(alias.song)) for alias in kept)
        return write_pack(((name, song) for name, song in named if song is not None), catalogue)

    async def take_pack(self, viewer: MemberId, guild: GuildId, text: str) -> PackTaken:
        """Import a pack's aliases into a server. Raises: as `SongLibrary.visit`."""
        pack = read_pack({"": text})
        catalogue = (await self._library.visit(viewer, guild)).loaded.catalogue
        found, unfit = pack.resolve(catalogue)
        hidden = dict(pack.find_hidden(catalogue))
        fitting = [line for line in pack.lines if line.folded in found and line not in hidden]
        too_long = [
            line for line in fitting if len(line.name) > MAX_LENGTH or len(line.folded) > MAX_KEPT_CHARACTERS
        ]
        names = {line.name: found[line.folded] for line in fitting if line not in too_long}
        left_out = await self._aliases.add_all(guild, names)
        return PackTaken(
            taken=len(names) - left_out,
            unread=tuple(sorted((*pack.unread, *(line.place for line in too_long)))),
            unfit=tuple(sorted(unfit)),
            hidden=tuple(sorted(hidden.items(), key=lambda each: each[0])),
            left_out=left_out,
        )
