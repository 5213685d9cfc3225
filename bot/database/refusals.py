"""Counts what a database has refused: a monitor that looks now and then would miss a state that comes and goes."""

import sqlite3
from collections import Counter
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final

from sqlalchemy import event, exc
from sqlalchemy.ext.asyncio import AsyncConnection

_BY_SQLITE: Final[Mapping[int, str]] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read_only",
}
"""The reasons by SQLite's primary result code."""
_BY_STATE: Final[Mapping[str, str]] = {
    "53100": "full",
    "58": "disk",
    "25006": "read_only",
    "40": "locked",
    "55": "locked",
}
"""The reasons by prefix of PostgreSQL's SQLSTATE; the first match counts."""
_AWAY: Final = "away"
WHYS: Final = ("full", "disk", "locked", "read_only", _AWAY)
"""All reasons: no space; the disk fails or has reached a limit; another writer; no permission; no answer."""
_FULL_SECONDS: Final = 60.0
"""A disk that was full counts as full for this many seconds."""


class RefusalCounter:
    """Counts how often a database could not be read or written, and why."""

    def __init__(self) -> None:
        self.counts = Counter[tuple[str, str]]()
        """The number of refusals, by what could not be done, "read" or "written", and one of WHYS."""
        self._full_at: float | None = None

    def note(self, what: str, error: Exception) -> None:
        """Count one refusal."""
        why = why_refused(error)
        self.counts[what, why] += 1
        if why == "full":
            self._full_at = monotonic()

    @property
    def is_full(self) -> bool:
        """Whether the disk was full within the last minute."""
        return self._full_at is not None and monotonic() - self._full_at < _FULL_SECONDS


class ChangeMark:
    """Becomes true once a transaction has changed a row."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._has_changed = False
        event.listen(connection.sync_connection, "after_cursor_execute", self._note)

    def __bool__(self) -> bool:
        return self._has_changed

    def _note(self, _on: Any, cursor: Any, _said: Any, _with: Any, context: Any, _many: Any) -> None:
        if (context.isinsert or context.isupdate or context.isdelete) and cursor.rowcount > 0:
            self._has_changed = True


async def force_page_write(connection: AsyncConnection) -> None:
    """Make an SQLite transaction write a page: it writes none if a row is updated to its old value."""
    version = (await connection.exec_driver_sql("PRAGMA user_version")).scalar_one()
    await connection.exec_driver_sql(f"PRAGMA user_version = {version}")


def why_refused(error: Exception) -> str:
    """Return which of WHYS a driver's error is."""
    original = error.orig if isinstance(error, exc.DBAPIError) else None
    code: int | None = getattr(original, "sqlite_errorcode", None)
    if code is not None:
        return _BY_SQLITE.get(code & 0xFF, _AWAY)
    state: str = getattr(original, "sqlstate", None) or ""
    return next((why for beginning, why in _BY_STATE.items() if state.startswith(beginning)), _AWAY)
