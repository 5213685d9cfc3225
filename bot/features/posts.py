"""Posts that the bot makes by itself: which are due, who makes them, and what has come of them.

What is in a post is gathered elsewhere, as by `bot.features.daily`; where it is sent is up to the cog.
"""

import logging
from collections import Counter
from dataclasses import replace
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import Clock
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.domain.ids import GuildId
from bot.domain.posts import PostPlan
from bot.store import Store

_log = logging.getLogger(__name__)

_RETRY_AFTER: Final = 600.0
"""Seconds that a post waits which could not be made at its time."""
_DOUBTED_FOR: Final = 600.0
"""Seconds after which a day marked that is still to come is taken for the mark of a clock that was ahead. A clock
that is behind for a moment, as at the start of some machines, must not have a post repeated."""


class Posts:
    """Says which posts are due, gives each to one process, and keeps what came of them."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._not_before: dict[GuildId, float] = {}
        """By the monotonic clock: the time of day may be wrong for a moment."""
        self._doubts: dict[GuildId, tuple[float, date]] = {}
        """Since when the day marked is in the future, and which day was the last that was due then."""
        self.counts: Counter[str] = Counter()
        """Posts since the start: sent, lost (Discord did not take them), skipped, put_off."""

    async def note_due(self) -> None:
        """Note when each post is due, once: the rules of time zones may have changed since the bot ran."""
        try:
            await self._store.daily.note_due()
        except CannotKeep:
            _log.warning("daily posts may be late where the rules of a time zone have changed")

    async def find_due(self) -> list[PostPlan]:
        """Return the plans whose time has come; none while they cannot be read."""
        now, moment = self._clock.now(), self._clock.monotonic()
        try:
            found = await self._store.daily.fetch_due(now)
        except CannotRead:
            return []
        self._doubts = {
            plan.guild: self._doubts.get(plan.guild, (moment, plan.last_due_day(now)))
            for plan in found
            if plan.is_marked_ahead(now)
        }
        plans = [await self._believed(plan) for plan in found]
        due = [plan for plan in plans if plan.is_due(now)]
        return [plan for plan in due if moment >= self._not_before.get(plan.guild, moment)]

    def day_of(self, plan: PostPlan) -> date:
        """Return the day whose post is due, in the plan's time zone."""
        return self._clock.now().astimezone(ZoneInfo(plan.timezone)).date()

    async def claim(self, plan: PostPlan, day: date) -> bool:
        """Return whether this process is to send the post of a day: no other is, from here on.

        The day is marked as posted, so that a crash can lose a post but never repeat it.
        """
        return await self._store.daily.claim(plan.guild, day)

    async def skip(self, plan: PostPlan) -> None:
        """Make no post today: it cannot be seen where it should stand."""
        self.counts["skipped"] += 1
        await self._store.daily.mark_posted(plan.guild, self.day_of(plan), {})

    def postpone(self, plan: PostPlan) -> None:
        """Let a post that could not be made wait, so that its server is not asked about at every tick."""
        self.counts["put_off"] += 1
        self._not_before[plan.guild] = self._clock.monotonic() + _RETRY_AFTER

    def expect(self, guild: GuildId) -> None:
        """Let a server's post wait for its time alone: it was set up anew."""
        self._not_before.pop(guild, None)

    @property
    def waiting(self) -> int:
        """How many posts wait that could not be made at their time."""
        moment = self._clock.monotonic()
        return sum(until > moment for until in self._not_before.values())

    async def _believed(self, plan: PostPlan) -> PostPlan:
        """Return a plan without a mark that a clock left which was ahead."""
        moment = self._clock.monotonic()
        since, last_due = self._doubts.get(plan.guild, (moment, plan.posted_on))
        if moment - since < _DOUBTED_FOR:
            return plan
        _log.warning("a daily post was marked for a day to come: server %s, %s", plan.guild, plan.posted_on)
        try:
            await self._store.daily.mark_posted(plan.guild, last_due, {})
        except BotError as error:
            _log.warning("the mark stays for now: %s", error)
        return replace(plan, posted_on=last_due)
