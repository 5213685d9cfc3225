"""A member's records at one moment, with as little data as a later session needs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from enum import IntFlag
from functools import cached_property
from heapq import heappush, heappushpop
from typing import Final, NamedTuple, TypeAlias

from bot.base.clock import JST
from bot.domain.charts import WORLDS_END, Catalogue
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, WorkedOut
from bot.domain.game_versions import Formula
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower, over_power_with
from bot.domain.players import Player
from bot.domain.rating import MAX_ADDED_HUNDREDTHS, song_rating
from bot.domain.scores import Lamps, Record

_SEEN_FIELDS: Final = 3
"""The number of a mark's fields that come from a look: score, lamps and constant."""
_CLOCKS_APART: Final = timedelta(minutes=10)
"""The time by which the service's clock may be behind: its yesterday may include plays after our midnight."""
_AVERAGE_STEP: Final = Decimal("0.0001")
_NUMBER_LIMIT: Final = 2**32
"""The limit of every number in a mark: each is stored in four bytes."""


class LampFlags(IntFlag):
    """The data of a mark beside the score; if it is empty, the service gave none."""

    TOLD = 1
    CLEAR_TOLD = 2
    CLEAR = 4
    FULL_COMBO = 8
    ALL_JUSTICE = 16
    FULL_CHAIN = 32
    GONE = 64
    """The service no longer lists the record, as when its song is removed; if it comes back, that is no news."""


_TOLD, _CLEAR_TOLD, _CLEAR = int(LampFlags.TOLD), int(LampFlags.CLEAR_TOLD), int(LampFlags.CLEAR)
_FULL_COMBO, _ALL_JUSTICE = int(LampFlags.FULL_COMBO), int(LampFlags.ALL_JUSTICE)
_FULL_CHAIN, _GONE = int(LampFlags.FULL_CHAIN), int(LampFlags.GONE)
# Plain numbers of these: an operator of flags takes ten times as long, and thousands of marks are created at once.


class RecordMark(NamedTuple):
    """The stored data of one record: plain numbers, since there are thousands."""

    score: int
    lamps: int
    """The lamps, as bits of `LampFlags`."""
    constant: int
    """The chart's constant in hundredths; 0 if it is unknown."""
    played_at: int
    """The Unix time in seconds at which, by the service, the best ever seen was played; 0 if unknown."""
    fallen: int = 0
    """The points by which the best score ever seen is above this one."""
    lost: int = 0
    """The lamps once reported and not reported now, as bits of `LampFlags`."""

    @property
    def peak(self) -> "RecordMark":
        """The best ever seen of the record: anything that does not exceed it is no news."""
        if not (self.fallen or self.lost or self.lamps & _GONE):
            return self
        lamps = (self.lamps | self.lost) & ~_GONE
        return self._replace(score=self.score + self.fallen, lamps=lamps, fallen=0, lost=0)

    @property
    def is_below_peak(self) -> bool:
        """Whether the service reports a lower score than it once did, or none."""
        return self.fallen > 0 or self.is_gone

    def after(self, earlier: "RecordMark") -> "RecordMark":
        """Return this mark combined with the earlier one: the best of both is the best ever seen."""
        peak, before = self.peak, earlier.peak
        best = max(peak.score, before.score)
        told = peak.lamps | before.lamps
        return self._replace(fallen=best - self.score, lost=told & ~self.lamps)

    @property
    def is_gone(self) -> bool:
        """Whether the service no longer lists it."""
        return self.lamps & _GONE != 0

    @property
    def moment(self) -> datetime | None:
        """The time of the play, if the service gives it."""
        return datetime.fromtimestamp(self.played_at, UTC) if self.played_at else None

    def rating(self, region: Region) -> Hundredths:
        """Return the rating of the record; 0 if the constant is unknown."""
        return song_rating(Hundredths(self.constant), self.score, region) if self.constant else Hundredths(0)


_MarkOfChart: TypeAlias = tuple[ChartKey, RecordMark]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerFigures:
    """A player's figures beside the records, as far as they were seen."""

    rating: Hundredths
    highest: Hundredths | None = None
    best_average: Decimal | None = None
    """The average of the best slot, which is of older songs only if `new_average` is known."""
    new_average: Decimal | None = None
    """The average of the slot of new songs; None if the game has no such slot, or it was not calculated."""
    over_power: OverPower | None = None
    """The over power of the songs played, each by its best chart, by the catalogue of that moment."""


