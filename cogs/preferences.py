"""`/settings`."""

from bot.chat.answers import reserve
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import timezone_option
from bot.chat.subjects import viewer_of
from bot.domain.errors import TooOld
from bot.features.preferences import REGIONS
from bot.ui.kit.look import Page
from bot.ui.kit.routes import PreferencesAddress
from bot.ui.language.text import described, named
from bot.ui.preferences import AUTOMATIC, code_of, preferences_page


class PreferencesCog(KirokuCog):
    """A member's settings, for that member only."""

    @command(
        named("command", "settings"),
        described("Choose language, time zone, pictures and who may look you up"),
    )
    @timezone_option()
    async def settings(self, interaction: Interaction, timezone: str | None = None) -> None:
        """Show the asker's settings; set the time zone if one is given."""
        await reserve(interaction, private=True)
        viewer = viewer_of(interaction)
        if timezone is not None:
            await self._bot.features.preferences.change(viewer, timezone=timezone)
        await self._bot.fill_reserved(interaction, PreferencesAddress(asker=viewer))

    @shows(PreferencesAddress)
    async def _page(self, interaction: Interaction, address: PreferencesAddress) -> Page:
        await self._choose(address)
        await self._bot.load_preferences(interaction)
        report = await self._bot.features.preferences.report(address.asker)
        return preferences_page(
            self._bot.language_of(interaction),
            report,
            address.asker,
            self._bot.languages,
            chosen_visibility=address.visibility,
        )

    async def _choose(self, chosen: PreferencesAddress) -> None:
        """Store the chosen settings, if any. Raises: TooOld for a choice that is no longer offered, NotLinked."""
        preferences = self._bot.features.preferences
        if chosen.language:
            await preferences.change(chosen.asker, language=code_of(chosen.language, self._bot.languages))
        if chosen.theme and chosen.cut:
            await preferences.change(chosen.asker, theme=chosen.theme)
            await preferences.choose_cut(chosen.asker, chosen.cut)
        if chosen.slot:
            await preferences.change(chosen.asker, slot=chosen.slot)
        if chosen.region:
            if chosen.region not in REGIONS:
                raise TooOld
            version = None if chosen.game_version == AUTOMATIC else chosen.game_version
            await preferences.set_game(chosen.asker, chosen.region, version)
        if chosen.visibility:
            await self._bot.features.accounts.set_visibility(chosen.asker, chosen.visibility)
