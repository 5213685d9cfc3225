"""The history of a chart, reached from `/history` and from a button below `/score`."""

from dataclasses import replace

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, shows
from bot.chat.gateway.guilds import fetch_neighbours
from bot.chat.subjects import guild_of
from bot.domain.members import Cut
from bot.features.shared.library import SongChoice
from bot.features.story import StoryReport
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import StoryAddress
from bot.ui.songs import choice_page
from bot.ui.story import draw_story, is_drawn, story_alt, story_page


class StoryCog(KirokuCog):
    """A score on a chart over time."""

    @shows(StoryAddress)
    async def _page(self, interaction: Interaction, address: StoryAddress) -> Page:
        found = await self._bot.features.story.report(
            address.asker,
            address.subject,
            address.song,
            address.difficulty,
            guild_of(interaction),
            address.number,
        )
        t = self._bot.language_of(interaction)
        if isinstance(found, SongChoice):
            return choice_page(t, found, lambda song: replace(address, song=song))
        picture = await self._picture(interaction, address, found)
        name = await self._name(interaction, found)
        return with_share(t, story_page(t, found, name, address, picture), address)

    async def _picture(
        self, interaction: Interaction, address: StoryAddress, report: StoryReport
    ) -> Picture | None:
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        if style.cut is Cut.LIST or not is_drawn(report):
            return None
        return await self._bot.renderer.picture(story_alt(t, report), None, draw_story, t, report, style)

    async def _name(self, interaction: Interaction, report: StoryReport) -> str:
        """Return a member's display name; empty if Discord does not tell it any more."""
        if report.member == interaction.user.id:
            return interaction.user.display_name
        guild = self._bot.get_guild(guild_of(interaction) or 0)
        if guild is None:
            return ""
        here = await fetch_neighbours(guild, [report.member])
        return here[report.member].name if report.member in here else ""
