"""`/rating`."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import show
from bot.client import Interaction, KirokuBot
from bot.features.askers import Subject
from bot.features.rating import RatingPage
from bot.subjects import read_subject, subject_of, subject_text, viewer_of
from bot.ui.look import Page
from bot.ui.pages import Address, with_share
from bot.ui.rating import draw_rating, rating_embed, rating_plot_alt
from bot.ui.studio import Picture
from bot.ui.text import described, named

_KIND: Final = "rating"
_LEAST_POINTS: Final = 2
"""Days with a snapshot before there is a line to draw."""


class RatingCog(commands.Cog):
    """A player's rating at a glance."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page
        menu = app_commands.ContextMenu(name=named("menu", "Show rating"), callback=self._show_rating)
        bot.tree.add_command(menu)

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
        await self._answer(interaction, subject_of(interaction, member, player))

    async def _show_rating(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        await self._answer(interaction, subject_of(interaction, member, None))

    async def _answer(self, interaction: Interaction, subject: Subject) -> None:
        await self._bot.reserve_about(interaction, subject)
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=subject_text(subject))
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        subject = read_subject(interaction, address.query)
        page = await self._bot.features.ratings.page(address.asker, subject)
        t = self._bot.language_of(interaction)
        picture = await self._plot(interaction, page)
        return with_share(t, Page(rating_embed(t, page), picture=picture, audience=page.audience), address)

    async def _plot(self, interaction: Interaction, page: RatingPage) -> Picture | None:
        if len(page.history) < _LEAST_POINTS:
            return None
        t, preferences = self._bot.language_of(interaction), self._bot.preferences_of(interaction)
        return await self._bot.studio.picture(
            rating_plot_alt(t, page), draw_rating, t, page, preferences.theme
        )


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(RatingCog(bot))
