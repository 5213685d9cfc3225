"""`/privacy`."""

from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import viewer_of
from bot.ui.kit.look import Page
from bot.ui.kit.routes import EraseAddress
from bot.ui.language.text import described, named
from bot.ui.privacy import erased_page, export_page, privacy_embed, question_page


class PrivacyCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "privacy"),
    group_description=described("What is kept about you: see it, take it, erase it"),
):
    """The asker's stored data, for the asker only."""

    @command(named("command", "show"), described("Show what is kept about you"))
    async def overview(self, interaction: Interaction) -> None:
        """Show what is stored."""
        await reserve(interaction, private=True)
        report = await self._bot.features.privacy.report(viewer_of(interaction))
        await show(interaction, Page(privacy_embed(self._bot.language_of(interaction), report)))

    @command(named("command", "export"), described("Get everything that is kept about you"))
    async def export(self, interaction: Interaction) -> None:
        """Send everything as a file."""
        await reserve(interaction, private=True)
        export = await self._bot.features.privacy.export(viewer_of(interaction))
        await show(interaction, await export_page(self._bot.language_of(interaction), export))

    @command(named("command", "erase"), described("Erase everything that is kept about you"))
    async def erase(self, interaction: Interaction) -> None:
        """Ask whether to erase everything."""
        await reserve(interaction, private=True)
        yes = EraseAddress(asker=viewer_of(interaction))
        await show(interaction, question_page(self._bot.language_of(interaction), yes))

    @shows(EraseAddress)
    async def _erase(self, interaction: Interaction, address: EraseAddress) -> Page:
        t = self._bot.language_of(interaction)
        is_off_disk = await self._bot.features.privacy.erase(address.asker)
        return erased_page(t, is_off_disk=is_off_disk)
