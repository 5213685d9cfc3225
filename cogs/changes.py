"""`/new`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import viewer_of
from bot.ui.changes import changes_page
from bot.ui.kit.look import Page
from bot.ui.kit.song_routes import ChangesAddress
from bot.ui.language.text import described, named


class ChangesCog(KirokuCog):
    """What is new in the catalogue."""

    @command(named("command", "new"), described("Show what is new in the catalogue"))
    async def new(self, interaction: Interaction) -> None:
        """Show added, removed and changed songs and charts."""
        await self._bot.answer(interaction, ChangesAddress(asker=viewer_of(interaction)))

    @shows(ChangesAddress)
    async def _page(self, interaction: Interaction, address: ChangesAddress) -> Page:
        report = await self._bot.features.changes.report(address.asker)
        return changes_page(self._bot.language_of(interaction), report, address)
