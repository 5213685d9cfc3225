"""`/rating` as an embed."""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal

from discord import Embed

from bot.base.clock import JST
from bot.domain.members import Theme
from bot.domain.numbers import Hundredths
from bot.features.rating import RatingReport
from bot.ui.kit.look import HEADING_WIDTH, add_text, player_card, player_heading
from bot.ui.kit.markdown import escape
from bot.ui.language.text import DEFAULT_ZONE, Language
from bot.ui.plots import Labels, time_plot


def rating_embed(t: Language, report: RatingReport) -> Embed:
    """Return a player's rating at a glance."""
    player = report.player
    embed = player_card(t, player_heading(player), report, shows_rating=True)
    if player.honor:
        add_text(embed, f"*{escape(player.honor, width=HEADING_WIDTH)}*")
    embed.add_field(name=t("Rating"), value=f"**{t.hundredths(player.rating)}**")
    embed.add_field(name=t("Highest"), value=t.hundredths(player.highest))
    if player.level is not None:
        embed.add_field(name=t("Level"), value=t.integer(player.level))
    embed.add_field(name=t("Best average"), value=_average(t, report.best_average, "–"))
    embed.add_field(name=t("Recent average"), value=_average(t, report.recent_average, t("no recent plays")))
    if player.updated_on is not None:
        embed.add_field(name=t("Last upload"), value=_uploaded(t, player.updated_on))
    return embed


def _uploaded(t: Language, day: date) -> str:
    """Return a day of the service, which names no time of day; with its zone, where the reader's is another."""
    shown = t.day(day)
    if t.zone is DEFAULT_ZONE:
        return shown
    noon = datetime.combine(day, time(12), JST)
    return shown if noon.astimezone(t.zone).utcoffset() == JST.utcoffset(noon) else f"{shown} (UTC+9)"


def draw_rating(
    t: Language, player: str, history: tuple[tuple[datetime, Hundredths], ...], theme: Theme
) -> bytes:
    """Return a plot of a player's rating over time, oldest first, as PNG; for the renderer's thread."""
    return time_plot(
        Labels(title=t("Rating of {player}", player=player)),
        [(moment, rating / 100) for moment, rating in history],
        theme,
        format_day=t.day,
        format_value=rating_writer(t),
    )


def rating_writer(t: Language) -> Callable[[float], str]:
    """Return what writes an axis of ratings."""
    return lambda value: t.average(Decimal(value))


def rating_plot_alt(t: Language, report: RatingReport) -> str:
    """Return what the plot says to people who do not see it."""
    (first, then), (last, now) = report.history[0], report.history[-1]
    return t(
        "Rating over time: {then} on {first}, {now} on {last}.",
        then=t.hundredths(then),
        first=t.day(first),
        now=t.hundredths(now),
        last=t.day(last),
    )


def _average(t: Language, value: Decimal | None, missing: str) -> str:
    return missing if value is None else t.average(value)