@dataclass(frozen=True, kw_only=True)
class RecordsState:
    """All normal records of a member in one region at one moment."""

    member: MemberId
    region: Region
    taken_at: datetime
    figures: PlayerFigures
    marks: Mapping[ChartKey, RecordMark] = field(repr=False, hash=False)
    stands_for_day: bool = field(default=False, compare=False)
    """Whether it was written by a version that stored only the last look of a day, without the best seen before."""

    @property
    def day(self) -> date:
        """The day in UTC+9, the service's own time."""
        return self.taken_at.astimezone(JST).date()

    @cached_property
    def best(self) -> frozenset[ChartKey]:
        """The charts that count most, each by the best ever seen."""
        peaks = [(key, mark.peak) for key, mark in self.marks.items() if not mark.is_gone]
        return frozenset(key for _, _, key in _highest(peaks, self.region))

    @property
    def is_lowered(self) -> bool:
        """Whether the service reports less than it once did of a record that would be among the best of all songs."""
        least = min((self.marks[key].peak.rating(self.region) for key in self.best), default=0)
        below = (mark.peak for mark in self.marks.values() if mark.is_below_peak)
        return any(peak.rating(self.region) >= least for peak in below)

    def says_the_same(self, other: "RecordsState") -> bool:
        """Return whether nothing changed between two looks."""
        return self.figures == other.figures and self.marks == other.marks


def marks_of(
    records: Iterable[Record], before: Mapping[ChartKey, RecordMark] | None = None
) -> dict[ChartKey, RecordMark]:
    """Return the marks of normal records, and of earlier ones that the service no longer lists.

    Each includes the best ever seen. The time of a play is stored only if the record exceeded that: the service has a
    time for every record, even if it only means "last seen".
    """
    earlier = before or {}
    marks: dict[ChartKey, RecordMark] = {}
    for record in records:
        if record.difficulty == WORLDS_END or not record.is_played or not 0 <= record.score < _NUMBER_LIMIT:
            continue
        if record.song_id is None:
            continue
        key = (record.song_id, record.difficulty)
        seen = record.score, _lamps(record.lamps), record.constant or 0
        known = earlier.get(key)
        if known is not None and known[:_SEEN_FIELDS] == seen and not (known.fallen or known.lost):
            marks[key] = known  # the usual case
            continue
        now = RecordMark(*seen, 0)
        marks[key] = now if before is None else _beside(now, known, record.updated_at)
    for key, mark in earlier.items():
        if key not in marks:
            marks[key] = mark._replace(lamps=mark.lamps | LampFlags.GONE)
    return marks


def with_peaks(state: RecordsState, earlier: Iterable[RecordsState]) -> RecordsState:
    """Return a state that includes the best seen in earlier ones, given in any order."""
    marks = dict(state.marks)
    for each in earlier:
        for key, mark in each.marks.items():
            now = marks.get(key)
            if now is not None:
                marks[key] = now.after(mark)
    return replace(state, marks=marks)


def _beside(now: RecordMark, before: RecordMark | None, set_at: datetime | None) -> RecordMark:
    """Return a mark combined with the one before it, with the time of the play if it exceeds the best until then."""
    if before is None:
        return now._replace(played_at=_seconds(set_at))
    peak = before.peak
    passes = now.score > peak.score or now.lamps & ~peak.lamps
    return now.after(before)._replace(played_at=_seconds(set_at) if passes else before.played_at)


def may_have_moved(
    player: Player, told_at: datetime, newest: tuple[PlayerFigures, datetime] | None, looked_at: datetime
) -> bool:
    """Return whether, by a profile, records may differ from the newest state, given as figures and moment.

    The service gives only the day of an upload: one on the day of the last look may have come after it. `told_at` is
    the time of the profile; `looked_at` is the last time at which records were checked, even if nothing had changed.
    """
    if newest is None:
        return True
    if told_at <= looked_at:
        return False
    figures, taken_at = newest
    if (player.rating, player.highest) != (figures.rating, figures.highest):
        return True
    return may_have_uploaded(player, max(taken_at, looked_at))


def may_have_uploaded(player: Player, since: datetime) -> bool:
    """Return whether a player's data may be newer than a moment: the service gives only the day of the last upload."""
    return player.updated_on is None or player.updated_on >= (since - _CLOCKS_APART).astimezone(JST).date()


