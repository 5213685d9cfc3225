"""Play records from outside: a saved `records` reply, or CSV."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, cast

import orjson

from bot.domain.ranks import MAX_SCORE
from service.catalogue import BrokenSource
from service.model import Catalogue, Chart, Flags

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
_Key = tuple[str, str]
_SURPLUS: Final = "surplus"
"""Where the CSV reader puts cells beyond the last column."""
_TRUE: Final = frozenset({"1", "true"})
_FALSE: Final = frozenset({"0", "false", "", "none"})
_LAST_YEAR: Final = 2200


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """A record that was found to be right."""

    chart: Chart
    score: int
    flags: int
    updated_at: int


def read_records(path: Path, catalogue: Catalogue) -> list[SourceRecord]:
    """Read and check every record of a file. Raises: BrokenSource that names the place, OSError."""
    rows = _rows_of_csv(path) if path.suffix.lower() == ".csv" else _rows_of_reply(path)
    charts: dict[_Key, Chart] = {
        (song.song_id, chart.difficulty): chart for song, chart in catalogue.charts.values()
    }
    found: dict[int, SourceRecord] = {}
    for place, row in rows:
        try:
            record = _record(row, charts)
            _must(record.chart.chart_id not in found, "the chart occurs twice")
        except (ValueError, KeyError) as error:
            reason = f"{error} is missing" if isinstance(error, KeyError) else error
            message = f"{place}: {reason}"
            raise BrokenSource(message) from error
        found[record.chart.chart_id] = record
    return list(found.values())


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


def _rows_of_reply(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    try:
        reply: object = orjson.loads(path.read_bytes())
    except orjson.JSONDecodeError as error:
        message = f"line {error.lineno}: not JSON: {error.msg}"
        raise BrokenSource(message) from error
    records = cast("Mapping[str, object]", reply).get("records") if isinstance(reply, dict) else None
    if not isinstance(records, list):
        message = "line 1: expected an object with records"
        raise BrokenSource(message)
    for number, row in enumerate(cast("list[object]", records), start=1):
        if not isinstance(row, dict):
            message = f"record {number}: expected an object"
            raise BrokenSource(message)
        fields = cast("Mapping[str, object]", row)
        try:
            is_played = _flag(fields.get("is_played", 1), "is_played")
        except ValueError as error:
            message = f"record {number}: {error}"
            raise BrokenSource(message) from error
        if is_played:
            yield f"record {number}", fields


def _must(condition: bool, reason: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not condition:
        raise ValueError(reason)


def _record(row: Mapping[str, object], charts: Mapping[_Key, Chart]) -> SourceRecord:
    _must(_SURPLUS not in row, "there are more cells than columns")
    song_id, difficulty = str(row["id"]), str(row["diff"])
    chart = charts.get((song_id, difficulty))
    if chart is None:
        message = f"the catalogue has no chart {difficulty[:8]!r} of a song {song_id[:20]!r}"
        raise ValueError(message)
    score = str(row["score"])
    _must(
        score.isascii() and score.isdigit() and len(score) < len(str(MAX_SCORE)) + 1,
        "the score is no integer",
    )
    _must(int(score) <= MAX_SCORE, f"the score is above {MAX_SCORE}")
    flags = Flags.PLAYED
    for name, flag in _FLAGS.items():
        if _flag(row.get(name), name):
            flags |= flag
    is_impossible = flags & Flags.ALL_JUSTICE and not flags & Flags.FULL_COMBO
    _must(not is_impossible, "is_alljustice without is_fullcombo")
    return SourceRecord(chart, int(score), flags, _moment(row.get("updated_at")))


def _flag(value: object, name: str) -> bool:
    text = str(value if value is not None else "").strip().lower()
    _must(text in _TRUE or text in _FALSE, f"{name} is neither true nor false")
    return text in _TRUE


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
