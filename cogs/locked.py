"""`/locked`."""

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import SongText, option, song_option
from bot.chat.subjects import guild_of, viewer_of
from bot.ui.kit.look import Page
from bot.ui.kit.routes import LockedAddress
from bot.ui.language.text import described, named
from bot.ui.locked import locked_embed, locked_page, unlocked_embed
from bot.ui.songs import song_choices


class LockedCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "locked"),
    group_description=described(
        "Songs that you have not unlocked: plans, tiers, draws and totals leave them out"
    ),
):
    """Songs that members have not unlocked."""

    @command(named("command", "add"), described("Leave out a song that you have not unlocked"))
    @song_option()
    async def add(self, interaction: Interaction, song: SongText) -> None:
        """Mark a song as locked for the asker."""
        await reserve(interaction, private=True)
        locked = self._bot.features.locked
        found = await locked.lock(viewer_of(interaction), song, guild_of(interaction))
        await show(interaction, Page(locked_embed(self._bot.language_of(interaction), found)))

    @command(named("command", "remove"), described("Tell that you have unlocked a song: it is planned again"))
    @option("song", named("option", "song"), described("Which one"))
    async def remove(self, interaction: Interaction, song: SongText) -> None:
        """Remove a song from the asker's locked ones."""
        await reserve(interaction, private=True)
        locked = self._bot.features.locked
        found = await locked.unlock(viewer_of(interaction), song, guild_of(interaction))
        await show(interaction, Page(unlocked_embed(self._bot.language_of(interaction), found)))

    @command(named("command", "list"), described("Show the songs that you have not unlocked"))
    async def show_all(self, interaction: Interaction) -> None:
        """Show the asker's locked songs."""
        await self._bot.answer(interaction, LockedAddress(asker=viewer_of(interaction)), private=True)

    @remove.autocomplete("song")
    async def _suggest(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        locked = self._bot.features.locked
        return song_choices(await locked.suggest(viewer_of(interaction), current, guild_of(interaction)))

    @shows(LockedAddress)
    async def _page(self, interaction: Interaction, address: LockedAddress) -> Page:
        locked = self._bot.features.locked
        report = await locked.report(address.asker, address.number, guild_of(interaction))
        return locked_page(self._bot.language_of(interaction), report, address)
