"""`/leaderboard`."""

from dataclasses import replace
from functools import partial

import discord
from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.gateway.guilds import fetch_neighbours
from bot.chat.options import SongText, choices_of, difficulty_option, option, song_option
from bot.chat.subjects import get_guild, viewer_of
from bot.domain.boards import Measure
from bot.domain.charts import DIFFICULTIES, MASTER, WORLDS_END, Difficulty
from bot.domain.ids import GuildId
from bot.features.boards import BoardQuestion
from bot.features.shared.library import SongChoice
from bot.features.shared.subjects import MembershipUnknown, Subject
from bot.ui.boards import MEASURES, board_page
from bot.ui.kit.look import Page
from bot.ui.kit.routes import BoardAddress
from bot.ui.language.text import described, named
from bot.ui.songs import choice_page


class BoardsCog(KirokuCog):
    """The boards of a server."""

    @command(
        named("command", "leaderboard"), described("Compare the members of this server who let others look")
    )
    @option(
        "what",
        named("option", "what"),
        described("What to rank by; rating if left out"),
        choices=choices_of(MEASURES),
    )
    @song_option()
    @difficulty_option(
        described("Of the song's charts; MASTER if left out"),
        [code for code in DIFFICULTIES if code != WORLDS_END],
    )
    @option("role", named("option", "role"), described("Only members who have this role"))
    @app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    @app_commands.allowed_installs(guilds=True, users=False)
    async def leaderboard(
        self,
        interaction: Interaction,
        what: str = Measure.RATING.value,
        song: SongText = "",
        difficulty: str = MASTER,
        role: discord.Role | None = None,
    ) -> None:
        """Show a ranking of the server's members by a figure, or by their score on a chart."""
        address = BoardAddress(
            asker=viewer_of(interaction),
            measure=Measure(what),
            song=song,
            difficulty=Difficulty(difficulty),
            role=None if role is None or role.is_default() else role.id,
        )
        await self._bot.answer(interaction, address, about=Subject())

    @shows(BoardAddress)
    async def _page(self, interaction: Interaction, address: BoardAddress) -> Page:
        guild = self._bot.get_guild(get_guild(interaction))
        if guild is None:  # another process serves it by now
            raise MembershipUnknown
        question = BoardQuestion(
            measure=address.measure,
            song=address.song,
            difficulty=address.difficulty,
            role=address.role,
            number=address.number,
        )
        found = await self._bot.features.boards.report(
            address.asker, GuildId(guild.id), question, partial(fetch_neighbours, guild)
        )
        t = self._bot.language_of(interaction)
        if isinstance(found, SongChoice):
            return choice_page(t, found, lambda song: replace(address, song=song))
        return board_page(t, found, address if found.song is None else replace(address, song=found.song.id))
