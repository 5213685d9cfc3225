"""Sets up a server's posts in one step."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time

from bot.domain.errors import NotLinked
from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.posts import PostPlan
from bot.features.daily import Daily
from bot.features.feed import Feeds
from bot.features.server_posts import Planned


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The configuration that a server's manager wants."""

    daily: ChannelId | None
    """The channel of the daily post; None leaves it where it is."""
    post_at: time
    timezone: str
    feed: ChannelId | None
    """The channel of the feed; None leaves it where it is."""
    language: str | None
    """The language of both; None for that of the server."""
    joins: bool = False
    """Whether the manager joins too, which lets members of shared servers look them up."""
    posts_now: bool
    """Whether today's post is made now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupReport:
    """The configuration of a server after its setup."""

    daily: Sequence[Planned]
    feeds: Sequence[Planned]
    is_linked: bool
    """Whether the manager is linked."""
    is_in: bool
    """Whether they have just joined."""
    is_opened: bool
    """Whether they were set to "only me" before, and members of shared servers may now look them up."""
    hurried: PostPlan | None
    """The plan whose post of today is made now."""
    is_daily_left: bool
    """Whether there is a daily post for which no channel was given."""
    is_feed_left: bool
    """Whether there is a feed for which no channel was given."""


class ServerSetup:
    """Sets a server up."""

    def __init__(self, daily: Daily, feeds: Feeds) -> None:
        self._daily = daily
        self._feeds = feeds

    async def find(self, guild: GuildId, timezone: str) -> Wish:
        """Return a server's configuration as a wish; if it has none, the defaults."""
        daily = [each.plan for each in await self._daily.fetch_plans(guild)]
        feeds = [each.plan for each in await self._feeds.fetch_plans(guild)]
        first = next(iter([*daily, *feeds]), None)
        return Wish(
            daily=daily[0].channel if daily else None,
            post_at=(daily[0] if daily else self._daily.usual).post_at,
            timezone=first.timezone if first else timezone,
            feed=feeds[0].channel if feeds else None,
            language=first.language if first else None,
            posts_now=not daily,
        )

    async def fulfil(self, guild: GuildId, member: MemberId, wish: Wish) -> SetupReport:
        """Apply a wish to a server's first daily post and feed; others stay. Raises: BadQuery for an unknown zone."""
        alike = {"timezone": wish.timezone, "language": wish.language, "set_up_by": member}
        await self._daily.change_first(guild, wish.daily, post_at=wish.post_at, **alike)
        await self._feeds.change_first(guild, wish.feed, **alike)
        daily, feeds = await self._daily.fetch_plans(guild), await self._feeds.fetch_plans(guild)
        is_in, is_opened, is_linked = False, False, True
        if wish.joins:
            try:
                for posts in [self._daily] * bool(daily) + [self._feeds] * bool(feeds):
                    is_in = (await posts.join(guild, member)).is_in
                    if not is_in:
                        is_in = is_opened = (await posts.join(guild, member, openly=True)).is_in
            except NotLinked:
                is_linked = False
        hurried = None
        if wish.posts_now and daily:
            plan, is_new = await self._daily.hurry(guild, daily[0].plan.id)
            hurried = plan if is_new else None
        return SetupReport(
            daily=daily,
            feeds=feeds,
            is_linked=is_linked,
            is_in=is_in,
            is_opened=is_opened,
            hurried=hurried,
            is_daily_left=wish.daily is None and bool(daily),
            is_feed_left=wish.feed is None and bool(feeds),
        )
