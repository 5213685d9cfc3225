"""`/goal`: members' goals, as lines and as bars."""

from collections.abc import Sequence
from typing import Final

from discord import Embed
from discord.app_commands import Choice

from bot.domain.goals import Goal, Kind
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.features.goals import GoalsReport, GoalStanding, PackStanding, UnreadGoal
from bot.features.shared.goal_packs import GoalPack
from bot.ui.chances import chance_text
from bot.ui.kit.choices import choice_text, matching_choices
from bot.ui.kit.look import (
    BRAND,
    HEADING_WIDTH,
    add_text,
    chart_text,
    listed_title,
    player_embed,
    player_heading,
)
from bot.ui.kit.markdown import cut, escape, one_line
from bot.ui.language.text import Language
from bot.ui.lists import bars_alt
from bot.ui.overpower import over_power_text
from bot.ui.plan import climb_lines
from bot.ui.plots import Labels, PlotBar

_GOAL_COLUMNS: Final = 100
"""The most columns of a goal in a sentence: as many as the option for it takes characters."""
_WHOLE: Final = 100


def goal_text(t: Language, goal: Goal | UnreadGoal, *, width: int = _GOAL_COLUMNS) -> str:
    """Return a goal in the words of a language, as it can be typed; an unreadable one as it was typed."""
    return escape(_written(t, goal), width=width)


def _written(t: Language, goal: Goal | UnreadGoal) -> str:
    return goal.text if isinstance(goal, UnreadGoal) else goal.written(t.code)


def goal_choices(
    t: Language, goals: Sequence[tuple[str, Goal | UnreadGoal]], typed: str
) -> list[Choice[str]]:
    """Return goals as choices with their codes as values."""
    return matching_choices({code: choice_text(_written(t, goal)) for code, goal in goals}, typed)


def added_goal_embed(t: Language, standing: GoalStanding) -> Embed:
    """Return what a member sees after setting a goal."""
    embed = Embed(title=t("Goal set"), colour=BRAND)
    add_text(embed, f"**{goal_text(t, standing.goal)}**\n{_how_far(t, standing)}")
    if standing.progress.is_reached:
        add_text(embed, t("It has been reached already, so nobody will be told of it again."))
    else:
        add_text(embed, t("`/session` tells when it is reached; `/goal list` how far it is."))
    add_text(embed, _code(t, standing))
    return embed


def removed_goal_embed(t: Language, goal: Goal | UnreadGoal) -> Embed:
    """Return what a member sees after removing a goal."""
    embed = Embed(title=t("Goal removed"), colour=BRAND)
    add_text(embed, goal_text(t, goal))
    return embed


def goals_embed(t: Language, report: GoalsReport) -> Embed:
    """Return the progress of a member's goals."""
    embed = player_embed(t, t("Goals of {player}", player=player_heading(report.player)), report)
    lines = [
        "\n".join(
            [
                f"**{place}.** {goal_text(t, each.goal)}",
                _how_far(t, each),
                *_next(t, each, report),
                _code(t, each),
            ]
        )
        for place, each in enumerate(report.standings, start=1)
    ]
    lines += [_pack_lines(t, each) for each in report.packs]
    empty = t("No goals yet. `/goal add` sets one, such as `level:14+ rank>=sss count:20` or `rating 16.50`.")
    lines += [
        t(
            "I can no longer read this goal: {goal}. Remove it with `/goal remove`, and set it again with `/goal add`.",
            goal=goal_text(t, each),
        )
        for each in report.unread
    ]
    add_text(embed, "\n".join(lines) or empty)
    return embed


def pack_heading(t: Language, pack: GoalPack) -> str:
    """Return the name of a pack and its maker."""
    title = f"**{escape(pack.title, width=HEADING_WIDTH)}**"
    author = escape(pack.author, width=HEADING_WIDTH)
    return t("{title} by {author}", title=title, author=author) if author else title


