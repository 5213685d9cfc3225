"""`/help`."""

from discord import app_commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import option
from bot.chat.subjects import viewer_of
from bot.domain.errors import NotFound
from bot.ui.help import HelpEntry, command_embed, entries_in, examples_of, help_page
from bot.ui.kit.choices import matching_choices
from bot.ui.kit.look import Page
from bot.ui.kit.routes import HelpAddress, HelpTopic
from bot.ui.language.text import described, named


class HelpCog(KirokuCog):
    """Help on everything that the bot can do."""

    @command(named("command", "help"), described("What this bot can do"))
    @option("command", named("option", "command"), described("The command you want to know more about"))
    async def explain(self, interaction: Interaction, command: str | None = None) -> None:
        """Show all commands, or one with its options."""
        if command is None:
            await self._bot.answer(interaction, HelpAddress(asker=viewer_of(interaction)), private=True)
            return
        await reserve(interaction, private=True)
        entry = next((each for each in self._entries(interaction) if each.is_called(command)), None)
        if entry is None:
            raise NotFound(command)
        await show(interaction, Page(command_embed(self._bot.language_of(interaction), entry)))

    @explain.autocomplete("command")
    async def _suggest(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        found = (entry for entry in self._entries(interaction) if entry.fits(current))
        return matching_choices({entry.name: entry.title for entry in found})

    @shows(HelpAddress)
    async def _page(self, interaction: Interaction, address: HelpAddress) -> Page:
        t, searches = self._bot.language_of(interaction), self._bot.features.searches
        wanted = examples_of(t) if address.topic is HelpTopic.FILTERS else ()
        keys = {text: await searches.save_filter(text) for text in wanted}
        is_linked = await self._bot.features.accounts.find_name(viewer_of(interaction)) is not None
        return help_page(t, self._entries(interaction), address, keys, is_linked=is_linked)

    def _entries(self, interaction: Interaction) -> list[HelpEntry]:
        return entries_in(self._bot.language_of(interaction), self._bot.tree)
