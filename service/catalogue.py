"""The song catalogue: read from a `music/showall` reply, written as one transaction."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final, cast

import orjson

from bot.domain.charts import DIFFICULTIES, WORLDS_END, Difficulty
from bot.domain.ids import Region, SongId
from bot.domain.numbers import Hundredths, to_hundredths

_ID_LENGTH: Final = 16
_ID_CHARACTERS: Final = frozenset("0123456789abcdef")
_HALF_STEP: Final = 50
_BIGGEST: Final = 10**9
"""In hundredths: more is no level, constant, combo or tempo, and would not fit the database."""


class BrokenSource(Exception):
    """A file is not what it should be; the text names the place and the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceChart:
    """A chart as a source gives it."""

    difficulty: Difficulty
    level: Hundredths
    constant: Hundredths
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


def read_catalogue(path: Path) -> list[SourceSong]:
    """Read a saved `music/showall` reply of version 2.0 or 1.3. Raises: BrokenSource, OSError."""
    return parse_catalogue(path.read_bytes())


def parse_catalogue(body: bytes) -> list[SourceSong]:
    """Read the body of a `music/showall` reply, whole and valid. Raises: BrokenSource."""
    try:
        entries: object = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        message = f"not JSON: {error}"
        raise BrokenSource(message) from error
    if not isinstance(entries, list) or not entries:
        message = "expected a list of songs"
        raise BrokenSource(message)
    songs: dict[SongId, SourceSong] = {}
    for number, entry in enumerate(cast("list[object]", entries), start=1):
        try:
            song = _song(entry)
        except (KeyError, TypeError, ValueError, ArithmeticError) as error:
            message = f"song {number}: {_reason(error)}"
            raise BrokenSource(message) from error
        if song.song_id in songs:
            message = f"song {number}: the id {song.song_id} occurs twice"
            raise BrokenSource(message)
        songs[song.song_id] = song
    return list(songs.values())


def _reason(error: Exception) -> str:
    return f"{error} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        message = "expected an object"
        raise TypeError(message)
    return cast("Mapping[str, object]", value)


def _text(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        message = "expected a text"
        raise TypeError(message)
    return value


def _hundredths(value: object) -> Hundredths:
    """Return a number in hundredths; null and "not entered" are 0."""
    try:
        number = to_hundredths(str(value if value is not None else 0))
    except (ArithmeticError, ValueError) as error:
        message = f"{str(value)[:20]!r} is no number"
        raise ValueError(message) from error
    if number > _BIGGEST:
        message = "a number is too big"
        raise ValueError(message)
    if number < 0:
        message = "a number is negative"
        raise ValueError(message)
    return number


def _song(entry: object) -> SourceSong:
    song = _object(entry)
    meta, data = _object(song["meta"]), _object(song["data"])
    song_id = _text(meta["id"])
    if len(song_id) != _ID_LENGTH or not _ID_CHARACTERS.issuperset(song_id):
        message = "the id is not 16 lowercase hexadecimal characters"
        raise ValueError(message)
    if not _text(meta["title"]):
        message = "the title is empty"
        raise ValueError(message)
    release = _text(meta.get("release")) or None
    return SourceSong(
        song_id=SongId(song_id),
        title=_text(meta["title"]),
        genre=_text(meta.get("genre")),
        artist=_text(meta.get("artist")),
        release=date.fromisoformat(release).isoformat() if release else None,
        bpm=_hundredths(meta.get("bpm")),
        charts=tuple(_chart(code, _object(chart)) for code, chart in data.items()),
    )


def _chart(code: str, chart: Mapping[str, object]) -> SourceChart:
    if code not in DIFFICULTIES:
        message = f"the difficulty {code[:10]!r} is not known"
        raise ValueError(message)
    level = _hundredths(chart["level"])
    if level % _HALF_STEP:
        message = f"the level of {code} is not in half steps"
        raise ValueError(message)
    constant = _hundredths(chart.get("const"))
    if code == WORLDS_END:  # source: specification: level 0, const 0
        level = constant = Hundredths(0)
    return SourceChart(
        difficulty=Difficulty(code),
        level=level,
        constant=constant,
        max_combo=_hundredths(chart.get("maxcombo")) // 100,
    )


def write_catalogue(connection: sqlite3.Connection, region: Region, songs: Sequence[SourceSong]) -> None:
    """Make `songs` the catalogue of a region, inside the caller's transaction.

    Songs and charts that vanish stay as unlisted, so that records of them keep their title and level.
    """
    indices = _indices(connection, songs)
    connection.execute("UPDATE songs SET is_listed = 0 WHERE region = ?", (region,))
    connection.execute("UPDATE charts SET is_listed = 0 WHERE region = ?", (region,))
    connection.executemany(
        """INSERT INTO songs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
        ON CONFLICT DO UPDATE SET position = excluded.position, title = excluded.title,
        genre = excluded.genre, artist = excluded.artist, release = excluded.release, bpm = excluded.bpm,
        is_listed = 1""",
        (
            (region, s.song_id, indices[s.song_id], place, s.title, s.genre, s.artist, s.release, s.bpm)
            for place, s in enumerate(songs)
        ),
    )
    connection.executemany(
        """INSERT INTO charts (region, song_id, difficulty, level, constant, max_combo, is_listed)
        VALUES (?, ?, ?, ?, ?, ?, 1)
        ON CONFLICT DO UPDATE SET level = excluded.level, constant = excluded.constant,
        max_combo = excluded.max_combo, is_listed = 1""",
        (
            (region, song.song_id, chart.difficulty, chart.level, chart.constant, chart.max_combo)
            for song in songs
            for chart in song.charts
        ),
    )


def _indices(connection: sqlite3.Connection, songs: Iterable[SourceSong]) -> dict[str, int]:
    """Return each song's `idx`: one id has one index in every region, for ever."""
    indices: dict[str, int] = dict(connection.execute("SELECT song_id, idx FROM songs"))
    free = max(indices.values(), default=0) + 1
    for song in songs:
        if song.song_id not in indices:
            indices[song.song_id] = free
            free += 1
    return indices
