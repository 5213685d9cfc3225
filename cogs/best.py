"""`/best`."""

from dataclasses import dataclass, replace
from typing import Final
from zoneinfo import ZoneInfo

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.ids import MemberId, UserName
from bot.domain.scores import SlotName
from bot.features.askers import Subject
from bot.features.best import BestPage
from bot.subjects import subject_of, viewer_of
from bot.ui.best import SLOTS, best_page
from bot.ui.best_card import best_card, best_card_alt
from bot.ui.cards import draw_best
from bot.ui.look import Page
from bot.ui.pages import Address
from bot.ui.studio import Picture
from bot.ui.text import described, named

_KIND: Final = "best"
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
        self._menu = app_commands.ContextMenu(name=named("menu", "Show best"), callback=self._show_best)

    async def cog_load(self) -> None:
        """Add the entry to the menu of a person."""
        self._bot.tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """Take the entry away."""
        self._bot.tree.remove_command(self._menu.name, type=self._menu.type)

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
        await reserve(interaction)
        name = SlotName(slot) if slot else self._bot.preferences_of(interaction).slot
        await self._answer(interaction, _Query(name, subject_of(interaction, member, player)))

    async def _show_best(self, interaction: Interaction, member: discord.Member | discord.User) -> None:
        await reserve(interaction)
        slot = self._bot.preferences_of(interaction).slot
        await self._answer(interaction, _Query(slot, subject_of(interaction, member, None)))

    async def _answer(self, interaction: Interaction, asked: "_Query") -> None:
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=str(asked))
        page = await self._find(interaction, address)
        picture = await self._picture(interaction, page)
        await show(interaction, replace(self._shown(interaction, page, address), picture=picture))

    async def _turned(self, interaction: Interaction, address: Address) -> Page:
        page = await self._find(interaction, address)
        return replace(self._shown(interaction, page, address), keeps_picture=True)

    async def _find(self, interaction: Interaction, address: Address) -> BestPage:
        asked = _Query.read(address.query, is_server=interaction.guild_id is not None)
        return await self._bot.features.best.page(address.asker, asked.subject, asked.slot, address.number)

    def _shown(self, interaction: Interaction, page: BestPage, address: Address) -> Page:
        asked = _Query.read(address.query, is_server=interaction.guild_id is not None)
        queries = {name: str(_Query(name, asked.subject)) for name in SLOTS}
        return best_page(self._bot.language_of(interaction), page, address, queries)

    async def _picture(self, interaction: Interaction, page: BestPage) -> Picture | None:
        if not page.best.records:
            return None
        t, preferences = self._bot.language_of(interaction), self._bot.preferences_of(interaction)
        card = best_card(t, page, ZoneInfo(preferences.timezone))
        return await self._bot.studio.picture(best_card_alt(t, page), draw_best, card, preferences.theme)


@dataclass(frozen=True, slots=True)
class _Query:
    """Which slot of whom, as a component's id carries it: "recent:m123", "best:uAlice", "best:"."""

    slot: SlotName
    subject: Subject

    def __str__(self) -> str:
        if self.subject.member is not None:
            # Someone asked for in a server stays looked up as a member of it: the message lives there.
            return f"{self.slot}:{'m' if self.subject.shares_server else 'd'}{self.subject.member}"
        return f"{self.slot}:{f'u{self.subject.player}' if self.subject.player else ''}"

    @classmethod
    def read(cls, text: str, *, is_server: bool) -> "_Query":
        slot, _, who = text.partition(":")
        kind, rest = who[:1], who[1:]
        if kind == "u":
            return cls(SlotName(slot), Subject(player=UserName(rest)))
        if kind in ("m", "d"):
            shares = is_server and kind == "m"
            return cls(SlotName(slot), Subject(member=MemberId(int(rest)), shares_server=shares))
        return cls(SlotName(slot), Subject())


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(BestCog(bot))
