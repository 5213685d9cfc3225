"""The schedule of posts: they are prepared before their time, and each is made once when it is due.

Daily posts, feeds and direct messages are handled alike; `bot.features.posts` knows which are due.
"""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Final, TypeVar

from discord.abc import Messageable

from bot.chat.client import KirokuBot
from bot.chat.post_content import PostContent, PostNotMade
from bot.chat.post_delivery import PostDelivery
from bot.domain.errors import BotError, CannotKeep, CannotRead
from bot.domain.posts import Post, PostFailure
from bot.ui.kit.look import Page

T = TypeVar("T")

_logger = logging.getLogger(__name__)

TICK_SECONDS: Final = 20.0
"""Seconds between two ticks: a post is at most this late."""
_CONCURRENT_BATCHES: Final = 3
"""Batches of posts made concurrently: most servers choose the same minute."""
_MAX_SEARCHES_PER_TICK: Final = 20
"""Posts of all processes together that are searched for per tick, with five requests each. After a kill there may be hundreds,
and due posts must neither wait for them nor be refused because of them."""


@dataclass(frozen=True, slots=True)
class _ReadyPost:
    """A page and its channel, ready to be sent."""

    channel: Messageable
    page: Page
    post: Post
    """The post with what it tells, for the next ones."""


class PostScheduler:
    """Makes each post once, when it is due."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        self._content = PostContent(bot)
        self._delivery = PostDelivery(bot)
        self._batch_slots = asyncio.Semaphore(_CONCURRENT_BATCHES)
        self._searches_left = 0
        """The number of posts that may still be searched for in this tick."""
        self._is_due_noted = False

    async def prepare_upcoming(self) -> float:
        """Prepare upcoming posts; return the seconds until the next run."""
        await self._bot.wait_until_ready()
        await self._content.prepare_upcoming()
        return TICK_SECONDS

    async def make_due(self) -> float:
        """Make due posts; return the seconds until the next run."""
        await self._bot.wait_until_ready()
        loop = asyncio.get_running_loop()
        next_tick_at = loop.time() + TICK_SECONDS
        await self._note_due()
        self._searches_left = max(1, round(_MAX_SEARCHES_PER_TICK * self._bot.share.part))
        if await self._make_batches():
            await self._make_batches()  # a settled post may be followed by a due one
        await self._bot.features.servers.erase_left()
        return max(0.0, next_tick_at - loop.time())

    async def _note_due(self) -> None:
        """Recompute once when each post is due: rules of time zones may have changed since the last run."""
        if not self._is_due_noted:
            await self._bot.features.posts.note_due()
            self._is_due_noted = True

    async def _make_batches(self) -> bool:
        """Make all due posts, as far as possible now; return whether there were any."""
        last: Post | None = None
        async with asyncio.TaskGroup() as batches:
            while due := await self._bot.features.posts.find_due(self._bot.share, after=last):
                last = due[-1]
                await self._batch_slots.acquire()
                batch = batches.create_task(self._make_batch(due))
                batch.add_done_callback(lambda _: self._batch_slots.release())
        return last is not None

    async def _make_batch(self, due: list[Post]) -> None:
        found = await asyncio.gather(*(self._run_step(post, self._make_ready(post)) for post in due))
        ready = {post.key: each for post, each in zip(due, found, strict=True) if each is not None}
        telling = [ready[post.key].post for post in due if post.key in ready]
        try:
            claimed = await self._bot.features.posts.claim(telling, self._bot.share)
        except BotError as error:
            _logger.warning("posts wait: %s", error)
            return
        await asyncio.gather(*(self._run_step(post, self._send(post, ready[post.key])) for post in claimed))

    async def _run_step(self, post: Post, step: Coroutine[None, None, T]) -> T | None:
        """Run one step of a post, and store why it failed, so that it does not affect other posts."""
        posts = self._bot.features.posts
        try:
            return await step
        except PostNotMade as error:
            if not error.is_final:
                await posts.retry_later(post, error.reason, stands=error.may_stand)
            elif (plan := await posts.mark_skipped(post, error.reason)).is_off and not post.plan.is_off:
                await self._delivery.tell_managers(plan, is_gone=error.reason is PostFailure.GONE)
        except (CannotRead, CannotKeep):
            await posts.retry_later(post, PostFailure.AWAY)  # soon: the database may be back in a moment
        except Exception:  # it is retried later; the others continue
            _logger.exception("a post failed: plan %d, %s", post.plan.id, post.day)
            await posts.retry_later(post, PostFailure.BROKEN)
        return None

    async def _make_ready(self, post: Post) -> _ReadyPost | None:
        """Return the page and channel of a post; None if nothing is to be sent. Raises: PostNotMade."""
        posts = self._bot.features.posts
        if post.is_look:
            raise PostNotMade(PostFailure.NOTHING, is_final=True)
        if posts.may_be_delivered(post):
            if self._searches_left:
                self._searches_left -= 1
                await self._delivery.settle(post)
            return None
        if posts.is_over(post):
            raise PostNotMade(post.reason or PostFailure.AWAY, is_final=True)
        page, post = await self._content.make_page(post)
        return _ReadyPost(await self._delivery.get_channel(post), page, post)

    async def _send(self, post: Post, ready: _ReadyPost) -> None:
        await self._delivery.send(post, ready.channel, ready.page)
        self._content.discard(post)
