"""`/tiers`."""

from typing import Final

from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import FilterText, Someone, filter_option, option
from bot.chat.subjects import guild_of, subject_of, viewer_of
from bot.domain.ranks import Rank
from bot.domain.tiers import TIER_RANKS
from bot.features.shared.subjects import Subject
from bot.features.tiers import TiersReport
from bot.ui.cards.drawn import draw_tiers
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import TiersAddress
from bot.ui.language.text import described, named
from bot.ui.tiers import tiers_card, tiers_page
from bot.ui.tiers_card import tiers_card_alt

_RANKS: Final = [app_commands.Choice(name=rank.label, value=rank.name) for rank in TIER_RANKS]


class TiersCog(KirokuCog):
    """Charts from easy to hard."""

    @command(
        named("command", "tiers"),
        described("Show charts from easy to hard for your next rank, with what is done"),
    )
    @filter_option(described("Which charts, such as level:14+"))
    @option(
        "rank",
        named("option", "rank"),
        described("Which rank; the next one that most of them lack if left out"),
        choices=_RANKS,
    )
    @option("member", named("option", "member"), described("Somebody whose progress to show beside yours"))
    async def tiers(
        self, interaction: Interaction, wanted: FilterText, rank: str = "", member: Someone | None = None
    ) -> None:
        """Show the charts that pass a filter in rows from easy to hard."""
        address = TiersAddress(
            asker=viewer_of(interaction),
            subject=subject_of(interaction, member, None),
            wanted=" ".join(wanted.split()),
            rank=rank,
        )
        await self._bot.answer(interaction, address, about=Subject())

    @shows(TiersAddress)
    async def _page(self, interaction: Interaction, address: TiersAddress) -> Page:
        rank = Rank[address.rank] if address.rank in Rank.__members__ else None
        report = await self._bot.features.tiers.report(
            address.asker,
            address.wanted,
            rank,
            guild_of(interaction),
            of_all=address.of_all,
            subject=address.subject,
        )
        t = self._bot.language_of(interaction)
        picture = await self._picture(interaction, address, report)
        return with_share(t, tiers_page(t, report, picture, address), address)

    async def _picture(
        self, interaction: Interaction, address: TiersAddress, report: TiersReport
    ) -> Picture | None:
        if not report.rows:
            return None
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        card = tiers_card(t, report)
        return await self._bot.renderer.picture(
            tiers_card_alt(t, card), report.player, draw_tiers, card, style
        )
