"""Everything that is kept about one member, whichever table it is in."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Final

from sqlalchemy import Table, delete, select

from bot.domain.ids import MemberId
from bot.store.engine import Database
from bot.store.tables import METADATA

MEMBER_COLUMN: Final = "member_id"
"""What every table about members calls them: a new table is exported and erased without being named here."""

_SECRET_COLUMNS: Final = frozenset({"token"})
_NOT_EXPORTED: Final = "(kept encrypted, not exported)"

Plain = str | int | float | bool | list[object] | None
"""What JSON can say of a column."""


class Belongings:
    """Reads and erases across all tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def export(self, member: MemberId) -> Mapping[str, Sequence[Mapping[str, Plain]]]:
        """Return every row about a member, by table; the token stays where it is."""
        exported: dict[str, list[dict[str, Plain]]] = {}
        async with self._database.read() as connection:
            for table in tables_about_members():
                rows = await connection.execute(select(table).where(table.c[MEMBER_COLUMN] == member))
                exported[table.name] = [
                    {name: _plain(name, value) for name, value in row.items()} for row in rows.mappings()
                ]
        return exported

    async def erase(self, member: MemberId) -> None:
        """Delete every row about a member, in one step."""
        async with self._database.write() as connection:
            for table in tables_about_members():
                await connection.execute(delete(table).where(table.c[MEMBER_COLUMN] == member))
        await self._database.forget_deleted()


def tables_about_members() -> list[Table]:
    """Return the tables that have rows about single members."""
    return [table for table in METADATA.sorted_tables if MEMBER_COLUMN in table.c]


def _plain(name: str, value: object) -> Plain:
    if name in _SECRET_COLUMNS:
        return _NOT_EXPORTED
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, str | int | float | bool | list | None):
        return value  # pyright: ignore[reportUnknownVariableType]  # a list of JSON is what JSON is made of
    return str(value)
