"""`/best`."""

from dataclasses import replace
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import show
from bot.client import Interaction, KirokuBot
from bot.domain.scores import SlotName
from bot.features.askers import Subject
from bot.features.best import BestPage
from bot.subjects import read_subject, subject_of, subject_text, viewer_of
from bot.ui.best import SLOTS, best_page
from bot.ui.best_card import best_card, best_card_alt
from bot.ui.cards import draw_best
from bot.ui.look import Page
from bot.ui.pages import Address, read, with_share
from bot.ui.studio import Picture
from bot.ui.text import described, named

_KIND: Final = "best"
_WHOLE: Final = "bestcard"
"""The same page with its card: a message of its own, as one that is shared, has no picture that could stay."""
_LONGEST_NAME: Final = 40
"""Characters of a player's name: what the id of a button can carry beside the rest."""
_CHOICES: Final = [
    app_commands.Choice(name=described(label), value=slot.value) for slot, label in SLOTS.items()
]


class BestCog(commands.Cog):
    """The slots that make up a rating."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._turned
        bot.pages[_WHOLE] = self._whole
        menu = app_commands.ContextMenu(name=named("menu", "Show best"), callback=self._show_best)
        bot.tree.add_command(menu)

    @app_commands.command(
        name=named("command", "best"), description=described("Show the records that make up a rating")
    )
    @app_commands.rename(
        member=named("option", "member"), player=named("option", "player"), slot=named("option", "slot")
    )
    @app_commands.describe(
        member=described("Someone here who has linked an account and lets you look"),
        player=described("A player's name on the record service"),
        slot=described("Which list of records; the one of your settings if left out"),
    )
    @app_commands.choices(slot=_CHOICES)
    async def best(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None = None,
        player: app_commands.Range[str, 1, _LONGEST_NAME] | None = None,
        slot: str | None = None,
    ) -> None:
        """Show the asker's best records, or those of a member or player."""
        await self._answer(interaction, subject_of(interaction, member, player), slot)

    async def _show_best(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        await self._answer(interaction, subject_of(interaction, member, None))

    async def _answer(self, interaction: Interaction, subject: Subject, slot: str | None = None) -> None:
        await self._bot.reserve_about(interaction, subject)
        query = f"{slot or self._bot.preferences_of(interaction).slot}:{subject_text(subject)}"
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=query)
        await show(interaction, await self._whole(interaction, address))

    async def _whole(self, interaction: Interaction, address: Address) -> Page:
        page = await self._find(interaction, address)
        return replace(self._page(interaction, page, address), picture=await self._picture(interaction, page))

    async def _turned(self, interaction: Interaction, address: Address) -> Page:
        page = await self._find(interaction, address)
        return replace(self._page(interaction, page, address), keeps_picture=True)

    async def _find(self, interaction: Interaction, address: Address) -> BestPage:
        slot, _, who = address.query.partition(":")
        subject = read_subject(interaction, who)
        return await self._bot.features.best.page(
            address.asker, subject, read(SlotName, slot), address.number
        )

    def _page(self, interaction: Interaction, page: BestPage, address: Address) -> Page:
        t = self._bot.language_of(interaction)
        here = replace(address, kind=_KIND)
        return with_share(t, best_page(t, page, here), replace(address, kind=_WHOLE))

    async def _picture(self, interaction: Interaction, page: BestPage) -> Picture | None:
        if not page.best.records:
            return None
        t, preferences = self._bot.language_of(interaction), self._bot.preferences_of(interaction)
        card = best_card(t, page)
        return await self._bot.studio.picture(best_card_alt(t, page), draw_best, card, preferences.theme)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(BestCog(bot))
