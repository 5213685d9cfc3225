"""The daily rating post of a server."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.api import Priority
from bot.clock import Clock
from bot.domain.daily import DailyMember
from bot.domain.errors import BotError, CannotKeep, NotLinked, ServiceDown
from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Target
from bot.domain.posts import PostPlan, last_due_day
from bot.features.askers import Askers, MembershipUnknown
from bot.features.chronicle import Chronicles
from bot.features.posts import Posts
from bot.features.timezones import get_timezone
from bot.store import Store

Presence: TypeAlias = Callable[[MemberId], Awaitable[bool]]
"""Says whether a member is in a server now. Raises: MembershipUnknown."""

_log = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""Members asked about at one time: many servers want their posts at the same minute."""


class DailyOff(BotError):
    """The server has no daily post."""

    def __init__(self) -> None:
        super().__init__("the server has no daily post")


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What came of joining a server's posts."""

    plan: PostPlan
    is_in: bool
    """False for a member set to "only me", who is to be asked first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyEntry:
    """One member's line."""

    member: MemberId
    player_name: str
    rating: Hundredths
    change: Hundredths | None
    """Since the last post; None in the member's first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPost:
    """One server's post of one day."""

    plan: PostPlan
    day: date
    """Local to the plan's time zone."""
    entries: tuple[DailyEntry, ...]
    """By rating, highest first."""
    left_out: int
    """Members who joined and could not be asked about."""


class Daily:
    """Sets daily posts up, and gathers what is in them."""

    def __init__(
        self, store: Store, askers: Askers, chronicle: Chronicles, posts: Posts, clock: Clock
    ) -> None:
        self._store = store
        self._posts = posts
        self._chronicle = chronicle
        self._askers = askers
        self._clock = clock
        self._door = asyncio.Semaphore(AT_ONCE)

    async def set_up(self, guild: GuildId, channel: ChannelId, post_at: time, timezone: str) -> datetime:
        """Post each day at a local time; return when the next post is. Raises: BadQuery for an unknown zone.

        A server that had today's post already has its next one tomorrow, whatever the new time.
        """
        timezone = get_timezone(timezone)
        local = self._clock.now().astimezone(ZoneInfo(timezone))
        posted_on = last_due_day(post_at, local)
        before = await self._store.daily.find(guild)
        if before is not None:
            posted_on = max(posted_on, min(before.posted_on, local.date()))
        plan = PostPlan(guild=guild, channel=channel, post_at=post_at, timezone=timezone, posted_on=posted_on)
        await self._store.daily.save(plan)
        self._posts.expect(guild)
        return plan.due_at

    async def turn_off(self, guild: GuildId) -> None:
        """Post no more; who joined stays, for another day. Raises: DailyOff."""
        if not await self._store.daily.delete(guild):
            raise DailyOff

    async def join(self, guild: GuildId, member: MemberId, *, openly: bool = False) -> Joining:
        """Add a linked member to a server's post; again changes nothing.

        One set to "only me" is on no board: they join `openly` alone, which lets members of shared servers look
        them up. Raises: DailyOff, NotLinked.
        """
        plan = await self._store.daily.find(guild)
        if plan is None:
            raise DailyOff
        visibility = await self._store.daily.join(guild, member, openly=openly)
        if visibility is None:
            raise NotLinked
        return Joining(plan=plan, is_in=visibility is not Visibility.ONLY_ME)

    async def leave(self, guild: GuildId, member: MemberId) -> bool:
        """Take a member out; return whether they were in."""
        return await self._store.daily.leave(guild, member)

    async def gather(self, plan: PostPlan, day: date, is_here: Presence) -> DailyPost:
        """Gather what is posted on a day, some time before it is.

        Who has left the server is in its post no more. Members who cannot be asked about today are left out; their
        change is counted from their last line.
        Raises: ServiceDown, where nobody can be asked about: the post has to wait.
        """
        joined = await self._store.daily.fetch_members(plan.guild)
        found = await asyncio.gather(*(self._entry(plan.guild, member, is_here) for member in joined))
        entries = [entry for entry in found if isinstance(entry, DailyEntry)]
        if not entries and any(isinstance(entry, ServiceDown | MembershipUnknown) for entry in found):
            raise ServiceDown
        entries.sort(key=lambda entry: -entry.rating)
        left_out = sum(isinstance(entry, BotError) for entry in found)
        return DailyPost(plan=plan, day=day, entries=tuple(entries), left_out=left_out)

    async def look_again(self, post: DailyPost) -> DailyPost:
        """Return a post as it may be sent now.

        Gathering takes a while, in which members leave, hide or erase what they linked.
        """
        still = {member.member for member in await self._store.daily.fetch_members(post.plan.guild)}
        entries = tuple(entry for entry in post.entries if entry.member in still)
        return replace(post, entries=entries, left_out=len(still) - len(entries))

    async def remember(self, post: DailyPost) -> None:
        """Keep the ratings of a post that was sent: the next changes are counted from them."""
        shown = {entry.member: entry.rating for entry in post.entries}
        try:
            await self._store.daily.mark_posted(post.plan.guild, post.day, shown)
        except CannotKeep:
            _log.warning("tomorrow's changes are counted from an older post: server %s", post.plan.guild)

    async def _entry(
        self, guild: GuildId, joined: DailyMember, is_here: Presence
    ) -> DailyEntry | BotError | None:
        try:
            async with self._door:
                if not await is_here(joined.member):
                    await self._store.daily.leave(guild, joined.member)
                    return None
                asker = await self._askers.get(joined.member, priority=Priority.DAILY)
                answer = await asker.fetch_player(Target())
        except BotError as error:
            _log.info("a member is left out of a daily post: %s", error)
            return error
        except Exception:  # noqa: BLE001 - one row that cannot be read must not cost the others their post
            _log.exception("a member is left out of a daily post: member %s", joined.member)
            return BotError("a member cannot be read")
        if answer.age.is_stale:
            return ServiceDown()
        self._chronicle.follow(asker, answer.value)
        rating = answer.value.rating
        change = None if joined.rating is None else Hundredths(rating - joined.rating)
        return DailyEntry(
            member=joined.member, player_name=answer.value.player_name, rating=rating, change=change
        )
