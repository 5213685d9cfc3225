"""Examines a database read-only: nothing is created, changed or upgraded.

Free space is tested by writing something beside it, which is removed at once.
"""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import Connection, Table, inspect, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from bot.cluster.liveness import lock_file_beside
from bot.database.engine import Database, beside
from bot.database.file_identity import check_no_folder
from bot.database.free_space import FreeSpace, folder_of, try_to_write
from bot.database.migrate import COPYING, check_ours, find_applied, known_revisions
from bot.database.pooler import check_sessions
from bot.database.tables import METADATA, RATING_CHECKS, WANTED_ALIASES
from bot.database.trouble import StoreNotWhole, StoreTooNew, StoreUnavailable, told, unavailable
from bot.domain.rating_census import RatingCensus
from bot.store.hosting import fetch_wanted
from bot.store.rating_checks import count_ratings

_MAY_MAKE_TABLES: Final = text(
    "SELECT COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AND NOT EXISTS ("
    "SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = ANY(:ours) "
    "AND NOT pg_has_role(tableowner, 'USAGE'))"
)
_TAKES_NOTHING: Final = text("SELECT current_setting('transaction_read_only') = 'on'")
_MAY_TRY: Final = text("SELECT has_database_privilege(current_database(), 'TEMPORARY')")
_TRIAL: Final = (
    "CREATE TEMPORARY TABLE kiroku_trial (content bytea) ON COMMIT DROP",
    "ALTER TABLE kiroku_trial ALTER COLUMN content SET STORAGE EXTERNAL",
    "INSERT INTO kiroku_trial SELECT decode(repeat('00', 8000), 'hex') FROM generate_series(1, 500)",
)
"""Makes a server write four megabytes to an unlogged file, which is not sent to its replicas."""


_DISPLACED: Final = (
    "The file that DATABASE_URL names was deleted or replaced under the bot that runs, which saves nothing now. "
    "Put the former file back, or end the bot and start it anew."
)


@dataclass(frozen=True, slots=True)
class DatabaseCondition:
    """What was found."""

    kind: str
    """The name of the database product, as its makers spell it."""
    revision: str | None = None
    """The newest applied migration; None if it is new."""
    now: datetime | None = None
    """The time by the server's clock."""
    sealed: bytes | None = None
    """One of the tokens in it, if there are any."""
    members: int = 0
    """The number of linked members."""
    room: FreeSpace | None = None
    """The space on the disk of an SQLite database."""


async def examine(url: str) -> DatabaseCondition:
    """Examine a database that a bot may be using. Raises: StoreUnavailable, as opening it would."""
    with told():
        database = Database(url)
        try:
            return await _examine_server(database) if database.is_server else await _examine_file(database)
        finally:
            await database.close()


async def examine_ratings(url: str, since: datetime) -> RatingCensus:
    """Count the members whose ratings were explained since a moment; zero if that is not stored. Raises: StoreUnavailable."""
    async with _reading_of(url, RATING_CHECKS) as connection:
        return RatingCensus(0, 0, 0) if connection is None else await count_ratings(connection, since)


async def examine_wanted(url: str) -> Sequence[tuple[str, int]]:
    """Return the most wanted aliases with their counts, as `fetch_wanted`. Raises: StoreUnavailable."""
    async with _reading_of(url, WANTED_ALIASES) as connection:
        return () if connection is None else await fetch_wanted(connection)


@asynccontextmanager
async def _reading_of(url: str, table: Table) -> AsyncGenerator[AsyncConnection | None]:
    """Open a database to read a table; None if the table is missing. Raises: StoreUnavailable."""
    with told():
        database = Database(url)
        try:
            if not database.is_server and (database.file is None or not database.file.exists()):
                yield None
                return
            opened = _reading(database.file) if database.file else database.read()
            async with opened as connection:
                is_there = await connection.run_sync(lambda each: inspect(each).has_table(table.name))
                yield connection if is_there else None
        finally:
            await database.close()


