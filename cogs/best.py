"""`/best`."""

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, menu, shows
from bot.chat.options import FilterText, Someone, choices_of, filter_option, option, subject_options
from bot.chat.subjects import guild_of, subject_of, viewer_of
from bot.domain.members import Cut
from bot.domain.scores import SlotName
from bot.features.shared.subjects import Subject
from bot.ui.best import SLOTS, best_page, card_page
from bot.ui.best_card import best_picture
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_refresh, with_share
from bot.ui.kit.routes import BestAddress
from bot.ui.language.text import described, named

_MAX_NAME_CHARACTERS: Final = 40
"""The most characters of a player's name: the id of a button has no room for more."""


class BestCog(KirokuCog):
    """The slots that make up a rating."""

    @command(named("command", "best"), described("Show the records that make up a rating"))
    @subject_options()
    @option(
        "slot",
        named("option", "slot"),
        described("Which list of records; the one of your settings if left out"),
        choices=choices_of(SLOTS),
    )
    @filter_option(described("The best 30 of these charts in place of a slot, such as genre:toho or lamp:aj"))
    async def best(
        self,
        interaction: Interaction,
        member: Someone | None = None,
        player: app_commands.Range[str, 1, _MAX_NAME_CHARACTERS] | None = None,
        slot: str | None = None,
        wanted: FilterText = "",
    ) -> None:
        """Show the asker's best records, or those of a member or player."""
        await self._answer(interaction, subject_of(interaction, member, player), slot, wanted)

    @menu(named("menu", "Show best"))
    async def _show_best(self, interaction: Interaction, member: Someone) -> None:
        await self._answer(interaction, subject_of(interaction, member, None))

    async def _answer(
        self, interaction: Interaction, subject: Subject, slot: str | None = None, wanted: str = ""
    ) -> None:
        preferences = self._bot.preferences_of(interaction)
        name = SlotName(slot) if slot else preferences.slot
        text = " ".join(wanted.split())
        address = BestAddress(asker=viewer_of(interaction), subject=subject, slot=name, wanted=text)
        await self._bot.answer(interaction, address, about=subject)

    @shows(BestAddress)
    async def _page(self, interaction: Interaction, address: BestAddress) -> Page:
        report = await self._bot.features.best.report(
            address.asker,
            address.subject,
            address.slot,
            address.number,
            text=address.wanted,
            guild=guild_of(interaction),
        )
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        picture = await best_picture(self._bot.renderer, t, report, style)
        listed = replace(address, cut=Cut.LIST)
        page = card_page(t, report, address, picture) if picture else best_page(t, report, listed)
        return with_share(t, with_refresh(t, page, address), address)
