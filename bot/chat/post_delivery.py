"""Delivers posts to Discord: sent once with a nonce, searched for if they may exist, or given up with a notice."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Final

import discord
from discord.abc import Messageable

from bot.chat.answers import embeds_of, files_of, is_upload_refused
from bot.chat.client import KirokuBot
from bot.chat.failures import DISCORD_FAILURES, DISCORD_OUTAGES, describe_failure
from bot.chat.post_content import PostNotMade
from bot.chat.post_pace import PostPace
from bot.chat.subjects import fetch_permissions
from bot.domain.errors import UnreadableMessage
from bot.domain.ids import MemberId, MessageId
from bot.domain.posts import Post, PostFailure, PostPlan
from bot.ui.kit.look import Page
from bot.ui.posts import claim_of, marked, turned_off_embed

_logger = logging.getLogger(__name__)

_SEND_TIMEOUT_SECONDS: Final = 60.0
"""The timeout for Discord, half of the time for which a nonce is valid."""
_MAX_MESSAGES_SEARCHED: Final = 1000
"""A post is searched for among this many latest messages of a channel."""
_MAX_CLOCK_SKEW: Final = timedelta(days=1)
"""The tolerated difference of our clock from Discord's."""


class PostDelivery:
    """Sends posts that this process has claimed, and settles those that may be delivered already."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        self._pace = PostPace()
        self._search_lock = asyncio.Lock()

    async def get_channel(self, post: Post) -> Messageable:
        """Return the channel of a post. Raises: PostNotMade."""
        if post.target is not None:
            return self._bot.get_partial_messageable(post.target)
        try:
            return await self._bot.create_dm(discord.Object(post.plan.member or 0))
        except (discord.Forbidden, discord.NotFound) as error:
            raise _refused(error) from error
        except DISCORD_FAILURES as error:
            raise PostNotMade(PostFailure.DISCORD) from error

    async def send(self, post: Post, channel: Messageable, page: Page) -> None:
        """Send a post that this process has claimed, and note its delivery. Raises: PostNotMade."""
        posts, fleet = self._bot.features.posts, self._bot.fleet
        page = replace(page, view=marked(page.view, post))
        try:
            async with asyncio.timeout(_SEND_TIMEOUT_SECONDS):
                await self._pace.wait(self._bot.share.part)
                if fleet is not None and not fleet.member.is_within_ttl:
                    raise PostNotMade(
                        PostFailure.AWAY
                    )  # whoever may have taken this process for dead makes it
                message = await _send_page(channel, page, post.nonce)
        except (discord.Forbidden, discord.NotFound) as error:
            _logger.warning(
                "Discord did not accept a post: plan %d, %s", post.plan.id, describe_failure(error)
            )
            raise _refused(error) from error
        except DISCORD_OUTAGES as error:
            raise PostNotMade(PostFailure.DISCORD) from error
        except discord.HTTPException as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:  # discord.py has retried five times
                raise PostNotMade(PostFailure.DISCORD, may_stand=False) from error
            # Without a traceback, whose text could name a player.
            _logger.log(
                logging.ERROR,
                "Discord did not accept a post: plan %d, %s",
                post.plan.id,
                describe_failure(error),
            )
            raise PostNotMade(PostFailure.BROKEN, may_stand=False) from error
        except UnreadableMessage as error:
            _logger.exception("a post stands that cannot be read: plan %d", post.plan.id)
            await posts.mark_delivered(post, MessageId(error.message))
        else:
            # It may be a message of an earlier claim, which told less.
            await posts.mark_delivered(post, MessageId(message.id), claim=claim_of(message, post))

    async def settle(self, post: Post) -> None:
        """Find out whether a post was delivered: it is noted as such, or may be sent again. Raises: PostNotMade."""
        posts = self._bot.features.posts
        try:
            async with self._search_lock:
                message = await self._find_message(post)
        except (discord.Forbidden, discord.NotFound) as error:
            raise PostNotMade(PostFailure.UNKNOWN, is_final=True) from error
        except DISCORD_FAILURES as error:
            if posts.is_over(post):
                raise PostNotMade(PostFailure.UNKNOWN, is_final=True) from error
            raise PostNotMade(PostFailure.DISCORD) from error
        if message is not None:
            await posts.mark_delivered(post, MessageId(message.id), claim=claim_of(message, post))
        else:
            await posts.release_claim(post)

    async def tell_managers(self, plan: PostPlan, *, is_gone: bool) -> None:
        """Announce once that a plan is off: in the server's system channel, or else to whoever set it up.

        `is_gone`: the channel was deleted.
        """
        _logger.warning("nothing is posted any more: plan %d, server %s", plan.id, plan.guild)
        if plan.guild is None:
            return  # recipients of direct messages are told in `/account`
        try:
            guild = await self._bot.http.get_guild(plan.guild, with_counts=False)
            language, system = plan.language or guild["preferred_locale"], guild["system_channel_id"]
            if system is not None and int(system) != plan.channel:
                embed = turned_off_embed(self._bot.languages[language], plan, is_gone=is_gone)
                with suppress(discord.Forbidden, discord.NotFound):
                    await self._bot.get_partial_messageable(int(system)).send(embed=embed)
                    return
            # If nobody is known to have set it up, the server's owner is told.
            for member in dict.fromkeys((plan.set_up_by, MemberId(int(guild["owner_id"])))):
                if member is None:
                    continue
                reads = (await self._bot.features.preferences.get(member)).language or language
                embed = turned_off_embed(
                    self._bot.languages[reads], plan, is_gone=is_gone, server=guild["name"]
                )
                with suppress(discord.Forbidden, discord.NotFound):
                    await self._bot.http.get_member(plan.guild, member)  # not somebody who has left
                    await (await self._bot.create_dm(discord.Object(member))).send(embed=embed)
                    return
        except DISCORD_FAILURES as error:
            _logger.info("nobody could be told: %s", error)

    async def _find_message(self, post: Post) -> discord.Message | None:
        """Find a post in its channel, or return None.

        Raises: PostNotMade if that cannot be known, discord.HTTPException.
        """
        guild, channel = post.plan.guild, post.target
        if guild is not None and channel is not None:
            if await self._bot.served_guilds.find(guild) is None:
                raise PostNotMade(PostFailure.UNSEEN, is_final=self._bot.features.posts.is_over(post))
            if not (await fetch_permissions(self._bot, guild, channel)).read_message_history:
                raise PostNotMade(PostFailure.UNKNOWN, is_final=True)
        since = (post.tried_at or post.due_at) - _MAX_CLOCK_SKEW
        seen = 0
        async for message in (await self.get_channel(post)).history(limit=_MAX_MESSAGES_SEARCHED):
            if message.created_at < since:
                return None
            is_ours = self._bot.user is not None and message.author.id == self._bot.user.id
            if is_ours and claim_of(message, post) is not None:
                return message
            seen += 1
        if seen == _MAX_MESSAGES_SEARCHED:
            raise PostNotMade(PostFailure.UNKNOWN, is_final=True)
        return None


async def _send_page(channel: Messageable, page: Page, nonce: str) -> discord.Message:
    """Send a page; Discord creates only one message per nonce. Raises: discord.HTTPException."""
    files, view = files_of(page), page.view or discord.utils.MISSING
    try:
        return await channel.send(embeds=embeds_of(page), view=view, files=files, nonce=nonce)
    except discord.HTTPException as error:
        # Perhaps only the picture is not allowed.
        if not files or not (isinstance(error, discord.Forbidden) or is_upload_refused(error)):
            raise
        return await channel.send(embed=page.embed, view=view, nonce=nonce)


def _refused(error: discord.HTTPException) -> PostNotMade:
    reason = PostFailure.REFUSED if isinstance(error, discord.Forbidden) else PostFailure.GONE
    return PostNotMade(reason, is_final=True)
