"""The loops that gather posts before their time, and make them when it has come."""

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Final, NamedTuple, TypeVar

import discord
from discord.abc import Messageable
from discord.ext import commands, tasks

from bot.chat.answers import files_of, is_upload_refused, kind_of
from bot.chat.client import KirokuBot
from bot.chat.shards import fetch_neighbours
from bot.chat.subjects import TROUBLE, fetch_permissions
from bot.domain.daily import Posted
from bot.domain.errors import BotError, CannotKeep, CannotRead, ServiceDown, UnreadableMessage
from bot.domain.ids import MemberId, MessageId
from bot.domain.posts import Post, PostFailure, PostKind, PostPlan
from bot.features.daily import DailyPost
from bot.features.feed import FeedPost
from bot.features.posts import Key
from bot.features.shared.askers import MembershipUnknown
from bot.ui.daily import drawn_page
from bot.ui.feed import feed_page
from bot.ui.kit.look import Page
from bot.ui.posts import claim_of, marked, turned_off_embed

T = TypeVar("T")

_logger = logging.getLogger(__name__)

_TICK: Final = 20.0
"""Seconds between looks at the clock: a post is at most this late."""
_BATCHES: Final = 3
"""Of posts that are made at one time: most servers choose the same minute."""
_A_SECOND: Final = 40.0
"""Posts of all processes together. Discord takes 50 requests a second of a bot, and there are others."""
_LOOKS: Final = 20
"""Posts of all processes together that are looked for, by five requests each, at one look at the clock. After a death
there may be hundreds, and those that are due must neither wait for them nor be refused for their sake."""
_SEND_SECONDS: Final = 60.0
"""After which nobody waits for Discord any more: half of the time for which a nonce holds."""
_KEPT_SECONDS: Final = 1800.0
"""For which what was gathered is good enough to be posted."""
_DRAWN_AHEAD: Final = 500
"""Posts whose pictures are kept until they are sent, of some 40 kilobytes each; those of the others are drawn then."""
_LOOKED_THROUGH: Final = 1000
"""Messages, among which a post is looked for that may stand."""
_NOTHING: Final[Mapping[MemberId, Posted]] = {}
_CLOCKS_DIFFER: Final = timedelta(days=1)
"""By how much ours may, from Discord's."""


