"""Play records from a file: a saved `records` reply, or CSV."""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, NamedTuple, Self, cast

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from bot.domain.charts import Difficulty
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.ranks import MAX_SCORE
from bot.wire.fields import MAX_YEAR, Moment
from bot.wire.records import RecordV20
from bot.wire.replies import Reply
from bot.wire.songs import ChartReply
from service.catalogue import BrokenSource, Id, SourceSong, Title, read_json, read_value, source_chart
from service.model import Flags

_NO_MOMENT: Final = f"Expected an ISO 8601 time with an offset, up to the year {MAX_YEAR}"
_SURPLUS: Final = "more cells than columns"
"""The key under which the CSV reader stores cells beyond the last column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """A record as in the source."""

    place: str
    """The position in the source."""
    song_id: SongId
    difficulty: Difficulty
    score: int
    flags: int
    updated_at: int
    song: SourceSong | None = None
    """The data of the song in a reply, with only this chart; a CSV has none."""


_Score = Annotated[int, Field(ge=0, le=MAX_SCORE)]


def _parse_moment(text: object) -> object:
    """Return a time that is given as text; pydantic would take "20260501" for Unix seconds.

    Raises: PydanticCustomError.
    """
    if not isinstance(text, str):
        return text
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None and moment.year <= MAX_YEAR:
            return moment
    raise PydanticCustomError("no_moment", "{reason}", {"reason": _NO_MOMENT})


class _Row(Reply):
    """A line of CSV; its columns are named like the members of a record of version 2.0."""

    id: Id
    diff: str
    score: _Score
    is_clear: bool | None = None
    is_fullcombo: bool | None = None
    is_alljustice: bool | None = None
    is_fullchain: bool | None = None
    updated_at: Annotated[Moment, BeforeValidator(_parse_moment)] = None

    @model_validator(mode="after")
    def _can_be(self) -> Self:
        if self.is_alljustice and self.is_fullcombo is False:
            raise PydanticCustomError("lamps", "is_alljustice without is_fullcombo")
        return self


COLUMNS: Final = tuple(_Row.model_fields)
"""The columns of the CSV; the first three are required."""
_REQUIRED: Final = COLUMNS[:3]


class _ReplyRecord(RecordV20):
    """A record as the bot's own reader accepts it; the service also needs the song's id and title."""

    id: Id
    title: Title
    score: _Score


class _SavedReply(Reply):
    """A reply of version 2.0 or 1.3."""

    records: tuple[object, ...]
    rating: Annotated[float, Field(ge=0, le=100)] | None = None
    """The player's rating, if it comes with the records."""


class SourceRecords(NamedTuple):
    """The data of a player in a file."""

    records: Sequence[SourceRecord]
    rating: Hundredths | None
    """The rating given by the game; None if it is not in the file."""


def read_records(path: Path) -> SourceRecords:
    """Read and check every record of a file. Raises: BrokenSource with the position, OSError."""
    found: dict[tuple[str, str], SourceRecord] = {}
    is_csv = path.suffix.lower() == ".csv"
    reply = None if is_csv else read_json(_SavedReply, path.read_bytes(), "expected an object with records")
    for place, play in _of_csv(path) if reply is None else _of_reply(reply):
        record = _source_record(place, play)
        key = record.song_id, record.difficulty
        if key in found:
            reason = "the chart occurs twice"
            raise BrokenSource(place, reason)
        found[key] = record
    rating = None if reply is None or reply.rating is None else to_hundredths(reply.rating)
    return SourceRecords(list(found.values()), rating)


def _of_reply(reply: _SavedReply) -> Iterator[tuple[str, _ReplyRecord]]:
    """Read a saved reply; unplayed records are left out."""
    for number, entry in enumerate(reply.records, start=1):
        place = f"record {number}"
        record = read_value(_ReplyRecord, entry, place)
        if record.is_played is not False:
            _check_moment(cast("dict[str, object]", entry).get("updated_at"), record.updated_at, place)
            yield place, record


def _check_moment(said: object, read: datetime | None, place: str) -> None:
    """Reject an invalid time, which the bot's own reader would treat as unknown. Raises: BrokenSource."""
    if isinstance(said, str):
        try:
            _parse_moment(said)
        except PydanticCustomError as error:
            raise BrokenSource(place, f"updated_at: {error}") from error
    elif said is not None and read is None:
        raise BrokenSource(place, f"updated_at: {_NO_MOMENT}")


def _of_csv(path: Path) -> Iterator[tuple[str, _Row]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey=_SURPLUS)
        try:
            _check_columns(reader.fieldnames or ())
            for row in cast("Iterator[dict[str, object]]", reader):
                said = {name: text for name, cell in row.items() if (text := str(cell or "").strip())}
                place = f"line {reader.line_num}"
                yield place, _row(said, place)
        except (csv.Error, UnicodeDecodeError) as error:
            place = f"line {reader.line_num + 1}"
            raise BrokenSource(place, error) from error


def _check_columns(names: Sequence[str]) -> None:
    wrong = Counter(names) - Counter(COLUMNS) or Counter(_REQUIRED) - Counter(names)
    if wrong:
        place, reason = "line 1", f"the column {min(wrong)[:20]!r} is missing, not known, or there twice"
        raise BrokenSource(place, reason)


def _row(said: dict[str, str], place: str) -> _Row:
    if _SURPLUS in said:
        raise BrokenSource(place, _SURPLUS)
    return read_value(_Row, said, place)


def _source_record(place: str, play: _Row | _ReplyRecord) -> SourceRecord:
    return SourceRecord(
        place=place,
        song_id=SongId(play.id),
        difficulty=Difficulty(play.diff),
        score=play.score,
        flags=_flags(play),
        updated_at=int(play.updated_at.timestamp()) if play.updated_at else 0,
        song=_song(play) if isinstance(play, _ReplyRecord) else None,
    )


def _song(record: _ReplyRecord) -> SourceSong:
    chart = ChartReply(level=record.level, const=record.const, is_const_unknown=record.is_const_unknown)
    return SourceSong(
        song_id=SongId(record.id),
        title=record.title,
        genre=record.genre or "",
        artist="",
        release=None,
        bpm=Hundredths(0),
        charts=(source_chart(record.diff, chart),),
    )


def _flags(play: _Row | _ReplyRecord) -> int:
    """Return the flags of a play, including those for values that are missing."""
    flags = Flags.PLAYED
    for flag, is_so in (
        (Flags.CLEAR, play.is_clear),
        (Flags.FULL_COMBO, play.is_alljustice or play.is_fullcombo),
        (Flags.ALL_JUSTICE, play.is_alljustice),
        (Flags.FULL_CHAIN, play.is_fullchain),
    ):
        flags |= Flags.unsaid(flag) if is_so is None else flag if is_so else 0
    return flags
