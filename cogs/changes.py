"""`/new`."""

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Interaction, KirokuBot
from bot.chat.subjects import viewer_of
from bot.ui.changes import changes_page
from bot.ui.kit.look import Page
from bot.ui.kit.song_routes import ChangesAddress
from bot.ui.language.text import described, named


class ChangesCog(commands.Cog):
    """What is new in the catalogue."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(ChangesAddress, self._page)

    @app_commands.command(
        name=named("command", "new"), description=described("Show what is new in the catalogue")
    )
    async def new(self, interaction: Interaction) -> None:
        """Show added, removed and changed songs and charts."""
        await self._bot.answer(interaction, ChangesAddress(asker=viewer_of(interaction)))

    async def _page(self, interaction: Interaction, address: ChangesAddress) -> Page:
        report = await self._bot.features.changes.report(address.asker)
        return changes_page(self._bot.language_of(interaction), report, address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(ChangesCog(bot))
