"""The feed of new bests of members who joined it, one message a sitting."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import time

from typing_extensions import override

from bot.base.clock import Clock
from bot.domain.charts import Song
from bot.domain.chronicle.effects import RatingEffects
from bot.domain.chronicle.session import RecordChange
from bot.domain.errors import BotError, CannotRead
from bot.domain.feed import Sitting, Worth
from bot.domain.ids import ChannelId, GuildId, MemberId, SongId
from bot.domain.posts import Post, PostKind, PostPlan
from bot.features.server_posts import Planned, ServerPosts
from bot.features.shared.catalogues import Catalogues
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.subjects import Among
from bot.store import Store


class FeedOff(BotError):
    """The server has no feed."""

    def __init__(self) -> None:
        super().__init__("the server has no feed")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedPost:
    """One message of a feed."""

    sitting: Sitting
    plays: Sequence[RecordChange]
    """The plays of the sitting that the feed shows, most important first."""
    songs: Mapping[SongId, Song]
    """The songs of the catalogue, as far as available."""
    effects: RatingEffects | None = None
    """The effects of the whole sitting on the rating; None if they are unknown."""


class Feeds(ServerPosts):
    """Sets feeds up, and gathers their content."""

    kinds = frozenset({PostKind.FEED})
    off = FeedOff
    usual = PostPlan(what=PostKind.FEED, post_at=time(23), timezone="UTC")
    """The default feed; members are checked by its local time if they have not looked themselves: most have played by
    then."""

    def __init__(self, store: Store, catalogues: Catalogues, ratings: GameRatings, clock: Clock) -> None:
        super().__init__(store, store.feed, clock)
        self._catalogues = catalogues
        self._ratings = ratings

    async def set_up(
        self,
        guild: GuildId,
        channel: ChannelId,
        worth: Worth,
        timezone: str,
        *,
        by: MemberId | None = None,
    ) -> list[Planned]:
        """Set up a channel's feed, in place of its previous one; return all feeds.

        Raises: BadQuery for an unknown zone, TooManyPlans.
        """
        await self.add(
            guild, replace(self.usual, channel=channel, worth=worth, timezone=timezone, set_up_by=by)
        )
        return await self.fetch_plans(guild)

    @override
    def _beside(self) -> Mapping[str, object]:
        return {"joined_at": self._clock.now()}

    async def gather(self, post: Post, among: Among) -> FeedPost | None:
        """Return the content of a post; None if nothing is worth showing, or its member may no longer be shown there.

        Raises: MembershipUnknown: the post has to wait.
        """
        sitting = await self._store.feed.find_sitting(post)
        if sitting is None or post.plan.guild is None:
            return None
        if sitting.member not in await among([sitting.member]):
            await self.leave(post.plan.guild, sitting.member)
            return None
        effects = await self._effects(sitting)
        if effects is not None:
            plays = effects.in_order(sitting.plays, sitting.region)
            moved = frozenset(play.chart for play in plays if effects.gain_of(play) > 0)
            sitting = replace(sitting, plays=plays, best=moved)
        plays = post.plan.worth.choose(sitting)
        if not plays:
            return None
        loaded = await self._catalogues.find(sitting.region)
        return FeedPost(
            sitting=sitting,
            plays=plays,
            songs=loaded.catalogue.by_id if loaded else {},
            effects=effects,
        )

    async def _effects(self, sitting: Sitting) -> RatingEffects | None:
        """Return the effects of a sitting on the rating, if the states around it are stored; sends no request for it."""
        chronicle, whose = self._store.chronicle, (sitting.member, sitting.region)
        with suppress(CannotRead):
            before = await chronicle.find(*whose, until=sitting.since)
            after = await chronicle.find(*whose)
            if before is not None and after is not None and before.taken_at < after.taken_at:
                return await self._ratings.find_effects(sitting.member, before, after, sitting.plays)
        return None
