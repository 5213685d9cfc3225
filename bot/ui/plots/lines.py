"""Lines: one value over another, or over time."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise, zip_longest
from typing import Final

from bot.domain.members import Theme
from bot.ui.plots.sheet import Axis, Labels, Sheet, named, span_of, ticks_of

_HEIGHT: Final = 360
_LOW_HEIGHT: Final = 270
"""Pixels of a plot over time, which stands below an answer."""
_ROWS: Final = 7
_COLUMNS: Final = 8
_DASH: Final = 10
"""Pixels of a dash; as long again to the next."""


def line_plot(
    labels: Labels,
    points: Sequence[tuple[float, float]],
    theme: Theme,
    *,
    format_across: Callable[[float], str],
    format_value: Callable[[float], str],
    marked: float | None = None,
) -> bytes:
    """Return a line through points in order of their first value, as PNG.

    `marked` draws an upright line there: the reader's own place. `format_across` writes the horizontal axis,
    `format_value` the vertical one.
    """
    sheet = Sheet(labels, theme, height=_HEIGHT)
    up = _upright(sheet, [value for _across, value in points], format_value)
    places = [value for value, _up in points] + ([] if marked is None else [marked])
    across = Axis(*span_of(places), sheet.left, sheet.right)
    if places:
        ticks = ticks_of(across.low, across.high, _COLUMNS)
        sheet.name_columns([(across.at(tick), name) for tick, name in named(ticks, format_across)])
    if marked is not None:
        middle = across.at(marked)
        for top in range(sheet.top, sheet.bottom, 2 * _DASH):
            bottom = min(top + _DASH, sheet.bottom)
            sheet.fill((middle - 1.5, top, middle + 1.5, bottom), sheet.palette.gold)
    known = [(across.at(value), up.at(height)) for value, height in points]
    sheet.line(known, known)
    return sheet.to_png()


def time_plot(
    labels: Labels,
    points: Sequence[tuple[datetime, float]],
    theme: Theme,
    *,
    format_day: Callable[[datetime], str],
    format_value: Callable[[float], str] | None = None,
) -> bytes:
    """Return a line over time, oldest first, as PNG; `format_day` writes the horizontal axis."""
    sheet = Sheet(labels, theme, height=_LOW_HEIGHT)
    up = _upright(sheet, [value for _moment, value in points], format_value)
    across = Axis(*span_of([moment.timestamp() for moment, _value in points]), sheet.left, sheet.right)
    sheet.name_columns([(across.at(day.timestamp()), format_day(day)) for day, _value in points])
    known = [(across.at(moment.timestamp()), up.at(value)) for moment, value in points]
    corners = [(later[0], before[1]) for before, later in pairwise(known)]
    sheet.line([each for pair in zip_longest(known, corners) for each in pair if each], known)
    return sheet.to_png()


def _upright(sheet: Sheet, values: Sequence[float], format_value: Callable[[float], str] | None) -> Axis:
    """Draw the lines across a plot with their values, and return where values stand."""
    up = Axis(*span_of(values), sheet.bottom, sheet.top)
    ticks = named(ticks_of(up.low, up.high, _ROWS), format_value) if values else []
    sheet.name_rows([(up.at(tick), name) for tick, name in ticks], sheet.palette.quiet)
    sheet.rule_rows([up.at(tick) for tick, _name in ticks])
    return up
