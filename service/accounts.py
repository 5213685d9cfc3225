"""Changes accounts as an operator asks, each inside the caller's transaction."""

import re
import sqlite3
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bot.domain.game_versions import VersionTable
from bot.domain.ids import Region, UserId
from bot.domain.numbers import Hundredths
from service import store
from service.catalogue import BrokenSource, SourceSong, write_unlisted
from service.model import Flags, StoredAccount
from service.rating_data import RatedScore, player_rating
from service.records_source import SourceRecord

_NAME: Final = re.compile(r"[A-Za-z0-9_]{1,50}")
_FORBIDDEN_CATEGORIES: Final = frozenset({"Cc", "Zl", "Zp"})
"""The Unicode categories of control characters and line separators."""


class UnknownUser(Exception):
    """There is no account of that name."""

    def __init__(self, user_name: str) -> None:
        super().__init__(f"there is no user {user_name}")


def get_account(connection: sqlite3.Connection, user_name: str) -> StoredAccount:
    """Return the account of that name. Raises: UnknownUser."""
    account = store.find_account_by_name(connection, user_name)
    if account is None:
        raise UnknownUser(user_name)
    return account


def add_account(
    connection: sqlite3.Connection, user_name: str, *, player_name: str, region: Region, is_protected: bool
) -> UserId:
    """Add an account without records. Raises: ValueError if the name is taken or not a name."""
    if not _NAME.fullmatch(user_name):
        message = "a user name has letters, digits and underscores only"
        raise ValueError(message)
    if any(unicodedata.category(character) in _FORBIDDEN_CATEGORIES for character in player_name):
        message = "a player name has no control characters"
        raise ValueError(message)
    if store.find_account_by_name(connection, user_name) is not None:
        message = f"there is a user {user_name} already"
        raise ValueError(message)
    cursor = connection.execute(
        "INSERT INTO accounts (user_name, player_name, default_region, is_protected) VALUES (?, ?, ?, ?)",
        (user_name, player_name, region, is_protected),
    )
    return UserId(cursor.lastrowid or 0)


def set_protected(connection: sqlite3.Connection, user_id: UserId, *, is_protected: bool) -> None:
    """Make an account private, or public again."""
    connection.execute("UPDATE accounts SET is_protected = ? WHERE user_id = ?", (is_protected, user_id))


def befriend(connection: sqlite3.Connection, asker: UserId, other: UserId, *, is_accepted: bool) -> None:
    """Make two accounts friends, or let one ask the other. Raises: ValueError where both are the same."""
    if asker == other:
        message = "nobody is their own friend"
        raise ValueError(message)
    connection.execute("DELETE FROM friendships WHERE from_id = ? AND to_id = ?", (other, asker))
    connection.execute("INSERT OR REPLACE INTO friendships VALUES (?, ?, ?)", (asker, other, is_accepted))


def unfriend(connection: sqlite3.Connection, one: UserId, other: UserId) -> None:
    """End a friendship, or take a request back."""
    connection.execute(
        "DELETE FROM friendships WHERE (from_id = ? AND to_id = ?) OR (from_id = ? AND to_id = ?)",
        (one, other, other, one),
    )


def write_records(
    connection: sqlite3.Connection,
    account: StoredAccount,
    region: Region,
    records: Sequence[SourceRecord],
    *,
    rating: Hundredths | None = None,
    versions: VersionTable | None = None,
) -> int:
    """Replace stored records of the same charts, and update the player's rating.

    The rating is the given `rating`, else computed from all records by the `versions` of the game, by default the shipped ones.
    Charts that are not in the catalogue are stored as unlisted, with what a reply says of them.
    Returns the number of records on such charts. Raises: BrokenSource if the source says nothing of such a chart.
    """
    charts = _charts(connection, region)
    write_unlisted(connection, region, [_song(record) for record in records if _key(record) not in charts])
    charts = _charts(connection, region)
    rows = [(account.user_id, charts[_key(r)].chart_id, r.score, r.flags, r.updated_at) for r in records]
    connection.executemany("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?, ?)", rows)
    if region == account.default_region:
        newest = max([account.updated_at, *(row[-1] for row in rows)])
        if rating is None:
            rating = _rating(connection, account.user_id, region, newest, versions)
        connection.execute(
            """UPDATE accounts SET rating = ?, rating_max = max(rating_max, ?), updated_at = ?
            WHERE user_id = ?""",
            (rating, rating, newest, account.user_id),
        )
    return sum(not charts[_key(record)].is_listed for record in records)


def _key(record: SourceRecord) -> tuple[str, str]:
    return record.song_id, record.difficulty


class _HeldChart(NamedTuple):
    chart_id: int
    is_listed: bool


def _charts(connection: sqlite3.Connection, region: Region) -> Mapping[tuple[str, str], _HeldChart]:
    """Return every chart held of a region, by song and difficulty."""
    rows = connection.execute(
        "SELECT song_id, difficulty, chart_id, is_listed FROM charts WHERE region = ?", (region,)
    )
    return {(song_id, difficulty): _HeldChart(*chart) for song_id, difficulty, *chart in rows}


def _song(record: SourceRecord) -> SourceSong:
    """Return the source's data of a song that is not stored. Raises: BrokenSource if it has none."""
    if record.song is None:
        chart = f"{record.difficulty[:8]!r} of a song {record.song_id[:20]!r}"
        reason = f"the catalogue has no chart {chart}"
        raise BrokenSource(record.place, reason)
    return record.song


def _rating(
    connection: sqlite3.Connection, user_id: UserId, region: Region, at: int, versions: VersionTable | None
) -> Hundredths:
    """Return the rating computed from a player's records at a moment, in Unix seconds."""
    catalogue = store.load_catalogue(connection, region)
    scores = (
        RatedScore(record.song, record.chart, record.score)
        for record in store.load_records(connection, catalogue, user_id)
        if record.flags & Flags.PLAYED
    )
    recents = [record.rating for record in store.load_recents(connection, catalogue, user_id)]
    return player_rating(scores, recents, region, at, versions)
