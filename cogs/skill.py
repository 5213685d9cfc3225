"""`/skill`."""

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.subjects import guild_of, viewer_of
from bot.features.shared.subjects import Subject
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import SkillAddress
from bot.ui.language.text import described, named
from bot.ui.plots import bar_plot
from bot.ui.skill import MIN_PLAYED_CHARTS, skill_page, skill_plot


class SkillCog(KirokuCog):
    """Members' strengths and weaknesses."""

    @command(named("command", "skill"), described("Show which kinds of charts you are strong and weak at"))
    async def skill(self, interaction: Interaction) -> None:
        """Show the asker's strengths and weaknesses."""
        await self._bot.answer(interaction, SkillAddress(asker=viewer_of(interaction)), about=Subject())

    @shows(SkillAddress)
    async def _page(self, interaction: Interaction, address: SkillAddress) -> Page:
        report = await self._bot.features.skill.report(address.asker, guild_of(interaction))
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        picture = None
        if report.played >= MIN_PLAYED_CHARTS:
            alt, labels, bars = skill_plot(t, report, address.form)
            picture = await self._bot.renderer.picture(alt, report.player, bar_plot, labels, bars, style)
        return with_share(t, skill_page(t, report, address, picture), address)
