"""Play records. Source: specification, "Normal or World's End record", "Record of version 1.0", "Course record"."""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache, lru_cache
from operator import attrgetter
from sys import intern
from typing import Final

from typing_extensions import override

from bot.domain.charts import Difficulty
from bot.domain.ids import SongId
from bot.domain.ranks import MAX_SCORE
from bot.domain.scores import CourseRecord, Lamps, Record
from bot.wire.fields import (
    Code,
    Flag,
    MaybeNumber,
    MaybeText,
    MaybeWhole,
    Moment,
    Text,
    Whole,
    bounded,
    known_by,
    short,
)
from bot.wire.replies import Reply, hundredths, known_constant

_MAX_COURSE_CHARTS: Final = 10
"""A generous bound: the courses that there are have three."""


class RecentPlay(Reply):
    """A play of the RECENT slot: less than a record, for it is one play and no best."""

    id: Code
    """Song id, 16 hexadecimal characters."""
    diff: Code
    """BAS, ADV, EXP, MAS or WE; the list is open."""
    title: Text
    score: Whole
    """Points, 0 to 1,010,000."""
    level: MaybeNumber = None
    """Chart level; n.5 is n+. 0 for World's End."""
    const: MaybeNumber = None
    """Chart constant; 0 where unknown, and for World's End."""
    rating: MaybeNumber = None
    """Single-song rating; 0 for World's End."""
    is_const_unknown: Flag = None

    def to_domain(self) -> Record:
        """Return the play in the shape of a record."""
        return _record(self)


class RecordV13(RecentPlay):
    """A record of version 1.3, of a normal or a World's End chart."""

    is_clear: Flag = None
    is_fullcombo: Flag = None
    is_alljustice: Flag = None
    is_fullchain: Flag = None
    genre: MaybeText = None
    is_played: Flag = None

    @override
    def to_domain(self) -> Record:
        """Return the record in the shape common to all versions."""
        return _record(self, self)


class RecordV20(RecordV13):
    """A record of version 2.0: as in 1.3, and when it was set."""

    updated_at: Moment = None
    """When the record was set, or last seen; None where the service has no time."""

    @override
    def to_domain(self) -> Record:
        """Return the record in the shape common to all versions."""
        return _record(self, self, updated_at=self.updated_at)


def _record(play: RecentPlay, best: RecordV13 | None = None, *, updated_at: datetime | None = None) -> Record:
    """Return a play in the shape common to all versions; `best` is the same play, where it is a record."""
    constant = known_constant(play.const)
    # By position: there are thousands, and names take half as long again. Most texts are those of other records too.
    return Record(
        SongId(intern(play.id)),
        _title(play.title, play.id),
        Difficulty(intern(play.diff)),
        hundredths(play.level),
        constant,
        bounded(play.score, MAX_SCORE),
        hundredths(play.rating),
        bool(play.is_const_unknown) and constant is not None,
        best and lamps(best.is_clear, best.is_fullcombo, best.is_alljustice, best.is_fullchain),
        best and best.genre and _genre(best.genre),
        updated_at,
        best is None or best.is_played is not False,
    )


@lru_cache(maxsize=64)
def _genre(genre: str) -> str:
    return intern(short(genre))


@lru_cache(maxsize=4096)  # the songs that there are, which records of all members name again and again
def _title(title: str, song: str) -> str:
    return intern(known_by(title, song))


class RecordV10(Reply):
    """A record of version 1.0, which knows songs by index; no time, no played flag."""

    idx: Whole
    """Internal song index."""
    diff: Code
    """BAS, ADV, EXP or MAS; the list is open."""
    title: Text
    score: Whole
    """Points, 0 to 1,010,000."""
    level: MaybeNumber = None
    """Chart level; n.5 is n+."""
    const: MaybeNumber = None
    """Chart constant; 0 where unknown."""
    rating: MaybeNumber = None
    """Single-song rating."""
    is_clear: Flag = None
    is_fullcombo: Flag = None
    is_alljustice: Flag = None
    is_fullchain: Flag = None
    genre: MaybeText = None
    is_const_unknown: Flag = None

    def to_domain(self) -> Record:
        """Return the record in the shape common to all versions."""
        constant = known_constant(self.const)
        return Record(
            song_id=None,
            index=self.idx,
            title=known_by(self.title, f"idx:{self.idx}"),
            difficulty=Difficulty(self.diff),
            level=hundredths(self.level),
            constant=constant,
            score=bounded(self.score, MAX_SCORE),
            rating=hundredths(self.rating),
            is_estimated=bool(self.is_const_unknown) and constant is not None,
            lamps=lamps(self.is_clear, self.is_fullcombo, self.is_alljustice, self.is_fullchain),
            genre=self.genre and short(self.genre),
        )


