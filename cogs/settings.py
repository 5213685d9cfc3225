"""`/settings`."""

from dataclasses import replace
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.errors import TooOld
from bot.domain.ids import MemberId
from bot.domain.members import Theme, Visibility
from bot.domain.scores import SlotName
from bot.features.timezones import suggest_timezones
from bot.subjects import viewer_of
from bot.ui.look import Page
from bot.ui.pages import Address, read
from bot.ui.settings import language_of_choice, region_of_choice, settings_page
from bot.ui.text import described, named

_KIND: Final = "settings"
_CHOICES: Final = 25


class SettingsCog(commands.Cog):
    """A member's own settings, for their eyes alone."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._chosen

    @app_commands.command(
        name=named("command", "settings"),
        description=described("Choose language, time zone, pictures and who may look you up"),
    )
    @app_commands.rename(timezone=named("option", "timezone"))
    @app_commands.describe(timezone=described("Time zone, such as Asia/Tokyo"))
    async def settings(self, interaction: Interaction, timezone: str | None = None) -> None:
        """Show the asker's settings, and set the time zone where one is given."""
        await reserve(interaction, private=True)
        if timezone is not None:
            preferences = replace(self._bot.preferences_of(interaction), timezone=timezone)
            await self._bot.features.preferences.save(viewer_of(interaction), preferences)
        await show(interaction, await self._page(interaction))

    @settings.autocomplete("timezone")
    async def _suggest_timezone(
        self, _interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        names = suggest_timezones(current)[:_CHOICES]
        return [app_commands.Choice(name=name, value=name) for name in names]

    async def _chosen(self, interaction: Interaction, address: Address) -> Page:
        setting, _, value = address.query.partition("=")
        await self._set(address.asker, setting, value)
        return await self._page(interaction)

    async def _set(self, member: MemberId, setting: str, value: str) -> None:
        settings, before = self._bot.features.preferences, self._bot.features.preferences.of(member)
        match setting:
            case "language":
                await settings.save(member, replace(before, language=read(self._language, value)))
            case "theme":
                await settings.save(member, replace(before, theme=read(Theme, value)))
            case "slot":
                await settings.save(member, replace(before, slot=read(SlotName, value)))
            case "region":
                await settings.set_region(member, read(region_of_choice, value))
            case "visibility":
                await self._bot.features.accounts.set_visibility(member, read(Visibility, value))
            case _:
                raise TooOld

    def _language(self, value: str) -> str | None:
        code = language_of_choice(value)
        if code is not None and self._bot.languages.find(code) is None:
            raise ValueError(value)
        return code

    async def _page(self, interaction: Interaction) -> Page:
        viewer = viewer_of(interaction)
        page = await self._bot.features.preferences.page(viewer)
        t = self._bot.language_of(interaction)
        return settings_page(t, page, Address(kind=_KIND, asker=viewer), self._bot.languages)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(SettingsCog(bot))
