"""What the bot does for its host: alerts by direct message, and staying out of blocked servers."""

import logging
from contextlib import suppress

import discord

from bot.chat.client import KirokuBot
from bot.chat.failures import DISCORD_FAILURES, describe_failure
from bot.domain.errors import CannotRead
from bot.domain.ids import GuildId
from bot.features.hosting import LOOK_SECONDS
from bot.ui.hosting import alert_embed
from bot.ui.language.text import SOURCE

_logger = logging.getLogger(__name__)


async def tell_host(bot: KirokuBot) -> float:
    """Send due alerts to those in OWNER_IDS; return the seconds until the next check."""
    hosting = bot.features.hosting
    for cause in await hosting.find_alerts():
        _logger.warning("the host is told: %s", cause)
        for owner in hosting.owners:
            preferences = await bot.features.preferences.get(owner)
            t = bot.languages[preferences.language or SOURCE]
            try:
                await (await bot.create_dm(discord.Object(owner))).send(embed=alert_embed(t, cause))
            except DISCORD_FAILURES as error:
                _logger.warning("the host cannot be written to: %s", describe_failure(error))
    return LOOK_SECONDS


async def leave_server(bot: KirokuBot, guild: GuildId) -> None:
    """Leave a server, whichever process serves it; if the bot is not in it, do nothing."""
    with suppress(discord.NotFound):
        await bot.http.leave_guild(guild)


async def is_left_alone(bot: KirokuBot, guild: GuildId) -> bool:
    """Leave a server if the host has blocked it; return whether it is blocked."""
    try:
        if not await bot.features.hosting.is_blocked(guild):
            return False
        await leave_server(bot, guild)
    except (CannotRead, *DISCORD_FAILURES) as error:
        _logger.warning(
            "could not check whether server %s is blocked, or could not leave it: %s",
            guild,
            describe_failure(error),
        )
        return False
    _logger.info("server %s is left: the host has blocked it", guild)
    return True
