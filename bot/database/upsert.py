"""Keeping a row in place of one with the same key: one statement, between whose parts no other program can come."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Insert, Table
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite


async def upsert(connection: AsyncConnection, table: Table, *rows: Mapping[str, object]) -> None:
    """Insert rows, all with the same columns; of a row that is there already these change and no others.

    So a row of nothing but its key leaves one that is there as it is.
    """
    if not rows:
        return
    statement = upsert_of(table, (*rows[0],), dialect=connection.dialect.name)
    # In one order for everybody: two programs with the same rows would else wait for each other for ever.
    names = [column.name for column in table.primary_key]
    await connection.execute(statement, sorted(rows, key=lambda row: [str(row[name]) for name in names]))


@cache  # of a few dozen: to put one together takes longer than to carry it out
def upsert_of(table: Table, columns: tuple[str, ...], *, dialect: str) -> Insert:
    """Return the statement, as one of the two databases knows it."""
    insert = insert_into(table, dialect=dialect)
    key = table.primary_key.columns
    given = {name: insert.excluded[name] for name in columns if name not in key}
    if not given:
        return insert.on_conflict_do_nothing(index_elements=key)
    return insert.on_conflict_do_update(index_elements=key, set_=given)


def insert_into(table: Table, *, dialect: str) -> "sqlite.Insert | postgresql.Insert":
    """Return an insertion that may meet a row with the same key; only the dialect that is spoken is loaded."""
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)
