"""`/compare`."""

from discord import app_commands
from discord.ext import commands

from bot.client import Interaction, KirokuBot
from bot.features.askers import Subject
from bot.options import FilterText, PlayerName, Someone, filter_option, subject_options
from bot.subjects import guild_of, subject_of, viewer_of
from bot.ui.comparison import comparison_page
from bot.ui.look import Page
from bot.ui.pages import with_share
from bot.ui.routes import ComparisonAddress
from bot.ui.text import described, named


class ComparisonCog(commands.Cog):
    """The asker's scores beside another player's."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(ComparisonAddress, self._page)
        menu = app_commands.ContextMenu(name=named("menu", "Compare with me"), callback=self._compare)
        bot.tree.add_command(menu)

    @app_commands.command(
        name=named("command", "compare"),
        description=described("Compare your scores with another player's, to you alone"),
    )
    @subject_options()
    @filter_option(described("Which of your records, such as const>=14; all if left out"))
    async def compare(
        self,
        interaction: Interaction,
        member: Someone | None = None,
        wanted: FilterText = "",
        player: PlayerName | None = None,
    ) -> None:
        """Show who leads on the charts that both have played."""
        await self._answer(interaction, subject_of(interaction, member, player), wanted)

    async def _compare(self, interaction: Interaction, member: Someone) -> None:
        await self._answer(interaction, subject_of(interaction, member, None), "")

    async def _answer(self, interaction: Interaction, subject: Subject, wanted: str) -> None:
        address = ComparisonAddress(
            asker=viewer_of(interaction), subject=subject, wanted=" ".join(wanted.split())
        )
        await self._bot.answer(interaction, address, private=True)

    async def _page(self, interaction: Interaction, address: ComparisonAddress) -> Page:
        report = await self._bot.features.comparison.report(
            address.asker, address.subject, address.wanted, address.number, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        return with_share(t, comparison_page(t, report, address), address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(ComparisonCog(bot))
