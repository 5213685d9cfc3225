"""`/pack`."""

from collections.abc import Mapping

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows, takes
from bot.chat.options import option
from bot.chat.subjects import get_guild, guild_of, viewer_of
from bot.features.shared.goal_packs import MAX_AUTHOR, MAX_TITLE
from bot.ui.aliases import read_pack_field
from bot.ui.kit.look import Page
from bot.ui.kit.pages import PACK_FORM
from bot.ui.kit.routes import PackAddress, PacksAddress
from bot.ui.language.text import described, named
from bot.ui.packs import (
    dropped_page,
    made_page,
    pack_choices,
    pack_import_form,
    packs_page,
    pinned_page,
    preview_page,
    taken_page,
)

_MAX_CODE_CHARACTERS = 100
_Code = app_commands.Range[str, 1, _MAX_CODE_CHARACTERS]


class PacksCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "pack"),
    group_description=described("Several goals under one code"),
):
    """Packs of goals."""

    @command(named("command", "make"), described("Share your goals under one code"))
    @option("title", named("option", "name"), described("What the pack is called"))
    @option("author", named("option", "author"), described("Who made it, as shown to others"))
    async def make(
        self,
        interaction: Interaction,
        title: app_commands.Range[str, 1, MAX_TITLE],
        author: app_commands.Range[str, 0, MAX_AUTHOR] = "",
    ) -> None:
        """Make a pack of the asker's goals."""
        await reserve(interaction, private=True)
        found = await self._bot.features.packs.make(viewer_of(interaction), title, author)
        await show(interaction, made_page(self._bot.language_of(interaction), found))

    @command(named("command", "take"), described("Look at a pack of goals, and set yourself all of them"))
    @option("code", named("option", "code"), described("The code that its maker was given"))
    async def take(self, interaction: Interaction, code: _Code) -> None:
        """Show a pack, with the button that takes it."""
        address = PackAddress(asker=viewer_of(interaction), code=code)
        await self._bot.answer(interaction, address, private=True)

    @command(named("command", "import"), described("Look at a pack of goals from a file"))
    async def import_pack(self, interaction: Interaction) -> None:
        """Ask for a pack to import."""
        await interaction.response.send_modal(pack_import_form(self._bot.language_of(interaction)))

    @command(named("command", "drop"), described("Remove a pack of goals that you have set yourself"))
    @option("code", named("option", "code"), described("Which one"))
    async def drop(self, interaction: Interaction, code: _Code) -> None:
        """Delete a pack of the asker."""
        await reserve(interaction, private=True)
        found = await self._bot.features.packs.remove(viewer_of(interaction), code)
        await show(interaction, dropped_page(self._bot.language_of(interaction), found))

    @command(named("command", "list"), described("Show the packs of goals that are pinned here"))
    async def show_all(self, interaction: Interaction) -> None:
        """Show the packs that the server has pinned."""
        await self._bot.answer(interaction, PacksAddress(asker=viewer_of(interaction)))

    @command(named("command", "pin"), described("Pin a pack of goals in this server"))
    @option("code", named("option", "code"), described("The code that its maker was given"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def pin(self, interaction: Interaction, code: _Code) -> None:
        """Pin a pack."""
        await reserve(interaction, private=True)
        found = await self._bot.features.packs.pin(get_guild(interaction), code)
        await show(interaction, pinned_page(self._bot.language_of(interaction), found, is_pinned=True))

    @command(named("command", "unpin"), described("Unpin a pack of goals"))
    @option("code", named("option", "code"), described("Which one"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def unpin(self, interaction: Interaction, code: _Code) -> None:
        """Unpin a pack."""
        await reserve(interaction, private=True)
        found = await self._bot.features.packs.unpin(get_guild(interaction), code)
        await show(interaction, pinned_page(self._bot.language_of(interaction), found, is_pinned=False))

    @takes(PACK_FORM)
    async def _import(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        await reserve(interaction, private=True)
        found = await self._bot.features.packs.offer(read_pack_field(typed))
        await self._bot.fill_reserved(interaction, PackAddress(asker=viewer_of(interaction), code=found.code))

    @drop.autocomplete("code")
    async def _suggest_taken(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return pack_choices(await self._bot.features.packs.fetch(viewer_of(interaction)), current)

    @take.autocomplete("code")
    @unpin.autocomplete("code")
    async def _suggest_pinned(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        return pack_choices(await self._bot.features.packs.fetch_pinned(guild_of(interaction)), current)

    @shows(PackAddress)
    async def _page(self, interaction: Interaction, address: PackAddress) -> Page:
        packs, guild = self._bot.features.packs, guild_of(interaction)
        t = self._bot.language_of(interaction)
        if address.is_taken:
            return taken_page(t, await packs.take(address.asker, address.code, guild))
        return preview_page(t, await packs.find(address.code, guild), address)

    @shows(PacksAddress)
    async def _pinned(self, interaction: Interaction, address: PacksAddress) -> Page:
        pinned = await self._bot.features.packs.fetch_pinned(get_guild(interaction))
        return packs_page(self._bot.language_of(interaction), pinned, address)
