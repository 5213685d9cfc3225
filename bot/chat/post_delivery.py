"""How a post gets to Discord: sent once under its nonce, looked for where it may stand, and given up with a word."""

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
"""Nobody waits for Discord longer than this, which is half of the time for which a nonce holds."""
_MAX_MESSAGES_SEARCHED: Final = 1000
"""A post is looked for among the last this many messages of a channel."""
_MAX_CLOCK_SKEW: Final = timedelta(days=1)
"""Our clock may differ from Discord's by this much."""


class PostDelivery:
    """Sends posts that this process has claimed, and settles those that may stand already."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        self._pace = PostPace()
        self._search_lock = asyncio.Lock()

    async def get_channel(self, post: Post) -> Messageable:
        """Return where a post stands, or will. Raises: PostNotMade."""
        if post.target is not None:
            return self._bot.get_partial_messageable(post.target)
        try:
            return await self._bot.create_dm(discord.Object(post.plan.member or 0))
        except (discord.Forbidden, discord.NotFound) as error:
            raise _refused(error) from error
        except DISCORD_FAILURES as error:
            raise PostNotMade(PostFailure.DISCORD) from error

    async def send(self, post: Post, channel: Messageable, page: Page) -> None:
        """Send a post that this process has claimed, and note that it stands. Raises: PostNotMade."""
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
            _logger.warning("Discord did not take a post: plan %d, %s", post.plan.id, describe_failure(error))
            raise _refused(error) from error
        except DISCORD_OUTAGES as error:
            raise PostNotMade(PostFailure.DISCORD) from error
        except discord.HTTPException as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:  # which has been waited for five times
                raise PostNotMade(PostFailure.DISCORD, may_stand=False) from error
            # Without its traceback, whose text could name a player.
            _logger.log(
                logging.ERROR,
                "Discord did not take a post: plan %d, %s",
                post.plan.id,
                describe_failure(error),
            )
            raise PostNotMade(PostFailure.BROKEN, may_stand=False) from error
        except UnreadableMessage as error:
            _logger.exception("a post stands that cannot be read: plan %d", post.plan.id)
            await posts.mark_delivered(post, MessageId(error.message))
        else:
            # It may be one that an earlier claim made, which told less.
            await posts.mark_delivered(post, MessageId(message.id), claim=claim_of(message, post))

    async def settle(self, post: Post) -> None:
        """Look whether a post stands that may: it is noted as delivered, or may be sent again. Raises: PostNotMade."""
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
        """Say that a plan is off, once: where the server has its system messages, or else to whoever set it up.

        `is_gone`: there is no such channel any more.
        """
        _logger.warning("nothing is posted any more: plan %d, server %s", plan.id, plan.guild)
        if plan.guild is None:
            return  # who is written to directly is told in `/account`
        try:
            guild = await self._bot.http.get_guild(plan.guild, with_counts=False)
            language, system = plan.language or guild["preferred_locale"], guild["system_channel_id"]
            if system is not None and int(system) != plan.channel:
                embed = turned_off_embed(self._bot.languages[language], plan, is_gone=is_gone)
                with suppress(discord.Forbidden, discord.NotFound):
                    await self._bot.get_partial_messageable(int(system)).send(embed=embed)
                    return
            # A plan that nobody is known to have set up is the owner's.
            for member in dict.fromkeys((plan.set_up_by, MemberId(int(guild["owner_id"])))):
                if member is None:
                    continue
                reads = (await self._bot.features.preferences.get(member)).language or language
                embed = turned_off_embed(
                    self._bot.languages[reads], plan, is_gone=is_gone, server=guild["name"]
                )
                with suppress(discord.Forbidden, discord.NotFound):
                    await self._bot.http.get_member(plan.guild, member)  # not one who has left
                    await (await self._bot.create_dm(discord.Object(member))).send(embed=embed)
                    return
        except DISCORD_FAILURES as error:
            _logger.info("nobody could be told: %s", error)

    async def _find_message(self, post: Post) -> discord.Message | None:
        """Return a post from its channel, or None where it is not there.

        Raises: PostNotMade where that cannot be known, discord.HTTPException.
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
    """Send a page; Discord makes no second message of one nonce. Raises: discord.HTTPException."""
    files, view = files_of(page), page.view or discord.utils.MISSING
    try:
        return await channel.send(embeds=embeds_of(page), view=view, files=files, nonce=nonce)
    except discord.HTTPException as error:
        # It may be the picture alone that is not allowed.
        if not files or not (isinstance(error, discord.Forbidden) or is_upload_refused(error)):
            raise
        return await channel.send(embed=page.embed, view=view, nonce=nonce)


def _refused(error: discord.HTTPException) -> PostNotMade:
    reason = PostFailure.REFUSED if isinstance(error, discord.Forbidden) else PostFailure.GONE
    return PostNotMade(reason, is_final=True)
