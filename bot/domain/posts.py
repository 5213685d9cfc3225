"""Posts that the bot makes by itself: what is posted where, when it is due, and what becomes of it."""

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
"""A post that is made later than this after its time counts as late."""
NONCE_HOLDS: Final = timedelta(minutes=2)
"""Discord makes no second message of one nonce for this long; it says "the past few minutes"."""
REFUSALS: Final = 3
"""Posts in a row that Discord has refused, after which a plan is off."""


class PostKind(StrEnum):
    """What is posted; its values stand in the database."""

    DAILY = "daily"
    WEEKLY = "weekly"
    """Posts are made on Mondays."""
    MONTHLY = "monthly"
    """Posts are made on the first day of a month."""
    FEED = "feed"
    """Whenever there is something; each day has one post that says nothing, before which members are looked at."""


class PostOption(StrEnum):
    """What a plan may want otherwise than most; its values stand in the database."""

    QUIET = "quiet"
    """No post where nothing has changed."""
    NO_PICTURE = "no_picture"
    NO_PLAYS = "no_plays"
    """Nobody's best play."""
    LIGHT = "light"
    """A picture in light colours."""


class PostFailure(StrEnum):
    """Why a post was not made, or waits; its values stand in the database."""

    AWAY = "away"
    """Nobody was there to make it."""
    UNSEEN = "unseen"
    """The server was not there yet, or Discord had an outage of it."""
    SERVICE = "service"
    """The record service could tell of nobody."""
    DISCORD = "discord"
    """Discord had trouble of its own, or could not be reached."""
    REFUSED = "refused"
    """The bot may not write there."""
    GONE = "gone"
    """There is no such channel, or nobody such."""
    NOTHING = "nothing"
    """There was nothing to say, and the plan wants nothing then."""
    UNKNOWN = "unknown"
    """It may stand there: it was sent, nobody has heard whether it arrived, and the bot may not look."""
    BROKEN = "broken"
    """A defect of the bot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostPlan:
    """What is posted again and again: what, where, and when."""

    id: PlanId = PlanId(0)
    """0 until it is kept."""
    what: PostKind = PostKind.DAILY
    guild: GuildId | None = None
    """None in direct messages."""
    channel: ChannelId | None = None
    """None where no direct message was sent yet."""
    member: MemberId | None = None
    """Who is written to directly; None in a server."""
    post_at: time
    """Local time of day."""
    timezone: str
    """IANA name."""
    language: str | None = None
    """As Discord writes it; None: that of the server, or of the member."""
    options: frozenset[PostOption] = frozenset()
    worth: Worth = EVERYTHING
    """What a feed tells of."""
    refused: int = 0
    """How many posts in a row Discord has refused."""
    set_up_by: MemberId | None = None
    """Who has set it up in a server; None where that is not known any more."""
    announced: str | None = None
    """The last version of the game of which it has told that it comes."""

    @property
    def is_off(self) -> bool:
        """Whether nothing is posted any more, until it is set up anew."""
        return self.refused >= REFUSALS

    def due_at(self, day: date) -> datetime:
        """Return when a day's post is due, in UTC.

        A local time that a day has twice counts the first time; one that it leaves out counts as if the clock had
        not been set forward, even where that is on the next day.
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
        # A time that a day leaves out may be the next day's.
        return (day for day in self.days_after(local - timedelta(days=2)) if self.due_at(day) > moment)


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """What a plan posts on one day."""

    plan: PostPlan
    day: date
    """Local to the plan's time zone."""
    part: str = ""
    """Which of several that a day may have, as in a feed."""
    due_at: datetime
    look_at: datetime | None = None
    """When it is to be looked at next; None once it is settled."""
    tries: int = 0
    """How often it was claimed: whoever has claimed it last settles it."""
    owner: int | None = None
    """The process that has claimed it, while it lives."""
    tried_at: datetime | None = None
    """Since when it may stand in its channel; None where it cannot."""
    channel: ChannelId | None = None
    """Where it may stand."""
    reason: PostFailure | None = None
    """Why it waits."""
    shown_ratings: Mapping[MemberId, Posted] = field(default_factory=dict[MemberId, Posted], repr=False)
    """The ratings that it is to show, once it is about to be sent."""
    announces: str | None = None
    """The version of the game of which it tells that it comes."""

    @property
    def is_look(self) -> bool:
        """Whether it says nothing: it is there so that the members of a feed are looked at before it."""
        return self.plan.what is PostKind.FEED and not self.part

    @property
    def is_hurried(self) -> bool:
        """Whether somebody wants it made now, and not at its time."""
        return self.due_at != self.plan.due_at(self.day)

    @property
    def key(self) -> tuple[PlanId, date, str]:
        """What there is one post of."""
        return self.plan.id, self.day, self.part

    @property
    def target(self) -> ChannelId | None:
        """Where it may stand, or else is to be sent; None where no direct message was sent yet."""
        return self.plan.channel if self.tried_at is None else self.channel or self.plan.channel

    @property
    def nonce(self) -> str:
        """By which Discord knows it: the same whoever sends it, and however often; at most 25 characters."""
        part = f"-{zlib.crc32(self.part.encode()):x}" if self.part else ""
        return f"{self.plan.id:x}-{self.day:%y%m%d}{part}"

    def is_over(self, now: datetime) -> bool:
        """Return whether it is too late to make it."""
        return now >= self.due_at + LATEST

    def is_late(self, now: datetime) -> bool:
        """Return whether it is made noticeably after its time."""
        return now >= self.due_at + LATE

    def may_be_delivered(self, now: datetime) -> bool:
        """Return whether Discord would perhaps make a second one: to be looked for before it is sent again."""
        return self.tried_at is not None and not timedelta(0) <= now - self.tried_at < NONCE_HOLDS
