"""`/new`, and the loop that keeps the catalogue fresh."""

import asyncio
import logging
from typing import Final

from discord import app_commands
from discord.ext import commands, tasks

from bot.client import Interaction, KirokuBot
from bot.subjects import viewer_of
from bot.ui.look import Page
from bot.ui.news import news_page
from bot.ui.routes import NewAddress
from bot.ui.text import described, named

_log = logging.getLogger(__name__)

_TICK: Final = 300.0
"""Seconds between looks whether the catalogue is due: nobody who types should be the one who waits for it."""


class NewCog(commands.Cog):
    """What is new in the catalogue."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(NewAddress, self._page)

    async def cog_load(self) -> None:
        """Start keeping the catalogue fresh."""
        self._tick.start()

    async def cog_unload(self) -> None:
        """Stop."""
        self._tick.cancel()

    @app_commands.command(
        name=named("command", "new"), description=described("Show what is new in the catalogue")
    )
    async def new(self, interaction: Interaction) -> None:
        """Show added, removed and changed songs and charts."""
        await self._bot.answer(interaction, NewAddress(asker=viewer_of(interaction)))

    async def _page(self, interaction: Interaction, address: NewAddress) -> Page:
        news = await self._bot.features.library.news(address.asker)
        return news_page(self._bot.language_of(interaction), news, address)

    @tasks.loop(seconds=_TICK)
    async def _tick(self) -> None:
        await self._bot.features.library.refresh()

    @_tick.error
    async def _tick_failed(self, error: BaseException) -> None:
        _log.error("the loop that refreshes the catalogue failed and starts again", exc_info=error)
        await asyncio.sleep(_TICK)
        self._tick.restart()


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(NewCog(bot))
