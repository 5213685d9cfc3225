"""The request windows that outlive a restart; only of accounts that somebody has linked."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, select

from bot.database.engine import COURTESY_SECONDS, Database
from bot.database.tables import KEPT_WINDOWS
from bot.database.upsert import upsert
from bot.database.windows import to_window
from bot.domain.ids import UserId
from bot.domain.kept import KeptWindow
from bot.store.kept_accounts import fetch_linked

_KEPT_FOR: Final = timedelta(days=1)
"""How long a window is kept, longer than any window lasts: what was learned stays useful for a while."""


class KeptWindows:
    """The repository of request windows."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self) -> Sequence[KeptWindow]:
        """Return all stored windows, the last used last."""
        rows = await self._database.fetch(select(KEPT_WINDOWS).order_by(KEPT_WINDOWS.c.sent_at))
        return [to_window(row) for row in rows]

    async def store(self, windows: Sequence[KeptWindow], *, gone: Collection[str] = ()) -> None:
        """Save windows in place of those of the same accounts and versions.

        Deletes the accounts `gone`, windows a day older than the newest, and accounts that nobody has linked; tokens of
        unknown accounts stay.
        """
        table = KEPT_WINDOWS
        accounts = {window.account: _account_of(window) for window in windows}
        async with self._database.write(seconds=COURTESY_SECONDS) as connection:
            linked = await fetch_linked(connection, filter(None, accounts.values()))
            unlinked = {name for name, account in accounts.items() if account not in {None, *linked}}
            if dropped := unlinked.union(gone):
                await connection.execute(delete(table).where(table.c.account.in_(dropped)))
            if windows:
                newest = max(window.sent_at for window in windows)
                await connection.execute(delete(table).where(table.c.sent_at < newest - _KEPT_FOR))
            await upsert(
                connection, table, *(_to_row(each) for each in windows if each.account not in unlinked)
            )


def _account_of(window: KeptWindow) -> UserId | None:
    kind, _, account = window.account.partition(":")
    return UserId(int(account)) if kind == "account" else None


def _to_row(window: KeptWindow) -> dict[str, object]:
    return {column.name: getattr(window, column.name) for column in KEPT_WINDOWS.columns}
