"""`/rating`."""

from typing import Final

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, menu, shows
from bot.chat.options import PlayerName, Someone, subject_options
from bot.chat.subjects import subject_of, viewer_of
from bot.features.rating import RatingReport
from bot.features.shared.subjects import Subject
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_refresh, with_share
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import RatingAddress
from bot.ui.language.text import described, named
from bot.ui.rating import draw_rating, rating_embed, rating_plot_alt

_MIN_LINE_DAYS: Final = 2
"""The least days with a snapshot for which a line is drawn."""


class RatingCog(KirokuCog):
    """A player's rating at a glance."""

    @command(named("command", "rating"), described("Show a player's rating"))
    @subject_options()
    async def rating(
        self, interaction: Interaction, member: Someone | None = None, player: PlayerName | None = None
    ) -> None:
        """Show the asker's rating, or that of a member or player."""
        await self._answer(interaction, subject_of(interaction, member, player))

    @menu(named("menu", "Show rating"))
    async def _show_rating(self, interaction: Interaction, member: Someone) -> None:
        await self._answer(interaction, subject_of(interaction, member, None))

    async def _answer(self, interaction: Interaction, subject: Subject) -> None:
        address = RatingAddress(asker=viewer_of(interaction), subject=subject)
        await self._bot.answer(interaction, address, about=subject)

    @shows(RatingAddress)
    async def _page(self, interaction: Interaction, address: RatingAddress) -> Page:
        report = await self._bot.features.rating.report(address.asker, address.subject)
        t = self._bot.language_of(interaction)
        picture = await self._plot(interaction, address, report)
        shown = Page(rating_embed(t, report), picture=picture, audience=report.audience)
        return with_share(t, with_refresh(t, shown, address), address)

    async def _plot(
        self, interaction: Interaction, address: RatingAddress, report: RatingReport
    ) -> Picture | None:
        if len(report.history) < _MIN_LINE_DAYS:
            return None
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        alt, player = rating_plot_alt(t, report), report.player
        return await self._bot.renderer.picture(
            alt, player, draw_rating, t, player.player_name, report.history, style
        )
