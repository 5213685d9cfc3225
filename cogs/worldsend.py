"""`/worldsend`."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.subjects import viewer_of
from bot.ui.look import Page
from bot.ui.pages import Address, with_share
from bot.ui.scores import worlds_end_page
from bot.ui.text import described, named

_KIND: Final = "worldsend"


class WorldsEndCog(commands.Cog):
    """The asker's scores on World's End charts."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page

    @app_commands.command(
        name=named("command", "worldsend"),
        description=described("List your World's End scores, to you alone"),
    )
    async def worldsend(self, interaction: Interaction) -> None:
        """List them."""
        await reserve(interaction, private=True)
        address = Address(kind=_KIND, asker=viewer_of(interaction))
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        page = await self._bot.features.scores.worlds_end(address.asker, address.number)
        t = self._bot.language_of(interaction)
        return with_share(t, worlds_end_page(t, page, address), address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(WorldsEndCog(bot))
