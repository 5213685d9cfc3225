"""Computes the rating as the game does, from records, catalogue and version, and compares it with the profile's.

Source: the game: since 2024-12-12 the 30 best charts of older songs and the 20 best of new songs, divided by 50, floored
to 0.01; no chart counts twice, and an empty place counts 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from functools import cache, cached_property, lru_cache
from heapq import heappush, heappushpop, nlargest
from typing import Final, NamedTuple, TypeAlias

from bot.domain.charts import WORLDS_END, Catalogue, Difficulty, SameCatalogue, Song
from bot.domain.game_versions import NO_HINTS, Formula, GameVersion, VersionHints, VersionTable
from bot.domain.history import ChartKey
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import constants_of, song_rating
from bot.domain.scores import Record

BEST_PLACES: Final = 30
NEW_PLACES: Final = 20
PLACES: Final = BEST_PLACES + NEW_PLACES
"""The divisor of the sum of both slots."""
_BUCKET_BITS: Final = 10
"""The number of low bits of a score that are ignored for its highest possible rating."""
_HALVING_CONSTANT: Final = Hundredths(5_00)
"""Low scores count a fraction of the constant's excess over this. Source: the game."""


class Reason(StrEnum):
    """Why the records do not, or not certainly, explain a profile's rating; the values are codes for programs."""

    RECENT_NEEDED = "recent_needed"
    """The formula counts recent plays, which records do not show."""
    CONSTANT_UNKNOWN = "constant_unknown"
    """The rating is within the range left open by charts of unknown constant."""
    RECORDS_OLDER = "records_older"
    """The profile is higher: the records lack something that was played."""
    CONSTANT_IN_DOUBT = "constant_in_doubt"
    """The difference can be explained by one estimated constant."""
    FORMULA_OLDER = "formula_older"
    """The profile is from before the first version with a slot of new songs: its rating has another formula."""
    VERSION_UNKNOWN = "version_unknown"
    """The records earn more than the profile says: probably another version, with another line between old and new songs."""


class SlotEntry(NamedTuple):
    """One place of a slot."""

    rating: Hundredths
    """The single-song rating; if the constant is unknown, the lowest that its level allows."""
    highest: Hundredths
    """The same, unless the constant is unknown: then the highest that its level allows."""
    key: ChartKey
    """The chart in this place."""
    record: Record

    @property
    def is_certain(self) -> bool:
        """Whether the chart's constant is known."""
        return self.rating == self.highest


class _RatedChart(NamedTuple):
    """A chart with its constant or the range of it."""

    constant: Hundredths
    """The lowest possible constant; 0 if nothing is known."""
    highest: Hundredths
    """The highest possible constant."""
    is_new: bool

    @property
    def is_certain(self) -> bool:
        """Whether the constant is known."""
        return 0 < self.constant == self.highest


_ChartsBySong: TypeAlias = Mapping[SongId | None, Mapping[Difficulty, _RatedChart]]
_NO_CHARTS: Final[Mapping[Difficulty, _RatedChart]] = {}


