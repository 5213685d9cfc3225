"""`/search` and `/random`: lists of charts and their orders, the button to draw again, and a table of vetoes."""

from dataclasses import replace
from functools import partial
from typing import Final

from discord import Embed

from bot.domain.entries import ChartEntry, Order
from bot.features.searches import DraftReport, Draw, SearchReport
from bot.ui.kit.filters import filter_text, no_chart_text
from bot.ui.kit.look import BRAND, Page, add_text, chart_title, difficulty_colour, fetched_embed
from bot.ui.kit.markdown import cut, one_line
from bot.ui.kit.orders import ORDERS
from bot.ui.kit.pages import ANYBODY, Component, PageButton, PageMenu, turn_buttons, view_of, with_share
from bot.ui.kit.song_routes import DraftAddress, RandomAddress, SearchAddress
from bot.ui.language.text import Language
from bot.ui.lists import chart_line, earned_icons, number_of

_LABEL_COLUMNS: Final = 80
"""The most columns of a chart in a menu: Discord takes 100 characters."""


def search_page(t: Language, report: SearchReport, address: SearchAddress) -> Page:
    """Return one page of the charts that match a filter."""
    embed = fetched_embed(t, t.plural("{count} chart", "{count} charts", report.part.total), BRAND, report)
    order = t(ORDERS[report.order]) if report.order else t("Best fit first") if report.wanted.words else ""
    add_text(
        embed, " · ".join(part for part in (filter_text(t, report.wanted), order) if part) or t("All charts")
    )
    lines = [_line(t, entry, report.order) for entry in report.part.items]
    add_text(embed, "\n".join(lines) or no_chart_text(t, report.wanted, report.region))
    shown = Page(embed, view_of(turn_buttons(t, address, report.part)), audience=report.audience)
    return with_share(t, shown, address)


def draw_page(t: Language, draw: Draw, address: RandomAddress) -> Page:
    """Return randomly drawn charts, with the button to draw again."""
    colour = difficulty_colour(draw.entries[0].chart.difficulty) if draw.entries else BRAND
    embed: Embed = fetched_embed(t, t("Random charts"), colour, draw)
    among = t.plural("Among {count} chart", "Among {count} charts", draw.pool)
    add_text(embed, f"{filter_text(t, draw.wanted)} · {among}")
    if not draw.entries:
        add_text(embed, no_chart_text(t, draw.wanted, draw.region))
        return Page(embed, audience=draw.audience)
    add_text(embed, "\n".join(_line(t, entry) for entry in draw.entries))
    again = PageButton(replace(address, turn=address.turn + 1), label=t("Again"))
    return Page(embed, view_of([again]), audience=draw.audience)


def draft_page(t: Language, report: DraftReport) -> Page:
    """Return the charts of a table, with the menu to strike one for the player whose turn it is, until it is over."""
    draft = report.draft
    if not draft.charts:
        nothing: Embed = fetched_embed(t, t("Random charts"), BRAND, report)
        add_text(
            nothing, f"{filter_text(t, report.wanted)}\n{no_chart_text(t, report.wanted, report.region)}"
        )
        return Page(nothing, audience=report.audience)
    title = t("Strike in turn") if draft.strikes_to_come else t("To play")
    embed = fetched_embed(t, title, BRAND, report)
    add_text(embed, filter_text(t, report.wanted))
    lines = [_line(t, entry) for entry in draft.charts]
    struck = [f"~~{line}~~" if place in draft.struck else line for place, line in enumerate(lines)]
    add_text(embed, "\n".join(struck if draft.strikes_to_come else map(partial(_line, t), draft.left)))
    if draft.next_player is not None:
        turn = t("<@{member}> strikes next.", member=draft.next_player)
        left = t.plural(
            "{count} is still to be struck.", "{count} are still to be struck.", draft.strikes_to_come
        )
        add_text(embed, t.sentences([turn, left]))
    embed.add_field(name=t("At the table"), value=" → ".join(f"<@{player}>" for player in draft.players))
    return Page(embed, view_of(_strikes(t, report)), audience=report.audience)


def _strikes(t: Language, report: DraftReport) -> list[Component]:
    draft = report.draft
    if draft.next_player is None:
        return []
    before = sum(1 << place for place in draft.struck)
    choices = {
        DraftAddress(asker=ANYBODY, key=report.key, vetoes=draft.vetoes, struck=before, place=place): cut(
            f"{one_line(chart_title(entry.chart))} {one_line(entry.song.title)}", _LABEL_COLUMNS
        )
        for place, entry in zip(draft.places_left, draft.left, strict=True)
    }
    return [PageMenu(choices, placeholder=t("Strike a chart"), is_open=True)]


def _line(t: Language, entry: ChartEntry, order: Order | None = None) -> str:
    earned = "" if entry.played is None else f" {earned_icons(t, entry.played, entry.region)}"
    return chart_line(t, number_of(t, entry, order), entry.chart, entry.song.title) + earned
