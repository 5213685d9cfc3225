"""`/goal`."""

from discord import app_commands
from discord.ext import commands

from bot.chat.answers import reserve, show
from bot.chat.client import Interaction
from bot.chat.cogs import KirokuCog, command, shows
from bot.chat.options import option
from bot.chat.subjects import viewer_of
from bot.features.shared.subjects import Subject
from bot.ui.goals import added_goal_embed, goal_choices, goals_embed, goals_plot, removed_goal_embed
from bot.ui.kit.look import Page
from bot.ui.kit.pages import with_share
from bot.ui.kit.routes import GoalsAddress
from bot.ui.language.text import described, named
from bot.ui.plots import bar_plot

_MAX_GOAL_CHARACTERS = 100
_Text = app_commands.Range[str, 1, _MAX_GOAL_CHARACTERS]


class GoalsCog(
    KirokuCog,
    commands.GroupCog,
    group_name=named("command", "goal"),
    group_description=described("What you want to reach, and how far you are"),
):
    """Goals that members set themselves."""

    @command(named("command", "add"), described("Set yourself a goal"))
    @option(
        "goal",
        named("option", "goal"),
        described("Such as level:14+ rank>=sss count:20, or rating 16.50, or op level:15 80%"),
    )
    async def add(self, interaction: Interaction, goal: _Text) -> None:
        """Add a goal of the asker."""
        await reserve(interaction, private=True)
        standing = await self._bot.features.goals.add(viewer_of(interaction), goal)
        await show(interaction, Page(added_goal_embed(self._bot.language_of(interaction), standing)))

    @command(named("command", "list"), described("Show the progress of your goals"))
    async def show_all(self, interaction: Interaction) -> None:
        """Show the asker's goals."""
        address = GoalsAddress(asker=viewer_of(interaction))
        await self._bot.answer(interaction, address, about=Subject())

    @command(named("command", "remove"), described("Remove one of your goals"))
    @option("goal", named("option", "goal"), described("Which one"))
    async def remove(self, interaction: Interaction, goal: _Text) -> None:
        """Delete a goal of the asker."""
        await reserve(interaction, private=True)
        removed = await self._bot.features.goals.remove(viewer_of(interaction), goal)
        await show(interaction, Page(removed_goal_embed(self._bot.language_of(interaction), removed)))

    @command(named("command", "copy"), described("Copy a goal that somebody else has set"))
    @option("code", named("option", "code"), described("The code that their list of goals shows"))
    async def copy(self, interaction: Interaction, code: _Text) -> None:
        """Copy somebody else's goal to the asker's own."""
        await reserve(interaction, private=True)
        standing = await self._bot.features.goals.copy(viewer_of(interaction), code)
        await show(interaction, Page(added_goal_embed(self._bot.language_of(interaction), standing)))

    @remove.autocomplete("goal")
    async def _suggest_goal(self, interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
        goals = await self._bot.features.goals.fetch(viewer_of(interaction))
        return goal_choices(self._bot.language_of(interaction), goals, current)

    @shows(GoalsAddress)
    async def _page(self, interaction: Interaction, address: GoalsAddress) -> Page:
        report = await self._bot.features.goals.report(address.asker)
        t, style = self._bot.language_of(interaction), self._bot.style_of(interaction, address)
        picture = None
        if report.standings or report.packs:
            alt, labels, bars = goals_plot(t, report)
            picture = await self._bot.renderer.picture(
                alt, report.player, bar_plot, labels, bars, style, has_long_names=True
            )
        shown = Page(goals_embed(t, report), picture=picture, audience=report.audience)
        return with_share(t, shown, address)
