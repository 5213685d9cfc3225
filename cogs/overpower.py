"""`/overpower`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import choices_of, option
from bot.chat.subjects import viewer_of
from bot.domain.overpower import Grouping
from bot.features.shared.subjects import Subject
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import OverPowerAddress
from bot.ui.language.text import described, named
from bot.ui.overpower import GROUPINGS, over_power_page, over_power_plot
from bot.ui.plots import bar_plot


class OverPowerCog(KirokuCog):
    """How much of the possible over power has been earned."""

    @command(named("command", "overpower"), described("Show your OVER POWER, split"))
    @option(
        "by",
        named("option", "by"),
        described("What to split it by; level if left out"),
        choices=choices_of(GROUPINGS),
    )
    async def overpower(self, interaction: Interaction, by: str = Grouping.LEVEL.value) -> None:
        """Show the asker's over power by level, genre or difficulty."""
        address = OverPowerAddress(asker=viewer_of(interaction), by=Grouping(by))
        await self._bot.answer(interaction, address, about=Subject())

    @shows(OverPowerAddress)
    async def _page(self, interaction: Interaction, address: OverPowerAddress) -> Page:
        report = await self._bot.features.overpower.report(address.asker, address.by)
        t = self._bot.language_of(interaction)
        alt, labels, bars = over_power_plot(t, report)
        style = self._bot.style_of(interaction, address)
        picture = await self._bot.renderer.picture(alt, report.player, bar_plot, labels, bars, style)
        return with_share(t, over_power_page(t, report, picture), address)
