"""Play records from outside: a saved `records` reply, or CSV."""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Final, Self, TypeVar, cast

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)
from pydantic import model_validator as validator
from pydantic.dataclasses import dataclass as model

from bot.domain.charts import Difficulty
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.wire.records import RecordV20
from bot.wire.replies import FROZEN, Reply
from bot.wire.songs import ChartEntry
from service.catalogue import BrokenSource, Id, SourceSong, Title, read_json, source_chart
from service.model import Flags

_T = TypeVar("_T")
_SURPLUS: Final = "more cells than columns"
"""Where the CSV reader puts cells beyond the last column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRecord:
    """A record as a source gives it."""

    place: str
    """Where in the source."""
    song_id: SongId
    difficulty: Difficulty
    score: int
    flags: int
    updated_at: int
    song: SourceSong | None = None
    """What a reply says of the song, with this chart alone; a CSV says nothing."""


def _iso_8601(text: str) -> datetime:
    """Read a time; pydantic's own reader would take "20260501" for Unix seconds."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        message = "Input should be an ISO 8601 time with an offset"
        raise ValueError(message) from None


_Score = Annotated[int, Field(ge=0, le=MAX_SCORE)]
_Time = Annotated[AwareDatetime, Field(lt=datetime(2201, 1, 1, tzinfo=UTC)), BeforeValidator(_iso_8601)]


class _Row(BaseModel):
    """A line of CSV; its columns are named as the members of a record of version 2.0."""

    model_config = FROZEN | ConfigDict(extra="forbid")

    id: Id
    diff: str
    score: _Score
    is_clear: bool | None = None
    is_fullcombo: bool | None = None
    is_alljustice: bool | None = None
    is_fullchain: bool | None = None
    updated_at: _Time | None = None

    @validator(mode="after")
    def _is_possible(self) -> Self:
        if self.is_alljustice and self.is_fullcombo is False:
            message = "is_alljustice without is_fullcombo"
            raise ValueError(message)
        return self


COLUMNS: Final = tuple(_Row.model_fields)
"""Of the CSV; the first three are required."""
_REQUIRED: Final = COLUMNS[:3]


@model(frozen=True, slots=True, kw_only=True)
class _ReplyRecord(RecordV20):
    """A record as the bot's own reader takes it, of which the service must be able to name the song."""

    id: Id
    title: Title
    score: _Score


class _SavedReply(Reply):
    """A reply of version 2.0 or 1.3."""

    records: tuple[object, ...]


_REPLY: Final = TypeAdapter(_SavedReply)
_REPLY_RECORD: Final = TypeAdapter(_ReplyRecord)


def read_records(path: Path) -> list[SourceRecord]:
    """Read and check every record of a file. Raises: BrokenSource that names the place, OSError."""
    found: dict[tuple[str, str], SourceRecord] = {}
    for place, play in _of_csv(path) if path.suffix.lower() == ".csv" else _of_reply(path):
        record = _source_record(place, play)
        key = record.song_id, record.difficulty
        if key in found:
            reason = "the chart occurs twice"
            raise BrokenSource(place, reason)
        found[key] = record
    return list(found.values())


def _of_reply(path: Path) -> Iterator[tuple[str, _ReplyRecord]]:
    """Read a saved reply; records that were not played are none."""
    reply = read_json(_REPLY, path.read_bytes(), "expected an object with records")
    for number, entry in enumerate(reply.records, start=1):
        place = f"record {number}"
        record = _checked(_REPLY_RECORD.validate_python, entry, place)
        if record.is_played is not False:
            yield place, record


def _of_csv(path: Path) -> Iterator[tuple[str, _Row]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey=_SURPLUS)
        try:
            _check_columns(reader.fieldnames or ())
            for row in cast("Iterator[dict[str, object]]", reader):
                said = {name: text for name, cell in row.items() if (text := str(cell or "").strip())}
                place = f"line {reader.line_num}"
                yield place, _checked(_Row.model_validate_strings, said, place)
        except (csv.Error, UnicodeDecodeError) as error:
            place = f"line {reader.line_num + 1}"
            raise BrokenSource(place, error) from error


def _check_columns(names: Sequence[str]) -> None:
    wrong = Counter(names) - Counter(COLUMNS) or Counter(_REQUIRED) - Counter(names)
    if wrong:
        place, reason = "line 1", f"the column {min(wrong)[:20]!r} is missing, not known, or there twice"
        raise BrokenSource(place, reason)


def _checked(read: Callable[[object], _T], entry: object, place: str) -> _T:
    try:
        return read(entry)
    except ValidationError as error:
        raise BrokenSource(place, error) from error


def _source_record(place: str, play: _Row | _ReplyRecord) -> SourceRecord:
    return SourceRecord(
        place=place,
        song_id=SongId(play.id),
        difficulty=Difficulty(play.diff),
        score=play.score,
        flags=_flags(play),
        updated_at=max(0, int(play.updated_at.timestamp())) if play.updated_at else 0,
        song=_song(play) if isinstance(play, _ReplyRecord) else None,
    )


def _song(record: _ReplyRecord) -> SourceSong:
    chart = ChartEntry(level=record.level, const=record.const, is_const_unknown=record.is_const_unknown)
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
    """Return the bits of what was said of a play, and of what was not."""
    flags = Flags.PLAYED
    for flag, is_so in (
        (Flags.CLEAR, play.is_clear),
        (Flags.FULL_COMBO, play.is_alljustice or play.is_fullcombo),
        (Flags.ALL_JUSTICE, play.is_alljustice),
        (Flags.FULL_CHAIN, play.is_fullchain),
    ):
        flags |= Flags.unsaid(flag) if is_so is None else flag if is_so else 0
    return flags