def _pack_lines(t: Language, standing: PackStanding) -> str:
    """Return the summary of a pack: its progress, and its nearest goal."""
    count = t.plural(
        "{done} of {count} goal reached ({percent})",
        "{done} of {count} goals reached ({percent})",
        len(standing.standings),
        done=t.integer(standing.reached),
        percent=f"{t.integer(standing.percent)}%",
    )
    left = [each for each in standing.standings if each.percent < _WHOLE]
    nearest = max(left, key=lambda each: each.percent, default=None)
    lines = [pack_heading(t, standing.pack), count]
    if nearest is not None:
        lines.append(t("Nearest: {goal}", goal=f"{goal_text(t, nearest.goal)} · {_how_far(t, nearest)}"))
    copied = t("Others take it with its code: {code}", code=f"`{standing.code}`")
    return "\n".join([*lines, f"-# {copied}"])


def _how_far(t: Language, standing: GoalStanding) -> str:
    found = standing.progress
    if not found.needed:
        return t("No chart matches the filter of this goal, so there is nothing to reach.")
    done, needed = (_number(t, standing.goal, number) for number in (found.done, found.needed))
    percent = f"{t.integer(found.percent)}%"
    start = _number(t, standing.goal, found.start or 0)
    if standing.reached_at is not None and not found.is_reached:
        then = t("reached on {day}", day=t.day(standing.reached_at))
        return f"**{done}** / {needed} · {then}"
    if standing.chapter is not None and not found.is_reached:
        version = escape(standing.chapter.name)
        percent = t(
            "{percent} of the way from {start}, a new chapter since {version} has begun",
            percent=percent,
            start=start,
            version=version,
        )
    elif found.start and not found.is_reached:
        percent = t("{percent} of the way from {start}", percent=percent, start=start)
    facts = [f"**{done}** / {needed} ({percent})"]
    if standing.goal.kind is Kind.CHARTS:
        facts.append(t.plural("of {count} chart", "of {count} charts", found.charts))
    if found.is_reached:
        reached = t("reached")
        facts.append(f"**{reached}**")
    return " · ".join(facts)


def _number(t: Language, goal: Goal, number: int) -> str:
    match goal.kind:
        case Kind.CHARTS:
            return t.integer(number)
        case Kind.OVER_POWER:
            return over_power_text(t, OverPower(number))
        case Kind.RATING:
            return t.hundredths(Hundredths(number))


def _next(t: Language, standing: GoalStanding, report: GoalsReport) -> list[str]:
    """Return how many tries a rating takes, or the charts likeliest to come next; empty if unknown."""
    if standing.climb is not None:
        climb = standing.climb
        if climb.is_reached:
            return []
        lines = [*climb_lines(t, climb, report.pace, report.age.fetched_at)]
        return [*lines, t("`/plan` names the charts.")] if climb.is_possible else lines
    charts = [
        f"{listed_title(each.entry.song.title)} {chart_text(t, each.entry.chart)} {chance_text(t, each.chance)}"
        for each in standing.nearest
    ]
    return [t("Nearest, by the next try: {charts}", charts=" · ".join(charts))] if charts else []


def _code(t: Language, standing: GoalStanding) -> str:
    copied = t("Others copy it with its code: {code}", code=f"`{standing.code}`")
    return f"-# {copied}"


def goals_plot(t: Language, report: GoalsReport) -> tuple[str, Labels, tuple[PlotBar, ...]]:
    """Return the alternative text, and the arguments of `bar_plot`: labels and bars."""
    title = t("Goals of {player}", player=cut(report.player.player_name, HEADING_WIDTH))
    bars = tuple(
        PlotBar(
            name=f"{place}. {one_line(each.goal.written(t.code))}",
            value=each.percent,
            text=f"{t.integer(each.percent)}%",
            most=100,
        )
        for place, each in enumerate(report.standings, 1)
    )
    bars += tuple(
        PlotBar(
            name=one_line(each.pack.title),
            value=each.percent,
            text=f"{t.integer(each.percent)}%",
            most=100,
        )
        for each in report.packs
    )
    return bars_alt(t, title, bars), Labels(title=title, across="%"), bars
