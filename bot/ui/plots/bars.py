"""Bars that lie: long names and many of them still read well on a phone."""

# matplotlib's stubs leave **kwargs open:
# pyright: reportUnknownMemberType=false

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain.members import Theme
from bot.ui.fonts import REGULAR, drawable
from bot.ui.palette import hex_of
from bot.ui.plots.figure import POINTS, Labels, fit, new_sheet

_NAME_ROOM: Final = 220
"""Pixels that a bar's name has."""
_HEIGHT: Final = 0.36
"""Inches that a bar takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One bar."""

    name: str
    value: float
    text: str
    """What is written at its end: the value as people of the reader's language write it."""
    most: float | None = None
    """What the value could be at most; shown as a pale bar behind."""
    colour: int | None = None
    """0xRRGGBB; the theme's accent if None."""


def bar_plot(labels: Labels, bars: Sequence[Bar], theme: Theme) -> bytes:
    """Return bars, the first on top, as PNG."""
    with new_sheet(labels, theme, height=1.3 + _HEIGHT * max(len(bars), 1)) as sheet:
        axes, palette = sheet.axes, sheet.palette
        places = range(len(bars))
        axes.barh(
            places, [bar.most or 0 for bar in bars], height=0.72, color=hex_of(palette.line), alpha=0.55
        )
        colours = [hex_of(palette.accent if bar.colour is None else bar.colour) for bar in bars]
        # An edge, for a difficulty's colour can be as dark as the paper.
        axes.barh(
            places,
            [bar.value for bar in bars],
            height=0.72,
            color=colours,
            edgecolor=hex_of(palette.quiet),
            linewidth=0.8,
        )
        axes.set_yticks(places, [fit(bar.name, REGULAR, POINTS, _NAME_ROOM) for bar in bars])
        axes.tick_params(axis="y", length=0, labelcolor=hex_of(palette.text))
        axes.invert_yaxis()
        longest = max((max(bar.value, bar.most or 0) for bar in bars), default=1) or 1
        axes.set_xlim(0, longest * 1.16)
        for place, bar in zip(places, bars, strict=True):
            end = max(bar.value, bar.most or 0) + longest * 0.01
            axes.text(end, place, drawable(bar.text, REGULAR), va="center", fontsize=11)
        axes.grid(axis="x")
        return sheet.to_png()
