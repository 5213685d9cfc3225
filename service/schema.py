"""The tables of the database, one SQLite file, which only this module opens."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

_VERSION: Final = 2

_TABLES: Final = """
CREATE TABLE accounts (
    user_id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_name TEXT NOT NULL UNIQUE,
    is_protected INTEGER NOT NULL DEFAULT 0,
    is_invented INTEGER NOT NULL DEFAULT 0,
    description TEXT NOT NULL DEFAULT '',
    default_region TEXT NOT NULL,
    player_name TEXT NOT NULL,
    honor TEXT NOT NULL DEFAULT '',
    honor_type INTEGER NOT NULL DEFAULT 0,
    level INTEGER NOT NULL DEFAULT 1,
    rating INTEGER NOT NULL DEFAULT 0,
    rating_max INTEGER NOT NULL DEFAULT 0,
    class_emblem INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE tokens (
    token_id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    user_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    issued_at INTEGER NOT NULL,
    revoked_at INTEGER
);
CREATE TABLE friendships (
    from_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    to_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    is_accepted INTEGER NOT NULL,
    PRIMARY KEY (from_id, to_id)
) WITHOUT ROWID;
CREATE INDEX friendships_by_target ON friendships (to_id);
CREATE TABLE songs (
    region TEXT NOT NULL,
    song_id TEXT NOT NULL,
    idx INTEGER NOT NULL,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    genre TEXT NOT NULL,
    artist TEXT NOT NULL,
    release TEXT,
    bpm INTEGER NOT NULL,
    is_listed INTEGER NOT NULL,
    PRIMARY KEY (region, song_id)
) WITHOUT ROWID;
CREATE TABLE charts (
    chart_id INTEGER PRIMARY KEY,
    region TEXT NOT NULL,
    song_id TEXT NOT NULL,
    difficulty TEXT NOT NULL,
    level INTEGER NOT NULL,
    constant INTEGER NOT NULL,
    max_combo INTEGER NOT NULL,
    is_listed INTEGER NOT NULL,
    is_estimated INTEGER NOT NULL DEFAULT 0,
    UNIQUE (region, song_id, difficulty)
);
CREATE TABLE records (
    user_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    chart_id INTEGER NOT NULL REFERENCES charts,
    score INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, chart_id)
) WITHOUT ROWID;
CREATE INDEX records_by_chart ON records (chart_id, user_id, score, flags);
CREATE TABLE recents (
    user_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    region TEXT NOT NULL,
    position INTEGER NOT NULL,
    chart_id INTEGER NOT NULL REFERENCES charts,
    score INTEGER NOT NULL,
    PRIMARY KEY (user_id, region, position)
) WITHOUT ROWID;
CREATE TABLE courses (
    region TEXT NOT NULL,
    idx INTEGER NOT NULL,
    name TEXT NOT NULL,
    class INTEGER NOT NULL,
    PRIMARY KEY (region, idx)
) WITHOUT ROWID;
CREATE TABLE course_records (
    user_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    region TEXT NOT NULL,
    idx INTEGER NOT NULL,
    score INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    PRIMARY KEY (user_id, region, idx)
) WITHOUT ROWID;
"""

_UPGRADES: Final = {
    1: "ALTER TABLE charts ADD COLUMN is_estimated INTEGER NOT NULL DEFAULT 0",
}
"""The statement that makes a database of each older version one of the next."""


def connect(path: Path, *, may_create: bool = False) -> sqlite3.Connection:
    """Open the database. Transactions are begun by us. With `may_create` a new or empty file gets its tables.

    One of an older version is brought up to date. A file that is not ours is left as it is.

    Raises: ValueError if the file cannot be opened, is locked for long or is no database of this service.
    """
    if not may_create and not path.exists():
        message = f"{path.name} cannot be opened: there is no such file"
        raise ValueError(message)
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30)
    except sqlite3.OperationalError:
        message = f"{path.name} cannot be opened: check that its folder is there and can be written"
        raise ValueError(message) from None
    try:
        _check(connection, may_create=may_create)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
        _create(connection)
    except (sqlite3.DatabaseError, ValueError) as error:
        connection.close()
        is_busy = isinstance(error, sqlite3.OperationalError)
        state = "cannot be used now" if is_busy else "is not a database of the record service"
        message = f"{path.name} {state}"
        raise ValueError(message) from error
    return connection


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _check(connection: sqlite3.Connection, *, may_create: bool) -> None:
    """Raise ValueError if the file holds something else, or nothing and may not be filled."""
    connection.execute("BEGIN")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
    is_ours = _version(connection) in {*_UPGRADES, _VERSION} and "course_records" in tables
    connection.execute("COMMIT")
    if not is_ours and (tables or not may_create):
        raise ValueError


def _create(connection: sqlite3.Connection) -> None:
    if _version(connection) == _VERSION:
        return
    with write(connection):
        while (upgrade := _UPGRADES.get(version := _version(connection))) is not None:
            connection.execute(upgrade)
            connection.execute(f"PRAGMA user_version = {version + 1}")
        if _version(connection) == _VERSION:  # brought up to date, or another process was faster
            return
        if connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
            raise ValueError
        for statement in _TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")


@contextmanager
def write(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """Run one writing transaction: all of it happens, or nothing.

    Raises: ValueError if another process keeps the database locked for long.
    """
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        message = f"the database cannot be written now: {error}"
        raise ValueError(message) from error
    try:
        yield connection
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def opened(path: Path, *, may_create: bool = False) -> Generator[sqlite3.Connection]:
    """Open the database for a block. Raises: ValueError, as `connect`."""
    with closing(connect(path, may_create=may_create)) as connection:
        yield connection
