"""The song catalogue: read from a `music/showall` reply, written as one transaction."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeVar, cast

from pydantic import BaseModel, Field

from bot.domain.charts import WORLDS_END, Difficulty
from bot.domain.errors import UnreadableReply
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths
from bot.wire import reading
from bot.wire.fields import Text
from bot.wire.replies import Array, Reply, hundredths, known_constant
from bot.wire.songs import ChartReply, Charts, MetaV20

R = TypeVar("R", bound=BaseModel)
SONG_ID_PATTERN: Final = "^[0-9a-f]{16}$"
"""Source: specification, "Normal or World's End record"."""
_MAX_NAMED_SONGS: Final = 20
_MAX_NAME_CHARACTERS: Final = 40


class BrokenSource(Exception):
    """A file is not what it should be; the text names the place and the first thing that is wrong there."""

    def __init__(self, place: str, reason: Exception | str) -> None:
        super().__init__(f"{place}: {reason.reason if isinstance(reason, UnreadableReply) else reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChart:
    """A chart as a source gives it."""

    difficulty: Difficulty
    level: Hundredths
    constant: Hundredths
    """The constant; 0 if it is unknown."""
    is_estimated: bool
    """Whether the source gives a constant, but flags it as uncertain."""
    max_combo: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSong:
    """A song as a source gives it."""

    song_id: SongId
    title: str
    genre: str
    artist: str
    release: str | None
    bpm: Hundredths
    charts: tuple[SourceChart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCatalogue:
    """The songs of a source, and those that could not be read."""

    songs: Sequence[SourceSong]
    left_out: Sequence[str] = ()
    """The number and the title of each song left out, and the reason."""


Id = Annotated[str, Field(pattern=SONG_ID_PATTERN)]
Title = Annotated[Text, Field(min_length=1)]


class _Meta(MetaV20):
    """What the service asks of a song beyond what the bot does: it must be able to name it."""

    id: Id
    title: Title


class _Entry(Reply):
    """A song as the bot's own reader takes it."""

    meta: _Meta
    data: Charts = None


class _Entries(Array[object]):
    """A `music/showall` reply."""


def read_catalogue(path: Path) -> SourceCatalogue:
    """Read a saved `music/showall` reply of version 2.0 or 1.3. Raises: BrokenSource, OSError."""
    return parse_catalogue(path.read_bytes())


def parse_catalogue(body: bytes) -> SourceCatalogue:
    """Read the body of a `music/showall` reply; a song that cannot be read is left out.

    Raises: BrokenSource if no song is left: an empty or wrong reply must not empty the catalogue.
    """
    songs: dict[SongId, SourceSong] = {}
    left_out: list[str] = []
    for number, entry in enumerate(read_json(_Entries, body, "expected a list of songs"), start=1):
        try:
            song = _song(read_value(_Entry, entry, f"song {number}{_named(entry)}"))
        except BrokenSource as error:
            left_out.append(str(error))
            continue
        if song.song_id in songs:
            left_out.append(f"song {number}{_named(entry)}: the id {song.song_id} occurs twice")
        else:
            songs[song.song_id] = song
    if not songs:
        place = "no song can be read"
        raise BrokenSource(place, left_out[0] if left_out else "the list is empty")
    return SourceCatalogue(songs=list(songs.values()), left_out=left_out)


def read_json(shape: type[R], body: bytes, expected: str) -> R:
    """Return the value of a JSON file, with or without a byte order mark. Raises: BrokenSource."""
    try:
        return reading.read_reply(shape, body).reply
    except UnreadableReply as error:
        raise BrokenSource(expected, error) from error


def read_value(shape: type[R], value: object, place: str) -> R:
    """Return the JSON value of a place, in a shape. Raises: BrokenSource."""
    try:
        return reading.read_value(shape, value).reply
    except UnreadableReply as error:
        raise BrokenSource(place, error) from error


def _named(song: object) -> str:
    """Return the title of an unreadable song in one short line, if it has one."""
    meta: object = cast("dict[str, object]", song).get("meta") if isinstance(song, dict) else None
    title = cast("dict[str, object]", meta).get("title") if isinstance(meta, dict) else None
    return f" {title[:_MAX_NAME_CHARACTERS]!r}" if isinstance(title, str) and title else ""


