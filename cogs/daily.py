"""`/daily`."""

from dataclasses import replace
from datetime import time
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.errors import BadQuery
from bot.domain.ids import ChannelId
from bot.options import TextChannel, option, timezone_option
from bot.subjects import fetch_permissions, get_guild, viewer_of
from bot.ui.daily import (
    joined_embed,
    left_embed,
    off_embed,
    question_page,
    set_up_embed,
)
from bot.ui.look import Page
from bot.ui.routes import JoinDailyAddress
from bot.ui.text import described, named

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
        bot.add_page(JoinDailyAddress, self._join)

    @app_commands.command(
        name=named("command", "channel"),
        description=described("Post everyone's rating each day in a channel"),
    )
    @option("channel", named("option", "channel"), described("Where to post"))
    @option("at", named("option", "time"), described("Time of day, such as 21:00"))
    @timezone_option()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def channel(
        self, interaction: Interaction, channel: TextChannel, at: str, timezone: str | None = None
    ) -> None:
        """Set the daily post up."""
        await reserve(interaction, private=True)
        allowed = await fetch_permissions(self._bot, get_guild(interaction), ChannelId(channel.id))
        if missing := [name for name in _POSTING if not getattr(allowed, name)]:
            raise app_commands.BotMissingPermissions(missing)
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
        await self._bot.answer(interaction, JoinDailyAddress(asker=viewer_of(interaction)), private=True)

    async def _join(self, interaction: Interaction, address: JoinDailyAddress) -> Page:
        joining = await self._bot.features.daily.join(
            get_guild(interaction), address.asker, openly=address.openly
        )
        t = self._bot.language_of(interaction)
        if joining.is_in:
            return Page(joined_embed(t, joining.plan))
        return question_page(t, joining.plan, replace(address, openly=True))

    @app_commands.command(
        name=named("command", "leave"), description=described("Take your rating out of the daily post")
    )
    async def leave(self, interaction: Interaction) -> None:
        """Take the asker out of the daily post."""
        await reserve(interaction, private=True)
        was_in = await self._bot.features.daily.leave(get_guild(interaction), viewer_of(interaction))
        await show(interaction, Page(left_embed(self._bot.language_of(interaction), was_in=was_in)))


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
