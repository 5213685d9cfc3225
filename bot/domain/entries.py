"""Entries of lists: a song, one of its charts, and a player's score on it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from bot.domain.charts import Catalogue, Chart, Difficulty, SameCatalogue, Song, difficulty_order
from bot.domain.folding import fold
from bot.domain.history import ChartKey
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import rating_bounds
from bot.domain.scores import Record


@dataclass(frozen=TYPE_CHECKING, slots=True, kw_only=True, unsafe_hash=True)
class ChartEntry:
    """One line of a list of charts or scores; frozen for the type checker alone, as records are."""

    song: Song
    chart: Chart
    region: Region
    record: Record | None = None
    """The record; None if the chart was not played, or no player is involved."""
    felt: Hundredths | None = None
    """The felt difficulty as a constant; None if it is unknown or was not requested."""
    is_felt_in_doubt: bool = False
    """Whether the felt difficulty is likely but not sure."""
    is_locked: bool = False
    """Whether the player marked the song as not unlocked, and has not played it since."""

    @property
    def key(self) -> ChartKey:
        """Which chart it is."""
        return self.song.id, self.chart.difficulty

    @property
    def played(self) -> Record | None:
        """The record, if the chart was played."""
        return self.record if self.record is not None and self.record.is_played else None


def catalogue_entries(
    catalogue: Catalogue, records: Iterable[Record] = (), locked: Collection[SongId] = ()
) -> list[ChartEntry]:
    """Return every chart of a catalogue in its order, each with its record and whether its song is locked."""
    unplayed, places = _unplayed(SameCatalogue(catalogue))
    entries = [*unplayed]
    if locked:
        records = tuple(records)
        still = still_locked(locked, records)
        entries = [replace(each, is_locked=True) if each.song.id in still else each for each in entries]
    for record in records:
        at = places.get((record.song_id, record.difficulty))
        if at is not None:
            entry = entries[at]
            entries[at] = ChartEntry(
                song=entry.song,
                chart=entry.chart,
                region=entry.region,
                record=record,
                is_locked=entry.is_locked,
            )
    return entries


_Charts: TypeAlias = tuple[Sequence[ChartEntry], Mapping[tuple[SongId | None, Difficulty], int]]
_NO_CHARTS: Final[_Charts] = ((), {})


@lru_cache(maxsize=4)  # some regions' catalogues, which all members share
def _unplayed(same: SameCatalogue) -> _Charts:
    """Return every chart of a catalogue in its order, and the position of each."""
    catalogue = same.catalogue
    entries = [
        ChartEntry(song=song, chart=chart, region=catalogue.region)
        for song in catalogue.songs
        for chart in song.charts
    ]
    return entries, {entry.key: at for at, entry in enumerate(entries)}


def still_locked(locked: Collection[SongId], records: Iterable[Record]) -> frozenset[SongId]:
    """Return the locked songs without a play: a song that was played is unlocked."""
    return frozenset(locked).difference(record.song_id for record in records if record.is_played)


def song_entries(song: Song, records: Iterable[Record], region: Region) -> list[ChartEntry]:
    """Return every chart of a song, easiest first, with its record; charts no longer in the catalogue last."""
    by_difficulty = {record.difficulty: record for record in records}
    known = [
        ChartEntry(song=song, chart=chart, region=region, record=by_difficulty.pop(chart.difficulty, None))
        for chart in song.charts
    ]
    return [*known, *record_entries(by_difficulty.values(), region)]


def record_entries(
    records: Iterable[Record], region: Region, catalogue: Catalogue | None = None
) -> Iterator[ChartEntry]:
    """Yield every record in its order with its song and chart.

    Songs and charts that the catalogue lacks (songs vanish from it while records stay) are built from the record.
    """
    charts, places = _unplayed(SameCatalogue(catalogue)) if catalogue else _NO_CHARTS
    for record in records:
        at = places.get((record.song_id, record.difficulty))
        if at is not None:
            song, chart = charts[at].song, charts[at].chart
        else:
            song = catalogue.by_id.get(record.song_id) if catalogue and record.song_id else None
            song, chart = song or _song_of(record), _chart_of(record)
        yield ChartEntry(song=song, chart=chart, region=region, record=record)


def find_removed_song(wanted: str, records: Iterable[Record], catalogue: Catalogue) -> Song | None:
    """Find a song by title or id among records of songs that are no longer in the catalogue.

    It is rebuilt from the records, with the charts that have one.
    """
    folded = fold(wanted)
    removed = [
        record
        for record in records
        if record.song_id is not None
        and record.song_id not in catalogue.by_id
        and (record.song_id == wanted or (folded and fold(record.title) == folded))
    ]
    if not removed:
        return None
    charts = {
        record.difficulty: _chart_of(record) for record in removed if record.song_id == removed[0].song_id
    }
    return replace(
        _song_of(removed[0]), charts=tuple(charts[code] for code in sorted(charts, key=difficulty_order))
    )


def _song_of(record: Record) -> Song:
    return Song(
        id=record.song_id or SongId(f"idx:{record.index}"),
        index=record.index,
        title=record.title,
        genre=record.genre,
        artist=None,
        released_on=None,
        bpm=None,
        charts=(_chart_of(record),),
    )


def _chart_of(record: Record) -> Chart:
    return Chart(
        difficulty=record.difficulty,
        level=record.level,
        constant=record.constant,
        is_estimated=record.is_estimated,
        is_hosts=record.is_hosts,
        max_combo=None,
    )


class Order(StrEnum):
    """How a list is sorted; the values are kept in the ids of buttons."""

    CONSTANT_DOWN = "const-"
    CONSTANT_UP = "const+"
    NEWEST = "new"
    OLDEST = "old"
    TITLE = "title"
    BPM_DOWN = "bpm-"
    BPM_UP = "bpm+"
    COMBO_DOWN = "combo-"
    SCORE_DOWN = "score-"
    SCORE_UP = "score+"
    RATING_DOWN = "rating-"
    UPDATED = "updated"
    JUSTICE_LEFT = "justice-left"
    """ALL JUSTICE below the maximum, the nearest to it first."""
    FELT_DOWN = "felt-"
    FELT_UP = "felt+"
    FELT_LESS = "felt-less"
    """Charts that feel easier than their constants, the greatest difference first."""


FELT_ORDERS: Final = frozenset({Order.FELT_DOWN, Order.FELT_UP, Order.FELT_LESS})
"""The orders by felt difficulty."""
RECORD_ORDERS: Final = FELT_ORDERS | {
    Order.SCORE_DOWN,
    Order.SCORE_UP,
    Order.RATING_DOWN,
    Order.UPDATED,
    Order.JUSTICE_LEFT,
}
"""The orders by a player's records."""


