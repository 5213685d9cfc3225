"""bot/database/upsert.py: one statement keeps a row in place of another, in both databases."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Final

import pytest
from sqlalchemy import ColumnElement, Table, literal_column, select
from sqlalchemy.dialects import postgresql, sqlite

from bot.database.engine import Database
from bot.database.tables import ALIASES, DAILY_MEMBERS, METADATA, SNAPSHOTS
from bot.database.upsert import upsert, upsert_of

DIALECTS: Final = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}
NOW: Final = datetime(2026, 11, 22, tzinfo=UTC)
FIRST: Final = {"guild_id": 1, "folded": "a", "name": "A", "song_id": "x"}


def sentence_of(table: Table, columns: tuple[str, ...], dialect: str) -> str:
    statement = upsert_of(table, columns, dialect=dialect)
    sentence = str(statement.compile(dialect=DIALECTS[dialect], column_keys=columns))
    return " ".join(sentence.replace('"', "").split())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("table", METADATA.sorted_tables, ids=lambda table: table.name)
def test_every_table_is_kept_by_one_statement(table: Table, dialect: str) -> None:
    columns = tuple(column.name for column in table.columns)
    key = [column.name for column in table.primary_key]
    changed = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in key)
    sentence = sentence_of(table, columns, dialect)
    assert sentence.startswith(f"INSERT INTO {table.name} (")
    assert sentence.endswith(
        f" ON CONFLICT ({', '.join(key)}) DO {f'UPDATE SET {changed}' if changed else 'NOTHING'}"
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_row_of_nothing_but_its_key_changes_none(dialect: str) -> None:
    sentence = sentence_of(DAILY_MEMBERS, ("guild_id", "member_id"), dialect)
    assert sentence.endswith(" ON CONFLICT (guild_id, member_id) DO NOTHING")


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    async with database.write() as connection:
        await connection.run_sync(METADATA.create_all)
    yield database
    await database.close()


async def test_rows_are_added_or_changed_and_others_stay(database: Database) -> None:
    other, changed = {**FIRST, "folded": "b"}, {**FIRST, "name": "Ａ"}
    async with database.write() as connection:
        await upsert(connection, ALIASES)
        await upsert(connection, ALIASES, other, FIRST)
        await upsert(connection, ALIASES, changed)
        rows = (await connection.execute(ALIASES.select().order_by(ALIASES.c.folded))).mappings().all()
    assert [dict(row) for row in rows] == [changed, other]


async def test_columns_that_are_not_named_stay_as_they_are(database: Database) -> None:
    day = {"member_id": 2, "region": "jp2", "day": NOW.date(), "taken_at": NOW, "rating": 1600}
    async with database.write() as connection:
        for row in ({**day, "highest": 1650}, {**day, "rating": 1610}):
            await upsert(connection, SNAPSHOTS, row)
        kept = (await connection.execute(SNAPSHOTS.select())).mappings().one()
    assert (kept["rating"], kept["highest"]) == (1610, 1650)


async def test_rows_go_in_the_same_order_for_everybody(database: Database) -> None:
    """Two programs that lock the same rows in different orders wait for each other for ever."""
    rows = [{**FIRST, "folded": folded} for folded in "bca"]
    async with database.write() as connection:
        await upsert(connection, ALIASES, *rows)
        place: ColumnElement[str] = literal_column("rowid" if connection.dialect.name == "sqlite" else "ctid")
        added = (await connection.execute(select(ALIASES.c.folded).order_by(place))).scalars().all()
    assert added == ["a", "b", "c"]
