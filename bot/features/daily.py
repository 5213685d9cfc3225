"""The daily rating post of a server."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from bot.api import Priority
from bot.clock import Clock
from bot.domain.daily import DailyMember, DailySchedule, last_due_day
from bot.domain.errors import BotError, CannotKeep, CannotRead, NotLinked, ServiceDown
from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.numbers import Hundredths
from bot.domain.players import Target
from bot.features.askers import Askers, MembershipUnknown
from bot.features.chronicle import Chronicles
from bot.features.timezones import get_timezone
from bot.store import Store

Presence: TypeAlias = Callable[[MemberId], Awaitable[bool]]
"""Says whether a member is in a server now. Raises: MembershipUnknown."""

_log = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""Members asked about at one time: many servers want their posts at the same minute."""
_RETRY_AFTER: Final = 600.0
"""Seconds that a post waits which could not be made at its time."""
_DOUBTED_FOR: Final = 600.0
"""Seconds after which a day marked that is still to come is taken for the mark of a clock that was ahead. A clock
that is behind for a moment, as at the start of some machines, must not have a post repeated."""


class DailyOff(BotError):
    """The server has no daily post."""

    def __init__(self) -> None:
        super().__init__("the server has no daily post")


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What came of joining a server's posts."""

    schedule: DailySchedule
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

    schedule: DailySchedule
    day: date
    """Local to the schedule's time zone."""
    entries: tuple[DailyEntry, ...]
    """By rating, highest first."""
    left_out: int
    """Members who joined and could not be asked about."""


