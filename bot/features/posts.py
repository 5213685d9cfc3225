"""Posts by the bot itself: which are due, which process makes them, and their outcomes.

The content of a post is gathered elsewhere, as in `bot.features.daily`, and `bot.chat.post_scheduler` has it sent:

    for post in await posts.find_due(share):
        for claimed in await posts.claim([post], share):
            message = await send(nonce=claimed.nonce, mark=claimed.tries)
            await posts.mark_delivered(claimed, message, claim=mark_of(message))

Whatever happens between two of these lines, the post is made once, or skipped for a stored reason.
"""

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Final, TypeAlias, TypeVar

from bot.base.backoff import doubled_wait
from bot.base.clock import Clock
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.domain.ids import MessageId
from bot.domain.posts import PlanId, Post, PostFailure, PostPlan
from bot.store import Store

_logger = logging.getLogger(__name__)

T = TypeVar("T")

Key: TypeAlias = tuple[PlanId, date, str]

AT_ONCE: Final = 50
"""The number of posts that are claimed together."""
_MAX_AHEAD: Final = timedelta(minutes=10)
"""How long before its time a post may be gathered."""
_DOUBT_SECONDS: Final = 600.0
"""The seconds after which a post planned in the future is attributed to a clock that was ahead. A clock that is behind
for a moment, as when some machines start, must not cause a post to be repeated."""
_WAITS: Final = {
    PostFailure.AWAY: timedelta(seconds=10),
    PostFailure.UNSEEN: timedelta(seconds=30),
    PostFailure.SERVICE: timedelta(minutes=10),
    PostFailure.BROKEN: timedelta(minutes=10),
}
_FIRST_WAIT: Final = timedelta(seconds=10)
_MAX_WAIT: Final = timedelta(minutes=10)
"""The longest of the waits that grow while Discord has trouble."""
_OUTCOMES: Final = {
    PostFailure.NOTHING: "skipped",
    PostFailure.REFUSED: "refused",
    PostFailure.GONE: "refused",
}


@dataclass(frozen=True, slots=True)
class ShardShare:
    """The posts that a process makes: those of the servers that it serves."""

    me: int | None
    """The id by which other processes know this one; None if there can be no others."""
    shards: Collection[int]
    of: int
    """The number of shards in all."""

    @property
    def part(self) -> float:
        """This process's share of all shards."""
        return len(self.shards) / max(1, self.of)


