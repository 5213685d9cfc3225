"""`/new`: the last changes of the catalogue, as a summary and by kind."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from discord import utils

from bot.domain.changes import CatalogueChanges, ChartChange
from bot.domain.charts import ADVANCED, BASIC, EXPERT, Chart, Song, difficulty_name
from bot.domain.numbers import format_level
from bot.features.shared.catalogues import ChangesReport
from bot.features.shared.paging import LINES, part_of
from bot.ui.kit.look import BRAND, Page, add_text, base_embed, listed_title, measure_sign
from bot.ui.kit.pages import Component, PageMenu, turn_buttons, view_of
from bot.ui.kit.song_routes import ChangesAddress
from bot.ui.language.text import Language
from bot.ui.lists import chart_line, small

_ALL_KINDS: Final = ""
"""The choice of what matters of every kind; names of kinds are part of the ids of components."""
_LESSER_DIFFICULTIES: Final = (BASIC, ADVANCED, EXPERT)
"""The difficulties whose changes are counted, but listed only on request."""
_MAX_MENU_KINDS: Final = 23
"""The most kinds in the menu, besides all, within Discord's limit."""

Line = Callable[[], str]
"""A function that formats a line: of thousands of changes only those on the page are formatted."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Changes of one kind."""

    label: str
    lines: Sequence[Line]
    is_folded: bool = False
    """Whether it is left out if every kind is shown."""


def changes_page(t: Language, report: ChangesReport, address: ChangesAddress) -> Page:
    """Return one page of changes: of the address's kind, or a summary with what matters."""
    embed = base_embed(t, t("New in the catalogue"), BRAND, age=report.age, region=report.region)
    if report.since is None:
        add_text(
            embed,
            t(
                "This is the first catalogue that I have kept; from its next change on, you see here what is new."
            ),
        )
        return Page(embed)
    add_text(
        embed,
        t(
            "Changed {when}; compared with {before}.",
            when=utils.format_dt(report.seen_at, "R"),
            before=t.day(report.since),
        ),
    )
    kinds = _kinds(t, report.changes)
    if not kinds:
        add_text(embed, t("No song, level or constant has changed."))
        return Page(embed)
    chosen = address.only if address.only in kinds else _ALL_KINDS
    lines = _lines_of(kinds, chosen)
    part = part_of(lines, LINES, address.number)
    if chosen != _ALL_KINDS:
        add_text(embed, f"**{kinds[chosen].label}**")
    elif part.number == 0:
        add_text(embed, _summary(t, kinds, report))
    add_text(embed, "\n".join(line() for line in part.items))
    items: list[Component] = [_menu(t, kinds, chosen, address), *turn_buttons(t, address, part)]
    return Page(embed, view_of(items))


def _kinds(t: Language, changes: CatalogueChanges) -> Mapping[str, _Kind]:
    """Return the kinds that have changes, by their names in components' ids."""
    kinds = {
        "added": _Kind(t("Songs added"), [partial(_added, song) for song in changes.added]),
        "removed": _Kind(t("Songs removed"), [partial(_removed, song) for song in changes.removed]),
        "charts": _Kind(t("New charts"), [partial(_new_chart, t, *each) for each in changes.new_charts]),
    }
    for code, changed in changes.by_difficulty.items():
        label = t("{difficulty} changed", difficulty=difficulty_name(code))
        kinds[f"diff-{code}"] = _Kind(
            label, [partial(_changed, t, each) for each in changed], code in _LESSER_DIFFICULTIES
        )
    known = [partial(_changed, t, each) for each in changes.discovered]
    kinds["known"] = _Kind(t("Constants now known"), known, is_folded=True)
    return {name: kind for name, kind in kinds.items() if kind.lines}


def _lines_of(kinds: Mapping[str, _Kind], chosen: str) -> Sequence[Line]:
    if chosen in kinds:
        return kinds[chosen].lines
    return [line for kind in kinds.values() if not kind.is_folded for line in kind.lines]


def _summary(t: Language, kinds: Mapping[str, _Kind], report: ChangesReport) -> str:
    lines = [f"{kind.label}: **{t.integer(len(kind.lines))}**" for kind in kinds.values()]
    if report.charts and not report.felt:
        felt = t.plural(
            "Felt difficulty of the {count} new chart is not known yet",
            "Felt difficulty of none of the {count} new charts is known yet",
            report.charts,
        )
        lines.append(small(felt))
    elif report.charts:
        felt = t.plural(
            "Felt difficulty known of {felt} of {count} new chart",
            "Felt difficulty known of {felt} of {count} new charts",
            report.charts,
            felt=t.integer(report.felt),
        )
        lines.append(small(felt))
    return "\n".join(lines)


def _menu(t: Language, kinds: Mapping[str, _Kind], chosen: str, address: ChangesAddress) -> PageMenu:
    labels = {_ALL_KINDS: t("What matters most")}
    for name, kind in list(kinds.items())[:_MAX_MENU_KINDS]:
        labels[name] = f"{kind.label} ({t.integer(len(kind.lines))})"
    choices = {replace(address, only=name, number=0): label for name, label in labels.items()}
    return PageMenu(choices, replace(address, only=chosen, number=0), placeholder=t("Show one kind"))


def _added(song: Song) -> str:
    levels = " / ".join(format_level(chart.level) for chart in song.charts if chart.level)
    return f"🆕 {listed_title(song.title)}" + (f" · {levels}" if levels else "")


def _removed(song: Song) -> str:
    return f"➖ ~~{listed_title(song.title)}~~"


def _new_chart(t: Language, song: Song, chart: Chart) -> str:
    return f"➕ {chart_line(t, _measure(t, chart), chart, song.title)}"


def _changed(t: Language, change: ChartChange) -> str:
    moved = f"{_measure(t, change.before)} → {_measure(t, change.after)}"
    if change.before.constant and not change.after.constant:
        # A level next to a constant would look like another constant.
        moved = t("{change} (constant unknown now)", change=moved)
    return f"🔁 {chart_line(t, moved, change.after, change.song.title)}"


def _measure(t: Language, chart: Chart) -> str:
    if chart.constant:
        return measure_sign(chart)
    return format_level(chart.level) if chart.level else t("unknown")
