"""A session: the differences between two states of one member's records in one region."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from bot.domain.chronicle.state import LampFlags, PlayerFigures, RecordMark, RecordsState
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank, rank_of, ranks_of

_CLEAR, _TOLD, _CLEAR_TOLD = int(LampFlags.CLEAR), int(LampFlags.TOLD), int(LampFlags.CLEAR_TOLD)
_EARNED: Final = int(LampFlags.CLEAR | LampFlags.FULL_COMBO | LampFlags.ALL_JUSTICE | LampFlags.FULL_CHAIN)
_NEAR_POINTS: Final = 500
"""The most points short of a rank that are a near miss."""
_WORTH_MISSING: Final = Rank.S


@dataclass(frozen=True, slots=True)
class RecordChange:
    """One chart that differs between two states.

    In an achievement, `before` and `after` are the best ever seen until then.
    """

    chart: ChartKey
    before: RecordMark | None
    after: RecordMark | None

    @property
    def at_peak(self) -> "RecordChange":
        """The change by the best ever seen: a record that fell or disappeared and came back is unchanged."""
        return RecordChange(self.chart, self.before and self.before.peak, self.after and self.after.peak)

    @property
    def is_new(self) -> bool:
        """Whether it is the first record of a chart."""
        return self.before is None and self.after is not None

    @property
    def gain(self) -> int:
        """The points by which a record rose."""
        if self.before is None or self.after is None:
            return 0
        return max(0, self.after.score - self.before.score)

    @property
    def lamps(self) -> LampFlags:
        """The lamps that are new: only those reported both times, or those of a new record."""
        return LampFlags(self._earned)

    @property
    def _earned(self) -> int:
        """The same as a plain number, since it is needed for thousands of changes."""
        if self.after is None:
            return 0
        if self.before is None:
            return self.after.lamps & _EARNED
        told = self.before.lamps
        if not told & _TOLD:
            return 0
        return self.after.lamps & ~told & (_EARNED if told & _CLEAR_TOLD else _EARNED & ~_CLEAR)

    @property
    def is_achievement(self) -> bool:
        """Whether it was played for: not if a song was added or removed, or a constant changed."""
        return self.is_new or self.gain > 0 or self._earned > 0

    @property
    def is_of_constant(self) -> bool:
        """Whether the chart's constant changed, whatever was played on it."""
        if self.before is None or self.after is None or self.before.is_gone or self.after.is_gone:
            return False
        return self.before.constant != self.after.constant

    @property
    def moves_rating(self) -> bool:
        """Whether the game's rating may change without a play: a constant that is new to us was not new to the game."""
        return self.is_of_constant and self.before is not None and self.before.constant > 0

    @property
    def is_below_peak(self) -> bool:
        """Whether the service reported a lower score than the best ever seen, or none, before or after."""
        return any(mark is not None and mark.is_below_peak for mark in (self.before, self.after))

    @property
    def played_at(self) -> datetime | None:
        """The time of the record, if the service gives it."""
        return self.after.moment if self.after is not None and self.is_achievement else None

    def rank(self, region: Region) -> Rank | None:
        """Return the chart's rank if it is new."""
        if (not self.is_new and not self.gain) or self.after is None:
            return None
        now = rank_of(self.after.score, region)
        return None if self.before is not None and rank_of(self.before.score, region) is now else now

    def rating_gain(self, region: Region) -> int:
        """Return by how much more the chart counts due to the play, in hundredths, by today's constant."""
        if self.after is None or not self.is_achievement:
            return 0
        before = self.before and self.before._replace(constant=self.after.constant).rating(region)
        return self.after.rating(region) - (before or 0)


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A record of the session that is a few points short of the next rank."""

    change: RecordChange
    rank: Rank
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDiff:
    """The differences between two looks; applied to the first state, it gives the second."""

    region: Region
    since: datetime
    until: datetime
    before: PlayerFigures
    after: PlayerFigures
    changes: tuple[RecordChange, ...] = field(repr=False)
    """Every chart that differs, in no order."""
    entered: frozenset[ChartKey] = field(repr=False)
    """The charts that are now among the best and were not before, due to achievements."""
    moved_constants: frozenset[ChartKey] = field(repr=False)
    """The charts among the best of all songs whose constant changed."""
    fallen: int
    """The number of records below the best ever seen, or missing, at either end: that changes the rating too."""
    achievements: tuple[RecordChange, ...] = field(repr=False)
    """The achievements, most valuable first."""

    @property
    def rating_change(self) -> Hundredths:
        """The change of the player's rating, whatever caused it."""
        return Hundredths(self.after.rating - self.before.rating)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to report."""
        return not self.achievements and not self.rating_change

    @property
    def new_records(self) -> int:
        """The number of charts played for the first time."""
        return sum(change.is_new for change in self.achievements)

    @property
    def gains(self) -> int:
        """The number of records that rose."""
        return sum(change.gain > 0 for change in self.achievements)

    @property
    def ranks(self) -> int:
        """The number of charts with a new rank of S or more."""
        found = (change.rank(self.region) for change in self.achievements)
        return sum(rank is not None and rank.least_score >= Rank.S.least_score for rank in found)

    def count(self, lamp: LampFlags) -> int:
        """Return the number of charts on which a lamp is new."""
        return sum(lamp in change.lamps for change in self.achievements)

    @property
    def played_at(self) -> tuple[datetime, datetime] | None:
        """The times of the first and the last play for which the service gives one."""
        moments = [moment for change in self.achievements if (moment := change.played_at)]
        return (min(moments), max(moments)) if moments else None

    @property
    def nearest_miss(self) -> NearMiss | None:
        """The record that is the fewest points short of the next rank."""
        return nearest_miss(self.achievements, self.region)


def nearest_miss(changes: Iterable[RecordChange], region: Region) -> NearMiss | None:
    """Return the record that is the fewest points short of the next rank, of some that were played."""
    ranks = [rank for rank in ranks_of(region) if rank.least_score >= _WORTH_MISSING.least_score]
    misses = [
        NearMiss(change, rank, rank.least_score - change.after.score)
        for change in changes
        if change.after is not None
        for rank in ranks
        if 0 < rank.least_score - change.after.score <= _NEAR_POINTS
    ]
    return min(misses, key=lambda miss: miss.points, default=None)


def changes_between(before: RecordsState, after: RecordsState) -> Iterator[RecordChange]:
    """Yield every chart that differs between two states, in no order."""
    keys = before.marks.keys() | after.marks.keys()
    pairs = ((key, before.marks.get(key), after.marks.get(key)) for key in keys)
    return (RecordChange(key, old, new) for key, old, new in pairs if old is not new and old != new)


def achieved(changes: Iterable[RecordChange]) -> Iterator[RecordChange]:
    """Yield those of some changes that are achievements, by the best ever seen."""
    return (peak for change in changes if (peak := change.at_peak).is_achievement)


def compare(before: RecordsState, after: RecordsState) -> SessionDiff:
    """Return the differences between two states of one member in one region."""
    changes = tuple(changes_between(before, after))
    region = after.region
    achievements = by_worth(achieved(changes), region)
    best_before, best = (
        (before.best, after.best) if changes else (frozenset[ChartKey](), frozenset[ChartKey]())
    )
    entered = {change.chart for change in achievements} & (best - best_before)
    returned = {change.chart for change in changes if change.before is not None and change.before.is_gone}
    counted = best_before | best
    return SessionDiff(
        region=region,
        since=before.taken_at,
        until=after.taken_at,
        before=before.figures,
        after=after.figures,
        changes=changes,
        entered=frozenset(entered - returned),
        moved_constants=frozenset(
            change.chart for change in changes if change.moves_rating and change.chart in counted
        ),
        fallen=sum(change.is_below_peak for change in changes),
        achievements=achievements,
    )


def by_worth(changes: Iterable[RecordChange], region: Region) -> tuple[RecordChange, ...]:
    """Return changes, most valuable first."""
    return tuple(
        sorted(changes, key=lambda change: (-change.rating_gain(region), -change.gain, change.chart))
    )


def told_since(session: SessionDiff, moment: datetime) -> SessionDiff:
    """Return a session without the achievements that the service dates before a moment."""
    since = (each for each in session.achievements if each.played_at is None or each.played_at >= moment)
    achievements = tuple(since)
    entered = session.entered & {change.chart for change in achievements}
    return replace(session, achievements=achievements, entered=frozenset(entered))


def applied(session: SessionDiff, before: RecordsState) -> RecordsState:
    """Return the state after a session, given the one before."""
    marks = dict(before.marks)
    _apply(marks, session.changes)
    return RecordsState(
        member=before.member,
        region=session.region,
        taken_at=session.until,
        figures=session.after,
        marks=marks,
    )


def _apply(marks: dict[ChartKey, RecordMark], changes: Iterable[RecordChange]) -> None:
    for change in changes:
        if change.after is None:
            del marks[change.chart]
        else:
            marks[change.chart] = change.after
