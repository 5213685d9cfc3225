"""`/border`."""

from dataclasses import replace

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import SongText, difficulty_option, song_option
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.charts import DIFFICULTIES, Difficulty
from bot.features.shared.library import SongChoice
from bot.features.shared.subjects import Subject
from bot.ui.borders import border_embed
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_leads, with_share
from bot.ui.kit.routes import BorderAddress
from bot.ui.kit.song_routes import StatisticsAddress
from bot.ui.language.text import described, named
from bot.ui.songs import choice_page


class BordersCog(KirokuCog):
    """The judgements that each rank allows."""

    @command(
        named("command", "border"), described("Show what you can afford to lose on a chart for each rank")
    )
    @song_option()
    @difficulty_option(described("Which chart; the hardest if left out"), DIFFICULTIES)
    async def border(self, interaction: Interaction, song: SongText, difficulty: str = "") -> None:
        """Show how many of each judgement a rank allows, also in the asker's own mix."""
        chosen = Difficulty(difficulty) if difficulty else None
        address = BorderAddress(asker=viewer_of(interaction), song=song, difficulty=chosen)
        await self._bot.answer(interaction, address, about=Subject())

    @shows(BorderAddress)
    async def _page(self, interaction: Interaction, address: BorderAddress) -> Page:
        found = await self._bot.features.borders.report(
            address.asker, address.song, address.difficulty, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        if isinstance(found, SongChoice):
            return choice_page(t, found, lambda song: replace(address, song=song))
        song = found.song.id
        statistics = StatisticsAddress(asker=address.asker, song=song, difficulty=address.difficulty)
        shown = Page(border_embed(t, found), audience=found.audience)
        return with_share(t, with_leads(shown, {t("Statistics"): statistics}), replace(address, song=song))
