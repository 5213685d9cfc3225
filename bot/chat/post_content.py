"""The content of posts, prepared some minutes before their time, so that sending one is a single call."""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

import discord

from bot.chat.client import KirokuBot
from bot.chat.failures import DISCORD_FAILURES
from bot.chat.gateway.guilds import fetch_neighbours
from bot.domain.errors import CannotKeep, CannotRead, ServiceDown
from bot.domain.posts import Post, PostFailure, PostKind, PostPlan
from bot.features.daily import DailyPost
from bot.features.feed import FeedPost
from bot.features.posts import Key
from bot.features.shared.subjects import MembershipUnknown
from bot.ui.daily import drawn_page
from bot.ui.feed import feed_page
from bot.ui.kit.look import Page

_logger = logging.getLogger(__name__)

_PREPARED_TTL_SECONDS: Final = 1800.0
"""Content prepared longer ago than this is not posted."""
_MAX_PREPARED_PAGES: Final = 500
"""The most pages with pictures, some 40 kilobytes each, that are kept until they are sent; others are drawn then."""


class PostNotMade(Exception):
    """A post is not made now, or not at all."""

    def __init__(self, reason: PostFailure, *, is_final: bool = False, may_stand: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final
        self.may_stand = may_stand
        """Whether Discord may have accepted it nevertheless."""


@dataclass(frozen=True, slots=True)
class _PreparedPost:
    """The prepared content of an upcoming post."""

    prepared_at: float
    """The time of preparation, by the event loop's clock."""
    due_at: datetime
    """The planned time of the post: content for another time is not used."""
    content: DailyPost | FeedPost
    page: Page | None
    """The page; None if there was no room to keep it."""


class PostContent:
    """Makes the pages of posts, and keeps those that were prepared before their time."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        self._prepared: dict[Key, _PreparedPost] = {}

    async def prepare_upcoming(self) -> None:
        """Prepare upcoming posts, each once."""
        oldest = asyncio.get_running_loop().time() - _PREPARED_TTL_SECONDS
        self._prepared = {key: each for key, each in self._prepared.items() if each.prepared_at > oldest}
        while upcoming := await self._bot.features.posts.find_upcoming(self._bot.share):
            await asyncio.gather(*map(self._prepare, upcoming))

    async def make_page(self, post: Post) -> tuple[Page, Post]:
        """Return the page of a post now, and the post with what it tells, for the next ones. Raises: PostNotMade."""
        guild = await self._find_server(post.plan)
        prepared = self._prepared.get(post.key)
        if prepared is None or prepared.due_at != post.due_at:
            prepared = _PreparedPost(0, post.due_at, await self._gather(post), None)
        content, page = prepared.content, prepared.page
        if isinstance(content, DailyPost):
            content = await self._bot.features.daily.look_again(content)
        if page is None or content != prepared.content:
            page = await self._draw(post, content, guild)
        if isinstance(content, DailyPost):
            post = replace(
                post, shown_ratings=content.shown_ratings, announces=content.coming and content.coming.name
            )
        return page, post

    def discard(self, post: Post) -> None:
        """Drop the prepared content of a sent post."""
        self._prepared.pop(post.key, None)

    async def _prepare(self, post: Post) -> None:
        """Prepare a post; a failure does not matter before its time.

        Feeds are not prepared: their content is stored, and may grow until its time.
        """
        if post.plan.what is PostKind.FEED:
            return
        try:
            content = await self._gather(post)
            has_room = len(self._prepared) < _MAX_PREPARED_PAGES
            page = await self._draw(post, content, await self._find_server(post.plan)) if has_room else None
            prepared_at = asyncio.get_running_loop().time()
            self._prepared[post.key] = _PreparedPost(prepared_at, post.due_at, content, page)
        except PostNotMade as error:
            _logger.info("a post is not gathered yet: plan %d, %s: %s", post.plan.id, post.day, error)
        except Exception:  # it is made again at its time, and only then a failure counts
            _logger.exception("a post is not gathered yet: plan %d, %s", post.plan.id, post.day)

    async def _gather(self, post: Post) -> DailyPost | FeedPost:
        guild, features = await self._find_server(post.plan), self._bot.features
        among = None if guild is None else partial(fetch_neighbours, guild)
        try:
            if post.plan.what is PostKind.FEED and among is not None:
                content = await features.feed.gather(post, among)
            else:
                content = await features.daily.gather(post.plan, post.day, among, anew=post.is_hurried)
        except MembershipUnknown as error:
            raise PostNotMade(PostFailure.DISCORD) from error
        except (ServiceDown, CannotRead, CannotKeep) as error:
            raise PostNotMade(PostFailure.SERVICE) from error
        if content is None:
            raise PostNotMade(PostFailure.NOTHING, is_final=True)
        return content

    async def _draw(self, post: Post, content: DailyPost | FeedPost, guild: discord.Guild | None) -> Page:
        language = post.plan.language or (None if guild is None else guild.preferred_locale)
        t = self._bot.languages[language or discord.Locale.american_english]
        if isinstance(content, DailyPost):
            return await drawn_page(self._bot.renderer, t, content)
        return feed_page(t, content)

    async def _find_server(self, plan: PostPlan) -> discord.Guild | None:
        """Return a plan's server, None for direct messages. Raises: PostNotMade if the server is unavailable."""
        if plan.guild is None:
            return None
        try:
            guild = await self._bot.served_guilds.find(plan.guild)
        except DISCORD_FAILURES as error:
            raise PostNotMade(PostFailure.UNSEEN) from error
        if guild is None:
            raise PostNotMade(PostFailure.UNSEEN)
        return guild
