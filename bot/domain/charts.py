"""Songs and their charts. Source: specification, "Song and chart data"."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NewType

from typing_extensions import override

from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths

Difficulty = NewType("Difficulty", str)
"""A difficulty's code as the service writes it; the list is open, an unknown code is shown as it is."""

BASIC = Difficulty("BAS")
ADVANCED = Difficulty("ADV")
EXPERT = Difficulty("EXP")
MASTER = Difficulty("MAS")
ULTIMA = Difficulty("ULT")
WORLDS_END = Difficulty("WE")

DIFFICULTIES: Final = (BASIC, ADVANCED, EXPERT, MASTER, ULTIMA, WORLDS_END)
"""The known ones, easiest first."""

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
"""What music/stat calls a difficulty, and all that version 1.0 knows. Source: specification, "Shared codes"."""


def difficulty_name(code: Difficulty) -> str:
    """Return the game's name of a difficulty; of an unknown one its code."""
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
    """None where nobody knows it."""
    is_estimated: bool
    """The service gives a constant but flags it as not certain."""
    max_combo: int | None
    """Notes; None where not entered."""
    is_hosts: bool = False
    """The constant is not the service's, but that of whoever hosts the bot."""

    @property
    def constant_or_level(self) -> Hundredths:
        """The level stands in for a constant that nobody knows; 0 where that is not known either."""
        return self.constant or self.level


@dataclass(frozen=True, slots=True, kw_only=True)
class Song:
    """One song of the catalogue; a World's End chart is an entry of its own."""

    id: SongId
    index: int | None = None
    """Version 1.0 knows songs by this number alone; `id` is then made from it and fits no other version."""
    title: str
    genre: str | None
    artist: str | None
    released_on: date | None
    bpm: int | None
    charts: tuple[Chart, ...]
    """Easiest first."""

    @property
    def is_worlds_end(self) -> bool:
        """Whether this entry holds a World's End chart alone."""
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
        """Build a catalogue; of two entries with one id the first stays."""
        by_id: dict[SongId, Song] = {}
        for song in songs:
            by_id.setdefault(song.id, song)
        return cls(region=region, songs=tuple(by_id.values()), by_id=by_id)

    def find_chart(self, song: SongId, difficulty: Difficulty) -> Chart | None:
        """Return a chart of a song."""
        found = self.by_id.get(song)
        return found and found.find_chart(difficulty)


class SameCatalogue:
    """A catalogue that is equal to itself alone, for comparing thousands of songs would cost more than it saves."""

    __slots__ = ("catalogue",)

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameCatalogue) and other.catalogue is self.catalogue

    @override
    def __hash__(self) -> int:
        return id(self.catalogue)