async def examine_room(url: str) -> FreeSpace | None:
    """Write some megabytes where a database is, and remove them; None if that cannot be tried.

    Raises: StoreUnavailable, NoRoom.
    """
    with told():
        database = Database(url)
        try:
            if database.file is not None:
                return await asyncio.to_thread(try_to_write, database.file)
            return await _fill_a_little(database) if database.is_server else None
        finally:
            await database.close()


async def _fill_a_little(database: Database) -> FreeSpace | None:
    async with database.write() as connection:
        if not (await connection.execute(_MAY_TRY)).scalar_one():
            return None
        for statement in _TRIAL:
            await connection.exec_driver_sql(statement)
        used = await connection.scalar(text("SELECT pg_database_size(current_database())"))
    return FreeSpace(None, used)


async def _examine_server(database: Database) -> DatabaseCondition:
    await database.connect()
    await check_sessions(database)
    async with database.read() as connection:
        condition = await connection.run_sync(_look, database.kind)
        if (await connection.execute(_TAKES_NOTHING)).scalar_one():
            raise unavailable("25006")
        if not (await connection.execute(_MAY_MAKE_TABLES, {"ours": [*METADATA.tables]})).scalar_one():
            raise unavailable("42501")
    return condition


async def check_whose(database: Database) -> None:
    """Check that a database is ours, before anything in it is changed. Raises: StoreForeign."""
    if database.is_server:
        async with database.read() as connection:
            await connection.run_sync(check_ours)
    elif database.file is not None and database.file.exists():
        async with _reading(database.file) as connection:
            await connection.run_sync(check_ours)


async def _examine_file(database: Database) -> DatabaseCondition:
    _check_writable(database.file)
    _check_place(database.file)
    if database.file is None or not database.file.exists():
        return DatabaseCondition(database.kind)
    async with _reading(database.file) as connection:
        found = await connection.run_sync(_look, database.kind)
    return replace(found, room=await database.find_room())


@asynccontextmanager
async def _reading(file: Path) -> AsyncGenerator[AsyncConnection]:
    """Open a file of SQLite without changing anything. Raises: IsADirectoryError."""
    check_no_folder(file)
    reader = create_async_engine(_address_to_read(file))
    try:
        async with reader.connect() as connection:
            yield connection
    finally:
        await reader.dispose()


def _check_place(file: Path | None) -> None:
    """Raise StoreUnavailable if a bot is running whose database file was deleted or replaced."""
    if sys.platform != "linux" or file is None:
        return
    from bot.cluster.file_locks import is_displaced  # noqa: PLC0415 - other systems lack what it needs

    if is_displaced(lock_file_beside(file), file):
        raise StoreUnavailable(_DISPLACED)


def _address_to_read(file: Path) -> str:
    # Opening a database at rest would leave files beside it, even to read.
    rest = "" if any(each.exists() for each in beside(file)) else "&immutable=1"
    return f"sqlite+aiosqlite:///file:{quote(str(file.absolute()))}?mode=ro{rest}&uri=true"


def _check_writable(file: Path | None) -> None:
    """Raise PermissionError or NotADirectoryError if a file cannot be written or created."""
    if file is None:
        return
    folder = folder_of(file)
    if not folder.is_dir():
        raise NotADirectoryError
    for each in (folder, file):
        if each.exists() and not os.access(each, os.W_OK):
            raise PermissionError


def _look(connection: Connection, kind: str) -> DatabaseCondition:
    check_ours(connection)
    applied = find_applied(connection)
    if applied is not None and applied.startswith(COPYING):
        raise StoreNotWhole
    if applied is not None and applied not in known_revisions():
        raise StoreTooNew
    is_server = connection.dialect.name == "postgresql"
    now = connection.scalar(text("SELECT clock_timestamp()")) if is_server else None
    has_links = inspect(connection).has_table("links")
    sealed = connection.scalar(text("SELECT token FROM links LIMIT 1")) if has_links else None
    members = connection.scalar(text("SELECT count(*) FROM links")) if has_links else None
    return DatabaseCondition(kind, applied, now and now.astimezone(UTC), sealed, members or 0)
