"""`/worldsend`."""

from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, shows
from bot.chat.subjects import viewer_of
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import WorldsEndAddress
from bot.ui.language.text import described, named
from bot.ui.scores import worlds_end_page


class WorldsEndCog(KirokuCog):
    """The asker's scores on World's End charts."""

    @app_commands.command(
        name=named("command", "worldsend"),
        description=described("List your World's End scores, to you alone"),
    )
    async def worldsend(self, interaction: Interaction) -> None:
        """List them."""
        await self._bot.answer(interaction, WorldsEndAddress(asker=viewer_of(interaction)), private=True)

    @shows(WorldsEndAddress)
    async def _page(self, interaction: Interaction, address: WorldsEndAddress) -> Page:
        report = await self._bot.features.scores.worlds_end(address.asker, address.number)
        t = self._bot.language_of(interaction)
        return with_share(t, worlds_end_page(t, report, address), address)
