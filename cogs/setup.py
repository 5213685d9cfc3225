"""`/setup`."""

from collections.abc import Mapping
from dataclasses import replace

from discord import app_commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, opens, takes
from bot.chat.subjects import check_can_post, check_manages, get_guild, place_of, viewer_of
from bot.ui.kit.pages import SETUP_FORM
from bot.ui.language.text import described, named
from bot.ui.setup import read_setup, setup_form, setup_page


class SetupCog(KirokuCog):
    """The setup of a server in one form."""

    @command(
        named("command", "setup"), described("Set this server up: daily post, feed and language in one form")
    )
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.checks.has_permissions(manage_guild=True)
    async def setup(self, interaction: Interaction) -> None:
        """Show the form, filled in with the server's current configuration."""
        await self._ask(interaction)

    @opens(SETUP_FORM)
    async def _ask(self, interaction: Interaction) -> None:
        guild = get_guild(interaction)
        check_manages(interaction)
        zone = self._bot.preferences_of(interaction).timezone
        wish = await self._bot.features.setup.find(guild, zone)
        if wish.posts_now:  # it has no daily post yet
            wish = replace(wish, daily=place_of(interaction))
        form = setup_form(self._bot.language_of(interaction), wish, self._bot.languages)
        await interaction.response.send_modal(form)

    @takes(SETUP_FORM)
    async def _set_up(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        await reserve(interaction, private=True)
        check_manages(interaction)
        wish, asker = read_setup(typed), viewer_of(interaction)
        for channel in {each for each in (wish.daily, wish.feed) if each is not None}:
            await check_can_post(interaction, channel)
        report = await self._bot.features.setup.fulfil(get_guild(interaction), asker, wish)
        t = self._bot.language_of(interaction)
        await show(interaction, setup_page(t, report, self._bot.languages, asker))
