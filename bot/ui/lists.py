"""Lists of charts and records in one format: the number that matters, then the chart, and the rest in small print."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bot.domain.charts import Chart
from bot.domain.entries import ChartEntry, Order, points_left
from bot.domain.ids import Region
from bot.domain.numbers import format_hundredths
from bot.domain.rating import rating_bounds
from bot.domain.scores import Record
from bot.features.shared.paging import Part
from bot.ui.kit.address import ListAddress
from bot.ui.kit.alternative import Listed, alternative
from bot.ui.kit.icons import difficulty_icon, lamp_icons, rank_icon
from bot.ui.kit.look import Page, add_text, listed_title, measure_text, range_text
from bot.ui.kit.pages import Component, turn_buttons, view_of
from bot.ui.language.text import Language
from bot.ui.plots import PlotBar


def list_page(
    t: Language, page: Page, part: Part[object], address: ListAddress, menus: Sequence[Component] = ()
) -> Page:
    """Return one page of a list with menus and page buttons; without them if its filter is too long for an id."""
    if not address.fits:
        add_text(page.embed, t("The filter is too long for buttons that turn pages; a shorter one has them."))
        return page
    return replace(page, view=view_of([*menus, *turn_buttons(t, address, part)]))


def chart_line(t: Language, number: str, chart: Chart | Record, title: str) -> str:
    """Return one line: the number, if any, the chart and the song."""
    named = f"{difficulty_icon(t, chart.difficulty)} {listed_title(title)}".rstrip()
    return f"**{number}** {named}" if number else named


def record_lines(
    t: Language, place: int, number: str, chart: Chart | Record, title: str, rest: Iterable[str]
) -> str:
    """Return a chart's line, and below it in small print its place in the list and the rest."""
    return f"{chart_line(t, number, chart, title)}\n{small(f'#{place}', *rest)}"


def no_records_text(t: Language) -> str:
    """Return the text for somebody without any record."""
    return t("No records here yet. Play a song, have your scores read by the record service, and look again.")


def small(*facts: str) -> str:
    """Return facts on a line of small print; empty ones are left out."""
    return "-# " + " · ".join(fact for fact in facts if fact)


def bars_alt(t: Language, title: str, bars: Iterable[PlotBar]) -> str:
    """Return the alternative text of a plot of bars."""
    told = [f"{bar.name}: {bar.text}" for bar in bars]
    return alternative(t, t("{facts}.", facts=title), Listed(t("{list}."), told))


def more_charts(t: Language, count: int) -> list[str]:
    """Return the line with the number of further charts; none if there are none."""
    return [t.plural("and {count} more chart", "and {count} more charts", count)] if count else []


def earned_icons(t: Language, record: Record, region: Region) -> str:
    """Return the icons of a record's rank and lamps."""
    return " ".join([rank_icon(t, record.score, region), *lamp_icons(t, record.lamps, record.score)])


def record_rating(t: Language, record: Record, region: Region) -> str:
    """Return a record's rating: "16.77", "16.70 to 17.10" if its constant is unknown, nothing for World's End."""
    least, most = rating_bounds(record, region)
    return range_text(t, t.hundredths(least), t.hundredths(most)) if most else ""


def record_facts(t: Language, record: Record, region: Region) -> str:
    """Return "1,008,295 SSS FC", with icons."""
    return f"{t.integer(record.score)} {earned_icons(t, record, region)}"


def number_of(t: Language, entry: ChartEntry, order: Order | None) -> str:
    """Return the number that an order of lists goes by."""
    song, chart = entry.song, entry.chart
    released = t.day(song.released_on) if song.released_on else ""
    bpm = t("BPM {bpm}", bpm=t.integer(song.bpm)) if song.bpm else ""
    notes = t.plural("{count} note", "{count} notes", chart.max_combo) if chart.max_combo else ""
    numbers = {
        Order.NEWEST: released,
        Order.OLDEST: released,
        Order.BPM_DOWN: bpm,
        Order.BPM_UP: bpm,
        Order.COMBO_DOWN: notes,
        **_numbers_played(t, entry),
    }
    return (numbers.get(order) if order else "") or _measure(t, entry)


def _measure(t: Language, entry: ChartEntry) -> str:
    """Return "14.5", with a felt difficulty "14.5 → 14.2", in doubt "14.5 → 14.2?"."""
    measure = measure_text(t, entry.chart)
    if entry.felt is None:
        return measure
    return f"{measure} → {format_hundredths(entry.felt, places=1)}{'?' if entry.is_felt_in_doubt else ''}"


def _numbers_played(t: Language, entry: ChartEntry) -> Mapping[Order, str]:
    record = entry.played
    if record is None:
        return {}
    score, rating = t.integer(record.score), record_rating(t, record, entry.region)
    left = points_left(entry)
    return {
        Order.SCORE_DOWN: score,
        Order.SCORE_UP: score,
        Order.RATING_DOWN: rating,
        Order.TITLE: rating,
        Order.UPDATED: t.day(record.updated_at) if record.updated_at else "",
        Order.JUSTICE_LEFT: t("{points} to go", points=t.integer(left)) if left else "",
    }


def rest_of(t: Language, entry: ChartEntry, number: str) -> list[str]:
    """Return the small print of a list of scores: all that its number does not say."""
    record, measure = entry.played, _measure(t, entry)
    facts = ["" if number == measure else measure]
    if record is None:
        return [*facts, t("not played")]
    score, rating = t.integer(record.score), record_rating(t, record, entry.region)
    earned = earned_icons(t, record, entry.region)
    return [
        *facts,
        earned if number == score else f"{score} {earned}",
        t("rating {rating}", rating=rating) if rating and number != rating else "",
    ]
