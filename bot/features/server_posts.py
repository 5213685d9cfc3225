"""The common part of daily posts and feeds: a server may have several, and members join them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Final

from bot.base.clock import Clock
from bot.domain.errors import BotError, NotLinked
from bot.domain.ids import ChannelId, GuildId, MemberId
from bot.domain.members import Visibility
from bot.domain.posts import PlanId, PostKind, PostPlan
from bot.features.shared.timezones import get_timezone
from bot.store import Joined, Store

MAX_PLANS: Final = 10
"""The most posts of one server; feeds have the same limit of their own."""


class TooManyPlans(BotError):
    """A server has reached the limit of posts."""

    def __init__(self) -> None:
        super().__init__(f"a server has {MAX_PLANS} posts at most")


class NoTextChannel(BotError):
    """Posts were requested where they cannot appear: in a thread, or in the text of a voice channel."""

    def __init__(self) -> None:
        super().__init__("not in a text channel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One of a server's posts."""

    plan: PostPlan
    next_at: datetime | None
    """The time of the next post; None if the plan is off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """The result of joining a server's posts."""

    plans: Sequence[PostPlan]
    is_in: bool
    """Whether the member is in; False for a member set to "only me", who has to be asked first."""


class ServerPosts:
    """Sets up the posts of servers, and turns them off."""

    kinds: ClassVar[frozenset[PostKind]]
    off: ClassVar[type[BotError]]
    """The error for a server that has none."""
    usual: ClassVar[PostPlan]
    """The default plan."""

    def __init__(self, store: Store, joined: Joined, clock: Clock) -> None:
        self._store = store
        self._joined = joined
        self._clock = clock

    async def add(self, guild: GuildId, plan: PostPlan) -> None:
        """Add a post to a server, in place of one with the same channel, kind and language.

        Raises: BadQuery for an unknown zone, TooManyPlans.
        """
        plans = [each.plan for each in await self.fetch_plans(guild)]
        alike = [each for each in plans if _kind_of(each) == _kind_of(plan)]
        if not alike and not plan.id and len(plans) >= MAX_PLANS:
            raise TooManyPlans
        timezone = get_timezone(plan.timezone)
        plan = replace(plan, id=alike[0].id if alike else plan.id, guild=guild, timezone=timezone)
        await self._store.plans.save(plan, self._clock.now())

    async def change_first(self, guild: GuildId, channel: ChannelId | None, **changes: Any) -> None:
        """Put a server's first post in a channel, with changes, or create it if there is none.

        Without a channel it stays where it is: Discord omits from a form any channel that it cannot show. Other
        settings that are not named stay too. Raises: as `add`.
        """
        plans = await self.fetch_plans(guild)
        if channel is not None:
            before = plans[0].plan if plans else self.usual
            await self.add(guild, replace(before, channel=channel, refused=0, **changes))
        elif plans:
            await self.add(guild, replace(plans[0].plan, **changes))

    async def fetch_plans(self, guild: GuildId) -> list[Planned]:
        """Return all posts of a server, in the order in which they were set up."""
        return [
            Planned(plan=plan, next_at=await self._store.posts.find_next(plan.id))
            for plan in await self._store.plans.fetch(guild)
            if plan.what in self.kinds
        ]

    async def get_plans(self, guild: GuildId) -> list[Planned]:
        """Return all posts of a server, as `fetch_plans`. Raises: `off` if it has none."""
        plans = await self.fetch_plans(guild)
        if not plans:
            raise self.off
        return plans

    async def turn_off(self, guild: GuildId, plan: PlanId | None = None) -> list[Planned]:
        """Turn off one of a server's posts, by default the only one; return the remaining ones.

        Nothing changes if no post is named and there are several. Members stay joined, for another day. Raises: `off`.
        """
        plans = await self.get_plans(guild)
        gone = [each for each in plans if each.plan.id == plan or (plan is None and len(plans) == 1)]
        for each in gone:
            await self._store.plans.delete(each.plan.id)
        return [each for each in plans if each not in gone]

    async def join(self, guild: GuildId, member: MemberId, *, openly: bool = False) -> Joining:
        """Add a linked member to a server's posts; idempotent.

        A member set to "only me" is on no board: they join only if `openly`, which lets members of shared servers look
        them up. Raises: `off`, NotLinked.
        """
        plans = [each.plan for each in await self.get_plans(guild)]
        visibility = await self._joined.join(guild, member, openly=openly, **self._beside())
        if visibility is None:
            raise NotLinked
        return Joining(plans=plans, is_in=visibility is not Visibility.ONLY_ME)

    async def is_in(self, guild: GuildId, member: MemberId) -> bool:
        """Return whether a member has joined."""
        return await self._joined.is_in(guild, member)

    def _beside(self) -> Mapping[str, object]:
        """Return further columns for a member who joins now."""
        return {}

    async def leave(self, guild: GuildId, member: MemberId) -> bool:
        """Remove a member; return whether they had joined."""
        return await self._joined.leave(guild, member)


def _kind_of(plan: PostPlan) -> tuple[object, ...]:
    """Return the properties that identify a post within a server."""
    return plan.channel, plan.what, plan.language
