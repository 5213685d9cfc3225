"""`/plan` and `/whatif`."""

from dataclasses import replace
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.answers import reserve, show
from bot.client import Interaction, KirokuBot
from bot.domain.charts import DIFFICULTIES, WORLDS_END, Difficulty, difficulty_name
from bot.domain.ids import MemberId
from bot.domain.numbers import Hundredths, to_hundredths
from bot.domain.ranks import MAX_SCORE
from bot.features.library import SongChoice
from bot.subjects import guild_of, viewer_of
from bot.suggestions import suggest_songs
from bot.ui.look import Page
from bot.ui.pages import Address, read, with_share
from bot.ui.plan import ALL, OUTSIDE, plan_page, what_if_embed
from bot.ui.song import choice_page
from bot.ui.text import described, named

_KIND: Final = "plan"
_WHAT_IF: Final = "whatif"
_HIGHEST: Final = 99_99
"""The highest target, in hundredths."""
_CHOICES: Final = [
    app_commands.Choice(name=difficulty_name(code), value=str(code))
    for code in reversed(DIFFICULTIES)
    if code != WORLDS_END
]


class PlanCog(commands.Cog):
    """What to play next."""

    def __init__(self, bot: KirokuBot) -> None:
        self._bot = bot
        bot.pages[_KIND] = self._page
        bot.pages[_WHAT_IF] = self._what_if_page

    @app_commands.command(
        name=named("command", "plan"),
        description=described("Show what raises your best average soonest, to you alone"),
    )
    @app_commands.rename(target=named("option", "target"))
    @app_commands.describe(target=described("The best average to reach, such as 16.50"))
    async def plan(
        self, interaction: Interaction, target: app_commands.Range[float, 0.01, _HIGHEST / 100] | None = None
    ) -> None:
        """Show what to play, or the shortest way to a best average."""
        await reserve(interaction, private=True)
        query = ALL if target is None else str(to_hundredths(target))
        address = Address(kind=_KIND, asker=viewer_of(interaction), query=query)
        await show(interaction, await self._page(interaction, address))

    async def _page(self, interaction: Interaction, address: Address) -> Page:
        target = None if address.query in {ALL, OUTSIDE} else read(_target, address.query)
        page = await self._bot.features.plans.page(
            address.asker, target, address.number, outside_only=address.query == OUTSIDE
        )
        t = self._bot.language_of(interaction)
        return with_share(t, plan_page(t, page, address), address)

    @app_commands.command(
        name=named("command", "whatif"),
        description=described("Show what a score would change in your best slot, to you alone"),
    )
    @app_commands.rename(
        song=named("option", "song"),
        difficulty=named("option", "difficulty"),
        score=named("option", "score"),
    )
    @app_commands.describe(
        song=described("Part of a title or artist, in any script"),
        difficulty=described("Which chart of the song"),
        score=described("The score to try, such as 1007500"),
    )
    @app_commands.choices(difficulty=_CHOICES)
    @app_commands.autocomplete(song=suggest_songs)
    async def whatif(
        self,
        interaction: Interaction,
        song: app_commands.Range[str, 1, 100],
        difficulty: str,
        score: app_commands.Range[int, 0, MAX_SCORE],
    ) -> None:
        """Show what a score would change."""
        await reserve(interaction, private=True)
        page = await self._what_if(interaction, viewer_of(interaction), song, f":{difficulty}:{score}")
        await show(interaction, page)

    async def _what_if_page(self, interaction: Interaction, address: Address) -> Page:
        song, sign, rest = address.query.partition(":")
        return await self._what_if(interaction, address.asker, song, f"{sign}{rest}")

    async def _what_if(self, interaction: Interaction, asker: MemberId, song: str, rest: str) -> Page:
        """Return the page of a song; `rest` is the difficulty and the score, as a component's id carries them."""
        t = self._bot.language_of(interaction)
        difficulty, score = read(_trial, rest)
        found = await self._bot.features.plans.what_if(asker, song, difficulty, score, guild_of(interaction))
        address = Address(kind=_WHAT_IF, asker=asker)
        if isinstance(found, SongChoice):
            return choice_page(t, found, address, rest=rest)
        page = Page(what_if_embed(t, found))
        return with_share(t, page, replace(address, query=f"{found.song.id}{rest}"))


def _target(text: str) -> Hundredths:
    target = Hundredths(int(text))
    if not 1 <= target <= _HIGHEST:
        raise ValueError(text)
    return target


def _trial(text: str) -> tuple[Difficulty, int]:
    _, difficulty, said = text.split(":")
    score = int(said)
    if not 0 <= score <= MAX_SCORE:
        raise ValueError(text)
    return Difficulty(difficulty), score


async def setup(bot: KirokuBot) -> None:
    """Add the cog."""
    await bot.add_cog(PlanCog(bot))
