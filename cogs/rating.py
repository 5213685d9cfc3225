"""`/rating`."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction, KirokuBot, reserve, show, subject_of, viewer_of
from bot.ui.look import Page
from bot.ui.rating import rating_embed
from bot.ui.text import described, named


class RatingCog(commands.Cog):
    """A player's rating at a glance."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot

    @app_commands.command(name=named("command", "rating"), description=described("Show a player's rating"))
    @app_commands.rename(member=named("option", "member"), player=named("option", "player"))
    @app_commands.describe(
        member=described("Someone here who has linked an account and lets you look"),
        player=described("A player's name on the record service"),
    )
    async def rating(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None = None,
        player: app_commands.Range[str, 1, 64] | None = None,
    ) -> None:
        """Show the asker's rating, or that of a member or player."""
        await reserve(interaction)
        page = await self._bot.features.ratings.page(
            viewer_of(interaction), subject_of(interaction, member, player)
        )
        await show(interaction, Page(rating_embed(self._bot.language_of(interaction), page)))


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(RatingCog(bot))