def without_old_times(marks: Mapping[ChartKey, RecordMark], until: datetime) -> dict[ChartKey, RecordMark]:
    """Return marks without the times of plays that are too old to be needed."""
    limit = until.timestamp()
    return {
        key: mark if mark.played_at >= limit else mark._replace(played_at=0) for key, mark in marks.items()
    }


def figures_of(
    player: Player,
    marks: Mapping[ChartKey, RecordMark],
    region: Region,
    before: RecordsState | None = None,
    *,
    worked_out: WorkedOut | None = None,
    catalogue: Catalogue | None = None,
) -> PlayerFigures:
    """Return the figures beside records, as far as they follow from them or were calculated from them.

    If the records are unchanged, so are the figures, except those by the catalogue, which changes independently.
    """
    averages = averages_of(worked_out)
    known = None
    if before is not None and before.figures.over_power is not None and marks == before.marks:
        known = before.figures
    if averages is None and known is not None:
        averages = known.best_average, known.new_average
    if averages is None:
        standing = [(key, mark) for key, mark in marks.items() if not mark.is_gone]
        averages = _average([rating for rating, _, _ in _highest(standing, region)]), None
    return PlayerFigures(
        rating=player.rating,
        highest=player.highest,
        best_average=averages[0],
        new_average=averages[1],
        over_power=known.over_power if known and catalogue is None else over_power_of(marks, catalogue),
    )


def averages_of(worked_out: WorkedOut | None) -> tuple[Decimal, Decimal] | None:
    """Return the averages of the slots of older and new songs over all their places; None if the game has none."""
    if worked_out is None or worked_out.formula is not Formula.BEST_AND_NEW:
        return None
    sums = (sum(entry.rating for entry in slot) for slot in (worked_out.best, worked_out.new))
    best, new = (
        (Decimal(total).scaleb(-2) / places).quantize(_AVERAGE_STEP, ROUND_DOWN)
        for total, places in zip(sums, (BEST_PLACES, NEW_PLACES), strict=True)
    )
    return best, new


def over_power_of(marks: Mapping[ChartKey, RecordMark], catalogue: Catalogue | None) -> OverPower:
    """Return the over power of the songs played, each by its best chart; only songs in the catalogue, as in `tally`.

    Without a catalogue, all charts whose records have a constant count.
    """
    powers: dict[SongId, int] = {}
    for (song, difficulty), mark in marks.items():
        constant = mark.constant
        if catalogue is not None:
            chart = catalogue.find_chart(song, difficulty)
            constant = chart.constant_or_level if chart else 0
        if constant and not mark.is_gone:
            power = over_power_with(
                Hundredths(constant),
                mark.score,
                is_all_justice=mark.lamps & _ALL_JUSTICE != 0,
                is_full_combo=mark.lamps & _FULL_COMBO != 0,
            )
            powers[song] = max(powers.get(song, 0), power)
    return OverPower(sum(powers.values()))


def _highest(marks: Iterable[_MarkOfChart], region: Region) -> list[tuple[Hundredths, int, ChartKey]]:
    """Return rating, score and chart of the marks that count most, in no order."""
    found: list[tuple[Hundredths, int, ChartKey]] = []
    for key, mark in sorted(marks, key=_by_constant, reverse=True):
        if len(found) < BEST_PLACES:
            heappush(found, (mark.rating(region), mark.score, key))
        elif mark.constant + MAX_ADDED_HUNDREDTHS < found[0][0]:
            break
        else:
            heappushpop(found, (mark.rating(region), mark.score, key))
    return found


def _by_constant(mark: _MarkOfChart) -> int:
    return mark[1].constant


def _seconds(moment: datetime | None) -> int:
    return min(max(0, int(moment.timestamp())), _NUMBER_LIMIT - 1) if moment else 0


def _average(ratings: Sequence[int]) -> Decimal | None:
    return (Decimal(sum(ratings)) / 100 / len(ratings)).quantize(_AVERAGE_STEP) if ratings else None


def _lamps(lamps: Lamps | None) -> int:
    if lamps is None:
        return 0
    found = _TOLD
    if lamps.is_clear is not None:
        found |= _CLEAR_TOLD | (_CLEAR if lamps.is_clear else 0)
    if lamps.is_full_combo:
        found |= _FULL_COMBO
    if lamps.is_all_justice:
        found |= _ALL_JUSTICE
    if lamps.is_full_chain:
        found |= _FULL_CHAIN
    return found
