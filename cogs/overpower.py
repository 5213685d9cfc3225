"""`/overpower`."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import show
from bot.client import Interaction, KirokuBot
from bot.domain.overpower import Grouping
from bot.features.askers import Subject
from bot.subjects import viewer_of
from bot.ui.look import Page
from bot.ui.overpower import GROUPINGS, over_power_embed, over_power_plot
from bot.ui.pages import Address, read, with_share
from bot.ui.plots import bar_plot
from bot.ui.text import described, named

_KIND: Final = "overpower"
_CHOICES: Final = [
    app_commands.Choice(name=described(label), value=by.value) for by, label in GROUPINGS.items()
]


class OverPowerCog(commands.Cog):
    """How much of all over power has been earned."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page

    @app_commands.command(
        name=named("command", "overpower"), description=described("Show your OVER POWER, split")
    )
    @app_commands.rename(by=named("option", "by"))
    @app_commands.describe(by=described("What to split it by; level if left out"))
    @app_commands.choices(by=_CHOICES)
    async def overpower(self, interaction: Interaction, by: str = Grouping.LEVEL.value) -> None:
        """Show the asker's over power by level, genre or difficulty."""
        await self._bot.reserve_about(interaction, Subject())
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=by)
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        page = await self._bot.features.over_powers.page(address.asker, read(Grouping, address.query))
        t = self._bot.language_of(interaction)
        alt, labels, bars = over_power_plot(t, page)
        picture = await self._bot.studio.picture(alt, bar_plot, labels, bars, self._bot.theme_of(interaction))
        shown = Page(over_power_embed(t, page), picture=picture, audience=page.audience)
        return with_share(t, shown, address)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(OverPowerCog(bot))
