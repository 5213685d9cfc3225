"""`/alias`."""

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction, KirokuBot
from bot.chat.options import MOST_CHOICES, SongText, option, song_option
from bot.chat.subjects import get_guild, viewer_of
from bot.features.shared.aliases import MAX_LENGTH
from bot.ui.aliases import added_embed, aliases_page, removed_embed
from bot.ui.kit.look import Page
from bot.ui.kit.routes import AliasesAddress
from bot.ui.language.text import described, named


@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
@app_commands.allowed_installs(guilds=True, users=False)
class AliasesCog(
    commands.GroupCog,
    group_name=named("command", "alias"),
    group_description=described("Other names of songs in this server"),
):
    """A server's other names for songs."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(AliasesAddress, self._page)

    @app_commands.command(
        name=named("command", "add"), description=described("Give a song another name in this server")
    )
    @option("alias", named("option", "alias"), described("What people here call the song"))
    @song_option()
    @app_commands.checks.has_permissions(manage_guild=True)
    async def add(
        self, interaction: Interaction, alias: app_commands.Range[str, 1, MAX_LENGTH], song: SongText
    ) -> None:
        """Keep an alias."""
        await reserve(interaction, private=True)
        guild = get_guild(interaction)
        found = (await self._bot.features.library.visit(viewer_of(interaction), guild)).get(song)
        await self._bot.features.aliases.add(guild, alias, found.id)
        await show(interaction, Page(added_embed(self._bot.language_of(interaction), alias, found)))

    @app_commands.command(
        name=named("command", "remove"), description=described("Forget another name of a song")
    )
    @option("alias", named("option", "alias"), described("What people here call the song"))
    @app_commands.checks.has_permissions(manage_guild=True)
    async def remove(self, interaction: Interaction, alias: app_commands.Range[str, 1, MAX_LENGTH]) -> None:
        """Forget an alias."""
        await reserve(interaction, private=True)
        removed = await self._bot.features.aliases.remove(get_guild(interaction), alias)
        await show(interaction, Page(removed_embed(self._bot.language_of(interaction), removed)))

    @app_commands.command(
        name=named("command", "list"), description=described("Show the other names of songs in this server")
    )
    async def show_all(self, interaction: Interaction) -> None:
        """Show a server's aliases."""
        await self._bot.answer(interaction, AliasesAddress(asker=viewer_of(interaction)), private=True)

    @remove.autocomplete("alias")
    async def _suggest_alias(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        names = await self._bot.features.aliases.suggest(get_guild(interaction), current)
        return [app_commands.Choice(name=name, value=name) for name in names[:MOST_CHOICES]]

    async def _page(self, interaction: Interaction, address: AliasesAddress) -> Page:
        guild = get_guild(interaction)
        aliases = await self._bot.features.library.aliases(address.asker, guild, address.number)
        return aliases_page(self._bot.language_of(interaction), aliases, address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(AliasesCog(bot))
