"""`/new`: what the last change of the catalogue brought."""

from discord import utils

from bot.domain.changes import CatalogueChanges
from bot.domain.charts import Chart, Song, difficulty_name
from bot.domain.numbers import format_hundredths, format_level
from bot.features.catalogues import News
from bot.features.paging import part_of
from bot.ui.look import BRAND, Page, add_text, card, listed_title
from bot.ui.pages import Address, turn_buttons, view_of
from bot.ui.text import Language

_PAGE_SIZE = 15


def news_page(t: Language, news: News, address: Address) -> Page:
    """Return one page of what changed, the added songs first."""
    embed = card(t, t("New in the catalogue"), BRAND, age=news.age, region=news.region)
    if news.since is None:
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
            when=utils.format_dt(news.seen_at, "R"),
            before=utils.format_dt(news.since, "d"),
        ),
    )
    lines = _lines(t, news.changes)
    part = part_of(len(lines), _PAGE_SIZE, address.number)
    add_text(embed, "\n".join(lines[part.start : part.stop]) or t("No song, level or constant has changed."))
    return Page(embed, view_of(turn_buttons(t, address, part)))


def _lines(t: Language, changes: CatalogueChanges) -> list[str]:
    return [
        *(f"🆕 {_title(song)}{_charts(song)}" for song in changes.added),
        *(f"➕ {_title(song)} · {_chart(t, chart)}" for song, chart in changes.new_charts),
        *(
            f"🔁 {_title(each.song)} · {difficulty_name(each.after.difficulty)} "
            f"{_measure(t, each.before)} → **{_measure(t, each.after)}**"
            for each in changes.changed
        ),
        *(f"➖ ~~{_title(song)}~~" for song in changes.removed),
    ]


def _title(song: Song) -> str:
    return listed_title(song.title) or song.id


def _charts(song: Song) -> str:
    levels = " / ".join(format_level(chart.level) for chart in song.charts if chart.level)
    return f" · {levels}" if levels else ""


def _chart(t: Language, chart: Chart) -> str:
    return f"{difficulty_name(chart.difficulty)} {_measure(t, chart)}"


def _measure(t: Language, chart: Chart) -> str:
    if chart.constant:
        return format_hundredths(chart.constant, places=1)
    return format_level(chart.level) if chart.level else t("unknown")
