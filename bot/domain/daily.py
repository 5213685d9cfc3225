"""The daily rating post of a server: when it is due."""

from dataclasses import dataclass
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.numbers import Hundredths


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPost:
    """A server's set-up: where and when."""

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
        local = now.astimezone(ZoneInfo(self.timezone))
        return local.date() > self.posted_on and local.time() >= self.post_at


@dataclass(frozen=True, slots=True)
class DailyMember:
    """A member who joined a server's daily post."""

    member: MemberId
    rating: Hundredths | None
    """As last posted; None before the first post."""
