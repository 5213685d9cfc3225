"""`/compare`."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.features.askers import Subject
from bot.subjects import guild_of, read_subject, subject_of, subject_text, viewer_of
from bot.suggestions import suggest_filters
from bot.ui.comparison import comparison_page
from bot.ui.look import Page
from bot.ui.pages import Address, with_share
from bot.ui.text import described, named

_KIND: Final = "compare"


class CompareCog(commands.Cog):
    """The asker's scores beside another player's."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page
        menu = app_commands.ContextMenu(name=named("menu", "Compare with me"), callback=self._compare)
        bot.tree.add_command(menu)

    @app_commands.command(
        name=named("command", "compare"),
        description=described("Compare your scores with another player's, to you alone"),
    )
    @app_commands.rename(
        member=named("option", "member"),
        wanted=named("option", "filter"),
        player=named("option", "player"),
    )
    @app_commands.describe(
        member=described("Someone here who has linked an account and lets you look"),
        wanted=described("Which of your records, such as const>=14; all if left out"),
        player=described("A player's name on the record service"),
    )
    @app_commands.autocomplete(wanted=suggest_filters)
    async def compare(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None = None,
        wanted: app_commands.Range[str, 0, 100] = "",
        player: app_commands.Range[str, 1, 64] | None = None,
    ) -> None:
        """Show who leads on the charts that both have played."""
        await reserve(interaction, private=True)
        await self._answer(interaction, subject_of(interaction, member, player), wanted)

    async def _compare(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        await reserve(interaction, private=True)
        await self._answer(interaction, subject_of(interaction, member, None), "")

    async def _answer(self, interaction: Interaction, subject: Subject, wanted: str) -> None:
        who = subject_text(subject)
        query = f"{who}:{' '.join(wanted.split())}"
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=query)
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        who, _, wanted = address.query.partition(":")
        subject = read_subject(interaction, who)
        page = await self._bot.features.comparisons.page(
            address.asker, subject, wanted, address.number, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        return with_share(t, comparison_page(t, page, address), address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(CompareCog(bot))
