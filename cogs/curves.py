"""`/history`."""

from collections.abc import Mapping

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction, KirokuBot
from bot.chat.options import DayText, Someone, choices_of, day_of, option
from bot.chat.subjects import subject_of, viewer_of
from bot.domain.boards import Measure
from bot.domain.curves import DaySpan
from bot.domain.ids import MemberId
from bot.features.curves import CurvesReport
from bot.features.shared.askers import Subject
from bot.ui.boards import MEASURES
from bot.ui.curves import curves_alt, curves_embed, draw_curves, drawn_curves
from bot.ui.kit.look import Page
from bot.ui.kit.renderer import Picture
from bot.ui.language.text import described, named

_OTHERS = described("Someone else beside them")


class CurvesCog(commands.Cog):
    """How figures went over time."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot

    @app_commands.command(
        name=named("command", "history"),
        description=described("Show how rating, best average or OVER POWER went, of up to five members"),
    )
    @option(
        "member",
        named("option", "member"),
        described("Someone here who has linked an account and lets you look; you if left out"),
    )
    @option(
        "what",
        named("option", "what"),
        described("What to show; rating if left out"),
        choices=choices_of(MEASURES),
    )
    @option("first", named("option", "from"), described("The first day, such as 2026-11-01"))
    @option("last", named("option", "to"), described("The last day, such as 2026-11-30; today if left out"))
    @option("member2", named("option", "member2"), _OTHERS)
    @option("member3", named("option", "member3"), _OTHERS)
    @option("member4", named("option", "member4"), _OTHERS)
    @option("member5", named("option", "member5"), _OTHERS)
    async def history(  # noqa: PLR0913, PLR0917 - Discord has no option that takes several members
        self,
        interaction: Interaction,
        member: Someone | None = None,
        what: str = Measure.RATING.value,
        first: DayText = "",
        last: DayText = "",
        member2: Someone | None = None,
        member3: Someone | None = None,
        member4: Someone | None = None,
        member5: Someone | None = None,
    ) -> None:
        """Show how a figure of the asker went, or of up to five members."""
        viewer = viewer_of(interaction)
        people = [each for each in (member, member2, member3, member4, member5) if each] or [interaction.user]
        subjects = [subject_of(interaction, each, None) for each in people]
        is_own = any(subject.member == viewer for subject in subjects)
        if is_own:
            await self._bot.reserve_about(interaction, Subject())
        else:
            await reserve(interaction)
        now = interaction.created_at
        span = DaySpan(day_of(first, "from", now), day_of(last, "to", now))
        t = self._bot.language_of(interaction)
        report = await self._bot.features.curves.report(viewer, subjects, Measure(what), span, t.zone)
        names = {MemberId(each.id): each.display_name for each in people}
        picture = await self._picture(interaction, report, names)
        await show(
            interaction, Page(curves_embed(t, report, names), picture=picture, audience=report.audience)
        )

    async def _picture(
        self, interaction: Interaction, report: CurvesReport, names: Mapping[MemberId, str]
    ) -> Picture | None:
        curves = drawn_curves(report)
        if not curves:
            return None
        t, theme = self._bot.language_of(interaction), self._bot.theme_of(interaction)
        alt = curves_alt(t, report, names)
        return await self._bot.studio.picture(alt, None, draw_curves, t, report.measure, curves, names, theme)


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(CurvesCog(bot))
