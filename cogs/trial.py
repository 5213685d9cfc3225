"""`/try`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import guild_of, viewer_of
from bot.ui.best_card import best_picture
from bot.ui.kit.look import Page
from bot.ui.kit.song_routes import TrialAddress
from bot.ui.language.text import described, named
from bot.ui.trial import trial_page


class TrialCog(KirokuCog):
    """The card of an invented player."""

    @command(
        named("command", "try"), described("See an invented player's card: what linking your account brings")
    )
    async def show(self, interaction: Interaction) -> None:
        """Show what linking brings."""
        await self._bot.answer(interaction, TrialAddress(asker=viewer_of(interaction)), private=True)

    @shows(TrialAddress)
    async def _page(self, interaction: Interaction, address: TrialAddress) -> Page:
        report = await self._bot.features.trial.report(address.asker, guild_of(interaction))
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        return trial_page(t, report.player, await best_picture(self._bot.renderer, t, report, style))