class RecordsV20(Reply):
    """`records/showall` and `records/worldsend` of version 2.0."""

    records: tuple[RecordV20, ...]

    def to_domain(self) -> tuple[Record, ...]:
        """Return the records in the service's order, one of each chart."""
        return _best_of_each(record.to_domain() for record in self.records)


class RecordsV13(Reply):
    """`records/showall` and `records/worldsend` of version 1.3."""

    records: tuple[RecordV13, ...]

    def to_domain(self) -> tuple[Record, ...]:
        """Return the records in the service's order, one of each chart."""
        return _best_of_each(record.to_domain() for record in self.records)


class RecordsV10(Reply):
    """`records/showall` and `records/filter` of version 1.0."""

    scores: tuple[RecordV10, ...]

    def to_domain(self) -> tuple[Record, ...]:
        """Return the records in the service's order, one of each chart."""
        return _best_of_each((record.to_domain() for record in self.scores), _BY_INDEX)


_BY_ID: Final = attrgetter("song_id", "difficulty")
_BY_INDEX: Final = attrgetter("index", "difficulty")


def _best_of_each(
    records: Iterable[Record], chart_of: Callable[[Record], object] = _BY_ID
) -> tuple[Record, ...]:
    """Return the best of the records of each chart: all that is made of them takes one chart to have one."""
    every = tuple(records)
    if len({*map(chart_of, every)}) == len(every):  # as it always should be: the rest takes much longer
        return every
    best: dict[object, Record] = {}
    for record in every:
        known = best.setdefault(chart_of(record), record)
        if record.score > known.score:
            best[chart_of(record)] = record
    return tuple(best.values())


class CourseEntry(Reply):
    """A record of a course: several charts in a row."""

    course_idx: Whole
    """Internal course index."""
    course_name: Text
    score: Whole
    """Points of all charts together."""
    course_class: MaybeWhole = None
    """Class of the course; the specification does not say what the numbers stand for."""
    is_clear: Flag = None
    is_fullcombo: Flag = None
    is_alljustice: Flag = None

    def to_domain(self) -> CourseRecord:
        """Return the record in the shape common to both versions."""
        return CourseRecord(
            index=self.course_idx,
            name=short(self.course_name),
            course_class=self.course_class,
            score=bounded(self.score, _MAX_COURSE_CHARTS * MAX_SCORE),
            is_clear=bool(self.is_clear),
            is_full_combo=bool(self.is_fullcombo),
            is_all_justice=bool(self.is_alljustice),
        )


class CourseRecords(Reply):
    """`records/course` of versions 2.0 and 1.3."""

    records: tuple[CourseEntry, ...]

    def to_domain(self) -> tuple[CourseRecord, ...]:
        """Return the records in the service's order."""
        return tuple(record.to_domain() for record in self.records)


@cache
def lamps(
    clear: bool | None,  # noqa: FBT001 - four flags of one kind, in the specification's order
    full_combo: bool | None,  # noqa: FBT001 - as above
    all_justice: bool | None,  # noqa: FBT001 - as above
    full_chain: bool | None,  # noqa: FBT001 - as above
) -> Lamps | None:
    """Return what a play earned, one object for all that earned the same; None where the service is silent."""
    if clear is full_combo is all_justice is full_chain is None:
        return None
    return Lamps(
        is_clear=clear,
        is_full_combo=bool(full_combo),
        is_all_justice=bool(all_justice),
        is_full_chain=bool(full_chain),
    )
