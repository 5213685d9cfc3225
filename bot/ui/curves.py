"""`/history` as an embed with its plot."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from discord import Embed

from bot.domain.boards import Measure
from bot.domain.curves import Curve
from bot.domain.game_versions import GameVersion
from bot.domain.ids import MemberId
from bot.domain.members import PictureStyle
from bot.domain.numbers import Hundredths
from bot.domain.pace import pace_of
from bot.domain.rating import next_rating_step
from bot.features.curves import CurvesReport
from bot.ui.boards import MEASURES, figure_text
from bot.ui.game_ratings import gain_number, no_new_songs_text, step_text
from bot.ui.kit.alternative import alternative
from bot.ui.kit.look import BRAND, Page, add_text, base_embed
from bot.ui.kit.markdown import escape
from bot.ui.kit.pages import Component, fitting_menu, view_of
from bot.ui.kit.renderer import Picture
from bot.ui.kit.routes import CurvesAddress
from bot.ui.language.text import Language, mark, sign_of
from bot.ui.lists import small
from bot.ui.plots import Labels, Trace, traces_plot

_NAME_COLUMNS: Final = 24
_MIN_LINE_DAYS: Final = 2
"""The least number of days that make a line."""
_UNITS: Final[Mapping[Measure, int]] = {
    Measure.RATING: 100,
    Measure.BEST: 10_000,
    Measure.NEW: 10_000,
    Measure.OVER_POWER: 1_000,
}
"""The divisors of figures for display."""
_SPANS: Final[Mapping[int, str]] = {
    7: mark("The last 7 days"),
    30: mark("The last 30 days"),
    90: mark("The last 90 days"),
    365: mark("The last 365 days"),
}


def curves_page(
    t: Language,
    report: CurvesReport,
    names: Mapping[MemberId, str],
    address: CurvesAddress | None,
    picture: Picture | None,
) -> Page:
    """Return a history with menus for the measure and the days.

    The menus are left out if not all members fit into an id, or if `address` is None: members cannot be named again then.
    """
    menus = [] if address is None else [*_measure_menu(t, report, address), *_span_menu(t, address)]
    return Page(curves_embed(t, report, names), view_of(menus), picture, audience=report.audience)


def curves_embed(t: Language, report: CurvesReport, names: Mapping[MemberId, str]) -> Embed:
    """Return the numbers below a plot: each member's first, last and highest figure, and the change."""
    region = None if report.measure is Measure.RATING else report.region
    embed = base_embed(t, t("History: {what}", what=t(MEASURES[report.measure])), BRAND, region=region)
    if report.measure is Measure.NEW and not (
        report.has_new_songs or any(each.points for each in report.curves)
    ):
        add_text(embed, no_new_songs_text(t))
        return embed
    facts = [embed.footer.text, t("days of {zone}", zone=t.zone.key)]
    embed.set_footer(text=" · ".join(fact for fact in facts if fact))
    for curve in report.curves:
        name = escape(names[curve.member], width=_NAME_COLUMNS)
        lines = [f"**{name}**", _numbers(t, report, curve), _pace(t, report, curve)]
        add_text(embed, "\n".join(line for line in lines if line))
    if report.turns:
        add_text(embed, "\n".join(begun_text(t, version) for version in report.turns))
    return embed


def begun_text(t: Language, version: GameVersion) -> str:
    """Return the note that a version has begun, which resets ratings."""
    return t(
        "**{version}** began on {day}: the places for new songs were empty then, and ratings start over.",
        version=escape(version.name),
        day=t.day(version.begins_at),
    )


def drawn_curves(report: CurvesReport) -> list[Curve]:
    """Return the curves that have a line to draw."""
    return [curve for curve in report.curves if len(curve.points) >= _MIN_LINE_DAYS]


def draw_curves(
    t: Language,
    measure: Measure,
    curves: Sequence[Curve],
    turns: Sequence[GameVersion],
    names: Mapping[MemberId, str],
    style: PictureStyle,
) -> bytes:
    """Return the plot of members' figures as PNG; runs in the renderer's thread."""
    unit = _UNITS[measure]
    title = t(MEASURES[measure])
    if len(curves) == 1:
        title = f"{title} · {names[curves[0].member]}"
    traces = [
        Trace(
            names[curve.member],
            tuple(tuple((point.moment, point.figure / unit) for point in run) for run in curve.runs),
        )
        for curve in curves
    ]
    return traces_plot(
        Labels(title=title),
        traces,
        style,
        format_day=t.day,
        format_value=lambda value: figure_text(t, measure, round(value * unit)),
        marks=[(version.begins_at, version.name) for version in turns],
    )


