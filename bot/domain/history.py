"""A member's rating and scores on earlier days."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeAlias

from bot.domain.charts import Difficulty
from bot.domain.ids import MemberId, Region, SongId
from bot.domain.numbers import Hundredths
from bot.domain.pace import chapter_of
from bot.domain.scores import Slot

ChartKey: TypeAlias = tuple[SongId, Difficulty]

_CACHED_PLAYERS: Final = 64
"""The number of players whose last slots are cached: while an answer is kept, its slots are the same objects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The last look at a member on one day."""

    member: MemberId
    region: Region
    day: date
    """The day in UTC+9, the service's time zone."""
    taken_at: datetime
    rating: Hundredths
    scores: Mapping[ChartKey, int] = field(repr=False, hash=False)
    """The best score of each chart in the best, new or recent slot."""
    recent_average: Decimal | None = None
    """The average of the recent slot, which no other look shows; None if there was none."""

    def says(self, rating: Hundredths, scores: Mapping[ChartKey, int]) -> bool:
        """Return whether a later look with these values shows no change."""
        return self.rating == rating and self.scores == scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """The part of a member's history that answers about one region on one day need."""

    region: Region
    until: date
    newest: tuple[Snapshot, ...] = field(repr=False)
    """The two newest snapshots of the region up to `until`, newest first."""
    ratings: tuple[tuple[datetime, Hundredths], ...]
    """The ratings with their times, oldest first, one per day; of all regions, because a rating belongs to none."""

    @property
    def before(self) -> Snapshot | None:
        """The newest snapshot of a day before `until`; None if there is none."""
        return next((each for each in self.newest if each.day < self.until), None)

    def since(self, moment: datetime | None) -> "Past":
        """Return the ratings since a version of the game began: earlier ones are not comparable.

        Editions abroad get the version later than at the `moment` in Japan, which is None if unknown: a fall by a tenth
        shows it.
        """
        if moment is None:
            return self
        ratings = chapter_of(each for each in self.ratings if each[0] >= moment)
        first = ratings[0][0] if ratings else moment
        newest = tuple(each for each in self.newest if each.taken_at >= first)
        return replace(self, newest=newest, ratings=tuple(ratings))


@lru_cache(_CACHED_PLAYERS)
def scores_of(*slots: Slot | None) -> Mapping[ChartKey, int]:
    """Return the scores in these slots that a snapshot stores."""
    scores: dict[ChartKey, int] = {}
    for record in (entry for slot in slots if slot is not None for entry in slot.entries):
        if record is not None and record.song_id is not None:
            key = (record.song_id, record.difficulty)
            if record.score > scores.get(key, -1):
                scores[key] = record.score
    return scores
