"""Line plots: one value over another, or over time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise, zip_longest
from typing import Final

from bot.domain.members import PictureStyle
from bot.ui.kit.palette import Palette
from bot.ui.plots.sheet import Axis, Labels, PlotPen, PlotShape, Sheet, labelled, size_of, span_of, ticks_of

_MAX_ROW_TICKS: Final = 7
_MAX_COLUMN_TICKS: Final = 8
_DAY_INTERVALS: Final = 5
"""The number of intervals between the days written below."""
_SHAPE: Final = 9
_APART: Final = 60
"""The least distance between two shapes on a line, in pixels."""


def line_plot(
    labels: Labels,
    points: Sequence[tuple[float, float]],
    style: PictureStyle,
    *,
    format_across: Callable[[float], str],
    format_value: Callable[[float], str],
    marked: float | None = None,
) -> bytes:
    """Return a line as PNG; points come in order of their first value.

    `marked` is the reader's own place, shown as a vertical line. `format_across` formats the horizontal axis,
    `format_value` the vertical one.
    """
    sheet = Sheet(labels, style, height=size_of(style).height)
    up = _upright(sheet, [value for _across, value in points], format_value)
    places = [value for value, _up in points] + ([] if marked is None else [marked])
    across = Axis(*span_of(places), sheet.left, sheet.right)
    if places:
        ticks = ticks_of(across.low, across.high, _MAX_COLUMN_TICKS)
        sheet.name_columns([(across.at(tick), name) for tick, name in labelled(ticks, format_across)])
    if marked is not None:
        sheet.mark_columns([(across.at(marked), "")])
    known = [(across.at(value), up.at(height)) for value, height in points]
    sheet.line(known, known)
    return sheet.to_png()


def time_plot(
    labels: Labels,
    points: Sequence[tuple[datetime, float]],
    style: PictureStyle,
    *,
    format_day: Callable[[datetime], str],
    format_value: Callable[[float], str] | None = None,
) -> bytes:
    """Return a line over time as PNG, oldest point first; `format_day` formats the horizontal axis."""
    sheet = Sheet(labels, style, height=size_of(style).low_height)
    up = _upright(sheet, [value for _moment, value in points], format_value)
    across = Axis(*span_of([moment.timestamp() for moment, _value in points]), sheet.left, sheet.right)
    sheet.name_columns([(across.at(day.timestamp()), format_day(day)) for day, _value in points])
    known = [(across.at(moment.timestamp()), up.at(value)) for moment, value in points]
    sheet.line(_stepped(known), known)
    return sheet.to_png()


@dataclass(frozen=True, slots=True)
class Trace:
    """One of several lines over time."""

    name: str
    runs: tuple[tuple[tuple[datetime, float], ...], ...]
    """Moments with their values, oldest first, in runs between which nothing is known."""


def traces_plot(
    labels: Labels,
    traces: Sequence[Trace],
    style: PictureStyle,
    *,
    format_day: Callable[[datetime], str],
    format_value: Callable[[float], str],
    marks: Sequence[tuple[datetime, str]] = (),
) -> bytes:
    """Return up to five lines over time as PNG: a value holds until the next one of its run.

    `marks` are named moments, each shown as a vertical line.
    """
    is_one = len(traces) == 1
    sheet = Sheet(labels, style, height=size_of(style).height, legend=0 if is_one else len(traces))
    pens = _pens(sheet.palette)
    if not is_one:
        sheet.name_lines([(trace.name, pen) for trace, pen in zip(traces, pens, strict=False)])
    points = [point for trace in traces for run in trace.runs for point in run]
    up = _upright(sheet, [value for _moment, value in points], format_value)
    across = Axis(*span_of([moment.timestamp() for moment, _value in points]), sheet.left, sheet.right)
    moments = sorted(moment for moment, _value in points)
    named_days = [
        moments[0] + (moments[-1] - moments[0]) * (each / _DAY_INTERVALS)
        for each in range(_DAY_INTERVALS + 1)
    ]
    sheet.name_columns([(across.at(day.timestamp()), format_day(day)) for day in named_days])
    sheet.mark_columns([(across.at(moment.timestamp()), name) for moment, name in marks])
    for trace, pen in zip(traces, pens, strict=False):
        for run in trace.runs:
            known = [(across.at(moment.timestamp()), up.at(value)) for moment, value in run]
            sheet.line(_stepped(known), _spread(known), pen)
    return sheet.to_png()


def _pens(palette: Palette) -> list[PlotPen]:
    """Return five pens that differ in colour, shape and dashes."""
    return [
        PlotPen(palette.accent, PlotShape.DOT, (), _SHAPE),
        PlotPen(palette.gold, PlotShape.SQUARE, (18, 8), _SHAPE),
        PlotPen(palette.up, PlotShape.TRIANGLE, (5, 7), _SHAPE),
        PlotPen(palette.down, PlotShape.DIAMOND, (26, 7, 5, 7), _SHAPE),
        PlotPen(palette.new, PlotShape.CROSS, (36, 12), _SHAPE),
    ]


def _stepped(known: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return a stepped line: each value holds until the next."""
    corners = [(later[0], before[1]) for before, later in pairwise(known)]
    return [each for pair in zip_longest(known, corners) for each in pair if each]


def _spread(known: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points that get a shape: the last, and those far enough from the next one with a shape."""
    places: list[tuple[float, float]] = []
    for place in reversed(known):
        if not places or places[-1][0] - place[0] >= _APART:
            places.append(place)
    return places


def _upright(sheet: Sheet, values: Sequence[float], format_value: Callable[[float], str] | None) -> Axis:
    """Draw the horizontal grid lines with their values; return the vertical axis."""
    up = Axis(*span_of(values), sheet.bottom, sheet.top)
    ticks = labelled(ticks_of(up.low, up.high, _MAX_ROW_TICKS), format_value) if values else []
    sheet.name_rows([(up.at(tick), name) for tick, name in ticks], sheet.palette.quiet)
    sheet.rule_rows([up.at(tick) for tick, _name in ticks])
    return up
