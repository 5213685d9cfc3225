"""What the daily post and the feed have in common: a server has some, and members join them all."""

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
"""The most posts that one server may have, and as many feeds."""


class TooManyPlans(BotError):
    """A server has as many posts as it may have."""

    def __init__(self) -> None:
        super().__init__(f"a server has {MAX_PLANS} posts at most")


class NoTextChannel(BotError):
    """Posts were to appear where a command was used, which is no text channel: a thread, or the text of a voice channel."""

    def __init__(self) -> None:
        super().__init__("not in a text channel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """One of a server's posts."""

    plan: PostPlan
    next_at: datetime | None
    """None where it is off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """What came of joining a server's posts."""

    plans: Sequence[PostPlan]
    is_in: bool
    """False for a member set to "only me", who is to be asked first."""


class ServerPosts:
    """Sets the posts of servers up, and turns them off."""

    kinds: ClassVar[frozenset[PostKind]]
    off: ClassVar[type[BotError]]
    """What is raised where a server has none."""
    usual: ClassVar[PostPlan]
    """One of which nobody has said anything yet."""

    def __init__(self, store: Store, joined: Joined, clock: Clock) -> None:
        self._store = store
        self._joined = joined
        self._clock = clock

    async def add(self, guild: GuildId, plan: PostPlan) -> None:
        """Have one more post in a server, or another in place of the one alike in place, rhythm and language.

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
        """Have a server's first post in a channel, changed as said, or one where there is none.

        Without a channel it stays where it is: Discord leaves out of a form what it cannot show in it. What nobody says
        anything of stays as it was, too. Raises: as `add`.
        """
        plans = await self.fetch_plans(guild)
        if channel is not None:
            before = plans[0].plan if plans else self.usual
            await self.add(guild, replace(before, channel=channel, refused=0, **changes))
        elif plans:
            await self.add(guild, replace(plans[0].plan, **changes))

    async def fetch_plans(self, guild: GuildId) -> list[Planned]:
        """Return all posts of a server, the one that was set up first first."""
        return [
            Planned(plan=plan, next_at=await self._store.posts.find_next(plan.id))
            for plan in await self._store.plans.fetch(guild)
            if plan.what in self.kinds
        ]

    async def get_plans(self, guild: GuildId) -> list[Planned]:
        """Return all posts of a server, as `fetch_plans`. Raises: `off` where it has none."""
        plans = await self.fetch_plans(guild)
        if not plans:
            raise self.off
        return plans

    async def turn_off(self, guild: GuildId, plan: PlanId | None = None) -> list[Planned]:
        """Post one of a server's no more, the only one where none is named; return which there are then.

        Nothing changes where there are several to choose from. Who joined stays, for another day. Raises: `off`.
        """
        plans = await self.get_plans(guild)
        gone = [each for each in plans if each.plan.id == plan or (plan is None and len(plans) == 1)]
        for each in gone:
            await self._store.plans.delete(each.plan.id)
        return [each for each in plans if each not in gone]

    async def join(self, guild: GuildId, member: MemberId, *, openly: bool = False) -> Joining:
        """Add a linked member to a server's posts; again changes nothing.

        One set to "only me" is on no board: they join `openly` alone, which lets members of shared servers look
        them up. Raises: `off`, NotLinked.
        """
        plans = [each.plan for each in await self.get_plans(guild)]
        visibility = await self._joined.join(guild, member, openly=openly, **self._beside())
        if visibility is None:
            raise NotLinked
        return Joining(plans=plans, is_in=visibility is not Visibility.ONLY_ME)

    async def is_in(self, guild: GuildId, member: MemberId) -> bool:
        """Return whether a member is in."""
        return await self._joined.is_in(guild, member)

    def _beside(self) -> Mapping[str, object]:
        """Return what is noted of who joins now."""
        return {}

    async def leave(self, guild: GuildId, member: MemberId) -> bool:
        """Take a member out; return whether they were in."""
        return await self._joined.leave(guild, member)


def _kind_of(plan: PostPlan) -> tuple[object, ...]:
    """Return what no two posts of a server have in common."""
    return plan.channel, plan.what, plan.language
