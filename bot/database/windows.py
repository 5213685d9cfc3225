"""Rows of request windows, which two tables of budgets keep alike."""

from sqlalchemy import Row

from bot.domain.kept import KeptWindow


def to_window(row: Row[tuple[object, ...]]) -> KeptWindow:
    """Return what a row of the table says."""
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
