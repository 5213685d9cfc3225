"""Rows that the target database of a copy does not accept, reported by table, key and column."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from sqlalchemy import BigInteger, Column, Integer, Table

from bot.store.backup import CopyFailed

Row: TypeAlias = Mapping[str, Any]
Key: TypeAlias = tuple[Any, ...]

_MAX_INTEGER: Final = 2**31 - 1
"""The largest INTEGER in PostgreSQL; SQLite's has 64 bits."""
_SHOWN_CHARACTERS: Final = 40
"""The most characters of a key that are shown."""


class Misfits:
    """Decides about rows that do not fit: the first one ends the copy, or all are left out and reported."""

    def __init__(self, tell: Callable[[str], None], *, skip: bool, to_server: bool) -> None:
        self._tell = tell
        self._skip = skip
        self._to_server = to_server
        self._left_out: dict[str, set[Key]] = {}

    def count_of(self, table: Table) -> int:
        """Return how many rows of a table are left out."""
        return len(self._left_out.get(table.name, ()))

    def are_taken(self, table: Table, key: Key, row: Row) -> bool:
        """Return whether to copy a row. Raises: CopyFailed if it does not fit, and rows must not be left out."""
        if key in self._left_out.get(table.name, ()):
            return False
        for column in table.c if self._to_server else ():
            if (flaw := _flaw_of(column, row[column.name])) is not None:
                self.refuse(table, key, f"{column.name} {flaw}")
                return False
        return True

    def refuse(self, table: Table, key: Key, why: str) -> None:
        """Leave a row out. Raises: CopyFailed if rows must not be left out."""
        names = [column.name for column in table.primary_key]
        where = ", ".join(
            f"{name}={value!s:.{_SHOWN_CHARACTERS}}" for name, value in zip(names, key, strict=True)
        )
        row = f"{table.name}, the row {where}: {why}"
        if not self._skip:
            message = (
                f"The other database does not take this: {row}. "
                "Mend or delete it and run the same again, or leave out what does not fit with --skip."
            )
            raise CopyFailed(message)
        left_out = self._left_out.setdefault(table.name, set())
        if key not in left_out:
            left_out.add(key)
            self._tell(f"left out: {row}")


def _flaw_of(column: Column[Any], value: object) -> str | None:
    """Return why PostgreSQL would refuse a value of SQLite; None if it would not."""
    if isinstance(value, str):
        most: int | None = getattr(column.type, "length", None)
        if "\0" in value:
            return "holds NUL"
        if most is not None and len(value) > most:
            return f"has {len(value)} characters, and there is room for {most}"
        return None
    is_short = isinstance(column.type, Integer) and not isinstance(column.type, BigInteger)
    if is_short and isinstance(value, int) and abs(value) > _MAX_INTEGER:
        return "is too large a number"
    return None
