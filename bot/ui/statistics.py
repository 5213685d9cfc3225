"""`/stats`: the statistics of all players on a chart, as an embed and as a plot."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from discord import Embed

from bot.domain.charts import difficulty_name
from bot.domain.chronicle.state import LampFlags
from bot.domain.ids import MemberId
from bot.domain.numbers import format_level
from bot.domain.ranks import MAX_SCORE, Rank
from bot.domain.statistics import RANK_GROUPS
from bot.features.statistics import StatisticsReport
from bot.ui.kit.icons import difficulty_icon, lamp_icon, rank_name
from bot.ui.kit.look import Page, add_text, constant_text, song_embed
from bot.ui.kit.pages import Component, PageMenu, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.song_routes import StatisticsAddress
from bot.ui.language.text import Language, mark
from bot.ui.lists import record_facts
from bot.ui.plots import Labels
from bot.ui.songs import missing_scores_text

_RANKS: Final[Mapping[str, Rank]] = {rank.label.lower(): rank for rank in Rank}
"""The ranks by the service's names for them."""
_LAMPS: Final[Mapping[str, tuple[LampFlags, str]]] = {
    "aj": (LampFlags.ALL_JUSTICE, mark("ALL JUSTICE")),
    "fc": (LampFlags.FULL_COMBO, mark("FULL COMBO")),
}
_MIN_PLAYERS: Final = 5
"""The least number of players for an average: with fewer it would reveal the reader's score, or a friend's."""
_MIN_POINTS: Final = 2
"""The least number of points for a line."""


def statistics_page(t: Language, report: StatisticsReport, asker: MemberId, picture: Picture | None) -> Page:
    """Return a chart's statistics with the menu of the song's other charts."""
    charts = {
        code: StatisticsAddress(asker=asker, song=report.song.id, difficulty=code) for code in report.choices
    }
    choices = {address: difficulty_name(code) for code, address in charts.items()}
    items: list[Component] = []
    if len(choices) > 1:
        chosen = charts.get(report.chart.difficulty)
        items.append(PageMenu(choices, chosen, placeholder=t("Choose a difficulty")))
    return Page(statistics_embed(t, report), view_of(items), picture)


def statistics_embed(t: Language, report: StatisticsReport) -> Embed:
    """Return a chart's statistics in words."""
    chart, counted = report.chart, report.statistics
    level = f"**{format_level(chart.level)}**" if chart.level else ""
    embed = song_embed(t, report.song, report, chart.difficulty)
    constant = t("Constant: {constant}", constant=constant_text(t, chart))
    named = f"{difficulty_icon(t, chart.difficulty)} {level}".rstrip()
    add_text(embed, f"{named} · {constant}")
    add_text(embed, _counted(t, counted.players))
    if counted.players:
        ranks = {_rank(t, key): counted.ranks.get(key, 0) for key, _least in RANK_GROUPS}
        embed.add_field(name=t("Ranks"), value=_shares(t, ranks), inline=False)
        lamps = {
            lamp_icon(t, lamp, t(words)): counted.lamps.get(key, 0) for key, (lamp, words) in _LAMPS.items()
        }
        lamps[t("Other")] = counted.lamps.get("other", 0)
        embed.add_field(name=t("Lamps"), value=_shares(t, lamps), inline=False)
    if report.trouble is not None:
        embed.add_field(name=t("You"), value=missing_scores_text(t, report.trouble), inline=False)
    if report.own is not None and report.own.is_played:
        embed.add_field(name=t("You"), value="\n".join(_own_lines(t, report)), inline=False)
    return embed


def _rank(t: Language, key: str) -> str:
    """Return the name of a group of ranks by the service's key."""
    if key == "max":
        return t.integer(MAX_SCORE)
    is_below = key.startswith("<")
    return f"< {rank_name(t, _RANKS[key[1:]])}" if is_below else rank_name(t, _RANKS[key])


def _counted(t: Language, players: int) -> str:
    if not players:
        return t("Nobody has played this chart yet.")
    count = t.plural("{count} player", "{count} players", players)
    if players >= _MIN_PLAYERS:
        return count
    too_few = t("Average scores are shown from at least {least} players on.", least=_MIN_PLAYERS)
    return f"{count}\n-# {too_few}"


def plot_input(t: Language, report: StatisticsReport) -> tuple[Labels, list[tuple[float, float]]] | None:
    """Return the labels and points of the plot of average scores; None if there are too few points."""
    points = [
        (step / 100, float(average))
        for step, average in report.statistics.averages.items()
        if average is not None
    ]
    if report.statistics.players < _MIN_PLAYERS or len(points) < _MIN_POINTS:
        return None
    title = f"{report.song.title} {difficulty_name(report.chart.difficulty)}"
    return Labels(title=title, across=t("Rating"), up=t("Average score")), points


def plot_marks(report: StatisticsReport) -> float | None:
    """Return the asker's own rating as a value on the plot's axis; None if unknown."""
    return None if report.own_rating is None else report.own_rating / 100


def plot_alt(t: Language, report: StatisticsReport, points: list[tuple[float, float]]) -> str:
    """Return the alternative text of the plot of `plot_input`."""
    (low, first), (high, last) = points[0], points[-1]
    return t(
        "Average score by rating on {chart}: {first} at {low}, {last} at {high}.",
        chart=f"{report.song.title} {difficulty_name(report.chart.difficulty)}",
        first=t.integer(round(first)),
        low=t.average(Decimal(str(low))),
        last=t.integer(round(last)),
        high=t.average(Decimal(str(high))),
    )


def score_writer(t: Language) -> Callable[[float], str]:
    """Return the formatter of an axis of scores."""
    return lambda value: t.integer(round(value))


def _shares(t: Language, counts: Mapping[str, int]) -> str:
    total = sum(counts.values()) or 1
    return "\n".join(
        f"{name} **{t.integer(count)}** ({t.percent(count, total)})" for name, count in counts.items()
    )


def _own_lines(t: Language, report: StatisticsReport) -> list[str]:
    own = report.own
    if own is None:
        return []
    lines = [f"**{record_facts(t, own, report.region)}**"]
    place = report.statistics.place_of(own.score)
    if place is not None and place.first == place.last:
        lines.append(
            t("Place {place} of {players}", place=t.integer(place.first), players=t.integer(place.of))
        )
    elif place is not None:
        lines.append(
            t(
                "Place {first} to {last} of {players}",
                first=t.integer(place.first),
                last=t.integer(place.last),
                players=t.integer(place.of),
            )
        )
    average = report.statistics.average_at(report.own_rating) if report.own_rating is not None else None
    if average == own.score:  # it is the reader's own score
        average = None
    if average is not None and report.statistics.players >= _MIN_PLAYERS:
        lines.append(
            t(
                "Players of your rating average {average}; you: {change}",
                average=t.integer(round(average)),
                change=t.points(own.score - round(average)),
            )
        )
    return lines
