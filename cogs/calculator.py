"""`/calc`."""

from discord import app_commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command
from bot.chat.options import option
from bot.chat.subjects import viewer_of
from bot.domain.numbers import to_hundredths
from bot.domain.ranks import MAX_SCORE
from bot.ui.calculator import calculation_embed
from bot.ui.kit.look import Page
from bot.ui.language.text import described, named


class CalculatorCog(KirokuCog):
    """Single-song ratings from scores, and the reverse."""

    @command(
        named("command", "calc"), described("Compute a song rating from a score, or the score for a rating")
    )
    @option("constant", named("option", "constant"), described("The chart's constant, such as 14.7"))
    @option("score", named("option", "score"), described("A score, to see its rating"))
    @option("rating", named("option", "rating"), described("A song rating, to see the least score for it"))
    async def calc(
        self,
        interaction: Interaction,
        constant: app_commands.Range[float, 0.1, 99.9],
        score: app_commands.Range[int, 0, MAX_SCORE] | None = None,
        rating: app_commands.Range[float, 0.0, 99.99] | None = None,
    ) -> None:
        """Show the rating of a score, the score for a rating, and both for every rank."""
        await reserve(interaction)
        calculation = await self._bot.features.calculator.calculate(
            viewer_of(interaction),
            to_hundredths(constant),
            score,
            None if rating is None else to_hundredths(rating),
        )
        await show(interaction, Page(calculation_embed(self._bot.language_of(interaction), calculation)))
