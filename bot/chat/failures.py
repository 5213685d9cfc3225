"""Failures between the bot and Discord, and their names in the log."""

import re
from typing import Final

import aiohttp
import discord

DISCORD_OUTAGES: Final = (discord.DiscordServerError, aiohttp.ClientError, OSError)
"""Errors of Discord or the network, after which it is unknown whether the request took effect."""
DISCORD_FAILURES: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Discord refused, or the connection to it broke."""

_REFUSED_FIELDS: Final = re.compile(r"^In ([^\s:]+): ", re.MULTILINE)
"""How discord.py names the fields that Discord refuses."""


def describe_failure(failure: BaseException) -> str:
    """Describe a failure, with the fields that Discord refused.

    Without the address: an interaction's address contains its secret token.
    """
    if not isinstance(failure, discord.HTTPException):
        return type(failure).__name__
    fields = _REFUSED_FIELDS.findall(failure.text)
    return f"status {failure.status}, code {failure.code}" + (f", in {', '.join(fields)}" if fields else "")
