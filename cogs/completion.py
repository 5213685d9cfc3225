"""`/table`."""

from typing import Final

from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import FilterText, filter_option, option
from bot.chat.subjects import guild_of, viewer_of
from bot.features.completion import CompletionReport
from bot.features.shared.subjects import Subject
from bot.ui.completion import completion_alt, completion_page, completion_sketch, draw_completion_card
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import CompletionAddress
from bot.ui.language.text import described, named

_FELT: Final = "felt"
_BY: Final = [
    app_commands.Choice(name=described("Constant"), value="constant"),
    app_commands.Choice(name=described("Felt difficulty"), value=_FELT),
]


class CompletionCog(KirokuCog):
    """Progress on all charts that pass a filter."""

    @command(
        named("command", "table"),
        described("Show all charts that match a filter in one picture, with your ranks and lamps"),
    )
    @filter_option(described("Which charts, such as level:14+"))
    @option(
        "by",
        named("option", "by"),
        described("What rows are sorted by; the constant if left out"),
        choices=_BY,
    )
    async def table(self, interaction: Interaction, wanted: FilterText, by: str = "") -> None:
        """Show the asker's progress on the charts that pass a filter."""
        address = CompletionAddress(
            asker=viewer_of(interaction), wanted=" ".join(wanted.split()), by_felt=by == _FELT
        )
        await self._bot.answer(interaction, address, about=Subject())

    @shows(CompletionAddress)
    async def _page(self, interaction: Interaction, address: CompletionAddress) -> Page:
        report = await self._bot.features.completion.report(
            address.asker, address.wanted, guild_of(interaction), by_felt=address.by_felt
        )
        t = self._bot.language_of(interaction)
        picture = await self._picture(interaction, address, report)
        return with_share(t, completion_page(t, report, address, picture), address)

    async def _picture(
        self, interaction: Interaction, address: CompletionAddress, report: CompletionReport
    ) -> Picture | None:
        if not report.rows:
            return None
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        sketch = completion_sketch(t, report)
        alt = completion_alt(t, sketch)
        return await self._bot.renderer.picture(alt, report.player, draw_completion_card, t, sketch, style)