def lines_left_out(left_out: Sequence[str]) -> Iterator[str]:
    """Yield what to tell an operator about songs that were left out."""
    yield from (f"left out: {reason}" for reason in left_out[:_MAX_NAMED_SONGS])
    if len(left_out) > _MAX_NAMED_SONGS:
        yield f"left out: {len(left_out) - _MAX_NAMED_SONGS} more"


def _song(entry: _Entry) -> SourceSong:
    meta = entry.meta
    return SourceSong(
        song_id=SongId(meta.id),
        title=meta.title,
        genre=meta.genre or "",
        artist=meta.artist or "",
        release=meta.release.isoformat() if meta.release else None,
        bpm=_not_negative(meta.bpm),
        charts=tuple(
            source_chart(code, chart) for code, chart in (entry.data or {}).items() if chart is not None
        ),
    )


def source_chart(code: str, chart: ChartReply) -> SourceChart:
    """Return a chart of any difficulty; impossible values, such as a level below 0, count as not entered."""
    is_worlds_end = code == WORLDS_END  # source: specification: level 0, const 0
    constant = known_constant(chart.const)
    return SourceChart(
        difficulty=Difficulty(code),
        level=Hundredths(0) if is_worlds_end else _not_negative(chart.level),
        constant=Hundredths(0) if is_worlds_end or constant is None else constant,
        is_estimated=bool(chart.is_const_unknown) and constant is not None and not is_worlds_end,
        max_combo=max(0, chart.maxcombo or 0),
    )


def _not_negative(number: float | None) -> Hundredths:
    return Hundredths(max(0, hundredths(number)))


_SONG: Final = "INSERT INTO songs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_CHART: Final = """INSERT INTO charts (region, song_id, difficulty, level, constant, is_estimated, max_combo,
    is_listed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""


def write_catalogue(connection: sqlite3.Connection, region: Region, songs: Sequence[SourceSong]) -> None:
    """Make `songs` the catalogue of a region, inside the caller's transaction.

    Songs and charts that vanish stay as unlisted, so that records of them keep their title and level.
    """
    indices = _indices(connection, songs)
    connection.execute("UPDATE songs SET is_listed = 0 WHERE region = ?", (region,))
    connection.execute("UPDATE charts SET is_listed = 0 WHERE region = ?", (region,))
    connection.executemany(
        f"""{_SONG} ON CONFLICT DO UPDATE SET position = excluded.position, title = excluded.title,
        genre = excluded.genre, artist = excluded.artist, release = excluded.release, bpm = excluded.bpm,
        is_listed = excluded.is_listed""",
        _song_rows(region, songs, indices, is_listed=True),
    )
    connection.executemany(
        f"""{_CHART} ON CONFLICT DO UPDATE SET level = excluded.level, constant = excluded.constant,
        is_estimated = excluded.is_estimated, max_combo = excluded.max_combo,
        is_listed = excluded.is_listed""",
        _chart_rows(region, songs, is_listed=True),
    )


def write_unlisted(connection: sqlite3.Connection, region: Region, songs: Sequence[SourceSong]) -> None:
    """Add those of `songs` that are not stored yet, as unlisted: records may be on charts that left the catalogue."""
    indices = _indices(connection, songs)
    rows = _song_rows(region, songs, indices, is_listed=False)
    connection.executemany(f"{_SONG} ON CONFLICT DO NOTHING", rows)
    connection.executemany(f"{_CHART} ON CONFLICT DO NOTHING", _chart_rows(region, songs, is_listed=False))


def _song_rows(
    region: Region, songs: Sequence[SourceSong], indices: Mapping[str, int], *, is_listed: bool
) -> Iterator[tuple[object, ...]]:
    for place, s in enumerate(songs):
        details = s.title, s.genre, s.artist, s.release, s.bpm
        yield region, s.song_id, indices[s.song_id], place, *details, is_listed


def _chart_rows(
    region: Region, songs: Sequence[SourceSong], *, is_listed: bool
) -> Iterator[tuple[object, ...]]:
    for song in songs:
        for c in song.charts:
            measure = c.level, c.constant, c.is_estimated, c.max_combo
            yield region, song.song_id, c.difficulty, *measure, is_listed


def _indices(connection: sqlite3.Connection, songs: Iterable[SourceSong]) -> dict[str, int]:
    """Return each song's `idx`: an id has the same index in every region, permanently."""
    indices: dict[str, int] = dict(connection.execute("SELECT song_id, idx FROM songs"))
    free = max(indices.values(), default=0) + 1
    for song in songs:
        if song.song_id not in indices:
            indices[song.song_id] = free
            free += 1
    return indices