@dataclass(frozen=True, kw_only=True)
class WorkedOut:
    """Both slots of one version, in the game's order, with their sums."""

    version: GameVersion | None
    """The version; None if none is known for the day, and in older games."""
    formula: Formula
    best: tuple[SlotEntry, ...] = field(repr=False)
    new: tuple[SlotEntry, ...] = field(repr=False)
    """The slot of new songs; empty if the formula has none."""
    highest_best: Hundredths
    """The best slot's sum if every unknown constant were the highest of its level; the slot may then hold other charts."""
    highest_new: Hundredths
    """The same of the new slot."""
    undated: tuple[ChartKey, ...] = ()
    """Charts that count as old because their song has no release day, or is no longer in the catalogue."""
    left_out: tuple[ChartKey, ...] = ()
    """Charts without known constant or level, which are not counted."""

    @cached_property
    def sum(self) -> Hundredths:
        """The sum of both slots; that of the best slot alone if the formula has no slot of new songs."""
        return Hundredths(sum(entry.rating for entry in (*self.best, *self.new)))

    @property
    def highest_sum(self) -> Hundredths:
        """The sum if every unknown constant were the highest of its level."""
        return Hundredths(self.highest_best + self.highest_new)

    @property
    def rating(self) -> Hundredths | None:
        """The rating, floored; None if the formula needs recent plays."""
        return None if self.formula is Formula.BEST_AND_RECENT else Hundredths(self.sum // PLACES)

    @property
    def highest_rating(self) -> Hundredths | None:
        """The rating if every unknown constant were the highest of its level."""
        return None if self.formula is Formula.BEST_AND_RECENT else Hundredths(self.highest_sum // PLACES)

    def explains(self, rating: Hundredths) -> bool:
        """Return whether the slots explain a rating, as far as the constants are known."""
        return (
            self.rating is not None
            and self.highest_rating is not None
            and self.rating <= rating <= self.highest_rating
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The rating computed from the records, compared with the profile's."""

    worked_out: WorkedOut
    is_explained: bool | None
    """Whether the rating is explained; None if none was given or can be computed."""
    reason: Reason | None

    @property
    def begun_at(self) -> datetime | None:
        """When the version that explains the rating began, with an empty slot of new songs; None if there is none."""
        version = self.worked_out.version
        return version.begins_at if self.is_explained and version is not None and version.new_since else None


def explain(  # noqa: PLR0913, PLR0917 - each is evidence of the version
    records: Iterable[Record],
    catalogue: Catalogue,
    day: date,
    rating: Hundredths | None,
    table: VersionTable,
    hints: VersionHints = NO_HINTS,
    known: dict[GameVersion | None, WorkedOut] | None = None,
) -> Explanation:
    """Compute the rating from records on a day in Japan, by the newest version or the one that explains the rating.

    Editions of the game lag behind Japan's by months: an earlier version is used if it explains the profile's rating and
    no later one does. If none does, the version that last explained the player's rating is used, or else the newest. A
    version chosen by the player comes before all, unless only a later one explains the rating. Versions that the
    service's slots contradict are used only if all are contradicted.

    `known` caches the slots of the same records by version; newly computed ones are added.
    """
    known = {} if known is None else known
    records = list(records)

    def worked_out_by(version: GameVersion | None) -> WorkedOut:
        return work_out_once(records, catalogue, version, known)

    begun = table.in_force(catalogue.region, day)
    versions = tuple(filter(hints.fits, begun)) or begun
    usual_version = hints.last if hints.last in versions else next(iter(versions), None)
    if hints.chosen is not None and hints.chosen in versions:
        usual_version = hints.chosen
        versions = (hints.chosen, *versions[: versions.index(hints.chosen)])
    usual = worked_out_by(usual_version)
    lack = Reason.RECENT_NEEDED if usual.rating is None else None
    if rating is None:
        return Explanation(worked_out=usual, is_explained=None, reason=lack)
    for version in versions:
        found = worked_out_by(version)
        if found.explains(rating):
            doubt = None if found.rating == rating == found.highest_rating else Reason.CONSTANT_UNKNOWN
            return Explanation(worked_out=found, is_explained=True, reason=doubt)
    if lack is not None:
        return Explanation(worked_out=usual, is_explained=None, reason=lack)
    first_day = table.first_line(catalogue.region)
    if hints.told_on is not None and first_day is not None and hints.told_on < first_day:
        return Explanation(worked_out=usual, is_explained=False, reason=Reason.FORMULA_OLDER)
    if usual_version is not None and not hints.fits(usual_version):
        return Explanation(worked_out=usual, is_explained=False, reason=Reason.VERSION_UNKNOWN)
    return Explanation(worked_out=usual, is_explained=False, reason=_likeliest_reason(usual, rating))


def _likeliest_reason(found: WorkedOut, rating: Hundredths) -> Reason:
    if abs(rating - (found.rating or 0)) <= 1 and any(
        entry.record.is_estimated for entry in (*found.best, *found.new)
    ):
        return Reason.CONSTANT_IN_DOUBT
    return Reason.RECORDS_OLDER if rating > (found.highest_rating or 0) else Reason.VERSION_UNKNOWN


def work_out_once(
    records: Iterable[Record],
    catalogue: Catalogue,
    version: GameVersion | None,
    known: dict[GameVersion | None, WorkedOut],
) -> WorkedOut:
    """Return both slots of a version from `known`, or compute and add them."""
    if version not in known:
        known[version] = work_out(records, catalogue, version)
    return known[version]


def work_out(records: Iterable[Record], catalogue: Catalogue, version: GameVersion | None) -> WorkedOut:
    """Return both slots of a version; without one, the best 30 of all charts.

    Of two records of one chart the higher score counts. Equal ratings are ordered by score, then in the order of the
    records: the game's own order of equals is unknown, and does not affect the sum.
    """
    new_since = None if version is None else version.new_since
    charts = _rated_charts(catalogue, new_since)
    bounds = _highest_bonuses(catalogue.region)
    best_slot, new_slot = _Slot(BEST_PLACES, catalogue.region), _Slot(NEW_PLACES, catalogue.region)
    left_out: dict[ChartKey, None] = {}
    for record in records:
        chart = charts.get(record.song_id, _NO_CHARTS).get(record.difficulty)
        if chart is None or chart.constant != chart.highest or not chart.constant:
            if record.song_id is None or record.difficulty == WORLDS_END:
                continue
            chart = _chart_by_record(record, chart, catalogue.by_id.get(record.song_id), version)
            if not chart.highest:
                if record.is_played:
                    left_out[record.song_id, record.difficulty] = None
                continue
        slot = new_slot if chart.is_new else best_slot
        if chart.highest + bounds[record.score >> _BUCKET_BITS] >= slot.floor:
            slot.offer(record, chart)
    best = best_slot.entries()
    return WorkedOut(
        version=version,
        formula=Formula.BEST_AND_RECENT if version is None else version.formula,
        best=best,
        new=new_slot.entries(),
        highest_best=best_slot.highest_sum(),
        highest_new=new_slot.highest_sum(),
        undated=tuple(
            entry.key for entry in best if new_since is not None and _has_no_day(catalogue, entry.key)
        ),
        left_out=tuple(left_out),
    )


def count_record(
    record: Record, catalogue: Catalogue, version: GameVersion | None
) -> tuple[SlotEntry, bool] | None:
    """Return a record's slot entry, and whether its song is new; None if it cannot be rated."""
    if record.song_id is None or record.difficulty == WORLDS_END:
        return None
    new_since = None if version is None else version.new_since
    chart = _rated_charts(catalogue, new_since).get(record.song_id, _NO_CHARTS).get(record.difficulty)
    if chart is None or not chart.is_certain:
        chart = _chart_by_record(record, chart, catalogue.by_id.get(record.song_id), version)
    if not chart.highest:
        return None
    return _entry(record, record.song_id, chart, catalogue.region), chart.is_new


class SlotCaps(NamedTuple):
    """The highest possible sum of each slot on a catalogue, with the best score on every chart."""

    best: Hundredths
    new: Hundredths


def caps_of(catalogue: Catalogue, version: GameVersion) -> SlotCaps:
    """Return the highest possible sums of a version's slots; an unknown constant counts as the lowest of its level."""
    return _caps_of(SameCatalogue(catalogue), version.new_since)


@lru_cache(maxsize=8)  # as `_charts_of`
def _caps_of(catalogue: SameCatalogue, new_since: date | None) -> SlotCaps:
    constants: dict[bool, list[Hundredths]] = {False: [], True: []}
    for charts in _charts_of(catalogue, new_since).values():
        for chart in charts.values():
            constants[chart.is_new].append(chart.constant)
    best, new = (
        Hundredths(sum(song_rating(constant, MAX_SCORE, catalogue.catalogue.region) for constant in highest))
        for highest in (nlargest(BEST_PLACES, constants[False]), nlargest(NEW_PLACES, constants[True]))
    )
    return SlotCaps(best, new)


def _entry(record: Record, song: SongId, chart: _RatedChart, region: Region) -> SlotEntry:
    rating = song_rating(chart.constant, record.score, region)
    is_certain = chart.highest == chart.constant
    highest = rating if is_certain else song_rating(chart.highest, record.score, region)
    return SlotEntry(rating, highest, (song, record.difficulty), record)


@cache
def _highest_bonuses(region: Region) -> Sequence[int]:
    """Return an upper bound of what a score adds to a constant, by the score without its low bits."""
    most = range((1 << _BUCKET_BITS) - 1, MAX_SCORE + (1 << _BUCKET_BITS), 1 << _BUCKET_BITS)
    return [song_rating(_HALVING_CONSTANT, score, region) - _HALVING_CONSTANT for score in most]


@lru_cache(maxsize=8)  # a region's catalogue with the lines of some versions; thousands of members share it
def _charts_of(catalogue: SameCatalogue, new_since: date | None) -> _ChartsBySong:
    charts: dict[SongId | None, dict[Difficulty, _RatedChart]] = {}
    for song in catalogue.catalogue.songs:
        is_new = new_since is not None and song.released_on is not None and song.released_on >= new_since
        charts[song.id] = {
            chart.difficulty: _RatedChart(*constants_of(chart.constant, chart.level), is_new)
            for chart in song.charts
            if chart.difficulty != WORLDS_END
        }
    return charts


def _rated_charts(catalogue: Catalogue, new_since: date | None) -> _ChartsBySong:
    return _charts_of(SameCatalogue(catalogue), new_since)


def _chart_by_record(
    record: Record, chart: _RatedChart | None, song: Song | None, version: GameVersion | None
) -> _RatedChart:
    """Return a chart whose constant the catalogue lacks, with the constant of the record, or the range of its level.

    A chart that the catalogue lacks, perhaps because it is recent, counts as new if its song does.
    """
    own = constants_of(record.constant, record.level)
    if chart is not None:
        return (
            chart
            if chart.highest and record.constant is None
            else chart._replace(constant=own[0], highest=own[1])
        )
    is_new = song is not None and version is not None and version.is_new(song.released_on)
    return _RatedChart(*own, is_new)


def _has_no_day(catalogue: Catalogue, key: ChartKey) -> bool:
    song = catalogue.by_id.get(key[0])
    return song is None or song.released_on is None


class _Slot:
    """Finds the charts that can be in a slot with this many places, in one pass."""

    def __init__(self, places: int, region: Region) -> None:
        self.floor = 0
        """The rating that a chart needs to be a candidate."""
        self._places = places
        self._region = region
        self._lowest: list[int] = []
        """A heap of the best ratings so far, of each chart's first record: a lower bound of the final ones."""
        self._entries: dict[ChartKey, SlotEntry] = {}

    def offer(self, record: Record, chart: _RatedChart) -> None:
        """Take a chart into account."""
        if not record.is_played or record.song_id is None:
            return
        key = record.song_id, record.difficulty
        before = self._entries.get(key)
        if before is not None and before.record.score >= record.score:
            return
        entry = self._entries[key] = _entry(record, record.song_id, chart, self._region)
        if before is not None:
            return
        if len(self._lowest) < self._places:
            heappush(self._lowest, entry.rating)
        else:
            heappushpop(self._lowest, entry.rating)
        if len(self._lowest) == self._places:
            self.floor = self._lowest[0]

    def entries(self) -> tuple[SlotEntry, ...]:
        """Return the filled places, in the game's order."""
        ordered = sorted(self._entries.values(), key=lambda entry: (-entry.rating, -entry.record.score))
        return tuple(entry for entry in ordered[: self._places] if entry.highest > 0)

    def highest_sum(self) -> Hundredths:
        """Return the sum if every unknown constant were the highest of its level."""
        highest = (entry.highest for entry in self._entries.values())
        return Hundredths(sum(sorted(highest, reverse=True)[: self._places]))