class _NotMade(Exception):
    """A post is not made now, or not at all."""

    def __init__(self, reason: PostFailure, *, is_final: bool = False, stands: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final
        self.stands = stands
        """Whether it may have been made all the same."""


class _Gathered(NamedTuple):
    """What a post to come will say."""

    at: float
    """By the loop's clock."""
    due_at: datetime
    """When it was to be sent: content that was gathered for another time is not what is wanted."""
    content: DailyPost | FeedPost
    page: Page | None
    """How it looks, where that is kept."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """What is sent, and where."""

    channel: Messageable
    page: Page
    tells: Mapping[MemberId, Posted]
    """Of whom the next post has to know it."""


class PostsCog(commands.Cog):
    """Makes each post once, when it is due."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        self._door = asyncio.Semaphore(_BATCHES)
        self._gathered: dict[Key, _Gathered] = {}
        self._next_at = 0.0
        """By the loop's clock, when the next post may be sent."""
        self._looks = 0
        """Posts that may still be looked for until the next look at the clock."""
        self._looking = asyncio.Lock()

    async def cog_load(self) -> None:
        """Start looking at the clock."""
        self._tick.start()
        self._gather_ahead.start()

    async def cog_unload(self) -> None:
        """Stop looking at the clock, in the middle of a post if need be."""
        running = [loop.get_task() for loop in (self._tick, self._gather_ahead)]
        self._tick.cancel()
        self._gather_ahead.cancel()
        await asyncio.gather(*filter(None, running), return_exceptions=True)

    @tasks.loop(seconds=_TICK)
    async def _tick(self) -> None:
        self._looks = max(1, round(_LOOKS * self._bot.share.part))
        if await self._make_due():
            await self._make_due()  # a post that is over may have made way for one that is due
        await self._bot.features.servers.erase_left()

    async def _make_due(self) -> bool:
        """Make all posts that are due, as far as that can be done now; return whether there were any."""
        last: Post | None = None
        async with asyncio.TaskGroup() as making:
            while due := await self._bot.features.posts.find_due(self._bot.share, after=last):
                last = due[-1]
                await self._door.acquire()
                making.create_task(self._make(due)).add_done_callback(lambda _: self._door.release())
        return last is not None

    @tasks.loop(seconds=_TICK)
    async def _gather_ahead(self) -> None:
        old = asyncio.get_running_loop().time() - _KEPT_SECONDS
        self._gathered = {key: each for key, each in self._gathered.items() if each.at > old}
        while upcoming := await self._bot.features.posts.find_upcoming(self._bot.share):
            await asyncio.gather(*map(self._gather_safely, upcoming))

    @_tick.before_loop
    async def _get_ready(self) -> None:
        await self._bot.wait_until_ready()
        await self._bot.features.posts.note_due()

    @_gather_ahead.before_loop
    async def _get_ready_to_gather(self) -> None:
        await self._bot.wait_until_ready()

    async def _make(self, due: list[Post]) -> None:
        """Make some posts, each as far as that can be done now."""
        found = await asyncio.gather(*(self._safely(post, self._prepare(post)) for post in due))
        ready = {post.key: each for post, each in zip(due, found, strict=True) if each is not None}
        telling = [replace(post, tells=ready[post.key].tells) for post in due if post.key in ready]
        try:
            claimed = await self._bot.features.posts.claim(telling, self._bot.share)
        except BotError as error:
            _logger.warning("posts wait: %s", error)
            return
        await asyncio.gather(*(self._safely(post, self._send(post, ready[post.key])) for post in claimed))

    async def _safely(self, post: Post, doing: Coroutine[None, None, T]) -> T | None:
        """Do something for a post, and keep why it was not made: the others shall be, whatever becomes of it."""
        posts = self._bot.features.posts
        try:
            return await doing
        except _NotMade as error:
            if not error.is_final:
                await posts.retry_later(post, error.reason, stands=error.stands)
            elif (plan := await posts.mark_skipped(post, error.reason)).is_off and not post.plan.is_off:
                await self._tell_managers(plan, is_gone=error.reason is PostFailure.GONE)
        except (CannotRead, CannotKeep):
            await posts.retry_later(post, PostFailure.AWAY)  # as if nobody were there, for a moment
        except Exception:  # as the docstring says
            _logger.exception("a post failed: plan %d, %s", post.plan.id, post.day)
            await posts.retry_later(post, PostFailure.BROKEN)
        return None

    async def _prepare(self, post: Post) -> _Ready | None:
        """Return what is to be sent where; None where nothing is. Raises: _NotMade."""
        posts = self._bot.features.posts
        if post.is_look:
            raise _NotMade(PostFailure.NOTHING, is_final=True)
        if posts.may_be_delivered(post):
            if self._looks:
                self._looks -= 1
                await self._look_for(post)
            return None
        if posts.is_over(post):
            raise _NotMade(post.reason or PostFailure.AWAY, is_final=True)
        guild = await self._know(post.plan)
        gathered = self._gathered.get(post.key)
        if gathered is None or gathered.due_at != post.due_at:
            gathered = _Gathered(0, post.due_at, await self._gather(post), None)
        content, page = gathered.content, gathered.page
        if isinstance(content, DailyPost):
            content = await self._bot.features.daily.look_again(content)
        if page is None or content != gathered.content:
            page = await self._draw(post, content, guild)
        tells = content.tells if isinstance(content, DailyPost) else _NOTHING
        return _Ready(await self._channel_of(post), page, tells)

    async def _draw(self, post: Post, content: DailyPost | FeedPost, guild: discord.Guild | None) -> Page:
        language = post.plan.language or (None if guild is None else guild.preferred_locale)
        t = self._bot.languages[language or discord.Locale.american_english]
        if isinstance(content, DailyPost):
            return await drawn_page(self._bot.renderer, t, content)
        return feed_page(t, content)

    async def _send(self, post: Post, ready: _Ready) -> None:
        """Send a post that this process has claimed. Raises: _NotMade."""
        posts, fleet = self._bot.features.posts, self._bot.fleet
        page = replace(ready.page, view=marked(ready.page.view, post))
        try:
            async with asyncio.timeout(_SEND_SECONDS):
                await self._await_turn()
                if fleet is not None and not fleet.presence.is_within_ttl:
                    raise _NotMade(PostFailure.AWAY)  # whoever may have taken this process for dead makes it
                message = await _send(ready.channel, page, post.nonce)
        except (discord.Forbidden, discord.NotFound) as error:
            _logger.warning("Discord did not take a post: plan %d, %s", post.plan.id, kind_of(error))
            raise _refused(error) from error
        except TROUBLE as error:
            raise _NotMade(PostFailure.DISCORD) from error
        except discord.HTTPException as error:
            if error.status == HTTPStatus.TOO_MANY_REQUESTS:  # which has been waited for five times
                raise _NotMade(PostFailure.DISCORD, stands=False) from error
            # Without its traceback, whose text could name a player.
            _logger.log(
                logging.ERROR, "Discord did not take a post: plan %d, %s", post.plan.id, kind_of(error)
            )
            raise _NotMade(PostFailure.BROKEN, stands=False) from error
        except UnreadableMessage as error:
            _logger.exception("a post stands that cannot be read: plan %d", post.plan.id)
            await posts.mark_delivered(post, MessageId(error.message))
            self._gathered.pop(post.key, None)
            return
        # It may be one that was made before, by somebody who told less.
        claim = claim_of(message, post)
        await posts.mark_delivered(post, MessageId(message.id), claim=claim)
        self._gathered.pop(post.key, None)

    async def _look_for(self, post: Post) -> None:
        """Look whether a post stands that may: it is settled, or may be sent again. Raises: _NotMade."""
        posts = self._bot.features.posts
        try:
            async with self._looking:
                message = await self._find(post)
        except (discord.Forbidden, discord.NotFound) as error:
            raise _NotMade(PostFailure.UNKNOWN, is_final=True) from error
        except (discord.HTTPException, *TROUBLE) as error:
            if posts.is_over(post):
                raise _NotMade(PostFailure.UNKNOWN, is_final=True) from error
            raise _NotMade(PostFailure.DISCORD) from error
        if message is not None:
            await posts.mark_delivered(post, MessageId(message.id), claim=claim_of(message, post))
        else:
            await posts.release_claim(post)

    async def _find(self, post: Post) -> discord.Message | None:
        """Return a post from its channel, or None. Raises: _NotMade where that cannot be told, discord.HTTPException."""
        guild, channel = post.plan.guild, post.target
        if guild is not None and channel is not None:
            if await self._bot.know(guild) is None:
                raise _NotMade(PostFailure.UNSEEN, is_final=self._bot.features.posts.is_over(post))
            if not (await fetch_permissions(self._bot, guild, channel)).read_message_history:
                raise _NotMade(PostFailure.UNKNOWN, is_final=True)
        since = (post.tried_at or post.due_at) - _CLOCKS_DIFFER
        seen = 0
        async for message in (await self._channel_of(post)).history(limit=_LOOKED_THROUGH):
            if message.created_at < since:
                return None
            is_ours = self._bot.user is not None and message.author.id == self._bot.user.id
            if is_ours and claim_of(message, post) is not None:
                return message
            seen += 1
        if seen == _LOOKED_THROUGH:
            raise _NotMade(PostFailure.UNKNOWN, is_final=True)
        return None

    async def _gather_safely(self, post: Post) -> None:
        """Gather what a post will say; what goes wrong is of no matter before its time.

        A feed's is at hand, and may go on until then.
        """
        if post.plan.what is PostKind.FEED:
            return
        try:
            content = await self._gather(post)
            has_room = len(self._gathered) < _DRAWN_AHEAD
            page = await self._draw(post, content, await self._know(post.plan)) if has_room else None
            self._gathered[post.key] = _Gathered(
                asyncio.get_running_loop().time(), post.due_at, content, page
            )
        except _NotMade as error:
            _logger.info("a post is not gathered yet: plan %d, %s: %s", post.plan.id, post.day, error)
        except Exception:  # as above
            _logger.exception("a post is not gathered yet: plan %d, %s", post.plan.id, post.day)

    async def _gather(self, post: Post) -> DailyPost | FeedPost:
        """Return what a post says. Raises: _NotMade."""
        guild, features = await self._know(post.plan), self._bot.features
        among = None if guild is None else partial(fetch_neighbours, guild)
        try:
            if post.plan.what is PostKind.FEED and among is not None:
                content = await features.feed.gather(post, among)
            else:
                content = await features.daily.gather(post.plan, post.day, among, anew=post.is_hurried)
        except MembershipUnknown as error:
            raise _NotMade(PostFailure.DISCORD) from error
        except (ServiceDown, CannotRead, CannotKeep) as error:
            raise _NotMade(PostFailure.SERVICE) from error
        if content is None:
            raise _NotMade(PostFailure.NOTHING, is_final=True)
        return content

    async def _know(self, plan: PostPlan) -> discord.Guild | None:
        """Return a plan's server, None of direct messages. Raises: _NotMade where it is out of sight."""
        if plan.guild is None:
            return None
        try:
            guild = await self._bot.know(plan.guild)
        except (discord.HTTPException, *TROUBLE) as error:
            raise _NotMade(PostFailure.UNSEEN) from error
        if guild is None:
            raise _NotMade(PostFailure.UNSEEN)
        return guild

    async def _channel_of(self, post: Post) -> Messageable:
        """Return where a post stands, or will. Raises: _NotMade."""
        if post.target is not None:
            return self._bot.get_partial_messageable(post.target)
        try:
            return await self._bot.create_dm(discord.Object(post.plan.member or 0))
        except (discord.Forbidden, discord.NotFound) as error:
            raise _refused(error) from error
        except (discord.HTTPException, *TROUBLE) as error:
            raise _NotMade(PostFailure.DISCORD) from error

    async def _await_turn(self) -> None:
        """Wait until the next post may be sent: all processes together keep to what Discord takes."""
        now = asyncio.get_running_loop().time()
        at = max(now, self._next_at)
        self._next_at = at + 1 / (_A_SECOND * max(self._bot.share.part, 0.01))
        await asyncio.sleep(at - now)

    async def _tell_managers(self, plan: PostPlan, *, is_gone: bool) -> None:
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
            # What nobody is known to have set up is the owner's.
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
        except (discord.HTTPException, *TROUBLE) as error:
            _logger.info("nobody could be told: %s", error)

    @_tick.error
    @_gather_ahead.error
    async def _failed(self, error: BaseException) -> None:
        _logger.error("a loop of posts failed and starts again", exc_info=error)
        await asyncio.sleep(_TICK)
        for loop in (self._tick, self._gather_ahead):
            if loop.failed():
                loop.restart()


async def _send(channel: Messageable, page: Page, nonce: str) -> discord.Message:
    """Send a page, or make nothing where Discord has made it before under that nonce. Raises: discord.HTTPException."""
    files, view = files_of(page), page.view or discord.utils.MISSING
    try:
        return await channel.send(embed=page.embed, view=view, files=files, nonce=nonce)
    except discord.HTTPException as error:
        # It may be the picture alone that is not allowed.
        if not files or not (isinstance(error, discord.Forbidden) or is_upload_refused(error)):
            raise
        return await channel.send(embed=page.embed.copy().set_image(url=None), view=view, nonce=nonce)


def _refused(error: discord.HTTPException) -> _NotMade:
    reason = PostFailure.REFUSED if isinstance(error, discord.Forbidden) else PostFailure.GONE
    return _NotMade(reason, is_final=True)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(PostsCog(bot))
