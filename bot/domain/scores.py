"""Play records, and the data that makes up a rating."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING

from bot.domain.charts import WORLDS_END, Difficulty
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamps:
    """The achievements of a play beside its score."""

    is_clear: bool | None
    """None if the service does not say, although it gives other lamps."""
    is_full_combo: bool
    is_all_justice: bool
    is_full_chain: bool


@dataclass(frozen=TYPE_CHECKING, slots=True, unsafe_hash=True)
class Record:
    """A player's best on one chart, in one shape for all versions of the service.

    Frozen only for the type checker: there are thousands, and creating a frozen one takes seven times as long.
    """

    song_id: SongId | None
    """None in version 1.0, which identifies songs only by `index`."""
    title: str
    difficulty: Difficulty
    level: Hundredths
    constant: Hundredths | None
    score: int
    rating: Hundredths
    """The service's value; 0 for World's End."""
    is_estimated: bool
    lamps: Lamps | None
    """None in the RECENT slot, which has no lamps."""
    genre: str | None = None
    updated_at: datetime | None = None
    is_played: bool = True
    index: int | None = None
    is_hosts: bool = False
    """The constant comes from the bot's host, and the rating is calculated from it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseRecord:
    """A player's best on one course. Source: specification, "Course record"."""

    index: int
    name: str
    course_class: int | None
    score: int
    is_clear: bool
    is_full_combo: bool
    is_all_justice: bool


def on_normal_charts(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return records without those on World's End charts; the same tuple if there are none."""
    normal = tuple(record for record in records if record.difficulty != WORLDS_END)
    return records if len(normal) == len(records) else normal


class SlotName(StrEnum):
    """The lists that make up a rating or belong to it; the values are the service's own keys, if it has them."""

    BEST = "best"
    NEW = "new"
    """The best of new songs, calculated from the records."""
    RECENT = "recent"
    CANDIDATES = "best_candidate"
    CANDIDATES_BELOW_SSS = "best_candidate_sss"
    OUTSIDE = "best_outside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One list of rating_data; an unfilled place is None."""

    average: Decimal | None
    """The mean single-song rating from the service; only BEST and RECENT have one, and only if a place is filled."""
    entries: tuple[Record | None, ...] = field(hash=False)
    """The places; compared for equality, but too many to hash at every look-up of a picture."""

    @property
    def records(self) -> tuple[Record, ...]:
        """The filled places, in order."""
        return tuple(entry for entry in self.entries if entry is not None)


_NEVER = datetime.min.replace(tzinfo=UTC)
EMPTY_SLOT = Slot(average=None, entries=())


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingData:
    """The five slots; a slot that the reply leaves out is empty."""

    slots: Mapping[SlotName, Slot] = field(repr=False)

    def __getitem__(self, name: SlotName) -> Slot:
        return self.slots.get(name, EMPTY_SLOT)

    @property
    def plays(self) -> Mapping[SongId, int]:
        """How often each song is in the slots: RECENT has a song as often as it was played recently."""
        records = (record for slot in self.slots.values() for record in slot.records)
        return Counter(record.song_id for record in records if record.song_id is not None)

    @property
    def latest_songs(self) -> tuple[SongId, ...]:
        """The songs played last: those of RECENT, then the others by their last record, newest first."""
        others = [record for slot in self.slots.values() for record in slot.records if record.updated_at]
        others.sort(key=lambda record: record.updated_at or _NEVER, reverse=True)
        songs = (record.song_id for record in (*self[SlotName.RECENT].records, *others))
        return tuple(dict.fromkeys(song for song in songs if song is not None))
