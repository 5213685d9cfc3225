"""`/practice`."""

from bot.chat.answers import reserve
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import FilterText, filter_option
from bot.chat.subjects import guild_of, viewer_of
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import PracticeAddress
from bot.ui.language.text import described, named
from bot.ui.practice import practice_page


class PracticeCog(KirokuCog):
    """Three charts for today."""

    @command(
        named("command", "practice"), described("Three charts for today, chosen for you; only you see it")
    )
    @filter_option(described("Such as level>=13 genre:toho; all charts if left out"))
    async def practice(self, interaction: Interaction, wanted: FilterText = "") -> None:
        """Show a solid gain, a stretch, and something against a weakness; the same all day."""
        await reserve(interaction, private=True)
        key = await self._bot.features.searches.save_filter(wanted)
        zone = self._bot.language_of(interaction).zone
        seed = self._bot.features.clock.now().astimezone(zone).toordinal()
        await self._bot.fill_reserved(
            interaction, PracticeAddress(asker=viewer_of(interaction), key=key, seed=seed)
        )

    @shows(PracticeAddress)
    async def _page(self, interaction: Interaction, address: PracticeAddress) -> Page:
        wanted = await self._bot.features.searches.get_text(address.key)
        report = await self._bot.features.practice.report(
            address.asker, wanted, address.seed, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        return with_share(t, practice_page(t, report, address), address)
