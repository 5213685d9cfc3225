"""The loop that makes posts at their time."""

import asyncio
import logging
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import discord
from discord.ext import commands, tasks

from bot.answers import files_of
from bot.client import KirokuBot
from bot.domain.errors import BotError
from bot.domain.members import Theme
from bot.domain.posts import PostPlan
from bot.features.daily import DailyPost
from bot.subjects import is_member
from bot.ui.daily import daily_page
from bot.ui.daily_card import daily_card
from bot.ui.look import Page

_log = logging.getLogger(__name__)

_TICK: Final = 20.0
"""Seconds between looks at the clock: a post is at most this late."""
_AT_ONCE: Final = 8
"""Posts made at one time: most servers choose the same minute."""


class PostsCog(commands.Cog):
    """Makes each post once, when it is due."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        self._door = asyncio.Semaphore(_AT_ONCE)

    async def cog_load(self) -> None:
        """Start looking at the clock."""
        self._tick.start()

    async def cog_unload(self) -> None:
        """Stop looking at the clock, in the middle of a post if need be."""
        task = self._tick.get_task()
        self._tick.cancel()
        if task is not None:
            await asyncio.gather(task, return_exceptions=True)

    @tasks.loop(seconds=_TICK)
    async def _tick(self) -> None:
        due = await self._bot.features.posts.find_due()
        await asyncio.gather(*map(self._publish_safely, due))
        await self._bot.features.servers.erase_left()

    @_tick.before_loop
    async def _get_ready(self) -> None:
        await self._bot.wait_until_ready()
        await self._bot.features.posts.note_due()

    async def _publish_safely(self, plan: PostPlan) -> None:
        async with self._door:
            try:
                await self._publish(plan)
            except BotError as error:
                _log.warning("a daily post waits: %s", error)
                self._bot.features.posts.postpone(plan)
            except Exception:  # noqa: BLE001 - one server's trouble must not keep the others from their posts
                _log.exception("a daily post failed: server %s", plan.guild)
                self._bot.features.posts.postpone(plan)

    async def _publish(self, plan: PostPlan) -> None:
        posts, daily = self._bot.features.posts, self._bot.features.daily
        guild = await self._bot.know(plan.guild)
        if guild is None:
            return  # it is not there yet, or another process serves it
        gathered = await daily.gather(plan, posts.day_of(plan), partial(is_member, guild))
        page = await self._page(gathered, guild)
        if not await posts.claim(plan, gathered.day):
            return  # another process makes it, which had the server's shard before or has it now
        post = await daily.look_again(gathered)
        if post != gathered:
            page = await self._page(post, guild)
        try:
            await self._send(plan, page)
        except discord.NotFound:
            _log.warning("the channel of a daily post is gone: server %s", plan.guild)
            await posts.skip(plan)
            return
        except discord.HTTPException as error:
            _log.warning("a daily post could not be sent: server %s, status %s", plan.guild, error.status)
            posts.counts["lost"] += 1
            return
        posts.counts["sent"] += 1
        await daily.remember(post)

    async def _page(self, post: DailyPost, guild: discord.Guild) -> Page:
        t = self._bot.languages[post.plan.language or guild.preferred_locale]
        t = t.in_zone(ZoneInfo(post.plan.timezone))
        return daily_page(t, post, await daily_card(self._bot.studio, t, post, Theme.DARK))

    async def _send(self, plan: PostPlan, page: Page) -> None:
        channel, view = self._bot.get_partial_messageable(plan.channel), page.view or discord.utils.MISSING
        files = files_of(page)
        try:
            await channel.send(embed=page.embed, view=view, files=files)
        except discord.Forbidden:
            if not files:
                raise
            # It may be the picture alone that is not allowed.
            await channel.send(embed=page.embed.set_image(url=None), view=view)

    @_tick.error
    async def _tick_failed(self, error: BaseException) -> None:
        _log.error("the loop of posts failed and starts again", exc_info=error)
        await asyncio.sleep(_TICK)
        self._tick.restart()


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(PostsCog(bot))
