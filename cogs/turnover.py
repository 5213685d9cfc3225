"""`/version`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.scores import SlotName
from bot.features.shared.subjects import Subject
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_leads, with_share
from bot.ui.kit.routes import BestAddress, TurnAddress
from bot.ui.language.text import described, named
from bot.ui.turnover import turn_embed


class TurnoverCog(KirokuCog):
    """The effects of game versions on the rating."""

    @command(
        named("command", "version"),
        described("Show what the next version of the game does to your rating, and what to do about it"),
    )
    async def version(self, interaction: Interaction) -> None:
        """Show the asker's version of the game, and the effect of the next one."""
        await self._bot.answer(interaction, TurnAddress(asker=viewer_of(interaction)), about=Subject())

    @shows(TurnAddress)
    async def _page(self, interaction: Interaction, address: TurnAddress) -> Page:
        report = await self._bot.features.turnovers.report(address.asker, guild_of(interaction))
        t = self._bot.language_of(interaction)
        shown = Page(turn_embed(t, report), audience=report.audience)
        if report.turnover is not None:
            best = BestAddress(asker=address.asker, subject=Subject(), slot=SlotName.NEW)
            shown = with_leads(shown, {t("New songs"): best})
        return with_share(t, shown, address)
