"""`/about`."""

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command
from bot.ui.about import about_page
from bot.ui.language.text import described, named


class AboutCog(KirokuCog):
    """The command about the bot itself."""

    @command(named("command", "about"), described("What this bot is, and where its data comes from"))
    async def about(self, interaction: Interaction) -> None:
        """Show version, sources and terms."""
        await reserve(interaction, private=True)
        report = await self._bot.features.about.report()
        await show(interaction, about_page(self._bot.language_of(interaction), report))
