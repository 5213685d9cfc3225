"""Answers from records: how a rating adds up, and when its records were set."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from bot.domain.age import Age
from bot.domain.charts import Catalogue
from bot.domain.entries import ChartEntry, Order, record_entries, sort_entries
from bot.domain.game_rating import Explanation, SlotEntry, explain
from bot.domain.game_versions import VersionTable, game_day
from bot.domain.numbers import Hundredths, format_hundredths
from bot.domain.scores import Record
from bot.mcp.answers import MAX_ITEMS, DayLine, HistoryAnswer, RatingAnswer
from bot.mcp.lines import aged, chart_line, counted, number, slot_lines
from bot.mcp.reader import PlayerData

_BEST_OF_DAY: Final = 3


def rating_answer(data: PlayerData, day: date, versions: VersionTable, age: Age) -> RatingAnswer:
    """Return a player's rating and what it is made of."""
    player = data.player
    explanation = explain(data.records, data.catalogue, day, player.rating, versions)
    found = explanation.worked_out
    return RatingAnswer(
        sentence=_rating_sentence(player.rating, explanation),
        **aged(age),
        rating=player.rating / 100,
        highest_rating=player.highest / 100,
        worked_out=number(found.rating),
        is_explained=explanation.is_explained,
        reason=explanation.reason and explanation.reason.value,
        version=found.version and found.version.name,
        best_average=_average(found.best),
        new_average=_average(found.new),
        best=slot_lines(found.best),
        new=slot_lines(found.new),
    )


def _rating_sentence(rating: Hundredths, explanation: Explanation) -> str:
    found = explanation.worked_out
    said = f"The rating is {format_hundredths(rating)}"
    if found.rating is None:
        return f"{said}; it counts recent plays too, so the records alone do not tell how it comes about."
    sizes = f"{len(found.best)} charts of older songs and {len(found.new)} of new ones"
    if explanation.is_explained:
        return f"{said}, which is what {sizes} come to."
    return f"{said}, while {sizes} come to {format_hundredths(found.rating)}."


def _average(entries: Sequence[SlotEntry]) -> float | None:
    return sum(entry.rating for entry in entries) // len(entries) / 100 if entries else None


def history_answer(
    records: Iterable[Record], catalogue: Catalogue, today: date, days: int, age: Age
) -> HistoryAnswer:
    """Return on which of the last days records were set that still stand."""
    since = today - timedelta(days=days - 1)
    by_day: dict[date, list[ChartEntry]] = defaultdict(list)
    undated = 0
    for entry in record_entries(records, catalogue.region, catalogue):
        if entry.played is not None:
            moment = entry.played.updated_at
            undated += moment is None
            if moment is not None and game_day(moment) >= since:
                by_day[game_day(moment)].append(entry)
    newest = sorted(by_day, reverse=True)[:MAX_ITEMS]
    count = sum(map(len, by_day.values()))
    listed = f"; the newest {len(newest)} are listed" if len(newest) < len(by_day) else ""
    return HistoryAnswer(
        sentence=f"{counted(count, 'record')} of those that still stand came on {counted(len(by_day), 'day')} since {since}{listed}.",
        **aged(age),
        since=since,
        records=count,
        days=tuple(_day_line(day, by_day[day]) for day in newest),
        undated=undated,
    )


def _day_line(day: date, entries: Sequence[ChartEntry]) -> DayLine:
    best = sort_entries(entries, Order.RATING_DOWN)[:_BEST_OF_DAY]
    return DayLine(day=day, records=len(entries), best=tuple(map(chart_line, best)))
