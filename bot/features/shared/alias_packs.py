"""Alias packs, a line "alias = title" for each song: the host's for everyone, and those that servers exchange."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from bot.base.config import read_named_file
from bot.domain.charts import Catalogue, Song
from bot.domain.folding import compared, fold
from bot.domain.host_constants import SongNames
from bot.domain.ids import SongId

_SETTING: Final = "ALIAS_FILE"
_ENDING: Final = "*.txt"
"""The pattern of pack files in a folder."""
_NAMED_LINES: Final = 10
"""The most lines that are named individually."""


class Place(NamedTuple):
    """The position of a line."""

    number: int
    """The number of the line, from 1."""
    file: str = ""
    """The file's name; empty if there is only one file."""

    def __str__(self) -> str:
        return f"line {self.number} of {self.file}" if self.file else f"line {self.number}"


class PackLine(NamedTuple):
    """A line that gives a song an alias."""

    place: Place
    name: str
    """The alias as the pack spells it."""
    song: str
    """The title or id of the song."""

    @property
    def folded(self) -> str:
        """The folded name, by which it is compared."""
        return fold(self.name)


@dataclass(frozen=True, slots=True, eq=False)
class AliasPack:
    """The content of one or several alias files."""

    lines: tuple[PackLine, ...] = ()
    """The valid lines; of two lines for one name, the later."""
    replaced: tuple[PackLine, ...] = ()
    """Lines whose name a later line gives to another song."""
    unread: tuple[Place, ...] = ()
    """Lines that cannot be parsed."""

    def resolve(self, catalogue: Catalogue) -> tuple[Mapping[str, SongId], frozenset[PackLine]]:
        """Return song ids by folded name, and the lines that match no song of the region, or several.

        A title is matched exactly as written first, otherwise as people compare titles.
        """
        names = SongNames(catalogue)
        meant = {each: names.find(each.song) for each in self.lines}
        found = {each.folded: song for each, song in meant.items() if song is not None}
        return found, frozenset(each for each, song in meant.items() if song is None)

    def find_hidden(self, catalogue: Catalogue) -> list[tuple[PackLine, Song]]:
        """Return the lines whose name is the title of another song, which a search would rank above the alias."""
        titles: dict[str, list[Song]] = defaultdict(list)
        for song in catalogue.songs:
            titles[compared(song.title)].append(song)
        found, _unfit = self.resolve(catalogue)
        named = ((line, titles.get(line.folded, ()), found.get(line.folded)) for line in self.lines)
        return [
            (line, songs[-1])
            for line, songs, meant in named
            if songs and meant and meant not in (song.id for song in songs)
        ]


def name_lines(unread: Iterable[Place], unfit: Iterable[PackLine]) -> str:
    """Return which lines of ALIAS_FILE have no effect, and why, as a text for the host; empty if all have one."""
    said = [(place, f'{place} is no "alias = title"') for place in unread]
    said += [(each.place, f"{each.place} fits no song or several ({each.song})") for each in unfit]
    named = "; ".join(
        text for _, text in sorted(said, key=lambda each: (each[0].file, each[0].number))[:_NAMED_LINES]
    )
    return f"{named}; and {len(said) - _NAMED_LINES} more lines" if len(said) > _NAMED_LINES else named


def read_pack(texts: Mapping[str, str]) -> AliasPack:
    """Parse the texts of files by file name; empty lines and lines that start with "#" are ignored."""
    found: dict[str, PackLine] = {}
    replaced: list[PackLine] = []
    unread: list[Place] = []
    for file, text in texts.items():
        for number, each in enumerate(text.splitlines(), 1):
            place, line = Place(number, file if len(texts) > 1 else ""), each.strip()
            if line.startswith("#"):  # also an alias that was commented out
                continue
            name, _sign, song = (part.strip() for part in line.partition("="))
            if fold(name) and song:
                before = found.pop(fold(name), None)
                replaced += [] if before is None or before.song == song else [before]
                found[fold(name)] = PackLine(place, name, song)
            elif line:
                unread.append(place)
    return AliasPack(tuple(found.values()), tuple(replaced), tuple(unread))


def list_files(paths: Iterable[Path]) -> list[Path]:
    """Return the given files, and the .txt files of the given folders, by name."""
    return [file for path in paths for file in (sorted(path.glob(_ENDING)) if path.is_dir() else [path])]


def read_packs(paths: Iterable[Path]) -> AliasPack:
    """Read the host's alias files and folders. Raises: CannotStart."""
    return read_pack({str(file): read_named_file(file, _SETTING) for file in list_files(paths)})


def write_pack(named: Iterable[tuple[str, Song]], catalogue: Catalogue) -> str:
    """Return a pack that `read_pack` can read, here or elsewhere; songs that share a title are written by id."""
    times = Counter(song.title.strip() for song in catalogue.songs)

    def meant(song: Song) -> str:
        title = song.title.strip()
        return title if times[title] == 1 and len(title.splitlines()) == 1 else song.id

    # Folding ignores both signs, so the name stays the same without them.
    return "".join(
        f"{' '.join(name.replace('=', ' ').split()).lstrip('# ')} = {meant(song)}\n" for name, song in named
    )
