"""`/plan` and `/whatif`."""

from dataclasses import replace
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.chat.client import Interaction, KirokuBot
from bot.chat.options import SongText, choices_of, difficulty_option, option, song_option
from bot.chat.subjects import guild_of, viewer_of
from bot.domain.charts import DIFFICULTIES, WORLDS_END, Difficulty
from bot.domain.numbers import to_hundredths
from bot.domain.plan import TargetMeasure
from bot.domain.ranks import MAX_SCORE
from bot.features.shared.library import SongChoice
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_leads, with_share
from bot.ui.kit.routes import BorderAddress, PlanAddress, WhatIfAddress
from bot.ui.language.text import described, named
from bot.ui.plan import AIMS, plan_page, what_if_embed
from bot.ui.songs import choice_page

_WITH_CONSTANTS: Final = [code for code in reversed(DIFFICULTIES) if code != WORLDS_END]


class PlanCog(commands.Cog):
    """What to play next."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.add_page(PlanAddress, self._page)
        bot.add_page(WhatIfAddress, self._what_if_page)

    @app_commands.command(
        name=named("command", "plan"),
        description=described("Show what raises your best average soonest, to you alone"),
    )
    @option(
        "target", named("option", "target"), described("The best average or rating to reach, such as 16.50")
    )
    @option(
        "aim",
        named("option", "of"),
        described(
            "What the target is one of; if left out, the best average, or the rating once that is there"
        ),
        choices=choices_of(AIMS),
    )
    async def plan(
        self,
        interaction: Interaction,
        target: app_commands.Range[float, 0.01, 99.99] | None = None,
        aim: str = "",
    ) -> None:
        """Show what to play, or the likeliest way to a target."""
        wanted = None if target is None else to_hundredths(target)
        address = PlanAddress(
            asker=viewer_of(interaction), target=wanted, aim=TargetMeasure(aim) if aim else None
        )
        await self._bot.answer(interaction, address, private=True)

    async def _page(self, interaction: Interaction, address: PlanAddress) -> Page:
        report = await self._bot.features.plan.report(
            address.asker,
            address.target,
            guild_of(interaction),
            address.number,
            aim=address.aim,
            outside_only=address.outside_only,
        )
        t = self._bot.language_of(interaction)
        return with_share(t, plan_page(t, report, address), address)

    @app_commands.command(
        name=named("command", "whatif"),
        description=described("Show what a score would change in your best slot, to you alone"),
    )
    @song_option()
    @difficulty_option(described("Which chart of the song"), _WITH_CONSTANTS)
    @option("score", named("option", "score"), described("The score to try, such as 1007500"))
    async def whatif(
        self,
        interaction: Interaction,
        song: SongText,
        difficulty: str,
        score: app_commands.Range[int, 0, MAX_SCORE],
    ) -> None:
        """Show what a score would change."""
        address = WhatIfAddress(
            asker=viewer_of(interaction), song=song, difficulty=Difficulty(difficulty), score=score
        )
        await self._bot.answer(interaction, address, private=True)

    async def _what_if_page(self, interaction: Interaction, address: WhatIfAddress) -> Page:
        found = await self._bot.features.plan.what_if(
            address.asker, address.song, address.difficulty, address.score, guild_of(interaction)
        )
        t = self._bot.language_of(interaction)
        if isinstance(found, SongChoice):
            return choice_page(t, found, lambda song: replace(address, song=song))
        song = found.song.id
        border = BorderAddress(asker=address.asker, song=song, difficulty=address.difficulty)
        shown = with_leads(Page(what_if_embed(t, found)), {t("Border"): border})
        return with_share(t, shown, replace(address, song=song))


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(PlanCog(bot))
