"""The rating worked out as the game does, from records, catalogue and version, and held against what the profile says.

Source: the game: since 2024-12-12 the 30 best charts of older songs and the 20 best of new songs, divided by 50, floored
to 0.01; no chart counts twice, and an empty place counts 0.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import lru_cache
from heapq import heappush, heappushpop
from typing import Final, NamedTuple

from typing_extensions import override

from bot.domain.charts import WORLDS_END, Catalogue
from bot.domain.game_versions import Formula, GameVersion, VersionTable
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import song_rating
from bot.domain.scores import Record

BEST_PLACES: Final = 30
NEW_PLACES: Final = 20
PLACES: Final = BEST_PLACES + NEW_PLACES
"""What the sum of both slots is divided by."""
_BAND_WIDTH: Final = 40
"""A level's constants reach from its own number to 0.4 above: 13+ is 13.5 to 13.9."""


class Reason(StrEnum):
    """Why a profile's rating is not, or not surely, what the records make of it; the values are codes for programs."""

    RECENT_NEEDED = "recent_needed"
    """The formula counts recent plays, which records do not tell."""
    CONSTANT_UNKNOWN = "constant_unknown"
    """It lies within what charts of unknown constant leave open."""
    RECORDS_OLDER = "records_older"
    """The profile is higher: something was played that the records do not hold yet."""
    CONSTANT_IN_DOUBT = "constant_in_doubt"
    """It is off by what one estimated constant can explain."""
    VERSION_UNKNOWN = "version_unknown"
    """The records earn more than the profile says: another version's line between old and new songs is likely."""


class SlotEntry(NamedTuple):
    """One place of a slot."""

    rating: Hundredths
    """Single-song rating; where the constant is unknown, the least that its level allows."""
    highest: Hundredths
    """The same, unless the constant is unknown: then the most that its level allows."""
    key: ChartKey
    """Which chart stands here."""
    record: Record

    @property
    def is_certain(self) -> bool:
        """Whether the chart's constant is known."""
        return self.rating == self.highest