def curves_alt(t: Language, report: CurvesReport, names: Mapping[MemberId, str]) -> str:
    """Return the alternative text of the plot."""
    told = [
        t(
            "{name}: {then} on {first}, {now} on {last}, highest {highest}.",
            name=names[curve.member],
            then=figure_text(t, report.measure, curve.points[0].figure),
            first=t.day(curve.points[0].moment),
            now=figure_text(t, report.measure, curve.points[-1].figure),
            last=t.day(curve.points[-1].moment),
            highest=figure_text(t, report.measure, curve.highest.figure),
        )
        for curve in drawn_curves(report)
    ]
    begun = [
        t("{version} began on {day}.", version=version.name, day=t.day(version.begins_at))
        for version in report.turns
    ]
    return alternative(t, t("{what} over time.", what=t(MEASURES[report.measure])), *told, *begun)


def _measure_menu(t: Language, report: CurvesReport, address: CurvesAddress) -> list[Component]:
    choices = {
        replace(address, measure=measure): t(label)
        for measure, label in MEASURES.items()
        if report.has_new_songs or measure is not Measure.NEW or measure is report.measure
    }
    return fitting_menu(choices, address, placeholder=t("What is shown"))


def _span_menu(t: Language, address: CurvesAddress) -> list[Component]:
    whole = replace(address, days=None, first=None, last=None)
    choices = {whole: t("All days")} | {replace(whole, days=days): t(label) for days, label in _SPANS.items()}
    if address not in choices:
        choices[address] = _typed_span(t, address)
    return fitting_menu(choices, address, placeholder=t("Which days"), place=2)


def _typed_span(t: Language, address: CurvesAddress) -> str:
    first, last = (None if day is None else t.day(day) for day in (address.first, address.last))
    if first is None:
        return t("Until {last}", last=last or "")
    return t("Since {first}", first=first) if last is None else f"{first} – {last}"


def _numbers(t: Language, report: CurvesReport, curve: Curve) -> str:
    """Return the numbers of a member's figure, since the last game version that began in the period."""
    measure = report.measure
    if not curve.points:
        return t("Nothing is remembered of this time.")
    curve = _chapter(report, curve)
    first = curve.points[0]
    if len(curve.points) < _MIN_LINE_DAYS:
        return t(
            "Only one day is remembered of this time: {figure} on {day}.",
            figure=f"**{figure_text(t, measure, first.figure)}**",
            day=t.day(first.moment),
        )
    return change_text(t, curve, measure)


def change_text(t: Language, curve: Curve, measure: Measure = Measure.RATING) -> str:
    """Return the first and last figure of a curve, and the highest between."""
    first, last, highest = curve.points[0], curve.points[-1], curve.highest
    return t(
        "{then} ({first}) → **{now}** ({last}) · {change} · highest {highest} ({day})",
        then=figure_text(t, measure, first.figure),
        first=t.day(first.moment),
        now=figure_text(t, measure, last.figure),
        last=t.day(last.moment),
        change=f"{sign_of(curve.change)}{figure_text(t, measure, abs(curve.change))}",
        highest=figure_text(t, measure, highest.figure),
        day=t.day(highest.moment),
    )


def _chapter(report: CurvesReport, curve: Curve) -> Curve:
    """Return the part of a curve since the last game version in the period, which reset ratings."""
    return curve.since(report.turns[-1].begins_at) if report.turns and curve.points else curve


def _pace(t: Language, report: CurvesReport, curve: Curve) -> str:
    """Return how fast a figure grew lately, and what a rating reaches next at that pace; empty if unknown."""
    measure, curve = report.measure, _chapter(report, curve)
    pace = pace_of((point.moment, point.figure) for point in curve.points)
    if pace is None:
        return ""
    if pace.gained <= 0:
        return small(t.plural("no growth in {count} day", "no growth in {count} days", pace.days))
    gain = f"+{figure_text(t, measure, round(pace.in_four_weeks))}"
    if measure is Measure.RATING:
        gain = gain_number(t, round(pace.in_four_weeks * 10))
    facts = [t("pace: {gain} in four weeks", gain=gain)]
    step = next_rating_step(Hundredths(curve.points[-1].figure)) if measure is Measure.RATING else None
    weeks = step and pace.weeks_to(step.lowest - curve.points[-1].figure)
    if step and weeks:
        facts.append(
            t.plural(
                "{rating} in about {count} week",
                "{rating} in about {count} weeks",
                weeks,
                rating=f"{t.hundredths(step.lowest)} {step_text(t, step)}",
            )
        )
    return small(*facts)
