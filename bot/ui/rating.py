"""`/rating` as an embed."""

from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal

from discord import Embed

from bot.base.clock import JST
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES, Explanation, SlotCaps
from bot.domain.members import PictureStyle
from bot.domain.numbers import Hundredths
from bot.features.rating import RatingReport
from bot.ui.explanations import explanation_lines, missing_charts_text, trouble_text
from bot.ui.game_ratings import missing_text, rating_with_step, sum_text, turned_text, weighted_averages_of
from bot.ui.kit.look import HEADING_WIDTH, add_text, player_embed, player_heading
from bot.ui.kit.markdown import escape
from bot.ui.language.text import DEFAULT_ZONE, Language
from bot.ui.lists import small
from bot.ui.plots import Labels, time_plot


def rating_embed(t: Language, report: RatingReport) -> Embed:
    """Return an overview of a player's rating."""
    player = report.player
    embed = player_embed(t, player_heading(player), report, shows_rating=True)
    if player.honor:
        add_text(embed, f"*{escape(player.honor, width=HEADING_WIDTH)}*")
    embed.add_field(name=t("Rating"), value=rating_with_step(t, player.rating))
    embed.add_field(name=t("Highest"), value=t.hundredths(player.highest))
    if player.level is not None:
        embed.add_field(name=t("Level"), value=t.integer(player.level))
    explanation = report.explanation
    if explanation is None or explanation.worked_out.rating is None:
        embed.add_field(name=t("Best average"), value=_average(t, report.best_average, "–"))
        if report.counts_new_songs and report.trouble is None:
            embed.add_field(name=t("New average"), value="–")
        else:
            none = t("no recent plays") if report.is_recent_sent else t("the record service has none")
            embed.add_field(name=t("Recent average"), value=_average(t, report.recent_average, none))
        if report.trouble is not None:
            add_text(embed, small(trouble_text(t, report.trouble)))
    else:
        _add_explanation(t, embed, explanation, report)
    if player.updated_on is not None:
        embed.add_field(name=t("Last upload"), value=_uploaded(t, player.updated_on))
    return embed


def _add_explanation(t: Language, embed: Embed, explanation: Explanation, report: RatingReport) -> None:
    """Add how the slots make the rating, and what is missing to the next one."""
    worked_out = explanation.worked_out
    best, new = weighted_averages_of(t, worked_out)
    most_best, most_new = ("", "") if report.caps is None else caps_text(t, report.caps)
    embed.add_field(name=t("Best average"), value=f"{best}{most_best}")
    filled = _with_filled(t, new, len(worked_out.new))
    embed.add_field(name=t("New average"), value=f"{filled}{most_new}")
    embed.add_field(name=t("How it adds up"), value=sum_text(t, worked_out), inline=False)
    missing = missing_text(t, worked_out, report.player.rating, report.caps)
    if explanation.is_explained and missing:
        embed.add_field(name=t("Still missing"), value=missing, inline=False)
    lines = explanation_lines(t, explanation, report.player.rating)
    if report.turned is not None:
        lines.append(turned_text(t, report.turned))
    if report.missing is not None and report.missing.total:
        lines.append(missing_charts_text(t, report.missing))
    add_text(embed, "\n".join(map(small, lines)))


def caps_text(t: Language, caps: SlotCaps) -> tuple[str, str]:
    """Return lines below both slots' averages with the highest possible ones, for the best score on every chart."""
    best, new = (
        t.decimal(Decimal(total).scaleb(-2) / places, least=3, most=3)
        for total, places in ((caps.best, BEST_PLACES), (caps.new, NEW_PLACES))
    )
    said = [small(t("at most {average} today", average=each)) for each in (best, new)]
    return f"\n{said[0]}", f"\n{said[1]}"


def _with_filled(t: Language, text: str, filled: int) -> str:
    free = NEW_PLACES - filled
    if not free:
        return text
    note = t.plural("{count} place free, which counts 0", "{count} places free, each counts 0", free)
    return f"{text}\n{small(note)}"


def _uploaded(t: Language, day: date) -> str:
    """Return a day of the service, which gives no time of day; with its time zone, if the reader's differs."""
    shown = t.day(day)
    if t.zone is DEFAULT_ZONE:
        return shown
    noon = datetime.combine(day, time(12), JST)
    return shown if noon.astimezone(t.zone).utcoffset() == JST.utcoffset(noon) else f"{shown} (UTC+9)"


def draw_rating(
    t: Language, player: str, history: tuple[tuple[datetime, Hundredths], ...], style: PictureStyle
) -> bytes:
    """Return a plot of a player's rating over time, oldest first, as PNG; runs in the renderer's thread."""
    return time_plot(
        Labels(title=t("Rating of {player}", player=player)),
        [(moment, rating / 100) for moment, rating in history],
        style,
        format_day=t.day,
        format_value=rating_writer(t),
    )


def rating_writer(t: Language) -> Callable[[float], str]:
    """Return the formatter of an axis of ratings."""
    return lambda value: t.average(Decimal(value))


def rating_plot_alt(t: Language, report: RatingReport) -> str:
    """Return the alternative text of the plot."""
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
