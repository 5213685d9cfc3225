"""The schedule of background looks: when a member's turn comes, and when the next one."""

from datetime import datetime, timedelta
from typing import Final

from bot.base.backoff import doubled_wait

LEAD: Final = timedelta(hours=2)
"""The time before a post over which looks are spread."""
_MARGIN: Final = timedelta(minutes=20)
"""All turns end this long before a post, because posts are prepared some minutes early."""
AGAIN: Final = timedelta(hours=20)
"""The least time between two looks at a member: one a day, also for members in the posts of several servers."""
_MAX_PAUSE: Final = timedelta(days=14)
TURNS: Final = 1000
"""The number of turns in the lead time; each member has one."""


def turns_gone(needed_at: datetime, now: datetime) -> int:
    """Return the number of turns before `needed_at` that have come."""
    gone = (now - (needed_at - LEAD)) / (LEAD - _MARGIN)
    return min(TURNS, max(0, int(gone * TURNS)))


def pause_after(failures: int) -> timedelta:
    """Return the pause before the next look at a member after `failures` in a row."""
    return doubled_wait(AGAIN, failures, _MAX_PAUSE)
