"""Constants from the bot's host, for charts whose constants the service does not know."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from typing_extensions import override

from bot.domain.charts import Catalogue, Chart, Difficulty, Song
from bot.domain.folding import compared
from bot.domain.history import ChartKey
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths, format_hundredths
from bot.domain.rating import constants_of, song_rating
from bot.domain.scores import RatingData, Record


class HostConstant(NamedTuple):
    """A line of a host's file."""

    line: int
    """Counted from 1."""
    song: str
    """The title or the id of the song."""
    difficulty: Difficulty
    constant: Hundredths

    @override
    def __str__(self) -> str:
        chart = f"{self.song}, {self.difficulty}, {format_hundredths(self.constant, places=1)}"
        return f"line {self.line} fits no chart of one song and of that level ({chart})"


class SongNames:
    """Finds songs of a catalogue by id or title: by exact title, else by folded title."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._exact = {song.title.strip(): song.id for song in reversed(catalogue.songs)}
        self._alike: dict[str, set[SongId]] = {}
        for song in catalogue.songs:
            self._alike.setdefault(compared(song.title), set()).add(song.id)

    def find(self, written: str) -> SongId | None:
        """Return the song with a title or id; None if there is none, or several."""
        exact = self._exact.get(written, SongId(written))
        meant = {exact} if exact in self._catalogue.by_id else self._alike.get(compared(written), set())
        return next(iter(meant)) if len(meant) == 1 else None


@dataclass(frozen=True, slots=True)
class FilledCatalogue:
    """A catalogue with a host's constants where the service has none."""

    catalogue: Catalogue
    by_chart: Mapping[ChartKey, Hundredths] = field(repr=False)
    """The host's constants that are used."""
    unfit: frozenset[HostConstant]
    """Lines that fit no chart, or one of another level; not those that the service knows by now."""


def fill_constants(catalogue: Catalogue, given: Iterable[HostConstant]) -> FilledCatalogue:
    """Return a catalogue in which unknown constants are filled with the host's; the service's constants stay."""
    names, used, unfit = SongNames(catalogue), dict[ChartKey, Hundredths](), set[HostConstant]()
    for each in given:
        song = names.find(each.song)
        charts = catalogue.by_id[song].charts if song is not None else ()
        chart = next((chart for chart in charts if chart.difficulty == each.difficulty), None)
        least, most = (0, 0) if chart is None else constants_of(None, chart.level)
        if song is None or chart is None or (most and not least <= each.constant <= most):
            unfit.add(each)
        elif chart.constant is None:
            used[song, each.difficulty] = each.constant
    if used:
        changed = {song for song, _ in used}
        songs = (_filled(song, used) if song.id in changed else song for song in catalogue.songs)
        catalogue = Catalogue.of(catalogue.region, songs)
    return FilledCatalogue(catalogue, used, frozenset(unfit))


def _filled(song: Song, used: Mapping[ChartKey, Hundredths]) -> Song:
    def fill(chart: Chart) -> Chart:
        constant = used.get((song.id, chart.difficulty))
        return chart if constant is None else replace(chart, constant=constant, is_hosts=True)

    return replace(song, charts=tuple(map(fill, song.charts)))


class RecordFiller:
    """Fills a host's constants into records of charts whose constants the service does not know."""

    def __init__(self, filled: FilledCatalogue) -> None:
        self._used = filled.by_chart
        self._region = filled.catalogue.region

    def records(self, records: tuple[Record, ...]) -> tuple[Record, ...]:
        """Return records with these constants, and ratings computed from them."""
        return tuple(map(self._record, records))

    def slots(self, data: RatingData) -> RatingData:
        """Return the service's slots with these constants, in its order."""
        slots = {
            name: replace(slot, entries=tuple(entry and self._record(entry) for entry in slot.entries))
            for name, slot in data.slots.items()
        }
        return RatingData(slots=slots)

    def _record(self, record: Record) -> Record:
        if record.constant is not None or record.song_id is None:
            return record
        constant = self._used.get((record.song_id, record.difficulty))
        if constant is None:
            return record
        rating = song_rating(constant, record.score, self._region)
        return replace(record, constant=constant, rating=rating, is_hosts=True)
