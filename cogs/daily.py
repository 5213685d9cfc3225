"""`/daily`, and the loop that posts."""

import asyncio
import logging
from datetime import time
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.daily import DailySchedule
from bot.domain.errors import BadQuery, BotError
from bot.domain.ids import ChannelId
from bot.options import option, timezone_option
from bot.subjects import get_guild, is_member, viewer_of
from bot.ui.daily import (
    daily_embed,
    joined_embed,
    left_embed,
    off_embed,
    question_page,
    set_up_embed,
)
from bot.ui.look import Page
from bot.ui.routes import JoinDailyAddress
from bot.ui.text import described, named

_log = logging.getLogger(__name__)

_TICK: Final = 20.0
"""Seconds between looks at the clock: a post is at most this late."""
_AT_ONCE: Final = 8
"""Posts made at one time: most servers choose the same minute."""
_POSTING: Final = ("view_channel", "send_messages", "embed_links")
"""What the bot must be allowed to do where it posts."""


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class DailyCog(
    commands.GroupCog,
    group_name=named("command", "daily"),
    group_description=described("A daily post of ratings in this server"),
):
    """A server's daily rating post."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(JoinDailyAddress, self._join_openly)
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

    @app_commands.command(
        name=named("command", "channel"),
        description=described("Post everyone's rating each day in a channel"),
    )
    @option("channel", named("option", "channel"), described("Where to post"))
    @option("at", named("option", "time"), described("Time of day, such as 21:00"))
    @timezone_option()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def channel(
        self, interaction: Interaction, channel: discord.TextChannel, at: str, timezone: str | None = None
    ) -> None:
        """Set the daily post up."""
        await reserve(interaction, private=True)
        _check_can_post(channel)
        zone = timezone or self._bot.preferences_of(interaction).timezone
        first = await self._bot.features.daily.set_up(
            get_guild(interaction), ChannelId(channel.id), _time_of_day(at), zone
        )
        t = self._bot.language_of(interaction)
        await show(interaction, Page(set_up_embed(t, channel.id, first, zone)))

    @app_commands.command(name=named("command", "off"), description=described("Turn the daily post off"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def off(self, interaction: Interaction) -> None:
        """Turn the daily post off."""
        await reserve(interaction, private=True)
        await self._bot.features.daily.turn_off(get_guild(interaction))
        await show(interaction, Page(off_embed(self._bot.language_of(interaction))))

    @app_commands.command(
        name=named("command", "join"), description=described("Let your rating appear in the daily post")
    )
    async def join(self, interaction: Interaction) -> None:
        """Add the asker to the daily post."""
        await reserve(interaction, private=True)
        await show(interaction, await self._join(interaction))

    async def _join_openly(self, interaction: Interaction, _address: JoinDailyAddress) -> Page:
        return await self._join(interaction, openly=True)

    async def _join(self, interaction: Interaction, *, openly: bool = False) -> Page:
        viewer = viewer_of(interaction)
        joining = await self._bot.features.daily.join(get_guild(interaction), viewer, openly=openly)
        t = self._bot.language_of(interaction)
        if joining.is_in:
            return Page(joined_embed(t, joining.schedule))
        return question_page(t, joining.schedule, JoinDailyAddress(asker=viewer))

    @app_commands.command(
        name=named("command", "leave"), description=described("Take your rating out of the daily post")
    )
    async def leave(self, interaction: Interaction) -> None:
        """Take the asker out of the daily post."""
        await reserve(interaction, private=True)
        was_in = await self._bot.features.daily.leave(get_guild(interaction), viewer_of(interaction))
        await show(interaction, Page(left_embed(self._bot.language_of(interaction), was_in=was_in)))

    @tasks.loop(seconds=_TICK)
    async def _tick(self) -> None:
        due = await self._bot.features.daily.find_due()
        await asyncio.gather(*map(self._publish_safely, due))
        await self._bot.features.servers.erase_left()

    @_tick.before_loop
    async def _get_ready(self) -> None:
        await self._bot.wait_until_ready()
        await self._bot.features.daily.note_due()

    async def _publish_safely(self, schedule: DailySchedule) -> None:
        async with self._door:
            try:
                await self._publish(schedule)
            except BotError as error:
                _log.warning("a daily post waits: %s", error)
                self._bot.features.daily.postpone(schedule)
            except Exception:  # noqa: BLE001 - one server's trouble must not keep the others from their posts
                _log.exception("a daily post failed: server %s", schedule.guild)
                self._bot.features.daily.postpone(schedule)

    async def _publish(self, schedule: DailySchedule) -> None:
        guild = await self._bot.know(schedule.guild)
        if guild is None:
            return  # it is not there yet, or another process serves it
        channel = guild.get_channel(schedule.channel)
        if not isinstance(channel, discord.TextChannel):
            _log.warning("the channel of a daily post is gone or out of sight: server %s", schedule.guild)
            await self._bot.features.daily.skip(schedule)
            return
        post = await self._bot.features.daily.open_post(schedule, partial(is_member, channel.guild))
        if post is None:
            return
        t = self._bot.languages[channel.guild.preferred_locale]
        try:
            await channel.send(embed=daily_embed(t, post))
        except discord.HTTPException as error:
            _log.warning("a daily post could not be sent: server %s, status %s", schedule.guild, error.status)
            self._bot.features.daily.lose()
            return
        await self._bot.features.daily.close_post(post)

    @_tick.error
    async def _tick_failed(self, error: BaseException) -> None:
        _log.error("the daily loop failed and starts again", exc_info=error)
        await asyncio.sleep(_TICK)
        self._tick.restart()


def _check_can_post(channel: discord.TextChannel) -> None:
    """Raise BotMissingPermissions where a daily post could not be sent."""
    allowed = channel.permissions_for(channel.guild.me)
    missing = [name for name in _POSTING if not getattr(allowed, name)]
    if missing:
        raise app_commands.BotMissingPermissions(missing)


def _time_of_day(text: str) -> time:
    """Return "21:00", "9:30" or "21" as a time. Raises: BadQuery."""
    hour, _, minute = text.strip().replace("：", ":").partition(":")
    try:
        return time(int(hour), int(minute or 0))
    except (ValueError, OverflowError):
        raise BadQuery("time", "00:00 – 23:59") from None


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(DailyCog(bot))
