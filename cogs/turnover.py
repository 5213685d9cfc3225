"""`/version`."""

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Interaction, KirokuBot
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.scores import SlotName
from bot.features.shared.subjects import Subject
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_leads, with_share
from bot.ui.kit.routes import BestAddress, TurnAddress
from bot.ui.language.text import described, named
from bot.ui.turnover import turn_embed


class TurnoverCog(commands.Cog):
    """What versions of the game do to the rating."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(TurnAddress, self._page)

    @app_commands.command(
        name=named("command", "version"),
        description=described(
            "Show what the next version of the game does to your rating, and what to do about it"
        ),
    )
    async def version(self, interaction: Interaction) -> None:
        """Show which version the asker plays, and the next one."""
        await self._bot.answer(interaction, TurnAddress(asker=viewer_of(interaction)), about=Subject())

    async def _page(self, interaction: Interaction, address: TurnAddress) -> Page:
        report = await self._bot.features.turnovers.report(address.asker, guild_of(interaction))
        t = self._bot.language_of(interaction)
        shown = Page(turn_embed(t, report), audience=report.audience)
        if report.turnover is not None:
            best = BestAddress(asker=address.asker, subject=Subject(), slot=SlotName.NEW)
            shown = with_leads(shown, {t("New songs"): best})
        return with_share(t, shown, address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(TurnoverCog(bot))
