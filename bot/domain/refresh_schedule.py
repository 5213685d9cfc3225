"""When it is a member's turn to be looked at in the background, and when again."""

from datetime import datetime, timedelta
from typing import Final

from bot.base.backoff import doubled_wait

LEAD: Final = timedelta(hours=2)
"""Looks are spread over this much time before they are needed."""
_MARGIN: Final = timedelta(minutes=20)
"""Everybody has had their turn this long before: posts are gathered some minutes before they are due."""
AGAIN: Final = timedelta(hours=20)
"""Two looks are at least this far apart: one a day, also of who is in the posts of several servers; for this long what was
seen will do."""
_MAX_PAUSE: Final = timedelta(days=14)
TURNS: Final = 1000
"""The lead is parted into this many turns; each member has one."""


def turns_gone(needed_at: datetime, now: datetime) -> int:
    """Return how many of the turns before a moment have come."""
    gone = (now - (needed_at - LEAD)) / (LEAD - _MARGIN)
    return min(TURNS, max(0, int(gone * TURNS)))


def pause_after(failures: int) -> timedelta:
    """Return after how long a member is looked at again who could not be, `failures` times in a row."""
    return doubled_wait(AGAIN, failures, _MAX_PAUSE)
