"""`/stats`."""

from dataclasses import replace

from bot.chat.answers import is_private
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import SongText, difficulty_option, song_option
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.charts import LETTERS, Difficulty
from bot.features.shared.library import SongChoice
from bot.ui.kit.look import Page
from bot.ui.kit.song_routes import StatisticsAddress
from bot.ui.language.text import described, named
from bot.ui.plots import line_plot
from bot.ui.rating import rating_writer
from bot.ui.songs import choice_page
from bot.ui.statistics import plot_alt, plot_input, plot_marks, score_writer, statistics_page


class StatisticsCog(KirokuCog):
    """The statistics of all players on a chart."""

    @command(named("command", "stats"), described("Show how all players do on a chart"))
    @song_option()
    @difficulty_option(described("Which chart; the hardest if left out"), LETTERS)
    async def stats(self, interaction: Interaction, song: SongText, difficulty: str = "") -> None:
        """Show a chart's statistics, and the asker's place in them."""
        chosen = Difficulty(difficulty) if difficulty else None
        address = StatisticsAddress(asker=viewer_of(interaction), song=song, difficulty=chosen)
        await self._bot.answer(interaction, address)

    @shows(StatisticsAddress)
    async def _page(self, interaction: Interaction, address: StatisticsAddress) -> Page:
        found = await self._bot.features.statistics.report(
            address.asker,
            address.song,
            address.difficulty,
            guild_of(interaction),
            in_public=not is_private(interaction),
        )
        t = self._bot.language_of(interaction)
        if isinstance(found, SongChoice):
            return choice_page(t, found, lambda song: replace(address, song=song))
        drawn = plot_input(t, found)
        picture = None
        if drawn is not None:
            labels, points = drawn
            picture = await self._bot.renderer.picture(
                plot_alt(t, found, points),
                None,  # the statistics are cached for everyone, and the asker's own place is marked on the plot
                line_plot,
                labels,
                points,
                self._bot.style_of(interaction, address),
                marked=plot_marks(found),
                format_across=rating_writer(t),
                format_value=score_writer(t),
            )
        return statistics_page(t, found, address.asker, picture)
