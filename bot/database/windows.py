"""Rows of request windows, whose columns two tables of budgets share."""

from sqlalchemy import Row

from bot.domain.kept import KeptWindow


def to_window(row: Row[tuple[object, ...]]) -> KeptWindow:
    """Return the window in a row."""
    return KeptWindow(
        account=row.account,
        version=row.version,
        limit=row.limit,
        remaining=row.remaining,
        lost=row.lost,
        reset_at=row.reset_at,
        ends_at=row.ends_at,
        sent_at=row.sent_at,
        spacing=row.spacing,
        dearest=row.dearest,
    )
