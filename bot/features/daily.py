"""The daily rating post of a server."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.base.clock import JST, Clock
from bot.domain.charts import Song
from bot.domain.daily import DailyMember, Posted
from bot.domain.errors import BotError, CannotRead, ServiceDown
from bot.domain.game_versions import GameVersion
from bot.domain.ids import ChannelId, GuildId, MemberId, Region, SongId
from bot.domain.posts import PlanId, PostKind, PostOption, PostPlan
from bot.domain.refresh_schedule import AGAIN
from bot.domain.standings import Standing, gained, outstanding
from bot.features.goals import Goals, ReachedGoal
from bot.features.server_posts import Planned, ServerPosts
from bot.features.shared.askers import Askers
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.feats import MemberFeats
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.profiles import MemberProfile, PostProfiles
from bot.features.shared.subjects import Among
from bot.features.shared.timezones import get_timezone
from bot.store import Look, Store

_ASKED_ANEW: Final = 40
"""The most members for whom a preview sends new requests: a thousand take six seconds of one core."""
MAX_PLAYS: Final = 3
"""The most plays that a post mentions."""
_READ_AT_ONCE: Final = 8
"""Posts whose members are read at once: many more, started in one turn of the event loop, would delay everybody."""
_PAST: Final = timedelta(days=30)
"""How far before the last post an earlier rating is looked for."""
_ANNOUNCED_BEFORE: Final = timedelta(days=14)
"""How long before its beginning a version of the game is announced."""
_CURVE_RATINGS: Final = 14
"""The most earlier ratings in a member's curve."""


class DailyOff(BotError):
    """The server has no daily post."""

    def __init__(self) -> None:
        super().__init__("the server has no daily post")


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPost:
    """One server's post of one day."""

    plan: PostPlan
    day: date
    """The day in the plan's time zone."""
    since: datetime
    """The time of the last post: changes are counted from there."""
    standings: tuple[Standing, ...]
    missing: frozenset[MemberId] = frozenset()
    """Members who joined but could not be asked about."""
    has_returned: bool = False
    """Whether a member may have missed the last post: their changes are counted from an earlier one."""
    songs: Mapping[SongId, Song] = field(default_factory=dict[SongId, Song])
    """The songs of outstanding plays, as far as the catalogue has them."""
    coming: GameVersion | None = None
    """The version of the game that begins soon, if the plan has not announced it yet."""

    @property
    def left_out(self) -> int:
        """The number of members who joined but could not be asked about."""
        return len(self.missing)

    @property
    def has_news(self) -> bool:
        """Whether anything has changed for anybody, or is about to."""
        return self.coming is not None or any(standing.has_moved for standing in self.standings)

    @property
    def shown_ratings(self) -> Mapping[MemberId, Posted]:
        """The ratings in the post: once it is delivered, the next changes are counted from them."""
        return {each.member: Posted(each.rating, each.until) for each in self.standings}


