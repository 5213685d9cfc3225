"""Reads the database: one function for each thing that the endpoints need."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.domain.charts import WORLDS_END, Difficulty, difficulty_order
from bot.domain.ids import Region, SongId, UserId
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating
from service.model import (
    Flags,
    Friendship,
    StoredAccount,
    StoredCatalogue,
    StoredChart,
    StoredCourseRecord,
    StoredRecord,
    StoredSong,
)

_ACCOUNT = """user_id, user_name, is_protected, description, default_region, player_name, honor, honor_type,
    level, rating, rating_max, class_emblem, updated_at"""

_MAX_ID: Final = 2**63 - 1
"""SQLite's integers are no larger."""


def _account(row: Sequence[Any]) -> StoredAccount:
    """Return the account of a row, whose columns stand in the order of the fields."""
    user_id, user_name, is_protected, *others = row
    return StoredAccount(user_id, user_name, bool(is_protected), *others)


def find_account(connection: sqlite3.Connection, user_id: int) -> StoredAccount | None:
    """Return the account of that id, or None."""
    return _find_account(connection, "user_id", user_id) if 0 < user_id <= _MAX_ID else None


def find_account_by_name(connection: sqlite3.Connection, user_name: str) -> StoredAccount | None:
    """Return the account of that name, written exactly so, or None."""
    return _find_account(connection, "user_name", user_name)


def _find_account(connection: sqlite3.Connection, column: str, value: int | str) -> StoredAccount | None:
    row = connection.execute(
        f"SELECT {_ACCOUNT} FROM accounts WHERE {column} = ?",  # noqa: S608 - columns are constants
        (value,),
    ).fetchone()
    return _account(row) if row else None


def are_friends(connection: sqlite3.Connection, one: UserId, other: UserId) -> bool:
    """Return whether one of the two asked and the other accepted."""
    row = connection.execute(
        """SELECT 1 FROM friendships
        WHERE is_accepted AND ((from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?))""",
        (one, other, other, one),
    ).fetchone()
    return row is not None


def load_friendships(connection: sqlite3.Connection, user_id: UserId) -> tuple[Friendship, ...]:
    """Return the friend list: those accepted and those pending, by id."""
    rows = connection.execute(
        f"""SELECT is_accepted, to_id = :user, {_ACCOUNT} FROM friendships
        JOIN accounts ON user_id = CASE from_id WHEN :user THEN to_id ELSE from_id END
        WHERE from_id = :user OR to_id = :user ORDER BY user_id, to_id = :user""",  # noqa: S608 - columns are constants
        {"user": user_id},
    )
    entries: dict[UserId, Friendship] = {}
    for is_accepted, is_incoming, *account in rows:
        entry = Friendship(
            account=_account(account), is_accepted=bool(is_accepted), is_incoming=bool(is_incoming)
        )
        known = entries.get(entry.account.user_id)
        if known is None or not known.is_accepted:
            entries[entry.account.user_id] = entry
    return tuple(entries.values())


def load_catalogue(connection: sqlite3.Connection, region: Region) -> StoredCatalogue:
    """Return all songs of a region; a region that holds none gives an empty catalogue."""
    every: dict[str, list[StoredChart]] = {}
    listed: dict[str, list[StoredChart]] = {}
    rows = connection.execute(
        """SELECT song_id, is_listed, chart_id, difficulty, level, constant, max_combo, is_estimated
        FROM charts WHERE region = ?""",
        (region,),
    )
    for song_id, is_listed, chart_id, difficulty, level, constant, max_combo, is_estimated in rows:
        measure = Hundredths(level), Hundredths(constant), max_combo, bool(is_estimated)
        chart = StoredChart(chart_id, Difficulty(difficulty), *measure)
        every.setdefault(song_id, []).append(chart)
        if is_listed:
            listed.setdefault(song_id, []).append(chart)
    songs = tuple(_songs(connection, region, listed))
    shown = tuple(song for song in songs if song.is_listed)
    return StoredCatalogue(
        region=region,
        songs=shown,
        by_id={song.song_id: song for song in shown},
        by_index={song.index: song for song in shown},
        charts={chart.chart_id: (song, chart) for song in songs for chart in every.get(song.song_id, [])},
    )


def _songs(
    connection: sqlite3.Connection, region: Region, charts: dict[str, list[StoredChart]]
) -> Iterator[StoredSong]:
    for song_id, index, title, genre, artist, release, bpm, is_listed in connection.execute(
        """SELECT song_id, idx, title, genre, artist, release, bpm, is_listed FROM songs
        WHERE region = ? ORDER BY position""",
        (region,),
    ):
        own = sorted(charts.get(song_id, []), key=lambda chart: difficulty_order(chart.difficulty))
        yield StoredSong(
            song_id=SongId(song_id),
            index=index,
            title=title,
            genre=genre,
            artist=artist,
            release=release,
            bpm=Hundredths(bpm),
            is_listed=bool(is_listed),
            charts=tuple(own),
        )


def load_records(
    connection: sqlite3.Connection, catalogue: StoredCatalogue, user_id: UserId
) -> list[StoredRecord]:
    """Return a player's records in one region, World's End among them, in the catalogue's order."""
    found: list[StoredRecord] = []
    region = catalogue.region
    for chart_id, score, flags, updated_at in connection.execute(
        """SELECT records.chart_id, score, flags, updated_at FROM records
        JOIN charts USING (chart_id) WHERE user_id = ? AND region = ?""",
        (user_id, region),
    ):
        song, chart = catalogue.charts[chart_id]
        rating = _rating(chart, score, region)
        found.append(StoredRecord(song, chart, score, rating, flags, updated_at))
    return found


def _rating(chart: StoredChart, score: int, region: Region) -> Hundredths:
    """Return the rating of a score; 0 for World's End and where the constant is unknown."""
    if not chart.constant or chart.difficulty == WORLDS_END:
        return Hundredths(0)
    return song_rating(chart.constant, score, region)


def load_recents(
    connection: sqlite3.Connection, catalogue: StoredCatalogue, user_id: UserId
) -> list[StoredRecord]:
    """Return the plays of the RECENT slot in one region, in its order."""
    rows = connection.execute(
        "SELECT chart_id, score FROM recents WHERE user_id = ? AND region = ? ORDER BY position",
        (user_id, catalogue.region),
    )
    plays: list[StoredRecord] = []
    for chart_id, score in rows:
        song, chart = catalogue.charts[chart_id]
        plays.append(
            StoredRecord(song, chart, score, _rating(chart, score, catalogue.region), Flags.PLAYED, 0)
        )
    return plays


def load_course_records(
    connection: sqlite3.Connection, user_id: UserId, region: Region
) -> list[StoredCourseRecord]:
    """Return a player's course records in one region, by course."""
    rows = connection.execute(
        """SELECT idx, name, class, score, flags FROM course_records JOIN courses USING (region, idx)
        WHERE user_id = ? AND region = ? ORDER BY idx""",
        (user_id, region),
    )
    return [StoredCourseRecord(index, name, cls, score, flags) for index, name, cls, score, flags in rows]


def load_chart_scores(connection: sqlite3.Connection, chart_id: int) -> list[tuple[int, int, Hundredths]]:
    """Return score, flags and player's rating of everyone who has played a chart."""
    rows = connection.execute(
        """SELECT score, flags, rating FROM records JOIN accounts USING (user_id)
        WHERE chart_id = ? AND flags & ?""",
        (chart_id, Flags.PLAYED),
    )
    return [(score, flags, Hundredths(rating)) for score, flags, rating in rows]
