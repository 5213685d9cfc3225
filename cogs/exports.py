"""`/export`."""

from typing import Literal

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command
from bot.chat.options import option
from bot.chat.subjects import viewer_of
from bot.ui.exports import export_page
from bot.ui.language.text import described, named


class ExportsCog(KirokuCog):
    """The asker's records as a file, for the asker only."""

    @command(named("command", "export"), described("Get all of your own records as a file"))
    @option(
        "kind",
        named("option", "format"),
        described("CSV for spreadsheets, JSON for programs, or a file to import at Kamaitachi"),
    )
    async def export(
        self, interaction: Interaction, kind: Literal["csv", "json", "kamaitachi"] = "csv"
    ) -> None:
        """Send the asker's records as a file."""
        await reserve(interaction, private=True)
        viewer = viewer_of(interaction)
        export = await self._bot.features.exports.gather(viewer, with_songs=kind == "kamaitachi")
        await show(interaction, await export_page(self._bot.language_of(interaction), export, kind))
