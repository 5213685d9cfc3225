"""The daily rating post of a server: when it is due."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.numbers import Hundredths

_TRIMMED: Final = timedelta(hours=1)
"""How far a clock may be ahead for a day that it began early to count as that day."""


def last_due_day(post_at: time, local: datetime) -> date:
    """Return the last day on which a post was due, by the local time."""
    return local.date() - timedelta(days=0 if local.time() >= post_at else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailySchedule:
    """Where and when a server has its posts."""

    guild: GuildId
    channel: ChannelId
    post_at: time
    """Local time of day."""
    timezone: str
    """IANA name."""
    posted_on: date
    """Local day of the last post; before the first one, the last day on which none is due."""

    def is_due(self, now: datetime) -> bool:
        """Return whether today's post has not been made though its time has come.

        A bot that was away at that time posts late on the same day, never twice.
        """
        local = self._local(now)
        return local.date() > self.posted_on and local.time() >= self.post_at

    def is_marked_ahead(self, now: datetime) -> bool:
        """Return whether the day marked as posted is still to come: the clock was ahead then, or is behind now.

        Within an hour before midnight it may be tomorrow's, which was posted a little early.
        """
        return self.posted_on > (self._local(now) + _TRIMMED).date()

    def last_due_day(self, now: datetime) -> date:
        """Return the last day on which a post was due."""
        return last_due_day(self.post_at, self._local(now))

    def _local(self, now: datetime) -> datetime:
        return now.astimezone(ZoneInfo(self.timezone))


@dataclass(frozen=True, slots=True)
class DailyMember:
    """A member who joined a server's daily post."""

    member: MemberId
    rating: Hundredths | None
    """As last posted; None before the first post."""
