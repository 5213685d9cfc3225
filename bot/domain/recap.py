"""A member's recap of a version of the game or a year, from the looks at their records."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from bot.domain.chronicle.session import NearMiss, RecordChange, achieved, changes_between, nearest_miss
from bot.domain.chronicle.state import LampFlags, RecordsState
from bot.domain.curves import Point
from bot.domain.history import ChartKey
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.domain.story import StoryStep

_MIN_GENRE_PLAYS: Final = 10
"""The least number of plays with a known genre for a favourite genre."""
_MIN_CHART_LOOKS: Final = 3
"""The least number of looks with an improvement for a favourite chart."""
_MAX_DAY_SPAN: Final = timedelta(days=2)
"""The largest gap between two looks that identifies a day."""
_COUNTED_RANKS: Final = (Rank.SSS_PLUS, Rank.SSS, Rank.SS_PLUS, Rank.SS, Rank.S_PLUS, Rank.S)


class RecapPeriod(StrEnum):
    """What a recap is of; the values are kept in the ids of components."""

    VERSION = "version"
    LAST_VERSION = "last-version"
    YEAR = "year"
    LAST_YEAR = "last-year"


class RecapSpan(NamedTuple):
    """The time span of a recap."""

    first: datetime
    end: datetime
    """The first moment after the span."""

    def __contains__(self, moment: object) -> bool:
        """Return whether a moment is in the span."""
        return isinstance(moment, datetime) and self.first <= moment < self.end


class BestDay(NamedTuple):
    """The day on which the rating rose most, as far as looks tell: one, or two where it may be either."""

    first: date
    last: date
    gain: Hundredths
    plays: int
    """The number of improved records on that day."""


class Loved(NamedTuple):
    """How often a favourite was improved."""

    times: int
    """Records that were better, each at each look."""
    of: int
    """The number of improvements of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recap:
    """What the looks show of a time span; what they do not show is None or 0."""

    looks: tuple[Point, ...]
    """Those within it, oldest first, each with the rating."""
    plays: int
    """Records that were better, each at each look."""
    new_records: int
    ranks: Mapping[Rank, int]
    """The number of charts on which each rank of S and more is new, the highest that was reached; the highest first."""
    lamps: Mapping[LampFlags, int]
    best_day: BestDay | None
    jump: StoryStep | None
    """The record with the largest increase."""
    best_play: StoryStep | None
    """What counts most of all that was played."""
    miss: NearMiss | None
    genre: tuple[str, Loved] | None
    """The genre with the most improvements; None if two are equal."""
    chart: tuple[ChartKey, Loved] | None
    """The chart improved at the most looks."""
    month: tuple[date, Loved] | None
    """The first day of the month in which most is known to have been better."""

    @property
    def is_empty(self) -> bool:
        """Whether no play is known."""
        return not self.plays


class KeptRecap(NamedTuple):
    """A recap, and what it was made from."""

    of: object
    recap: Recap
    remembered_since: datetime | None
    """The first look of all; None where there is none."""


