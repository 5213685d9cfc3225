"""Lines: one value over another, or over time."""

# matplotlib's stubs leave **kwargs open:
# pyright: reportUnknownMemberType=false

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from bot.domain.members import Theme
from bot.ui.fonts import REGULAR, drawable
from bot.ui.palette import hex_of
from bot.ui.plots.figure import Labels, Sheet, new_sheet

_DAYS: Final = 6
"""Days named below a plot over time: what stands side by side without touching."""


def line_plot(
    labels: Labels,
    points: Sequence[tuple[float, float]],
    theme: Theme,
    *,
    marked: float | None = None,
    format_value: Callable[[float], str] | None = None,
) -> bytes:
    """Return a line through points in order of their first value, as PNG.

    `marked` draws an upright line there: the reader's own place. `format_value` writes the vertical axis.
    """
    with new_sheet(labels, theme) as sheet:
        across, up = [point[0] for point in points], [point[1] for point in points]
        sheet.axes.plot(
            across, up, color=hex_of(sheet.palette.accent), linewidth=2.2, marker="o", markersize=4
        )
        if marked is not None:
            sheet.axes.axvline(marked, color=hex_of(sheet.palette.gold), linewidth=1.6, linestyle="--")
        _finish(sheet, format_value)
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
    with new_sheet(labels, theme, height=3.2) as sheet:
        seconds = [moment.timestamp() for moment, _value in points]
        values = [value for _moment, value in points]
        colour = hex_of(sheet.palette.accent)
        sheet.axes.step(seconds, values, where="post", color=colour, linewidth=2.2)
        sheet.axes.plot(seconds, values, "o", color=colour, markersize=5)
        named = _spread([moment for moment, _value in points])
        sheet.axes.set_xticks(
            [moment.timestamp() for moment in named],
            [drawable(format_day(moment), REGULAR) for moment in named],
        )
        _finish(sheet, format_value)
        return sheet.to_png()


def _spread(moments: Sequence[datetime]) -> list[datetime]:
    """Return the first, the last, and those between that leave room for one another's names."""
    room = (moments[-1] - moments[0]) / _DAYS
    named = list(moments[:1])
    for moment in moments[1:-1]:
        if moment - named[-1] >= room and moments[-1] - moment >= room:
            named.append(moment)
    return [*named, moments[-1]] if len(moments) > 1 else named


def _finish(sheet: Sheet, format_value: Callable[[float], str] | None) -> None:
    sheet.axes.grid(visible=True)
    if format_value is not None:
        sheet.axes.yaxis.set_major_formatter(lambda value, _place: format_value(float(value)))
