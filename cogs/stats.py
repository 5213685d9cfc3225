"""`/stats`."""

from dataclasses import replace
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import is_private, reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.charts import Difficulty, difficulty_name
from bot.features.library import SongChoice
from bot.features.statistics import LETTERS
from bot.subjects import guild_of, viewer_of
from bot.suggestions import suggest_songs
from bot.ui.look import Page
from bot.ui.pages import Address
from bot.ui.plots import line_plot
from bot.ui.song import choice_page
from bot.ui.statistics import plot_alt, plot_input, plot_marks, score_writer, statistics_page
from bot.ui.text import described, named

_KIND: Final = "stats"
_CHOICES: Final = [app_commands.Choice(name=difficulty_name(code), value=code) for code in LETTERS]


class StatsCog(commands.Cog):
    """How all players fare on a chart."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page

    @app_commands.command(
        name=named("command", "stats"), description=described("Show how all players fare on a chart")
    )
    @app_commands.rename(song=named("option", "song"), difficulty=named("option", "difficulty"))
    @app_commands.describe(
        song=described("Part of a title or artist, in any script"),
        difficulty=described("Which chart; the hardest if left out"),
    )
    @app_commands.choices(difficulty=_CHOICES)
    @app_commands.autocomplete(song=suggest_songs)
    async def stats(
        self, interaction: Interaction, song: app_commands.Range[str, 1, 100], difficulty: str = ""
    ) -> None:
        """Show a chart's statistics, and the asker's place in them."""
        await reserve(interaction)
        # A text could hold a colon: it is looked up first, and the id goes on.
        visit = await self._bot.features.library.visit(viewer_of(interaction), guild_of(interaction))
        found = visit.pick(song)
        address = Address(kind=_KIND, asker=viewer_of(interaction))
        if isinstance(found, SongChoice):
            t = self._bot.language_of(interaction)
            await show(interaction, choice_page(t, found, address, rest=f":{difficulty}"))
            return
        address = replace(address, query=f"{found.id}:{difficulty}")
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        song, _, code = address.query.rpartition(":")
        difficulty = Difficulty(code) if code else None
        page = await self._bot.features.statistics.page(
            address.asker, song, difficulty, guild_of(interaction), in_public=not is_private(interaction)
        )
        t = self._bot.language_of(interaction)
        drawn = plot_input(t, page)
        picture = None
        if drawn is not None:
            labels, points = drawn
            picture = await self._bot.studio.picture(
                plot_alt(t, page, points),
                line_plot,
                labels,
                points,
                self._bot.theme_of(interaction),
                marked=plot_marks(page),
                format_value=score_writer(t),
            )
        return statistics_page(t, page, address, picture)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(StatsCog(bot))
