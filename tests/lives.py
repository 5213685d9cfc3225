"""Members of a record service that is simulated, beside a Discord that is, and the bot's own code between the two.

Both are down for hours; what members play, and how it is judged, is up to the tests.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, Final, Protocol, TypeAlias, cast

from bot.api import Priority
from bot.api.budget.rate_limiter import SharedPriority
from bot.api.cache import AnswerCache
from bot.background.refresh import BackgroundRefresh
from bot.base.clock import ManualClock
from bot.base.memo import RecentHashes
from bot.domain.daily import Posted
from bot.domain.errors import BotError, CannotKeep, ServiceDown
from bot.domain.feed import Sitting
from bot.domain.game_versions import VersionTable
from bot.domain.ids import MemberId, UserId
from bot.domain.players import Player
from bot.domain.posts import Post, PostFailure, PostKind
from bot.domain.scores import Record
from bot.features.daily import Daily, DailyPost
from bot.features.feed import FeedPost, Feeds
from bot.features.goals import Goals, GoalWatch
from bot.features.posts import Key, PostOutbox, ShardShare
from bot.features.shared.askers import Askers
from bot.features.shared.asking import FRESH_FOR
from bot.features.shared.chronicle import Chronicles
from bot.features.shared.feats import MemberFeats
from bot.features.shared.game_ratings import GameRatings
from bot.features.shared.subjects import Neighbour
from bot.store import LeaderLease, Store

BEGAN: Final = datetime(2027, 3, 7, tzinfo=UTC)
SHARE: Final = ShardShare(None, (0,), 1)
Outage: TypeAlias = tuple[datetime, datetime]
Content: TypeAlias = DailyPost | FeedPost


class Life(Protocol):
    """One member, as the service has them."""

    account: UserId

    def tell(self, at: datetime, /) -> tuple[Record, ...]:
        """Return their records, as the service tells of them now."""
        ...

    def player(self) -> Player:
        """Return their profile."""
        ...


@dataclass
class Told:
    """A reply, as read."""

    value: object

    def to_domain(self) -> object:
        return self.value


@dataclass(frozen=True)
class Speaker:
    """PostKind asks the service for one member."""

    service: "Service"
    user_id: UserId
    urgency: SharedPriority
    patience: float
    token: str = ""

    @property
    def priority(self) -> Priority:
        return self.urgency.priority

    @property
    def v1_3(self) -> Any:
        return SimpleNamespace(users=SimpleNamespace(me=self._me))

    @property
    def v2_0(self) -> Any:
        return SimpleNamespace(records=SimpleNamespace(showall=self._showall))

    async def _me(self) -> Told:
        return Told(self.service.answer(self).player())

    async def _showall(self, **_: object) -> Told:
        life = self.service.answer(self)
        self.service.shown.add(life.account)
        return Told(life.tell(self.service.now))


class Service:
    """The record service, counting; with hours in which it is down."""

    def __init__(self, lives: Sequence[Life], clock: ManualClock, outages: Sequence[Outage]) -> None:
        self._lives = {life.account: life for life in lives}
        self._clock = clock
        self.outages = outages
        self.counts: Counter[str] = Counter()
        self.shown: set[UserId] = set()
        """Whose records were told since this was last looked at."""

    @property
    def now(self) -> datetime:
        return self._clock.now()

    def holder(
        self, token: str, *, patience: float | None, priority: Priority, user_id: UserId | None
    ) -> Speaker:
        assert not token
        assert user_id is not None
        return Speaker(self, user_id, SharedPriority(priority), patience or 30.0)

    def answer(self, speaker: Speaker) -> Life:
        assert speaker.token == f"token of {speaker.user_id}"
        self.counts["sent"] += 1
        if is_within(self._clock.now(), self.outages):
            raise ServiceDown
        return self._lives[speaker.user_id]


@dataclass
class Channels:
    """Discord: one post for each nonce within five minutes, and hours in which it takes none, or says nothing of it."""

    clock: ManualClock
    chance: random.Random
    outages: Sequence[Outage]
    stand: dict[str, list[datetime]] = field(default_factory=dict[str, list[datetime]])
    """When there was a message, by nonce."""
    contents: dict[str, Content] = field(default_factory=dict[str, Content])
    """PostKind it says."""

    def send(self, nonce: str, content: Content) -> None:
        """Raises: ServiceDown, where nobody hears of it, whether it arrived or not."""
        now = self.clock.now()
        is_down = is_within(now, self.outages)
        if not is_down or self.chance.random() < 0.5:
            sent = self.stand.setdefault(nonce, [])
            if not sent or now - sent[-1] >= timedelta(minutes=5):
                sent.append(now)
                self.contents[nonce] = content
        if is_down:
            raise ServiceDown


class Bot:
    """PostKind runs from one start to the next."""

    def __init__(
        self,
        store: Store,
        service: Service,
        channels: Channels,
        clock: ManualClock,
        tell: Callable[[Content], None] = lambda _: None,
        lose: Callable[[Sitting], None] = lambda _: None,
    ) -> None:
        """Start; `tell` is given what stands in the channels, and `lose` what could be told in none in time."""
        self._lose = lose
        self._store = store
        self._clock = clock
        self._cache = AnswerCache(clock, fresh_for=FRESH_FOR, keeper=store.answers)
        askers = Askers(store, cast("Any", service), self._cache, clock, patience=timedelta(seconds=10))
        watch = GoalWatch(store, cast("Any", Songless()))
        hashes = RecentHashes()
        ratings = GameRatings(
            store,
            cast("Any", Songless()),
            AnswerCache(clock, fresh_for=timedelta(minutes=1)),
            hashes,
            clock,
            VersionTable(()),
        )
        self.chronicle = Chronicles(
            store,
            askers,
            cast("Any", Songless()),
            ratings,
            hashes,
            clock,
            pause=timedelta(hours=1),
            when_moved=watch.note_reached,
        )
        unplanned = cast("Any", Songless())
        goals = Goals(store, askers, unplanned, self.chronicle, unplanned, clock)
        leader = LeaderLease(None, is_alone=True)
        self.refresh = BackgroundRefresh(store, self.chronicle.look_at, leader, clock, service.counts)
        self.posts = PostOutbox(store, clock)
        songless = cast("Any", Songless())
        feats = MemberFeats(store, songless, ratings, self._cache)
        self.daily = Daily(store, askers, songless, self.chronicle, goals, ratings, feats, clock)
        self.feeds = Feeds(store, cast("Any", Songless()), ratings, clock)
        self._channels = channels
        self._tell = tell

    async def close(self) -> None:
        await self.chronicle.__aexit__(None, None, None)
        await self._cache.__aexit__(None, None, None)

    async def step(self, outcomes: dict[Key, PostFailure | None]) -> None:
        """Do what is due, and note what has come of each post."""
        with suppress(CannotKeep):  # it goes on a minute later
            while await self.refresh.run_once() == 0:
                pass
        for _ in range(2):  # a post that is over may make way for one that is due
            last = None
            while due := await self.posts.find_due(SHARE, after=last):
                last = due[-1]
                for post in due:
                    await self._make(post, outcomes)
        await asyncio.gather(*self.chronicle._notes, *self.chronicle._follows)

    async def _make(self, post: Post, outcomes: dict[Key, PostFailure | None]) -> None:
        """Make a post as the cog does, or not."""
        if post.is_look:
            await self.posts.mark_skipped(post, PostFailure.NOTHING)
            return
        if self.posts.may_be_delivered(post):
            if post.nonce in self._channels.stand:
                await self._settle(post, outcomes)
            else:
                await self.posts.release_claim(post)
            return
        if self.posts.is_over(post):
            await self._give_up(post, outcomes)
            return
        try:
            content = await self._gather(post)
        except BotError:
            await self.posts.retry_later(post, PostFailure.SERVICE)
            return
        if content is None:
            outcomes[post.key] = PostFailure.NOTHING
            await self.posts.mark_skipped(post, PostFailure.NOTHING)
            return
        shown: Mapping[MemberId, Posted] = content.shown_ratings if isinstance(content, DailyPost) else {}
        for mine in await self.posts.claim([replace(post, shown_ratings=shown)], SHARE):
            try:
                self._channels.send(mine.nonce, content)
            except ServiceDown:
                await self.posts.retry_later(mine, PostFailure.DISCORD)
            else:
                await self._settle(mine, outcomes)

    async def _give_up(self, post: Post, outcomes: dict[Key, PostFailure | None]) -> None:
        sitting = await self._store.feed.find_sitting(post)
        if sitting is not None:
            self._lose(sitting)
        outcomes[post.key] = reason = post.reason or PostFailure.AWAY
        await self.posts.mark_skipped(post, reason)

    async def _gather(self, post: Post) -> Content | None:
        if post.plan.what is PostKind.FEED:
            return await self.feeds.gather(post, all_here)
        return await self.daily.gather(post.plan, post.day, all_here)

    async def _settle(self, post: Post, outcomes: dict[Key, PostFailure | None]) -> None:
        await self.posts.mark_delivered(post, None)
        outcomes[post.key] = None
        self._tell(self._channels.contents[post.nonce])


class Songless:
    async def find(self, *_: object) -> None:
        return None

    find_songs = find


async def all_here(members: Collection[MemberId]) -> Mapping[MemberId, Neighbour]:
    return {member: Neighbour(str(member)) for member in members}


def member_of(life: Life) -> MemberId:
    return MemberId((1_500_000_000_000 + life.account * 7_919) << 22)


def outages_of(days: int, chance: random.Random) -> list[Outage]:
    begin = [BEGAN + timedelta(minutes=chance.randrange(days * 1440)) for _ in range(max(5, days // 5))]
    return [(at, at + timedelta(minutes=chance.randrange(5, 600))) for at in begin]


def is_within(moment: datetime, outages: Sequence[Outage]) -> bool:
    return any(begin <= moment < end for begin, end in outages)
