"""`/alias`."""

from collections.abc import Mapping

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import is_private, reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows, takes
from bot.chat.options import SongText, option, song_option
from bot.chat.subjects import check_manages, get_guild, viewer_of
from bot.features.shared.aliases import MAX_LENGTH
from bot.ui.aliases import (
    added_embed,
    aliases_page,
    decided_page,
    export_page,
    import_form,
    imported_embed,
    read_pack_field,
    removed_embed,
    suggested_page,
)
from bot.ui.kit.choices import matching_choices
from bot.ui.kit.look import Page
from bot.ui.kit.pages import ALIASES_FORM, ANYBODY
from bot.ui.kit.song_routes import AliasesAddress, SuggestionAddress, SuggestionVerdict
from bot.ui.language.text import described, named


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class AliasesCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "alias"),
    group_description=described("Other names of songs in this server"),
):
    """The commands for a server's song aliases."""

    @command(named("command", "add"), described("Give a song another name in this server"))
    @option("alias", named("option", "alias"), described("What people here call the song"))
    @song_option()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def add(
        self, interaction: Interaction, alias: app_commands.Range[str, 1, MAX_LENGTH], song: SongText
    ) -> None:
        """Add an alias."""
        await reserve(interaction, private=True)
        keeping = self._bot.features.alias_keeping
        found = await keeping.add(viewer_of(interaction), get_guild(interaction), alias, song)
        await show(interaction, Page(added_embed(self._bot.language_of(interaction), alias, found)))

    @command(named("command", "remove"), described("Remove another name of a song"))
    @option("alias", named("option", "alias"), described("What people here call the song"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def remove(self, interaction: Interaction, alias: app_commands.Range[str, 1, MAX_LENGTH]) -> None:
        """Delete an alias."""
        await reserve(interaction, private=True)
        removed = await self._bot.features.aliases.remove(get_guild(interaction), alias)
        await show(interaction, Page(removed_embed(self._bot.language_of(interaction), removed)))

    @command(named("command", "list"), described("Show the other names of songs in this server"))
    async def show_all(self, interaction: Interaction) -> None:
        """Show a server's aliases."""
        await self._bot.answer(interaction, AliasesAddress(asker=viewer_of(interaction)), private=True)

    @command(
        named("command", "suggest"),
        described("Suggest another name for a song to the people who manage this server"),
    )
    @option("alias", named("option", "alias"), described("What people here call the song"))
    @song_option()
    async def suggest(
        self, interaction: Interaction, alias: app_commands.Range[str, 1, MAX_LENGTH], song: SongText
    ) -> None:
        """Store a member's suggestion, and show it to everyone with buttons to decide on it."""
        await reserve(interaction)
        found = await self._bot.features.alias_keeping.suggest(
            viewer_of(interaction), get_guild(interaction), alias, song
        )
        address = SuggestionAddress(asker=ANYBODY, suggestion=found.kept.number)
        await show(interaction, suggested_page(self._bot.language_of(interaction), found, address))

    @command(named("command", "export"), described("Get the other names of songs in this server as a file"))
    async def export(self, interaction: Interaction) -> None:
        """Export a server's aliases as a pack."""
        await reserve(interaction, private=True)
        keeping = self._bot.features.alias_keeping
        pack = await keeping.export(viewer_of(interaction), get_guild(interaction))
        await show(interaction, export_page(self._bot.language_of(interaction), pack))

    @command(
        named("command", "import"), described("Import the other names of songs from another server's file")
    )
    @app_commands.checks.has_permissions(manage_guild=True)
    async def import_pack(self, interaction: Interaction) -> None:
        """Ask for a pack to import."""
        await interaction.response.send_modal(import_form(self._bot.language_of(interaction)))

    @takes(ALIASES_FORM)
    async def _import(self, interaction: Interaction, typed: Mapping[str, str]) -> None:
        await reserve(interaction, private=True)
        check_manages(interaction)
        keeping, text = self._bot.features.alias_keeping, read_pack_field(typed)
        report = await keeping.take_pack(viewer_of(interaction), get_guild(interaction), text)
        await show(interaction, Page(imported_embed(self._bot.language_of(interaction), report)))

    @remove.autocomplete("alias")
    async def _suggest_alias(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        names = await self._bot.features.aliases.suggest(get_guild(interaction), current)
        return matching_choices({name: name for name in names})

    @shows(AliasesAddress)
    async def _page(self, interaction: Interaction, address: AliasesAddress) -> Page:
        guild, keeping = get_guild(interaction), self._bot.features.alias_keeping
        aliases = await self._bot.features.library.aliases(address.asker, guild, address.number)
        may_decide = interaction.permissions.manage_guild
        waiting = await keeping.fetch_waiting(address.asker, guild) if may_decide else ()
        return aliases_page(self._bot.language_of(interaction), aliases, address, waiting)

    @shows(SuggestionAddress)
    async def _suggestion(self, interaction: Interaction, address: SuggestionAddress) -> Page:
        guild, keeping, asker = get_guild(interaction), self._bot.features.alias_keeping, address.asker
        check_manages(interaction)
        t = self._bot.language_of(interaction)
        if address.verdict is None:
            return suggested_page(t, await keeping.get(asker, guild, address.suggestion), address)
        decide = keeping.take if address.verdict is SuggestionVerdict.TAKE else keeping.refuse
        found = await decide(asker, guild, address.suggestion)
        waiting = await keeping.fetch_waiting(asker, guild) if is_private(interaction) else ()
        return decided_page(t, found, address.verdict, asker, waiting)
