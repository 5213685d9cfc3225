"""Automatic posts: what is posted where, when it is due, and its outcome."""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from itertools import count, islice
from typing import Final, NewType
from zoneinfo import ZoneInfo

from bot.domain.daily import Posted
from bot.domain.feed import EVERYTHING, Worth
from bot.domain.ids import ChannelId, GuildId, MemberId

PlanId = NewType("PlanId", int)
"""One of the plans of the whole bot."""

LATEST: Final = timedelta(hours=6)
"""A post may still be made for this long after its time."""
LATE: Final = timedelta(minutes=5)
"""A post made later than this after its time counts as late."""
NONCE_HOLDS: Final = timedelta(minutes=2)
"""Discord creates no second message with the same nonce for this long; it says "the past few minutes"."""
REFUSALS: Final = 3
"""The number of refused posts in a row after which a plan is turned off."""


class PostKind(StrEnum):
    """The kinds of posts; the values are stored in the database."""

    DAILY = "daily"
    WEEKLY = "weekly"
    """Posts are made on Mondays."""
    MONTHLY = "monthly"
    """Posts are made on the first day of a month."""
    FEED = "feed"
    """Posts are made when there is news; one silent post a day schedules the looks at members."""


class PostOption(StrEnum):
    """The options of a plan; the values are stored in the database."""

    QUIET = "quiet"
    """No post if nothing has changed."""
    NO_PICTURE = "no_picture"
    NO_PLAYS = "no_plays"
    """Nobody's best play."""
    LIGHT = "light"
    """A picture in light colours."""


class PostFailure(StrEnum):
    """Why a post was not made, or waits; the values are stored in the database."""

    AWAY = "away"
    """No process was running to make it."""
    UNSEEN = "unseen"
    """The server was not yet available, or Discord had an outage."""
    SERVICE = "service"
    """The record service could not be asked about anybody."""
    DISCORD = "discord"
    """Discord had trouble of its own, or could not be reached."""
    REFUSED = "refused"
    """The bot may not write there."""
    GONE = "gone"
    """The channel, or the recipient, no longer exists."""
    NOTHING = "nothing"
    """There was no news, and the plan is quiet then."""
    UNKNOWN = "unknown"
    """It may have arrived: it was sent without a reply, and the bot may not search the channel."""
    BROKEN = "broken"
    """A defect of the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostPlan:
    """A recurring post: what, where, and when."""

    id: PlanId = PlanId(0)
    """The id; 0 until it is stored."""
    what: PostKind = PostKind.DAILY
    guild: GuildId | None = None
    """None in direct messages."""
    channel: ChannelId | None = None
    """The channel; None if no direct message was sent yet."""
    member: MemberId | None = None
    """The recipient of direct messages; None in a server."""
    post_at: time
    """Local time of day."""
    timezone: str
    """IANA name."""
    language: str | None = None
    """The language in Discord's spelling; None means that of the server, or of the member."""
    options: frozenset[PostOption] = frozenset()
    worth: Worth = EVERYTHING
    """The thresholds of a feed."""
    refused: int = 0
    """How many posts in a row Discord has refused."""
    set_up_by: MemberId | None = None
    """Who set it up in a server; None if no longer known."""
    announced: str | None = None
    """The last version of the game that it has announced."""

    @property
    def is_off(self) -> bool:
        """Whether it is off until it is set up again."""
        return self.refused >= REFUSALS

    def due_at(self, day: date) -> datetime:
        """Return when a day's post is due, in UTC.

        A local time that occurs twice counts the first time; one that is skipped counts as if the clock had not been set
        forward, even if that is on the next day.
        """
        return datetime.combine(day, self.post_at, tzinfo=ZoneInfo(self.timezone)).astimezone(UTC)

    def days_after(self, day: date) -> Iterator[date]:
        """Yield the days after one that have a post, without end."""
        later = (day + timedelta(days=number) for number in count(1))
        match self.what:
            case PostKind.WEEKLY:
                return (each for each in later if each.weekday() == 0)
            case PostKind.MONTHLY:
                return (each for each in later if each.day == 1)
            case _:
                return later

    def day_before(self, day: date) -> date:
        """Return the last day before one that has a post."""
        longest = timedelta(days=31)
        return [
            each for each in islice(self.days_after(day - longest - timedelta(days=1)), 31) if each < day
        ][-1]

    def days_from(self, moment: datetime) -> Iterator[date]:
        """Yield the days whose posts are due after a moment, without end."""
        local = moment.astimezone(ZoneInfo(self.timezone)).date()
        # A skipped local time may fall on the next day.
        return (day for day in self.days_after(local - timedelta(days=2)) if self.due_at(day) > moment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What a plan posts on one day."""

    plan: PostPlan
    day: date
    """Local to the plan's time zone."""
    part: str = ""
    """The part of the day's posts, if there may be several, as in a feed."""
    due_at: datetime
    look_at: datetime | None = None
    """When to look at it next; None once it is settled."""
    tries: int = 0
    """How often it was claimed: the last claimer settles it."""
    owner: int | None = None
    """The process that has claimed it, while it lives."""
    tried_at: datetime | None = None
    """Since when it may be in its channel; None if it cannot be."""
    channel: ChannelId | None = None
    """The channel in which it may be."""
    reason: PostFailure | None = None
    """Why it waits."""
    shown_ratings: Mapping[MemberId, Posted] = field(default_factory=dict[MemberId, Posted], repr=False)
    """The ratings that it will show, once it is about to be sent."""
    announces: str | None = None
    """The version of the game that it announces."""

    @property
    def is_look(self) -> bool:
        """Whether it is silent: it only schedules the looks at the members of a feed."""
        return self.plan.what is PostKind.FEED and not self.part

    @property
    def is_hurried(self) -> bool:
        """Whether somebody wants it made now, and not at its time."""
        return self.due_at != self.plan.due_at(self.day)

    @property
    def key(self) -> tuple[PlanId, date, str]:
        """The key of which there is only one post."""
        return self.plan.id, self.day, self.part

    @property
    def target(self) -> ChannelId | None:
        """The channel in which it may be, or is to be sent; None if no direct message was sent yet."""
        return self.plan.channel if self.tried_at is None else self.channel or self.plan.channel

    @property
    def nonce(self) -> str:
        """The nonce for Discord: the same for every process and every attempt; at most 25 characters."""
        part = f"-{zlib.crc32(self.part.encode()):x}" if self.part else ""
        return f"{self.plan.id:x}-{self.day:%y%m%d}{part}"

    def is_over(self, now: datetime) -> bool:
        """Return whether it is too late to make it."""
        return now >= self.due_at + LATEST

    def is_late(self, now: datetime) -> bool:
        """Return whether it is noticeably late."""
        return now >= self.due_at + LATE

    def may_be_delivered(self, now: datetime) -> bool:
        """Return whether Discord would perhaps make a second one: to be looked for before it is sent again."""
        return self.tried_at is not None and not timedelta(0) <= now - self.tried_at < NONCE_HOLDS
