"""`/song`."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction, KirokuBot, reserve, show, suggest_songs, viewer_of
from bot.ui.look import Page
from bot.ui.song import song_embed
from bot.ui.text import described, named


class SongCog(commands.Cog):
    """Songs of the catalogue."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot

    @app_commands.command(
        name=named("command", "song"), description=described("Look a song up, with all its charts")
    )
    @app_commands.rename(title=named("option", "title"))
    @app_commands.autocomplete(title=suggest_songs)
    @app_commands.describe(title=described("Part of a title or artist, in any script"))
    async def song(self, interaction: Interaction, title: app_commands.Range[str, 1, 100]) -> None:
        """Show a song's charts, and the asker's scores on them."""
        await reserve(interaction)
        page = await self._bot.features.songs.page(viewer_of(interaction), title)
        await show(interaction, Page(song_embed(self._bot.language_of(interaction), page)))


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(SongCog(bot))
