"""What a member's rating and records were on earlier days."""

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
"""Players whose slots were looked at last: while an answer is kept, its slots are the same objects."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What was seen on one day; the last look at a day stands for it."""

    member: MemberId
    region: Region
    day: date
    """UTC+9, the service's own."""
    taken_at: datetime
    rating: Hundredths
    scores: Mapping[ChartKey, int] = field(repr=False, hash=False)
    """The best score of each chart that stood in the best, new or recent slot."""
    recent_average: Decimal | None = None
    """The average of the recent slot, which no other look sees; None where there was none."""

    def says(self, rating: Hundredths, scores: Mapping[ChartKey, int]) -> bool:
        """Return whether nothing has changed until a look that found this."""
        return self.rating == rating and self.scores == scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What is kept of a member, as far as an answer of one day about one region needs it."""

    region: Region
    until: date
    newest: tuple[Snapshot, ...] = field(repr=False)
    """The newest two of the region, of `until` or before, the newest first."""
    ratings: tuple[tuple[datetime, Hundredths], ...]
    """When the rating was what, oldest first, the last look at a day alone; of every region, for it is no region's."""

    @property
    def before(self) -> Snapshot | None:
        """The newest of an earlier day than `until`."""
        return next((each for each in self.newest if each.day < self.until), None)

    def since(self, moment: datetime | None) -> "Past":
        """Return what is of this chapter: ratings from before a version of the game has begun are of another.

        Editions abroad get it later than at the `moment` in Japan, which is None where nobody knows it: a fall by a
        tenth tells.
        """
        if moment is None:
            return self
        ratings = chapter_of(each for each in self.ratings if each[0] >= moment)
        first = ratings[0][0] if ratings else moment
        newest = tuple(each for each in self.newest if each.taken_at >= first)
        return replace(self, newest=newest, ratings=tuple(ratings))


@lru_cache(_CACHED_PLAYERS)
def scores_of(*slots: Slot | None) -> Mapping[ChartKey, int]:
    """Return what a snapshot keeps of these slots."""
    scores: dict[ChartKey, int] = {}
    for record in (entry for slot in slots if slot is not None for entry in slot.entries):
        if record is not None and record.song_id is not None:
            key = (record.song_id, record.difficulty)
            if record.score > scores.get(key, -1):
                scores[key] = record.score
    return scores