class Daily(ServerPosts):
    """Sets daily posts up, and gathers their content."""

    kinds = frozenset({PostKind.DAILY, PostKind.WEEKLY, PostKind.MONTHLY})
    off = DailyOff
    usual = PostPlan(post_at=time(21), timezone="UTC")

    def __init__(  # noqa: PLR0913, PLR0917 - each is a separate dependency
        self,
        store: Store,
        askers: Askers,
        catalogues: Catalogues,
        chronicle: Chronicles,
        goals: Goals,
        ratings: GameRatings,
        feats: MemberFeats,
        clock: Clock,
    ) -> None:
        super().__init__(store, store.daily, clock)
        self._goals = goals
        self._ratings = ratings
        self._chronicle = chronicle
        self._askers = askers
        self._catalogues = catalogues
        self._profiles = PostProfiles(askers, clock)
        self._feats = feats
        self._read_slots = asyncio.Semaphore(_READ_AT_ONCE)

    async def set_up(
        self,
        guild: GuildId,
        channel: ChannelId,
        post_at: time,
        timezone: str,
        *,
        by: MemberId | None = None,
    ) -> datetime:
        """Post every day at a local time; return when the next post is.

        If the server already had today's post, its next one is tomorrow, whatever the new time. Raises: BadQuery for an
        unknown zone.
        """
        zone = get_timezone(timezone)
        plan = PostPlan(guild=guild, channel=channel, post_at=post_at, timezone=zone, set_up_by=by)
        now = self._clock.now()
        kept = await self._store.plans.save_first(plan, now)
        next_at = await self._store.posts.find_next(kept.id)
        return (next_at or now).astimezone(ZoneInfo(kept.timezone))

    async def hurry(self, guild: GuildId, plan: PlanId | None) -> tuple[PostPlan, bool]:
        """Make today's post now, once; return whether it was not made before. Raises: DailyOff."""
        chosen = await self._choose(guild, plan)
        return chosen, await self._store.posts.hurry(chosen, self._today(chosen), self._clock.now())

    async def preview(self, guild: GuildId, plan: PlanId | None, among: Among) -> DailyPost | None:
        """Return what would be posted now; for many members, from data seen in the background.

        Raises: DailyOff, and as `gather`.
        """
        chosen = await self._choose(guild, plan)
        anew = len(await self._store.daily.fetch_members(chosen)) <= _ASKED_ANEW
        return await self.gather(chosen, self._today(chosen), among, anew=anew)

    async def set_up_direct(
        self, member: MemberId, what: PostKind, post_at: time, timezone: str, language: str
    ) -> Planned:
        """Set up repeated direct messages to a linked member, sent if there is news, in place of previous ones.

        Raises: NotLinked, BadQuery for an unknown zone.
        """
        await self._askers.get(member)
        before = await self._store.plans.fetch_direct(member)
        plan = PostPlan(
            id=before[0].id if before else PlanId(0),
            what=what,
            member=member,
            channel=before[0].channel if before else None,
            post_at=post_at,
            timezone=get_timezone(timezone),
            language=language,
            options=frozenset({PostOption.QUIET}),
        )
        kept = await self._store.plans.save(plan, self._clock.now())
        return Planned(plan=kept, next_at=await self._store.posts.find_next(kept.id))

    async def find_direct(self, member: MemberId) -> Planned | None:
        """Return the plan of the direct messages to a member."""
        plans = await self._store.plans.fetch_direct(member)
        return (
            Planned(plan=plans[0], next_at=await self._store.posts.find_next(plans[0].id)) if plans else None
        )

    async def turn_off_direct(self, member: MemberId) -> None:
        """Stop all direct messages to a member."""
        for plan in await self._store.plans.fetch_direct(member):
            await self._store.plans.delete(plan.id)

    async def gather(
        self, plan: PostPlan, day: date, among: Among | None, *, anew: bool = False
    ) -> DailyPost | None:
        """Gather a day's post, some minutes before it is due; None if the plan wants no post then.

        `among` is None for direct messages. If somebody waits for the post, members are requested `anew`, as far as
        their budgets allow; otherwise data seen in the background is enough. Members who have left the server are
        removed from its post. Members who cannot be asked about today are left out; their next change is counted from
        their last line.

        Raises: ServiceDown if nobody can be asked about, MembershipUnknown: the post has to wait.
        """
        joined = await self._fetch_present(plan, among)
        found = await self._profiles.fetch_all(joined, anew=anew)
        asked = [each for each in found if isinstance(each, MemberProfile)]
        if not asked and any(isinstance(each, ServiceDown) for each in found):
            raise ServiceDown
        since = await self._store.posts.find_last(plan, day)
        looks = await self._looks(asked, since)
        # Anything found after this post belongs to the next one.
        self._chronicle.follow([(each.asker, each.answer) for each in asked if not each.answer.age.is_stale])
        begin = min((each.joined.posted.until for each in asked if each.joined.posted), default=since)
        reached = await self._goals.find_reached([each.joined.member for each in asked], min(begin, since))
        standings = await asyncio.gather(
            *(
                self._stand(each, looks[each.joined.member], reached.get(each.joined.member, ()), since)
                for each in asked
            )
        )
        post = DailyPost(
            plan=plan,
            day=day,
            since=since,
            standings=tuple(standings),
            missing=frozenset(
                each.member
                for each, answer in zip(joined, found, strict=True)
                if isinstance(answer, BotError)
            ),
            has_returned=any(
                each.joined.posted is not None and each.joined.posted.until < since - AGAIN for each in asked
            ),
            songs=await self._songs(standings),
            coming=self._coming(plan, {each.region for each in asked}),
        )
        return None if PostOption.QUIET in plan.options and not post.has_news else post

    async def _fetch_present(self, plan: PostPlan, among: Among | None) -> Sequence[DailyMember]:
        """Return the members who joined and are still in the server; those who left it are removed from the post."""
        joined = await self._fetch_joined(plan)
        if plan.guild is None or among is None or not joined:
            return joined
        here = await among([each.member for each in joined])
        for each in joined:
            if each.member not in here:
                await self._store.daily.leave(plan.guild, each.member)
        return [each for each in joined if each.member in here]

    async def _fetch_joined(self, plan: PostPlan) -> list[DailyMember]:
        async with self._read_slots:
            return await self._store.daily.fetch_members(plan)

    async def look_again(self, post: DailyPost) -> DailyPost:
        """Return a post as it may be sent now.

        Gathering takes a while, in which members may leave, hide or erase their link. Members who joined meanwhile are
        in the next post, except those who could not be asked about.
        """
        still = {each.member for each in await self._fetch_joined(post.plan)}
        standings = tuple(each for each in post.standings if each.member in still)
        return replace(post, standings=standings, missing=post.missing & still)

    async def _choose(self, guild: GuildId, plan: PlanId | None) -> PostPlan:
        plans = [each.plan for each in await self.get_plans(guild)]
        return next((each for each in plans if each.id == plan), plans[0])

    def _coming(self, plan: PostPlan, regions: Collection[Region]) -> GameVersion | None:
        """Return the version that begins soon, once for each channel with a daily post."""
        if plan.what is not PostKind.DAILY or plan.guild is None:
            return None
        coming = self._ratings.coming_version(regions, within=_ANNOUNCED_BEFORE)
        return None if coming is None or coming.name == plan.announced else coming

    def _today(self, plan: PostPlan) -> date:
        return self._clock.now().astimezone(ZoneInfo(plan.timezone)).date()

    async def _looks(
        self, asked: Sequence[MemberProfile], since: datetime
    ) -> Mapping[MemberId, Sequence[Look]]:
        """Return each member's looks, oldest first; none if they cannot be read."""
        first, last = since.astimezone(JST).date() - _PAST, self._clock.now().astimezone(JST).date()
        looks: dict[MemberId, list[Look]] = {each.joined.member: [] for each in asked}
        for region in {each.region for each in asked}:
            members = [each.joined.member for each in asked if each.region == region]
            try:
                found = await self._store.chronicle.fetch_looks(members, region, first=first, last=last)
            except CannotRead:
                continue
            for look in found:
                looks[look.member].append(look)
        return looks

    async def _stand(
        self, asked: MemberProfile, looks: Sequence[Look], reached: Sequence[ReachedGoal], since: datetime
    ) -> Standing:
        """Return a member's standing since the plan's last post with them, or else since `since`."""
        rating, posted = asked.answer.value.rating, asked.joined.posted
        before, since = posted or (None, since)
        chapter = self._ratings.begun_at(asked.region)
        earlier = [look for look in looks if chapter <= look.taken_at < asked.answer.age.fetched_at]
        if posted is None:
            # New members are compared with their first look after the last post; a look before it would leave open what
            # happened between the two.
            first = next((look for look in looks if look.taken_at > since), None)
            if first is not None:
                before, since = (None if first.rating >= rating else first.rating), first.taken_at
        feats, until = None, looks[-1].taken_at if looks else asked.answer.age.fetched_at
        if looks and until > since:
            with suppress(CannotRead):
                async with self._profiles.slots:
                    whose = asked.joined.member, asked.region
                    feats = await self._feats.find(*whose, rating, since=since, until=until)
        best = max((look.rating for look in looks if look.taken_at <= since), default=rating)
        turn = feats and feats.turn
        if turn and before is not None:
            before = best = min(rating, turn.rating)
        return Standing(
            member=asked.joined.member,
            player_name=asked.answer.value.player_name,
            rating=rating,
            until=until,
            change=None if before is None else gained(rating, before, best, feats),
            fell_from=before if before is not None and rating < before and not turn else None,
            feats=feats,
            goals=tuple(goal for goal, at in reached if since < at <= until),
            ratings=(*(look.rating for look in earlier[-_CURVE_RATINGS:]), rating),
        )

    async def _songs(self, standings: Sequence[Standing]) -> Mapping[SongId, Song]:
        songs: dict[SongId, Song] = {}
        for _, play in outstanding(standings)[:MAX_PLAYS]:
            loaded = await self._catalogues.find(play.region)
            song = loaded and loaded.catalogue.by_id.get(play.change.chart[0])
            if song is not None:
                songs[song.id] = song
        return songs
