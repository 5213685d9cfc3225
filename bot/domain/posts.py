"""Posts that the bot makes by itself: what is posted where, and when it is due."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Final, NewType
from zoneinfo import ZoneInfo

from bot.domain.ids import ChannelId, GuildId

PlanId = NewType("PlanId", int)
"""One of the plans of the whole bot."""

_TRIMMED: Final = timedelta(hours=1)
"""How far a clock may be ahead for a day that it began early to count as that day."""
LONGEST_WAIT: Final = timedelta(hours=26)
"""From a post to the next: a day, an hour more where clocks are set back, and some time to make it."""


def last_due_day(post_at: time, local: datetime) -> date:
    """Return the last day on which a post was due, by the local time."""
    today = local.date()
    # By timestamp: within a zone Python compares what the clocks show, which may be the same twice a day.
    is_over = datetime.combine(today, post_at, tzinfo=local.tzinfo).timestamp() <= local.timestamp()
    return today - timedelta(days=0 if is_over else 1)


class What(StrEnum):
    """What is posted; its values stand in the database."""

    DAILY = "daily"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostPlan:
    """What is posted again and again: what, where, and when."""

    id: PlanId = PlanId(0)
    """0 until it is kept."""
    what: What = What.DAILY
    guild: GuildId
    channel: ChannelId
    post_at: time
    """Local time of day."""
    timezone: str
    """IANA name."""
    language: str | None = None
    """As Discord writes it; None: that of the server."""
    posted_on: date
    """Local day of the last post; before the first one, the last day on which none is due."""

    @property
    def due_at(self) -> datetime:
        """When the post after the last one is due, in the plan's zone, whatever the time is now.

        A local time that a day has twice counts the first time; one that it leaves out counts as if the clock had
        not been set forward.
        """
        return self._moment(self.posted_on + timedelta(days=1))

    @property
    def last_at(self) -> datetime:
        """When the last post was due."""
        return self._moment(self.posted_on)

    def is_due(self, now: datetime) -> bool:
        """Return whether today's post has not been made though its time has come: never before `due_at`.

        A bot that was away at that time posts late on the same day, never twice.
        """
        today = self._local(now).date()
        return today > self.posted_on and self._moment(today) <= now

    def is_marked_ahead(self, now: datetime) -> bool:
        """Return whether the day marked as posted is still to come: the clock was ahead then, or is behind now.

        Within an hour before midnight it may be tomorrow's, which was posted a little early.
        """
        return self.posted_on > (self._local(now) + _TRIMMED).date()

    def last_due_day(self, now: datetime) -> date:
        """Return the last day on which a post was due."""
        return last_due_day(self.post_at, self._local(now))

    def _moment(self, day: date) -> datetime:
        return datetime.combine(day, self.post_at, tzinfo=ZoneInfo(self.timezone))

    def _local(self, now: datetime) -> datetime:
        return now.astimezone(ZoneInfo(self.timezone))
