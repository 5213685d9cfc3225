"""What goes wrong between the bot and Discord, and how the log names it."""

import re
from typing import Final

import aiohttp
import discord

DISCORD_OUTAGES: Final = (discord.DiscordServerError, aiohttp.ClientError, OSError)
"""What comes of Discord's own trouble, and of the way there: nobody knows what it has done."""
DISCORD_FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Discord refused, or the connection to it broke."""

_REFUSED_FIELDS: Final = re.compile(r"^In ([^\s:]+): ", re.MULTILINE)
"""How discord.py names the fields that Discord does not take."""


def describe_failure(failure: BaseException) -> str:
    """Return what failed, with the fields that Discord refused.

    Without an address: those of interactions hold what answers them.
    """
    if not isinstance(failure, discord.HTTPException):
        return type(failure).__name__
    fields = _REFUSED_FIELDS.findall(failure.text)
    return f"status {failure.status}, code {failure.code}" + (f", in {', '.join(fields)}" if fields else "")
