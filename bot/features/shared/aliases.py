"""Song aliases that a server's managers maintain."""

from collections.abc import Mapping
from typing import Final

from bot.cluster.invalidation import GUILD_TOPIC
from bot.domain.errors import BadQuery, BotError, CannotRead, NotFound
from bot.domain.folding import fold
from bot.domain.ids import GuildId, SongId
from bot.domain.other_names import NO_NAMES, OtherNames
from bot.domain.typed import check_kept
from bot.store import Alias, RowCache, Store

MAX_LENGTH: Final = 60
"""The most characters of an alias."""
_MAX_ALIASES: Final = 500
"""The most aliases of one server: all are searched at every keystroke."""

AT_HAND: Final = 200
"""The most servers in memory: about a third of a megabyte each at the limit of aliases."""


class TooManyAliases(BotError):
    """A server has reached its limit of aliases."""

    def __init__(self) -> None:
        self.most = _MAX_ALIASES
        super().__init__("no room for another alias")


def check_alias(name: str) -> str:
    """Return the folded form of an alias. Raises: BadQuery if it consists of symbols only, TooLong."""
    folded = check_kept(fold(name))
    if not folded:
        raise BadQuery("alias", "a–z 0–9 あ–ん 漢字")
    return folded


class ServerAliases:
    """Stores each server's aliases, and caches them for every keystroke."""

    def __init__(self, store: Store) -> None:
        self._repository = store.aliases
        self._at_hand: RowCache[GuildId, tuple[Mapping[str, Alias], OtherNames]] = RowCache(
            AT_HAND, store.bus, GUILD_TOPIC, GuildId
        )
        """Aliases by server, as stored and as the search takes them."""

    async def find(self, guild: GuildId | None) -> OtherNames:
        """Return a server's aliases for the search; none in a direct message, or if they cannot be read."""
        if guild is None:
            return NO_NAMES
        try:
            return (await self._know(guild))[1]
        except CannotRead:
            return NO_NAMES

    async def fetch(self, guild: GuildId) -> Mapping[str, Alias]:
        """Return a server's aliases by folded name."""
        return (await self._know(guild))[0]

    async def _know(self, guild: GuildId) -> tuple[Mapping[str, Alias], OtherNames]:
        return await self._at_hand.get(guild, lambda: self._read(guild))

    async def _read(self, guild: GuildId) -> tuple[Mapping[str, Alias], OtherNames]:
        kept = await self._repository.fetch(guild)
        return kept, OtherNames({folded: alias.song for folded, alias in kept.items()})

    async def add(self, guild: GuildId, name: str, song: SongId) -> None:
        """Save an alias. Raises: BadQuery if it consists of symbols only, TooLong, TooManyAliases."""
        check_alias(name)
        if await self.add_all(guild, {name: song}):
            raise TooManyAliases

    async def add_all(self, guild: GuildId, songs: Mapping[str, SongId]) -> int:
        """Save aliases as far as there is room; return how many did not fit."""
        known = await self.fetch(guild)
        given = {fold(name): Alias(name.strip(), song) for name, song in songs.items()}
        new = [folded for folded in given if folded not in known]
        left_out = new[max(0, _MAX_ALIASES - len(known)) :]
        kept = {folded: alias for folded, alias in given.items() if folded not in left_out}
        if kept:
            await self._repository.save_all(guild, kept)
            self.drop(guild)
        return len(left_out)

    async def suggest(self, guild: GuildId, typed: str) -> list[str]:
        """Return the aliases that contain what was typed so far."""
        return [alias.name for folded, alias in (await self.fetch(guild)).items() if fold(typed) in folded]

    async def remove(self, guild: GuildId, name: str) -> str:
        """Delete an alias; return it as it was originally typed. Raises: NotFound."""
        alias = (await self.fetch(guild)).get(fold(name))
        if alias is None:
            raise NotFound(name)
        await self._repository.delete(guild, fold(name))
        self.drop(guild)
        return alias.name

    def drop(self, guild: GuildId) -> None:
        """Drop a server's aliases from memory, so that they are read again."""
        self._at_hand.drop(guild)