class RecapTally:
    """Goes through looks, the oldest first, and keeps only what a recap needs."""

    def __init__(self, region: Region, span: RecapSpan, turns: Collection[datetime], zone: tzinfo) -> None:
        """Begin; `turns` are when versions of the game have begun, with which ratings start anew."""
        self._region = region
        self._span = span
        self._turns = turns
        self._zone = zone
        self._before: RecordsState | None = None
        self._looks: list[Point] = []
        self._total: dict[ChartKey, RecordChange] = {}
        self._charts: Counter[ChartKey] = Counter()
        self._months: Counter[date] = Counter()
        self._days: dict[tuple[date, date], tuple[int, int]] = {}
        self._jump: StoryStep | None = None
        self._best: StoryStep | None = None

    def add(self, states: Iterable[RecordsState]) -> None:
        """Go on with the looks that follow."""
        for state in states:
            if state.taken_at in self._span:
                self._looks.append(Point(state.taken_at, state.figures.rating))
            if self._before is not None:
                self._add(self._before, state)
            self._before = state

    def _add(self, before: RecordsState, after: RecordsState) -> None:
        since, until = before.taken_at, after.taken_at
        is_within = since in self._span and until in self._span
        plays = [
            change
            for change in achieved(changes_between(before, after))
            if is_within or (change.played_at is not None and change.played_at in self._span)
        ]
        for change in sorted(plays, key=lambda each: each.chart):
            self._note(StoryStep(since, until, change))
        if is_within and not any(since < turn <= until for turn in self._turns):
            self._note_day(before, after, plays)

    def _note(self, step: StoryStep) -> None:
        change = step.change
        earlier = self._total.get(change.chart)
        self._total[change.chart] = (
            change if earlier is None else RecordChange(change.chart, earlier.before, change.after)
        )
        self._charts[change.chart] += 1
        first, last = self._days_of(step)
        if (first.year, first.month) == (last.year, last.month):
            self._months[first.replace(day=1)] += 1
        if change.gain and (self._jump is None or change.gain > self._jump.change.gain):
            self._jump = step
        worth = _rating(step, self._region)
        if worth and (self._best is None or worth > _rating(self._best, self._region)):
            self._best = step

    def _note_day(self, before: RecordsState, after: RecordsState, plays: Sequence[RecordChange]) -> None:
        """Count what the rating rose by between two looks for a day, or two, where these are known."""
        days = [self._days_of(StoryStep(before.taken_at, after.taken_at, each)) for each in plays]
        first, last = min((day for day, _ in days), default=None), max((day for _, day in days), default=None)
        if first is None or last is None or last - first >= _MAX_DAY_SPAN:
            return
        gain, count = self._days.get((first, last), (0, 0))
        risen = after.figures.rating - before.figures.rating
        self._days[first, last] = gain + risen, count + len(plays)

    def _days_of(self, step: StoryStep) -> tuple[date, date]:
        """Return the first and the last day on which something may have been played."""
        played = step.change.played_at
        moments = (step.since, step.until) if played is None else (played, played)
        first, last = (moment.astimezone(self._zone).date() for moment in moments)
        return first, last

    def finish(self, genres: Mapping[SongId, str]) -> Recap:
        """Return what all looks tell, of songs of which the genres are known."""
        changes = self._total.values()
        counts: Counter[str] = Counter()
        for (song, _), count in self._charts.items():
            if song in genres:
                counts[genres[song]] += count
        reached = Counter(rank for change in changes if (rank := change.rank(self._region)) is not None)
        days = [BestDay(*key, Hundredths(gain), plays) for key, (gain, plays) in self._days.items()]
        chart = max(self._charts, key=lambda key: (self._charts[key], key), default=None)
        month = max(self._months, key=lambda key: (self._months[key], key), default=None)
        plays = self._charts.total()
        return Recap(
            looks=tuple(self._looks),
            plays=plays,
            new_records=sum(change.is_new for change in changes),
            ranks={rank: reached[rank] for rank in _COUNTED_RANKS if reached[rank]},
            lamps={
                lamp: count
                for lamp in (LampFlags.ALL_JUSTICE, LampFlags.FULL_COMBO, LampFlags.FULL_CHAIN)
                if (count := sum(lamp in change.lamps for change in changes))
            },
            best_day=max((day for day in days if day.gain > 0), key=lambda day: day[2:], default=None),
            jump=self._jump,
            best_play=self._best,
            miss=nearest_miss(changes, self._region),
            genre=_loved(counts),
            chart=(chart, Loved(self._charts[chart], plays))
            if chart is not None and self._charts[chart] >= _MIN_CHART_LOOKS
            else None,
            month=(month, Loved(self._months[month], plays)) if month is not None else None,
        )


def _loved(counts: Counter[str]) -> tuple[str, Loved] | None:
    """Return the most frequent; None if two are equal or too little is known."""
    ordered = counts.most_common(2)
    if counts.total() < _MIN_GENRE_PLAYS or (len(ordered) > 1 and ordered[0][1] == ordered[1][1]):
        return None
    genre, count = ordered[0]
    return genre, Loved(count, counts.total())


class RecapRival(NamedTuple):
    """Somebody with a similar rating, by the looks at both."""

    name: str
    ahead: Hundredths
    """How much they are ahead at the last look; negative where they are behind."""
    passed: int
    """How often the lead was seen to change."""


def rival_of(
    own: Sequence[Point], others: Iterable[tuple[str, Sequence[Point]]], near: Hundredths
) -> RecapRival | None:
    """Return the rival with the most changes of the lead, or else the nearest at the end, within `near`; None if there is none."""
    found: list[RecapRival] = []
    for name, theirs in others:
        gaps = _gaps(own, theirs)
        if len(gaps) > 1 and abs(gaps[-1]) <= near:
            signs = [gap > 0 for gap in gaps if gap]
            passed = sum(before != after for before, after in pairwise(signs))
            found.append(RecapRival(name, Hundredths(gaps[-1]), passed))
    return min(found, key=lambda each: (-each.passed, abs(each.ahead), each.name), default=None)


def _gaps(own: Sequence[Point], theirs: Sequence[Point]) -> list[int]:
    """Return by how much the other was ahead, at each look at either once both were seen."""
    mine: int | None = None
    other: int | None = None
    gaps: list[int] = []
    looks = sorted([(point, True) for point in own] + [(point, False) for point in theirs])
    for point, is_own in looks:
        mine, other = (point.figure, other) if is_own else (mine, point.figure)
        if mine is not None and other is not None:
            gaps.append(other - mine)
    return gaps


def _rating(step: StoryStep, region: Region) -> int:
    return 0 if step.change.after is None else step.change.after.rating(region)
