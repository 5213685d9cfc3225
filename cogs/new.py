"""`/new`."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction, KirokuBot
from bot.subjects import viewer_of
from bot.ui.look import Page
from bot.ui.news import news_page
from bot.ui.routes import NewAddress
from bot.ui.text import described, named


class NewCog(commands.Cog):
    """What is new in the catalogue."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(NewAddress, self._page)

    @app_commands.command(
        name=named("command", "new"), description=described("Show what is new in the catalogue")
    )
    async def new(self, interaction: Interaction) -> None:
        """Show added, removed and changed songs and charts."""
        await self._bot.answer(interaction, NewAddress(asker=viewer_of(interaction)))

    async def _page(self, interaction: Interaction, address: NewAddress) -> Page:
        news = await self._bot.features.library.news(address.asker)
        return news_page(self._bot.language_of(interaction), news, address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(NewCog(bot))
