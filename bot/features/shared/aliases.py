"""Other names of songs: a server's own, which its managers keep, and the operator's for everyone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from bot.base.config import read_named_file
from bot.cluster.invalidation import GUILD_TOPIC
from bot.domain.charts import Catalogue
from bot.domain.errors import BadQuery, BotError, CannotRead, NotFound
from bot.domain.folding import compared, fold
from bot.domain.ids import GuildId, SongId
from bot.domain.other_names import NO_NAMES, OtherNames
from bot.domain.typed import check_kept
from bot.store import Alias, AtHand, Store

MAX_LENGTH: Final = 60
"""Characters of an alias."""
_MOST: Final = 500
"""Aliases of one server: they are looked through at every keystroke."""

_NAMED: Final = 10
"""Lines of the operator's file that are named one by one."""

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
        self._at_hand: AtHand[GuildId, tuple[Mapping[str, Alias], OtherNames]] = AtHand(
            AT_HAND, store.news, GUILD_TOPIC, GuildId
        )
        """As they are kept, and as the search takes them."""

    async def find(self, guild: GuildId | None) -> OtherNames:
        """Return a server's aliases for the search; none in a direct message, or where they cannot be read."""
        if guild is None:
            return NO_NAMES
        try:
            return (await self._know(guild))[1]
        except CannotRead:
            return NO_NAMES

    async def fetch(self, guild: GuildId) -> Mapping[str, Alias]:
        """Return a server's aliases by what they are compared by."""
        return (await self._know(guild))[0]

    async def _know(self, guild: GuildId) -> tuple[Mapping[str, Alias], OtherNames]:
        return await self._at_hand.get(guild, lambda: self._read(guild))

    async def _read(self, guild: GuildId) -> tuple[Mapping[str, Alias], OtherNames]:
        kept = await self._repository.fetch(guild)
        return kept, OtherNames({folded: alias.song for folded, alias in kept.items()})

    async def add(self, guild: GuildId, name: str, song: SongId) -> None:
        """Keep an alias. Raises: BadQuery where it is nothing but symbols, TooLong, TooManyAliases."""
        folded = check_kept(fold(name))
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


class OperatorAlias(NamedTuple):
    """A line of the operator's file."""

    line: int
    """Its number, from 1."""
    folded: str
    song: str
    """The title or the id that it stands for."""


@dataclass(frozen=True, slots=True, eq=False)
class OperatorAliases:
    """The operator's file of aliases."""

    all: tuple[OperatorAlias, ...] = ()
    unread: tuple[int, ...] = ()
    """The lines that say neither an alias of a song nor nothing."""

    def resolve(self, catalogue: Catalogue) -> tuple[OtherNames, frozenset[OperatorAlias]]:
        """Return aliases with the ids of their songs, and those that fit no song of the region, or more than one.

        A title counts as it is written; where none is written so, as people compare it.
        """
        exact = {song.title.strip(): song.id for song in reversed(catalogue.songs)}
        alike: dict[str, set[SongId]] = {}
        for song in catalogue.songs:
            alike.setdefault(compared(song.title), set()).add(song.id)
        found: dict[str, SongId] = {}
        unfit: set[OperatorAlias] = set()
        for each in self.all:
            written = exact.get(each.song, SongId(each.song))
            meant = {written} if written in catalogue.by_id else alike.get(compared(each.song), set())
            if len(meant) == 1:
                (found[each.folded],) = meant
            else:
                unfit.add(each)
        return OtherNames(found), frozenset(unfit)


NO_OPERATOR_ALIASES: Final = OperatorAliases()


def name_lines(unread: Iterable[int], unfit: Iterable[OperatorAlias]) -> str:
    """Return which lines of ALIAS_FILE do nothing, and why, for whoever hosts the bot; nothing where all do."""
    said = [(line, f'line {line} is no "alias = title"') for line in unread]
    said += [(each.line, f"line {each.line} fits no song or several ({each.song})") for each in unfit]
    named = "; ".join(text for _, text in sorted(said)[:_NAMED])
    return f"{named}; and {len(said) - _NAMED} more lines" if len(said) > _NAMED else named


def read_alias_lines(text: str) -> OperatorAliases:
    """Read one "alias = title" a line; empty lines and those that start with "#" say nothing.

    Of two lines of one alias the later one counts.
    """
    found: dict[str, OperatorAlias] = {}
    unread: list[int] = []
    for number, each in enumerate(text.splitlines(), 1):
        line = each.strip()
        alias, _sign, song = line.partition("=")
        if fold(alias) and song.strip():
            found[fold(alias)] = OperatorAlias(number, fold(alias), song.strip())
        elif line and not line.startswith("#"):
            unread.append(number)
    return OperatorAliases(tuple(found.values()), tuple(unread))


def read_alias_file(path: Path | None) -> OperatorAliases:
    """Read the operator's aliases; none where no file is set. Raises: CannotStart."""
    return read_alias_lines(read_named_file(path, "ALIAS_FILE"))
