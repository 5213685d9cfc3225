"""`/recap`."""

from functools import partial

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.gateway.guilds import fetch_neighbours
from bot.chat.options import choices_of, option
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.recap import RecapPeriod
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import RecapAddress
from bot.ui.language.text import described, named
from bot.ui.recap import PERIODS, recap_page


class RecapCog(KirokuCog):
    """A recap of a version or a year."""

    @command(
        named("command", "recap"),
        described("Look back at a game version or a year: best day, rival and more; only you see it"),
    )
    @option(
        "period",
        named("option", "period"),
        described(
            "What to look back at; your game version if left out, or the one before while yours is new"
        ),
        choices=choices_of(PERIODS),
    )
    async def recap(self, interaction: Interaction, period: str = "") -> None:
        """Show the asker's own recap, by page."""
        address = RecapAddress(asker=viewer_of(interaction), period=RecapPeriod(period) if period else None)
        await self._bot.answer(interaction, address, private=True)

    @shows(RecapAddress)
    async def _page(self, interaction: Interaction, address: RecapAddress) -> Page:
        t = self._bot.language_of(interaction)
        guild = self._bot.get_guild(guild_of(interaction) or 0)
        report = await self._bot.features.recap.report(
            address.asker,
            address.period,
            guild_of(interaction),
            None if guild is None else partial(fetch_neighbours, guild),
            t.zone,
            address.number,
        )
        page = recap_page(t, report, interaction.user.display_name, address)
        return with_share(t, page, address) if report.part.items else page
