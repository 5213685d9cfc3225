"""`/compare`, and the menus that compare with a member, or on the song in a message."""

from dataclasses import replace

import discord

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, menu, shows
from bot.chat.options import (
    FilterText,
    PlayerName,
    Someone,
    SongText,
    choices_of,
    filter_option,
    option,
    song_option,
    subject_options,
)
from bot.chat.subjects import author_of, guild_of, subject_of, text_of, viewer_of
from bot.domain.comparison import GapOrder
from bot.domain.ids import SongId
from bot.domain.members import Cut
from bot.features.comparison import ComparisonReport
from bot.features.shared.library import SongChoice
from bot.features.shared.subjects import Subject
from bot.ui.cards.drawn import draw_comparison
from bot.ui.comparison import comparison_page, song_comparison_page
from bot.ui.comparison_card import comparison_alt, comparison_card
from bot.ui.kit.address import Address
from bot.ui.kit.look import Page
from bot.ui.kit.orders import GAP_ORDERS
from bot.ui.kit.pages import with_share
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import ComparisonAddress, OwnScoresAddress
from bot.ui.language.text import described, named
from bot.ui.songs import choice_page


class ComparisonCog(KirokuCog):
    """Comparisons of the asker's scores with another player's."""

    @command(
        named("command", "compare"), described("Compare your scores with another player's; only you see it")
    )
    @subject_options()
    @filter_option(described("Which of your records, such as const>=14; all if left out"))
    @song_option(description=described("On one song only, whatever the filter"))
    @option(
        "sort",
        named("option", "sort"),
        described("What comes first; the largest gap if left out"),
        choices=choices_of(GAP_ORDERS),
    )
    async def compare(
        self,
        interaction: Interaction,
        member: Someone | None = None,
        wanted: FilterText = "",
        player: PlayerName | None = None,
        song: SongText = "",
        sort: str = GapOrder.WIDEST.value,
    ) -> None:
        """Show who leads on the charts that both have played, or on those of one song."""
        subject = subject_of(interaction, member, player)
        await self._answer(interaction, subject, wanted, song, GapOrder(sort))

    @menu(named("menu", "Compare with me"))
    async def _compare(self, interaction: Interaction, member: Someone) -> None:
        await self._answer(interaction, subject_of(interaction, member, None))

    @menu(named("menu", "Compare on this song"))
    async def _compare_in_message(self, interaction: Interaction, message: discord.Message) -> None:
        await reserve(interaction, private=True)
        viewer, other = viewer_of(interaction), author_of(interaction, message)

        def address_of(song: SongId) -> Address:
            if other is None:  # the asker's own scores can still be shown
                return OwnScoresAddress(asker=viewer, song=song)
            return ComparisonAddress(asker=viewer, subject=other, song=song)

        library = self._bot.features.library
        found = await library.find_in_message(viewer, text_of(message), guild_of(interaction))
        if isinstance(found, SongChoice):
            await show(interaction, choice_page(self._bot.language_of(interaction), found, address_of))
        else:
            await self._bot.fill_reserved(interaction, address_of(found.id))

    async def _answer(
        self,
        interaction: Interaction,
        subject: Subject,
        wanted: str = "",
        song: str = "",
        order: GapOrder = GapOrder.WIDEST,
    ) -> None:
        address = ComparisonAddress(
            asker=viewer_of(interaction),
            subject=subject,
            wanted=" ".join(wanted.split()),
            song=song,
            order=order,
        )
        await self._bot.answer(interaction, address, private=True)

    @shows(ComparisonAddress)
    async def _page(self, interaction: Interaction, address: ComparisonAddress) -> Page:
        comparison, guild = self._bot.features.comparison, guild_of(interaction)
        t = self._bot.language_of(interaction)
        if address.song:
            found = await comparison.report_song(address.asker, address.subject, address.song, guild)
            if isinstance(found, SongChoice):
                return choice_page(t, found, lambda song: replace(address, song=song))
            address = replace(address, song=found.song.id)
            return with_share(t, song_comparison_page(t, found, address), address)
        report = await comparison.report(
            address.asker, address.subject, address.wanted, address.number, guild, order=address.order
        )
        picture = await self._picture(interaction, address, report)
        return with_share(t, comparison_page(t, report, address, picture), address)

    async def _picture(
        self, interaction: Interaction, address: ComparisonAddress, report: ComparisonReport
    ) -> Picture | None:
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        if style.cut is Cut.LIST or address.number or not report.first:
            return None
        card = comparison_card(t, report, address.order)
        alt = comparison_alt(t, card)
        return await self._bot.renderer.picture(alt, report.other, draw_comparison, card, style)
