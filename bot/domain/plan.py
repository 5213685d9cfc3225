"""Which charts a plan is made of, and which are demoted because they were shown before without success."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from bot.domain.entries import ChartEntry
from bot.domain.gains import RatingSlots
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank
from bot.domain.scores import Record

_BACK_WEIGHT: Final = 0.5
"""The weight of a try on a chart that was shown before the last upload without success; applied once per time."""
_MIN_BACK_WEIGHT: Final = 0.25
_REMEMBERED_FOR: Final = timedelta(days=14)
"""The time after which a demoted chart has its full weight again."""


class PlanCharts(StrEnum):
    """Of which charts a plan is made."""

    ALL = "all"
    PLAYED = "played"
    BELOW_SSS = "below"
    NEW_SONGS = "new"
    OLD_SONGS = "old"
    OUTSIDE = "outside"
    """Charts that do not count for the rating yet."""


class PlanFilter(NamedTuple):
    """What a plan may hold."""

    charts: PlanCharts = PlanCharts.ALL
    level: Hundredths | None = None
    genre: str = ""

    def matches(self, entry: ChartEntry, slots: RatingSlots) -> bool:
        """Return whether a chart may be in it."""
        return (
            self.level in (None, entry.chart.level)
            and self.genre in ("", entry.song.genre)
            and _is_among(self.charts, entry, slots)
        )


def _is_among(charts: PlanCharts, entry: ChartEntry, slots: RatingSlots) -> bool:
    match charts:
        case PlanCharts.ALL:
            return True
        case PlanCharts.PLAYED:
            return entry.played is not None
        case PlanCharts.BELOW_SSS:
            return entry.played is None or entry.played.score < Rank.SSS.least_score
        case PlanCharts.OUTSIDE:
            return all(place.key != entry.key for place in slots.places_of(is_new=slots.is_new(entry.song)))
        case _:
            return slots.is_new(entry.song) is (charts is PlanCharts.NEW_SONGS)


class RecordsMark(NamedTuple):
    """A mark that distinguishes one upload of a player's records from another."""

    uploaded_on: date | None
    total: int
    """The sum of all scores."""

    @classmethod
    def of(cls, records: Iterable[Record], uploaded_on: date | None) -> "RecordsMark":
        """Return the mark of some records."""
        return cls(uploaded_on, sum(record.score for record in records if record.is_played))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSteps:
    """The steps that a player's plan has shown, and those that the next upload did not bring."""

    mark: RecordsMark
    """The mark of the records with which they were shown."""
    at: datetime
    scores: Mapping[ChartKey, int] = field(default_factory=dict[ChartKey, int])
    """The steps that were shown since then."""
    missed: Mapping[ChartKey, int] = field(default_factory=dict[ChartKey, int])
    """How many times charts were shown before without success."""

    @property
    def weights(self) -> Mapping[ChartKey, float]:
        """The weights of tries on demoted charts."""
        return {key: max(_MIN_BACK_WEIGHT, _BACK_WEIGHT**times) for key, times in self.missed.items()}

    @classmethod
    def since(
        cls, before: "ShownSteps | None", mark: RecordsMark, records: Iterable[Record], at: datetime
    ) -> "ShownSteps":
        """Return the steps for these records: steps shown with earlier records are checked for success."""
        if before is None or at - before.at > _REMEMBERED_FOR:
            return cls(mark=mark, at=at)
        if before.mark == mark:
            return before
        played = {(each.song_id, each.difficulty): each.score for each in records if each.is_played}
        missed = dict(before.missed)
        for key, score in before.scores.items():
            if played.get(key, 0) >= score:
                missed.pop(key, None)
            else:
                missed[key] = missed.get(key, 0) + 1
        return cls(mark=mark, at=at, missed=missed)

    def with_steps(self, scores: Mapping[ChartKey, int], at: datetime) -> "ShownSteps":
        """Return the same after more steps were shown."""
        return ShownSteps(mark=self.mark, at=at, scores={**self.scores, **scores}, missed=self.missed)
