"""Play records from outside: a saved `records` reply, or CSV."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass as model

from bot.domain.charts import Difficulty
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE
from bot.wire.fields import Text
from bot.wire.records import RecordV20
from bot.wire.songs import ChartEntry
from service.catalogue import SONG_ID_PATTERN, BrokenSource, SourceSong, parse_json, reason_of, source_chart
from service.model import Flags

COLUMNS: Final = (
    "id", "diff", "score", "is_clear", "is_fullcombo", "is_alljustice", "is_fullchain", "updated_at",
)  # fmt: skip
"""Of the CSV; the first three are required. The same names as in a record of version 2.0."""
_REQUIRED: Final = COLUMNS[:3]
_FLAGS: Final[Mapping[str, int]] = {
    "is_clear": Flags.CLEAR,
    "is_fullcombo": Flags.FULL_COMBO,
    "is_alljustice": Flags.ALL_JUSTICE,
    "is_fullchain": Flags.FULL_CHAIN,
}
_SURPLUS: Final = "surplus"
"""Where the CSV reader puts cells beyond the last column."""
_TRUE: Final = frozenset({"1", "true"})
_FALSE: Final = frozenset({"0", "false"})
_LAST_YEAR: Final = 2200


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


@model(frozen=True, slots=True, kw_only=True)
class _ReplyRecord(RecordV20):
    """A record as the bot's own reader takes it, of which the service must be able to name the song."""

    id: Annotated[str, Field(pattern=SONG_ID_PATTERN)]
    title: Annotated[Text, Field(min_length=1)]
    score: Annotated[int, Field(ge=0, le=MAX_SCORE)]


_REPLY_RECORD: Final = TypeAdapter(_ReplyRecord)


def read_records(path: Path) -> list[SourceRecord]:
    """Read and check every record of a file. Raises: BrokenSource that names the place, OSError."""
    found: dict[tuple[str, str], SourceRecord] = {}
    for record in _of_csv(path) if path.suffix.lower() == ".csv" else _of_reply(path):
        key = record.song_id, record.difficulty
        if key in found:
            message = f"{record.place}: the chart occurs twice"
            raise BrokenSource(message)
        found[key] = record
    return list(found.values())


def _of_reply(path: Path) -> Iterator[SourceRecord]:
    """Read a reply of version 2.0 or 1.3; records that were not played are none."""
    reply = parse_json(path.read_bytes())
    records = cast("Mapping[str, object]", reply).get("records") if isinstance(reply, dict) else None
    if not isinstance(records, list):
        message = "line 1: expected an object with records"
        raise BrokenSource(message)
    for number, entry in enumerate(cast("list[object]", records), start=1):
        place = f"record {number}"
        try:
            record = _REPLY_RECORD.validate_python(entry)
        except ValidationError as error:
            message = f"{place}: {reason_of(error)}"
            raise BrokenSource(message) from error
        if record.is_played is not False:
            yield _from_reply(record, place)


def _from_reply(record: _ReplyRecord, place: str) -> SourceRecord:
    chart = ChartEntry(level=record.level, const=record.const, is_const_unknown=record.is_const_unknown)
    song = SourceSong(
        song_id=SongId(record.id),
        title=record.title,
        genre=record.genre or "",
        artist="",
        release=None,
        bpm=Hundredths(0),
        charts=(source_chart(record.diff, chart),),
    )
    said = {flag: cast("bool | None", getattr(record, name)) for name, flag in _FLAGS.items()}
    return SourceRecord(
        place=place,
        song_id=song.song_id,
        difficulty=Difficulty(record.diff),
        score=record.score,
        flags=_flags(said),
        updated_at=int(record.updated_at.timestamp()) if record.updated_at else 0,
        song=song,
    )


def _flags(said: Mapping[int, bool | None]) -> int:
    """Return the bits of what was said of a play, and of what was not."""
    flags = Flags.PLAYED
    for flag, is_so in said.items():
        flags |= Flags.unsaid(flag) if is_so is None else flag if is_so else 0
    if flags & Flags.ALL_JUSTICE:  # which is a full combo, said or not
        flags = flags & ~Flags.unsaid(Flags.FULL_COMBO) | Flags.FULL_COMBO
    return flags


def _of_csv(path: Path) -> Iterator[SourceRecord]:
    for place, row in _rows_of_csv(path):
        try:
            yield _from_row(row, place)
        except (ValueError, KeyError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else error
            message = f"{place}: {reason}"
            raise BrokenSource(message) from error


def _rows_of_csv(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey=_SURPLUS)
        try:
            _check_columns(reader.fieldnames or ())
            for row in reader:
                yield f"line {reader.line_num}", cast("Mapping[str, object]", row)
        except (csv.Error, UnicodeDecodeError) as error:
            message = f"line {reader.line_num + 1}: {error}"
            raise BrokenSource(message) from error


def _check_columns(names: Sequence[str]) -> None:
    missing = [name for name in _REQUIRED if name not in names]
    if missing:
        message = f"line 1: no column {', '.join(missing)}"
        raise BrokenSource(message)
    strange = [name for place, name in enumerate(names) if name not in COLUMNS or name in names[:place]]
    if strange:
        message = f"line 1: the column {strange[0][:20]!r} is not known, or occurs twice"
        raise BrokenSource(message)


def _must(condition: bool, reason: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not condition:
        raise ValueError(reason)


def _from_row(row: Mapping[str, object], place: str) -> SourceRecord:
    _must(_SURPLUS not in row, "there are more cells than columns")
    score = str(row["score"])
    _must(
        score.isascii() and score.isdigit() and len(score) < len(str(MAX_SCORE)) + 1,
        "the score is no integer",
    )
    _must(int(score) <= MAX_SCORE, f"the score is above {MAX_SCORE}")
    said = {flag: _flag(row.get(name), name) for name, flag in _FLAGS.items()}
    is_impossible = said[Flags.ALL_JUSTICE] and said[Flags.FULL_COMBO] is False
    _must(not is_impossible, "is_alljustice without is_fullcombo")
    return SourceRecord(
        place=place,
        song_id=SongId(str(row["id"])),
        difficulty=Difficulty(str(row["diff"])),
        score=int(score),
        flags=_flags(said),
        updated_at=_moment(row.get("updated_at")),
    )


def _flag(value: object, name: str) -> bool | None:
    """Return what a cell says; None where it says nothing, or the column is not there."""
    text = str(value if value is not None else "").strip().lower()
    _must(text in _TRUE or text in _FALSE or not text, f"{name} is neither true nor false")
    return text in _TRUE if text else None


def _moment(value: object) -> int:
    """Return Unix seconds; of nothing 0, "unavailable"."""
    text = str(value or "").strip()
    if not text:
        return 0
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        message = "updated_at is no ISO 8601 time with an offset"
        raise ValueError(message)
    _must(moment.year <= _LAST_YEAR, f"updated_at is after the year {_LAST_YEAR}")
    return max(0, int(moment.timestamp()))
