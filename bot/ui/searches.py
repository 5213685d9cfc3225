"""`/search` and `/random`: lists of charts, how they are sorted, and the button that draws again."""

from dataclasses import replace

from discord import Embed

from bot.domain.entries import ChartEntry, Order
from bot.features.searches import Draw, SearchReport
from bot.ui.kit.filters import filter_text
from bot.ui.kit.look import BRAND, Page, add_text, difficulty_colour, fetched_card
from bot.ui.kit.orders import ORDERS
from bot.ui.kit.pages import PageButton, turn_buttons, view_of, with_share
from bot.ui.kit.routes import RandomAddress, SearchAddress
from bot.ui.language.text import Language
from bot.ui.lists import chart_line, earned_icons, number_of


def search_page(t: Language, report: SearchReport, address: SearchAddress) -> Page:
    """Return one page of the charts that pass a filter."""
    embed = fetched_card(t, t.plural("{count} chart", "{count} charts", report.part.total), BRAND, report)
    order = t(ORDERS[report.order]) if report.order else t("Best fit first") if report.wanted.words else ""
    add_text(
        embed, " · ".join(part for part in (filter_text(t, report.wanted), order) if part) or t("All charts")
    )
    lines = [_line(t, entry, report.order) for entry in report.part.items]
    add_text(embed, "\n".join(lines) or t("No chart passes this filter."))
    shown = Page(embed, view_of(turn_buttons(t, address, report.part)), audience=report.audience)
    return with_share(t, shown, address)


def draw_page(t: Language, draw: Draw, address: RandomAddress) -> Page:
    """Return charts drawn by lot, with the button that draws again."""
    colour = difficulty_colour(draw.entries[0].chart.difficulty) if draw.entries else BRAND
    embed: Embed = fetched_card(t, t("Random charts"), colour, draw)
    among = t.plural("Among {count} chart", "Among {count} charts", draw.pool)
    add_text(embed, f"{filter_text(t, draw.wanted)} · {among}")
    if not draw.entries:
        add_text(embed, t("No chart passes this filter."))
        return Page(embed, audience=draw.audience)
    add_text(embed, "\n".join(_line(t, entry) for entry in draw.entries))
    again = PageButton(replace(address, turn=address.turn + 1), label=t("Again"))
    return Page(embed, view_of([again]), audience=draw.audience)


def _line(t: Language, entry: ChartEntry, order: Order | None = None) -> str:
    earned = "" if entry.played is None else f" {earned_icons(t, entry.played, entry.region)}"
    return chart_line(t, number_of(t, entry, order), entry.chart, entry.song.title or entry.song.id) + earned