class Daily:
    """Sets daily posts up, and gathers what is in them."""

    def __init__(self, store: Store, askers: Askers, chronicle: Chronicles, clock: Clock) -> None:
        self._store = store
        self._chronicle = chronicle
        self._askers = askers
        self._clock = clock
        self._not_before: dict[GuildId, float] = {}
        """By the monotonic clock: the time of day may be wrong for a moment."""
        self._doubts: dict[GuildId, tuple[float, date]] = {}
        """Since when the day marked is in the future, and which day was the last that was due then."""
        self._door = asyncio.Semaphore(AT_ONCE)
        self.counts: Counter[str] = Counter()
        """Posts since the start: sent, lost (Discord did not take them), skipped, put_off."""

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
        schedule = DailySchedule(
            guild=guild, channel=channel, post_at=post_at, timezone=timezone, posted_on=posted_on
        )
        await self._store.daily.save(schedule)
        self._not_before.pop(guild, None)
        return schedule.due_at

    async def turn_off(self, guild: GuildId) -> None:
        """Post no more; who joined stays, for another day. Raises: DailyOff."""
        if not await self._store.daily.delete(guild):
            raise DailyOff

    async def join(self, guild: GuildId, member: MemberId, *, openly: bool = False) -> Joining:
        """Add a linked member to a server's post; again changes nothing.

        One set to "only me" is on no board: they join `openly` alone, which lets members of shared servers look
        them up. Raises: DailyOff, NotLinked.
        """
        schedule = await self._store.daily.find(guild)
        if schedule is None:
            raise DailyOff
        visibility = await self._store.daily.join(guild, member, openly=openly)
        if visibility is None:
            raise NotLinked
        return Joining(schedule=schedule, is_in=visibility is not Visibility.ONLY_ME)

    async def leave(self, guild: GuildId, member: MemberId) -> bool:
        """Take a member out; return whether they were in."""
        return await self._store.daily.leave(guild, member)

    async def skip(self, schedule: DailySchedule) -> None:
        """Make no post today: it cannot be seen where it should stand."""
        self.counts["skipped"] += 1
        await self._store.daily.mark_posted(schedule.guild, self._day(schedule), {})

    async def note_due(self) -> None:
        """Note when each post is due, once: the rules of time zones may have changed since the bot ran."""
        try:
            await self._store.daily.note_due()
        except CannotKeep:
            _log.warning("daily posts may be late where the rules of a time zone have changed")

    async def find_due(self) -> list[DailySchedule]:
        """Return the schedules whose time has come; none while they cannot be read."""
        now, moment = self._clock.now(), self._clock.monotonic()
        try:
            found = await self._store.daily.fetch_due(now)
        except CannotRead:
            return []
        self._doubts = {
            schedule.guild: self._doubts.get(schedule.guild, (moment, schedule.last_due_day(now)))
            for schedule in found
            if schedule.is_marked_ahead(now)
        }
        schedules = [await self._believed(schedule) for schedule in found]
        due = [schedule for schedule in schedules if schedule.is_due(now)]
        return [schedule for schedule in due if moment >= self._not_before.get(schedule.guild, moment)]

    def postpone(self, schedule: DailySchedule) -> None:
        """Let a post that could not be made wait, so that its server is not asked about at every tick."""
        self.counts["put_off"] += 1
        self._not_before[schedule.guild] = self._clock.monotonic() + _RETRY_AFTER

    def lose(self) -> None:
        """Count a post that was gathered and could not be sent."""
        self.counts["lost"] += 1

    @property
    def waiting(self) -> int:
        """How many posts wait that could not be made at their time."""
        moment = self._clock.monotonic()
        return sum(until > moment for until in self._not_before.values())

    async def open_post(self, schedule: DailySchedule, is_here: Presence) -> DailyPost | None:
        """Gather today's post and mark the day as posted, so that a crash can lose a post but never repeat it.

        None where another process has marked it meanwhile, which had the server's shard before or has it now.

        Who has left the server is in its post no more. Members who cannot be asked about today are left out; their
        change is counted from their last line.
        Raises: ServiceDown, where nobody can be asked about: nothing is marked, and the post is due again later.
        """
        day = self._day(schedule)
        joined = await self._store.daily.fetch_members(schedule.guild)
        found = await asyncio.gather(*(self._entry(schedule.guild, member, is_here) for member in joined))
        entries = [entry for entry in found if isinstance(entry, DailyEntry)]
        if not entries and any(isinstance(entry, ServiceDown | MembershipUnknown) for entry in found):
            raise ServiceDown
        if not await self._store.daily.claim(schedule.guild, day):
            return None
        # Asking takes a while, in which members leave, hide or erase what they linked.
        still = {member.member for member in await self._store.daily.fetch_members(schedule.guild)}
        entries = [entry for entry in entries if entry.member in still]
        entries.sort(key=lambda entry: -entry.rating)
        return DailyPost(
            schedule=schedule, day=day, entries=tuple(entries), left_out=len(still) - len(entries)
        )

    async def close_post(self, post: DailyPost) -> None:
        """Keep the ratings of a post that was sent: tomorrow's changes are counted from them."""
        self.counts["sent"] += 1
        shown = {entry.member: entry.rating for entry in post.entries}
        try:
            await self._store.daily.mark_posted(post.schedule.guild, post.day, shown)
        except CannotKeep:
            _log.warning("tomorrow's changes are counted from an older post: server %s", post.schedule.guild)

    async def _believed(self, schedule: DailySchedule) -> DailySchedule:
        """Return a schedule without a mark that a clock left which was ahead."""
        moment = self._clock.monotonic()
        since, last_due = self._doubts.get(schedule.guild, (moment, schedule.posted_on))
        if moment - since < _DOUBTED_FOR:
            return schedule
        _log.warning(
            "a daily post was marked for a day to come: server %s, %s", schedule.guild, schedule.posted_on
        )
        try:
            await self._store.daily.mark_posted(schedule.guild, last_due, {})
        except BotError as error:
            _log.warning("the mark stays for now: %s", error)
        return replace(schedule, posted_on=last_due)

    def _day(self, schedule: DailySchedule) -> date:
        return self._clock.now().astimezone(ZoneInfo(schedule.timezone)).date()

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
