"""`/score` and `/scores`."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.entries import Order
from bot.features.askers import Subject
from bot.features.library import SongChoice
from bot.subjects import guild_of, read_subject, subject_of, subject_text, viewer_of
from bot.suggestions import suggest_filters, suggest_songs
from bot.ui.look import Page
from bot.ui.orders import ORDERS
from bot.ui.pages import Address, read, with_share
from bot.ui.scores import scores_page, song_scores_embed
from bot.ui.song import choice_page
from bot.ui.text import described, named

_KIND: Final = "scores"
_SONG: Final = "score"
_CHOICES: Final = [
    app_commands.Choice(name=described(label), value=order.value) for order, label in ORDERS.items()
]


class ScoreCog(commands.Cog):
    """A player's scores."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page
        bot.pages[_SONG] = self._song_page

    @app_commands.command(
        name=named("command", "score"), description=described("Show scores on every chart of a song")
    )
    @app_commands.rename(
        song=named("option", "song"), member=named("option", "member"), player=named("option", "player")
    )
    @app_commands.describe(
        song=described("Part of a title or artist, in any script"),
        member=described("Someone here who has linked an account and lets you look"),
        player=described("A player's name on the record service"),
    )
    @app_commands.autocomplete(song=suggest_songs)
    async def score(
        self,
        interaction: Interaction,
        song: app_commands.Range[str, 1, 100],
        member: discord.Member | discord.User | None = None,
        player: app_commands.Range[str, 1, 64] | None = None,
    ) -> None:
        """Show the asker's scores on a song, or those of a member or player."""
        subject = subject_of(interaction, member, player)
        await self._bot.reserve_about(interaction, subject)
        query = f"{subject_text(subject)}:{song}"
        address = Address(kind=_SONG, asker=viewer_of(interaction), query=query)
        await show(interaction, await self._song_page(interaction, address))

    @app_commands.command(
        name=named("command", "scores"),
        description=described("List the scores that a filter lets through, to you alone"),
    )
    @app_commands.rename(
        wanted=named("option", "filter"),
        sort=named("option", "sort"),
        member=named("option", "member"),
        player=named("option", "player"),
    )
    @app_commands.describe(
        wanted=described("Such as const>=14 rank<sss; all scores if left out"),
        sort=described("What comes first; the highest rating if left out"),
        member=described("Someone here who has linked an account and lets you look"),
        player=described("A player's name on the record service"),
    )
    @app_commands.choices(sort=_CHOICES)
    @app_commands.autocomplete(wanted=suggest_filters)
    async def scores(
        self,
        interaction: Interaction,
        wanted: app_commands.Range[str, 0, 100] = "",
        sort: str = Order.RATING_DOWN.value,
        member: discord.Member | discord.User | None = None,
        player: app_commands.Range[str, 1, 64] | None = None,
    ) -> None:
        """List the asker's scores, or those of a member or player."""
        await reserve(interaction, private=True)
        asked = _Query(Order(sort), subject_of(interaction, member, player), " ".join(wanted.split()))
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=str(asked))
        await show(interaction, await self._page(interaction, address))

    async def _song_page(self, interaction: Interaction, address: Address) -> Page:
        who, _, song = address.query.partition(":")
        subject = read_subject(interaction, who)
        page = await self._bot.features.scores.song(address.asker, subject, song, guild_of(interaction))
        t = self._bot.language_of(interaction)
        if isinstance(page, SongChoice):
            return choice_page(t, page, replace(address, query=""), before=f"{who}:")
        shown = Page(song_scores_embed(t, page), audience=page.audience)
        return with_share(t, shown, replace(address, query=f"{who}:{page.song.id}"))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        asked = read(partial(_Query.read, interaction), address.query)
        page = await self._bot.features.scores.page(
            address.asker,
            asked.subject,
            asked.wanted,
            asked.order,
            address.number,
            guild_of(interaction),
        )
        t = self._bot.language_of(interaction)
        return with_share(t, scores_page(t, page, address, asked.order), address)


@dataclass(frozen=True, slots=True)
class _Query:
    """Which scores of whom in which order, as a component's id carries it: "rating-:m123:const>=14"."""

    order: Order
    subject: Subject
    wanted: str

    def __str__(self) -> str:
        return f"{self.order}:{subject_text(self.subject)}:{self.wanted}"

    @classmethod
    def read(cls, interaction: Interaction, text: str) -> "_Query":
        """Read what `str` wrote. Raises: ValueError, TooOld."""
        order, who, wanted = text.split(":", 2)
        return cls(Order(order), read_subject(interaction, who), wanted)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(ScoreCog(bot))
