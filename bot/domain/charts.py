"""Songs and their charts. Source: specification, "Song and chart data"."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NewType

from typing_extensions import override

from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths

Difficulty = NewType("Difficulty", str)
"""A difficulty's code as the service writes it. The list is open: an unknown code is shown unchanged."""

BASIC = Difficulty("BAS")
ADVANCED = Difficulty("ADV")
EXPERT = Difficulty("EXP")
MASTER = Difficulty("MAS")
ULTIMA = Difficulty("ULT")
WORLDS_END = Difficulty("WE")

DIFFICULTIES: Final = (BASIC, ADVANCED, EXPERT, MASTER, ULTIMA, WORLDS_END)
"""The known difficulties, easiest first."""

_NAMES: Final[Mapping[str, str]] = {
    BASIC: "BASIC",
    ADVANCED: "ADVANCED",
    EXPERT: "EXPERT",
    MASTER: "MASTER",
    ULTIMA: "ULTIMA",
    WORLDS_END: "WORLD'S END",
}

LETTERS: Final[Mapping[Difficulty, str]] = {
    BASIC: "b",
    ADVANCED: "a",
    EXPERT: "e",
    MASTER: "m",
    WORLDS_END: "w",
}
"""The letters for difficulties in music/stat, the only ones in version 1.0. Source: specification, "Shared codes"."""


def difficulty_name(code: Difficulty) -> str:
    """Return the game's name of a difficulty; an unknown code is its own name."""
    return _NAMES.get(code, code)


def difficulty_order(code: Difficulty) -> int:
    """Return a sort key: easiest first, unknown ones last."""
    return DIFFICULTIES.index(code) if code in DIFFICULTIES else len(DIFFICULTIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One chart of a song."""

    difficulty: Difficulty
    level: Hundredths
    constant: Hundredths | None
    """None if it is unknown."""
    is_estimated: bool
    """The service gives a constant but flags it as uncertain."""
    max_combo: int | None
    """The number of notes; None if it is not entered."""
    is_hosts: bool = False
    """The constant comes from the bot's host, not from the service."""

    @property
    def constant_or_level(self) -> Hundredths:
        """The constant, or the level if the constant is unknown; 0 if neither is known."""
        return self.constant or self.level


@dataclass(frozen=True, slots=True, kw_only=True)
class Song:
    """One song of the catalogue; a World's End chart is a separate entry."""

    id: SongId
    index: int | None = None
    """The only identifier in version 1.0; `id` is then derived from it and matches no other version."""
    title: str
    genre: str | None
    artist: str | None
    released_on: date | None
    bpm: int | None
    charts: tuple[Chart, ...]
    """Easiest first."""

    @property
    def is_worlds_end(self) -> bool:
        """Whether this entry has only a World's End chart."""
        return any(chart.difficulty == WORLDS_END for chart in self.charts)

    def find_chart(self, difficulty: Difficulty) -> Chart | None:
        """Return the chart of a difficulty."""
        return next((chart for chart in self.charts if chart.difficulty == difficulty), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All songs of one region, in the service's order."""

    region: Region
    songs: tuple[Song, ...]
    by_id: Mapping[SongId, Song] = field(repr=False)

    @classmethod
    def of(cls, region: Region, songs: Iterable[Song]) -> "Catalogue":
        """Build a catalogue; of two entries with the same id the first is used."""
        by_id: dict[SongId, Song] = {}
        for song in songs:
            by_id.setdefault(song.id, song)
        return cls(region=region, songs=tuple(by_id.values()), by_id=by_id)

    def find_chart(self, song: SongId, difficulty: Difficulty) -> Chart | None:
        """Return a chart of a song."""
        found = self.by_id.get(song)
        return found and found.find_chart(difficulty)


class SameCatalogue:
    """A catalogue that equals only itself: comparing thousands of songs would cost more than it saves."""

    __slots__ = ("catalogue",)

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameCatalogue) and other.catalogue is self.catalogue

    @override
    def __hash__(self) -> int:
        return id(self.catalogue)