_Number = Callable[[ChartEntry], float | None]


def sort_entries(entries: Iterable[ChartEntry], order: Order) -> list[ChartEntry]:
    """Return the entries in order; those without a value come last, and equal ones by title and difficulty."""
    listed = sorted(entries, key=lambda entry: (entry.song.title, difficulty_order(entry.chart.difficulty)))
    if order is Order.TITLE:
        return listed
    number, is_descending = _NUMBERS[order]
    known: list[tuple[float, ChartEntry]] = []
    unknown: list[ChartEntry] = []
    for entry in listed:
        value = number(entry)
        if value is None:
            unknown.append(entry)
        else:
            known.append((value, entry))
    known.sort(key=itemgetter(0), reverse=is_descending)  # equals stay in their order either way
    return [entry for _value, entry in known] + unknown


def _constant(entry: ChartEntry) -> float | None:
    # A level replaces an unknown constant: a list by difficulty without such charts would mislead.
    return entry.chart.constant_or_level or None


def _released(entry: ChartEntry) -> float | None:
    return entry.song.released_on.toordinal() if entry.song.released_on else None


def _bpm(entry: ChartEntry) -> float | None:
    return entry.song.bpm


def _combo(entry: ChartEntry) -> float | None:
    return entry.chart.max_combo


def _score(entry: ChartEntry) -> float | None:
    return entry.played.score if entry.played else None


def least_rating(entry: ChartEntry) -> Hundredths | None:
    """Return the rating of a record, the least possible one if the constant is unknown; None if not played."""
    return rating_bounds(entry.played, entry.region)[0] if entry.played else None


def points_left(entry: ChartEntry) -> int | None:
    """Return the points that an ALL JUSTICE lacks to the maximum; None for other records, and at the maximum."""
    record = entry.played
    if record is None or record.lamps is None or not record.lamps.is_all_justice:
        return None
    return MAX_SCORE - record.score or None


def _felt(entry: ChartEntry) -> float | None:
    return entry.felt


def felt_beside(entry: ChartEntry) -> int | None:
    """Return by how much harder than its constant a chart feels, in hundredths; None if that is unknown."""
    return None if entry.felt is None else entry.felt - (entry.chart.constant or 0)


def _updated(entry: ChartEntry) -> float | None:
    return entry.played.updated_at.timestamp() if entry.played and entry.played.updated_at else None


_NUMBERS: Final[dict[Order, tuple[_Number, bool]]] = {
    Order.CONSTANT_DOWN: (_constant, True),
    Order.CONSTANT_UP: (_constant, False),
    Order.NEWEST: (_released, True),
    Order.OLDEST: (_released, False),
    Order.BPM_DOWN: (_bpm, True),
    Order.BPM_UP: (_bpm, False),
    Order.COMBO_DOWN: (_combo, True),
    Order.SCORE_DOWN: (_score, True),
    Order.SCORE_UP: (_score, False),
    Order.RATING_DOWN: (least_rating, True),
    Order.UPDATED: (_updated, True),
    Order.JUSTICE_LEFT: (points_left, False),
    Order.FELT_DOWN: (_felt, True),
    Order.FELT_UP: (_felt, False),
    Order.FELT_LESS: (felt_beside, False),
}