class PostOutbox:
    """Finds due posts, assigns each to one process, and stores the outcomes."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store.posts
        self._plans = store.plans
        self._clock = clock
        self._waiting: dict[Key, Post] = {}
        """Posts that are due and could not be made yet."""
        self._claimed: set[Key] = set()
        """Posts that this process is about to send."""
        self._doubts: dict[PlanId, float] = {}
        """The moment, by the monotonic clock, since which a plan's next post has been in the future."""
        self._unsettled: dict[Key, Callable[[], Awaitable[object]]] = {}
        """Unsaved outcomes of posts that this process has claimed."""
        self._gathered_until: Post | None = None
        self.counts: Counter[str] = Counter()
        """Posts since the start: sent, late (of those), skipped (nothing to say), refused, lost, put_off."""

    async def note_due(self) -> None:
        """Store when each post is due, once: the rules of time zones may have changed since the bot last ran."""
        try:
            await self._store.note_due()
        except (CannotKeep, CannotRead):
            _logger.warning("posts may be late where the rules of a time zone have changed")

    async def find_due(self, share: ShardShare, *, after: Post | None = None) -> list[Post]:
        """Return some posts that are due and that no process is making; none if they cannot be read.

        They are those that have waited longest, or those that follow `after`.
        """
        if after is None:
            await self._settle_left()
            await self._mend_plans()
        return await self._fetch(self._clock.now(), share, after)

    async def find_upcoming(self, share: ShardShare) -> list[Post]:
        """Return some posts that may be gathered now, each only once; none if they cannot be read."""
        now, last = self._clock.now(), self._gathered_until
        if last is not None and (last.look_at or now) > now + _MAX_AHEAD:  # from a clock that was ahead
            last = None
        upcoming = await self._fetch(now + _MAX_AHEAD, share, last)
        if upcoming:
            self._gathered_until = upcoming[-1]
        return upcoming

    def may_be_delivered(self, post: Post) -> bool:
        """Return whether to look for a post where it may have been delivered, instead of sending it again."""
        now = self._clock.now()
        return post.may_be_delivered(now) or (post.tried_at is not None and post.is_over(now))

    def is_over(self, post: Post) -> bool:
        """Return whether it is too late to make a post."""
        return post.is_over(self._clock.now())

    async def keep_until(self, moment: datetime) -> None:
        """Make posts due at a moment by which they would expire: the clock will be set ahead. Raises: CannotKeep."""
        await self._store.keep_until(moment)

    async def claim(self, posts: Sequence[Post], share: ShardShare) -> list[Post]:
        """Return those of the posts that this process is to send; no other will while it lives. Raises: CannotKeep."""
        if not posts:
            return []
        claimed = await self._store.claim(posts, share.me, self._clock.now())
        self._claimed.update(post.key for post in claimed)
        return claimed

    async def mark_delivered(
        self, post: Post, message: MessageId | None, *, claim: int | None = None
    ) -> None:
        """Note that a post was delivered, with the content of the given `claim`; by default, of the last one."""
        now = self._clock.now()
        self.counts["sent"] += 1
        self.counts["late"] += post.is_late(now)
        if post.is_late(now):
            _logger.info(
                "a post is late: plan %d, %s, due %s (%s)", post.plan.id, post.day, post.due_at, post.reason
            )
        await self._settle(post, partial(self._store.mark_delivered, post, message, now, claim=claim))

    async def mark_skipped(self, post: Post, reason: PostFailure) -> PostPlan:
        """Note why a post is not made; return its plan, which may be off now."""
        refused = reason in {PostFailure.REFUSED, PostFailure.GONE}
        if not post.is_look:
            self.counts[_OUTCOMES.get(reason, "lost")] += 1
            level = logging.INFO if reason is PostFailure.NOTHING else logging.WARNING
            _logger.log(level, "a post is not made: plan %d, %s: %s", post.plan.id, post.day, reason)
        now = self._clock.now()
        settle = partial(self._store.mark_skipped, post, reason, now, refused=refused)
        return await self._settle(post, settle) or post.plan

    async def retry_later(self, post: Post, reason: PostFailure, *, stands: bool = True) -> None:
        """Postpone a post that cannot be made now; `stands` is false if it cannot have been delivered."""
        if post.key not in self._waiting:
            _logger.warning("a post waits: plan %d, %s: %s", post.plan.id, post.day, reason)
        self.counts["put_off"] += 1
        self._waiting[post.key] = post
        growing = doubled_wait(_FIRST_WAIT, post.tries + 1, _MAX_WAIT)
        until = self._clock.now() + _WAITS.get(reason, growing)
        await self._write_or_retry(post, partial(self._store.retry_later, post, until, reason, stands=stands))

    async def release_claim(self, post: Post) -> None:
        """Release a post that was looked for and was not delivered, so that it can be sent."""
        until, reason = self._clock.now(), post.reason or PostFailure.AWAY
        await self._write_or_retry(post, partial(self._store.retry_later, post, until, reason, stands=False))

    @property
    def waiting(self) -> int:
        """The number of posts that could not be made in time and wait."""
        now = self._clock.now()
        return sum(not post.is_over(now) for post in self._waiting.values())

    async def _fetch(self, until: datetime, share: ShardShare, after: Post | None) -> list[Post]:
        if not share.shards:
            return []
        shards = (share.shards, share.of)
        try:
            found = await self._store.fetch_due(until, shards=shards, most=AT_ONCE, after=after)
        except (CannotRead, CannotKeep):
            return []
        return [post for post in found if post.key not in self._unsettled and post.key not in self._claimed]

    async def _settle(self, post: Post, settle: Callable[[], Awaitable[T]]) -> T | None:
        self._waiting.pop(post.key, None)
        return await self._write_or_retry(post, settle)

    async def _write_or_retry(self, post: Post, write: Callable[[], Awaitable[T]]) -> T | None:
        """Write now, or later if that fails; return the result, None if it is postponed."""
        try:
            return await write()
        except CannotKeep:
            self._unsettled[post.key] = write
            return None
        finally:
            self._claimed.discard(post.key)

    async def _settle_left(self) -> None:
        for key, write in tuple(self._unsettled.items()):
            try:
                await write()
            except CannotKeep:
                return
            del self._unsettled[key]

    async def _mend_plans(self) -> None:
        """Correct the schedule of plans that a clock ahead of time has planned."""
        moment = self._clock.monotonic()
        try:
            plans = await self._plans.fetch_doubted(self._clock.now())
        except CannotRead:
            return
        self._doubts = {plan.id: self._doubts.get(plan.id, moment) for plan in plans}
        for plan in plans:
            if moment - self._doubts[plan.id] < _DOUBT_SECONDS:
                continue
            _logger.warning("a post was planned by a clock that was ahead: plan %d", plan.id)
            try:
                await self._plans.plan_anew(plan, self._clock.now())
            except BotError as error:
                _logger.warning("it stays so for now: %s", error)
