"""`/plan`."""

from discord import app_commands

from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import choices_of, option
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.climb import TargetMeasure
from bot.domain.numbers import to_hundredths
from bot.domain.plan import PlanFilter
from bot.domain.tries import ClimbTarget
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import PlanAddress
from bot.ui.language.text import described, named
from bot.ui.plan import AIMS, plan_page


class PlanCog(KirokuCog):
    """Plans of what to play next."""

    @command(named("command", "plan"), described("Show what to play next for your rating; only you see it"))
    @option(
        "target", named("option", "target"), described("The rating or best average to reach, such as 16.50")
    )
    @option(
        "aim",
        named("option", "of"),
        described("What the target is one of; the rating if left out"),
        choices=choices_of(AIMS),
    )
    async def plan(
        self,
        interaction: Interaction,
        target: app_commands.Range[float, 0.01, 99.99] | None = None,
        aim: str = "",
    ) -> None:
        """Show what to play for an evening, or how many tries a target takes."""
        address = PlanAddress(
            asker=viewer_of(interaction),
            target=None if target is None else to_hundredths(target),
            aim=TargetMeasure(aim or TargetMeasure.RATING),
        )
        await self._bot.answer(interaction, address, private=True)

    @shows(PlanAddress)
    async def _page(self, interaction: Interaction, address: PlanAddress) -> Page:
        report = await self._bot.features.plan.report(
            address.asker,
            guild_of(interaction),
            None if address.target is None else ClimbTarget(address.target, address.aim),
            PlanFilter(address.charts, address.level, address.genre),
            address.number,
        )
        t = self._bot.language_of(interaction)
        return with_share(t, plan_page(t, report, address), address)
