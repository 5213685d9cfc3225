"""`/best`."""

from dataclasses import dataclass
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Interaction, KirokuBot, reserve, show, subject_of, viewer_of
from bot.domain.ids import MemberId, UserName
from bot.domain.scores import SlotName
from bot.features.askers import Subject
from bot.ui.best import SLOTS, best_page
from bot.ui.look import Page
from bot.ui.pages import Address
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
        bot.pages[_KIND] = self._page

    @app_commands.command(
        name=named("command", "best"), description=described("Show the records that make up a rating")
    )
    @app_commands.rename(
        member=named("option", "member"), player=named("option", "player"), slot=named("option", "slot")
    )
    @app_commands.describe(
        member=described("Someone here who has linked an account and lets you look"),
        player=described("A player's name on the record service"),
        slot=described("Which list of records; best if left out"),
    )
    @app_commands.choices(slot=_CHOICES)
    async def best(
        self,
        interaction: Interaction,
        member: discord.Member | discord.User | None = None,
        player: app_commands.Range[str, 1, _LONGEST_NAME] | None = None,
        slot: str = SlotName.BEST.value,
    ) -> None:
        """Show the asker's best records, or those of a member or player."""
        await reserve(interaction)
        asked = _Query(SlotName(slot), subject_of(interaction, member, player))
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=str(asked))
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        asked = _Query.read(address.query, is_server=interaction.guild_id is not None)
        page = await self._bot.features.best.page(address.asker, asked.subject, asked.slot, address.number)
        queries = {name: str(_Query(name, asked.subject)) for name in SLOTS}
        return best_page(self._bot.language_of(interaction), page, address, queries)


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
