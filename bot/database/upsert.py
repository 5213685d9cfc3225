"""Inserts or replaces rows by key in one atomic statement."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Insert, Table
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


async def upsert(connection: AsyncConnection, table: Table, *rows: Mapping[str, object]) -> None:
    """Insert rows with the same columns; in existing rows only these columns change.

    So a row with only its key leaves an existing row unchanged.
    """
    if not rows:
        return
    statement = upsert_of(table, (*rows[0],), dialect=connection.dialect.name)
    # In the same order everywhere: otherwise two programs with the same rows could deadlock.
    names = [column.name for column in table.primary_key]
    await connection.execute(statement, sorted(rows, key=lambda row: [str(row[name]) for name in names]))


@cache  # a few dozen statements: building one takes longer than executing it
def upsert_of(table: Table, columns: tuple[str, ...], *, dialect: str) -> Insert:
    """Return the statement in one of the two dialects."""
    insert = insert_into(table, dialect=dialect)
    key = table.primary_key.columns
    given = {name: insert.excluded[name] for name in columns if name not in key}
    if not given:
        return insert.on_conflict_do_nothing(index_elements=key)
    return insert.on_conflict_do_update(index_elements=key, set_=given)


def insert_into(table: Table, *, dialect: str) -> "sqlite.Insert | postgresql.Insert":
    """Return an insertion that supports conflicts by key; only the dialect in use is imported."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)