class _KnownChart(NamedTuple):
    constant: Hundredths
    highest: Hundredths
    is_new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedOut:
    """Both slots of one version, in the game's order, and what they come to."""

    version: GameVersion | None
    """None where no version is known for the day, and in older games."""
    formula: Formula
    best: tuple[SlotEntry, ...] = field(repr=False)
    new: tuple[SlotEntry, ...] = field(repr=False)
    """Empty where the formula knows no new songs."""
    highest_sum: Hundredths
    """The sum if every unknown constant were the highest of its level."""
    undated: tuple[ChartKey, ...] = ()
    """Charts that count as old because their song has no release day, or is in the catalogue no more."""
    left_out: tuple[ChartKey, ...] = ()
    """Charts of which neither constant nor level is known, so that they count nowhere."""

    @property
    def sum(self) -> Hundredths:
        """The sum of both slots; that of the best slot alone where the formula knows no new songs."""
        return Hundredths(sum(entry.rating for entry in (*self.best, *self.new)))

    @property
    def rating(self) -> Hundredths | None:
        """The rating, floored; None where the formula needs recent plays."""
        return None if self.formula is Formula.BEST_AND_RECENT else Hundredths(self.sum // PLACES)

    @property
    def highest_rating(self) -> Hundredths | None:
        """The rating if every unknown constant were the highest of its level."""
        return None if self.formula is Formula.BEST_AND_RECENT else Hundredths(self.highest_sum // PLACES)

    def explains(self, rating: Hundredths) -> bool:
        """Return whether a rating is what the slots come to, as far as the constants are known."""
        return (
            self.rating is not None
            and self.highest_rating is not None
            and self.rating <= rating <= self.highest_rating
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What the records come to, beside what the profile says."""

    worked_out: WorkedOut
    is_explained: bool | None
    """None where no rating is given, or where none can be worked out."""
    reason: Reason | None


def explain(
    records: Iterable[Record],
    catalogue: Catalogue,
    day: date,
    rating: Hundredths | None,
    table: VersionTable,
    played: GameVersion | None = None,
) -> Explanation:
    """Return what records come to on a day in Japan, by the newest version or the one that explains the rating.

    Editions of the game lag behind Japan's by months: an earlier version is taken where it explains what the profile
    says and no later one does. Where none does, `played` is taken, the version that explained the player's rating
    before, or else the newest.
    """
    records = list(records)
    versions = [each for each in table.in_force(catalogue.region, day) if each.new_since is not None]
    if not versions:
        found = work_out(records, catalogue, None)
        return Explanation(worked_out=found, is_explained=None, reason=Reason.RECENT_NEEDED)
    usual = work_out(records, catalogue, played if played in versions else versions[0])
    if rating is None:
        return Explanation(worked_out=usual, is_explained=None, reason=None)
    for version in versions:
        found = usual if version is usual.version else work_out(records, catalogue, version)
        if found.explains(rating):
            doubt = None if found.rating == rating == found.highest_rating else Reason.CONSTANT_UNKNOWN
            return Explanation(worked_out=found, is_explained=True, reason=doubt)
    return Explanation(worked_out=usual, is_explained=False, reason=_likeliest_reason(usual, rating))


def _likeliest_reason(found: WorkedOut, rating: Hundredths) -> Reason:
    if abs(rating - (found.rating or 0)) <= 1 and any(
        entry.record.is_estimated for entry in (*found.best, *found.new)
    ):
        return Reason.CONSTANT_IN_DOUBT
    return Reason.RECORDS_OLDER if rating > (found.highest_rating or 0) else Reason.VERSION_UNKNOWN


def work_out(records: Iterable[Record], catalogue: Catalogue, version: GameVersion | None) -> WorkedOut:
    """Return both slots of a version; without one, the best 30 of all charts.

    Of two records of one chart the higher score counts. Equal ratings stand by the higher score, then in the order of
    the records: the game's own order among equals is not known, and the sum is the same in any.
    """
    charts = _known_charts(catalogue, None if version is None else version.new_since)
    slots = _Slot(BEST_PLACES, catalogue.region), _Slot(NEW_PLACES, catalogue.region)
    left_out: list[ChartKey] = []
    for key, record in _best_records(records).items():
        chart = charts.get(key) or _chart_of(record)
        if chart is None:
            left_out.append(key)
        else:
            slots[chart.is_new].offer(key, record, chart)
    best, new = (slot.entries() for slot in slots)
    return WorkedOut(
        version=version,
        formula=Formula.BEST_AND_RECENT if version is None else version.formula,
        best=best,
        new=new,
        highest_sum=Hundredths(sum(slot.highest_sum() for slot in slots)),
        undated=tuple(entry.key for entry in best if _has_no_day(catalogue, entry.key)),
        left_out=tuple(left_out),
    )


def _best_records(records: Iterable[Record]) -> Mapping[ChartKey, Record]:
    best: dict[ChartKey, Record] = {}
    for record in records:
        if record.is_played and record.song_id is not None and record.difficulty != WORLDS_END:
            key = record.song_id, record.difficulty
            before = best.get(key)
            if before is None or record.score > before.score:
                best[key] = record
    return best


@lru_cache(maxsize=8)  # a region's catalogue with the lines of some versions; thousands of members share it
def _charts_of(catalogue: "_SameCatalogue", new_since: date | None) -> Mapping[ChartKey, _KnownChart]:
    charts: dict[ChartKey, _KnownChart] = {}
    for song in catalogue.catalogue.songs:
        is_new = new_since is not None and song.released_on is not None and song.released_on >= new_since
        for chart in song.charts:
            constants = _range_of(chart.constant, chart.level)
            if constants is not None and chart.difficulty != WORLDS_END:
                charts[song.id, chart.difficulty] = _KnownChart(*constants, is_new)
    return charts


class _SameCatalogue:
    """A catalogue that is equal to itself alone, for comparing thousands of songs would cost more than it saves."""

    __slots__ = ("catalogue",)

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameCatalogue) and other.catalogue is self.catalogue

    @override
    def __hash__(self) -> int:
        return id(self.catalogue)


def _known_charts(catalogue: Catalogue, new_since: date | None) -> Mapping[ChartKey, _KnownChart]:
    return _charts_of(_SameCatalogue(catalogue), new_since)


def _chart_of(record: Record) -> _KnownChart | None:
    """Return what a record itself says of a chart that is in the catalogue no more, or without level and constant."""
    constants = _range_of(record.constant, record.level)
    return None if constants is None else _KnownChart(*constants, is_new=False)


def _range_of(constant: Hundredths | None, level: Hundredths) -> tuple[Hundredths, Hundredths] | None:
    """Return the least and the highest constant that a chart may have; None where nothing is known."""
    if constant is not None:
        return constant, constant
    return (level, Hundredths(level + _BAND_WIDTH)) if level > 0 else None


def _has_no_day(catalogue: Catalogue, key: ChartKey) -> bool:
    song = catalogue.by_id.get(key[0])
    return song is None or song.released_on is None


class _Slot:
    """The charts that may stand in a slot of so many places, found in one walk."""

    def __init__(self, places: int, region: Region) -> None:
        self._places = places
        self._region = region
        self._cap = song_rating(Hundredths(0), MAX_SCORE, region)
        """What a perfect score adds to a constant."""
        self._highest_ratings: list[int] = []
        """A heap of the best ratings so far: a chart that cannot pass the lowest of them needs no look."""
        self._entries: list[SlotEntry] = []

    def offer(self, key: ChartKey, record: Record, chart: _KnownChart) -> None:
        """Take a chart into account."""
        lowest = self._highest_ratings
        if len(lowest) == self._places and chart.highest + self._cap < lowest[0]:
            return
        rating = song_rating(chart.constant, record.score, self._region)
        highest = (
            rating
            if chart.highest == chart.constant
            else song_rating(chart.highest, record.score, self._region)
        )
        self._entries.append(SlotEntry(rating, highest, key, record))
        if len(lowest) == self._places:
            heappushpop(lowest, rating)
        else:
            heappush(lowest, rating)

    def entries(self) -> tuple[SlotEntry, ...]:
        """Return the places that are filled, in the game's order."""
        ordered = sorted(self._entries, key=lambda entry: (-entry.rating, -entry.record.score))
        return tuple(entry for entry in ordered[: self._places] if entry.highest > 0)

    def highest_sum(self) -> int:
        """Return the sum if every unknown constant were the highest of its level."""
        return sum(sorted((entry.highest for entry in self._entries), reverse=True)[: self._places])
