"""The address by which other programs build the bot; it is composed in `bot.program.app`."""

from bot.program.app import create_bot

__all__ = ["create_bot"]
