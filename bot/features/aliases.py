"""Other names of songs: a server's own, which its managers keep, and the operator's for everyone."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bot.config import CannotStart
from bot.domain.charts import Catalogue
from bot.domain.errors import BadQuery, BotError, CannotRead, NotFound
from bot.domain.folding import fold
from bot.domain.ids import GuildId, SongId
from bot.domain.search import NO_ALIASES, Aliases
from bot.store import Alias, AtHand, Store
from bot.store.news import GUILD

MAX_LENGTH: Final = 60
"""Characters of an alias."""
_MOST: Final = 500
"""Aliases of one server: they are looked through at every keystroke."""

AT_HAND: Final = 200
"""Servers in memory at most, about a third of a megabyte each if it has as many aliases as it may."""


class TooManyAliases(BotError):
    """A server has as many aliases as it may."""

    def __init__(self, most: int = _MOST) -> None:
        self.most = most
        super().__init__("no room for another alias")


class ServerAliases:
    """Keeps each server's aliases, and has them at hand for every keystroke."""

    def __init__(self, store: Store) -> None:
        self._repository = store.aliases
        self._at_hand: AtHand[GuildId, tuple[Mapping[str, Alias], Aliases]] = AtHand(
            AT_HAND, store.news, GUILD, GuildId
        )
        """As they are kept, and as the search takes them."""

    async def find(self, guild: GuildId | None) -> Aliases:
        """Return a server's aliases for the search; none in a direct message, or where they cannot be read."""
        if guild is None:
            return NO_ALIASES
        try:
            return (await self._know(guild))[1]
        except CannotRead:
            return NO_ALIASES

    async def fetch(self, guild: GuildId) -> Mapping[str, Alias]:
        """Return a server's aliases by what they are compared by."""
        return (await self._know(guild))[0]

    async def _know(self, guild: GuildId) -> tuple[Mapping[str, Alias], Aliases]:
        return await self._at_hand.get(guild, lambda: self._read(guild))

    async def _read(self, guild: GuildId) -> tuple[Mapping[str, Alias], Aliases]:
        kept = await self._repository.fetch(guild)
        return kept, {folded: alias.song for folded, alias in kept.items()}

    async def add(self, guild: GuildId, name: str, song: SongId) -> None:
        """Keep an alias. Raises: BadQuery where it is nothing but symbols, TooManyAliases."""
        folded = fold(name)
        if not folded:
            raise BadQuery("alias", "a–z 0–9 あ–ん 漢字")
        known = await self.fetch(guild)
        if folded not in known and len(known) >= _MOST:
            raise TooManyAliases
        await self._repository.save(guild, folded, Alias(name.strip(), song))
        self.forget(guild)

    async def suggest(self, guild: GuildId, typed: str) -> list[str]:
        """Return the aliases that hold what was typed so far."""
        return [alias.name for folded, alias in (await self.fetch(guild)).items() if fold(typed) in folded]

    async def remove(self, guild: GuildId, name: str) -> str:
        """Forget an alias and return it as it was typed once. Raises: NotFound."""
        alias = (await self.fetch(guild)).get(fold(name))
        if alias is None:
            raise NotFound(name)
        await self._repository.delete(guild, fold(name))
        self.forget(guild)
        return alias.name

    def forget(self, guild: GuildId) -> None:
        """Have a server's aliases read anew."""
        self._at_hand.forget(guild)


def read_alias_lines(text: str) -> dict[str, str]:
    """Return folded aliases and the titles or ids that they stand for.

    One "alias = title" a line; empty lines and those that start with "#" say nothing.
    """
    lines = (line.strip() for line in text.splitlines())
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {fold(alias): song.strip() for alias, _sign, song in pairs if fold(alias) and song.strip()}


def read_alias_file(path: Path | None) -> dict[str, str]:
    """Read the operator's aliases; none where no file is set. Raises: CannotStart."""
    if path is None or not path.name:
        return {}
    try:
        return read_alias_lines(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        reason = (
            "is no text in UTF-8" if isinstance(error, UnicodeError) else f"cannot be read ({error.strerror})"
        )
        message = f"The file {path} {reason}. Set ALIAS_FILE to one that is right, or leave it out."
        raise CannotStart(message) from None


def resolve_aliases(named: Mapping[str, str], catalogue: Catalogue) -> Aliases:
    """Return aliases with the ids of their songs; what the region does not have is left out."""
    by_title = {song.title: song.id for song in reversed(catalogue.songs)}
    found = {alias: by_title.get(song, SongId(song)) for alias, song in named.items()}
    return {alias: song for alias, song in found.items() if song in catalogue.by_id}
