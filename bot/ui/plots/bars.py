"""Horizontal bars: even many of them with long names are legible on a phone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.domain.charts import Difficulty
from bot.domain.members import PictureStyle
from bot.ui.kit.fonts import REGULAR, drawable
from bot.ui.kit.letters import width_of
from bot.ui.plots.sheet import Axis, Labels, Sheet, labelled, size_of, ticks_of

_GAP: Final = 10
"""The pixels between a bar's end and its text."""
_MAX_TICKS: Final = 6
PALE: Final = 0.55
"""The strength of the fill for the largest possible value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotBar:
    """One bar."""

    name: str
    value: float
    """The length of the bar; negative bars extend to the left."""
    text: str
    """The text at the bar's end: the value in the reader's language."""
    most: float | None = None
    """The largest possible value, shown as a pale bar behind."""
    difficulty: Difficulty | None = None
    """The difficulty whose colour the bar has; None for the theme's accent."""


def bar_plot(
    labels: Labels, bars: Sequence[PlotBar], style: PictureStyle, *, has_long_names: bool = False
) -> bytes:
    """Return bars as PNG, the first at the top; long names may take half the width."""
    row, plain = size_of(style).row, size_of(style).plain
    sheet = Sheet(labels, style, height=row * max(len(bars), 1))
    palette, half = sheet.palette, round(row * 0.37)
    middles = [sheet.top + row * (place + 0.5) for place in range(len(bars))]
    names = [(middle, bar.name) for middle, bar in zip(middles, bars, strict=True)]
    sheet.name_rows(names, palette.text, room=sheet.size.width / 2 if has_long_names else sheet.size.name)
    texts = [drawable(bar.text, REGULAR) for bar in bars]
    room = max((width_of(text, plain) for text in texts), default=0) + _GAP
    lowest = min((bar.value for bar in bars if bar.value < 0), default=0)
    highest = max((max(bar.value, bar.most or 0) for bar in bars), default=0)
    axis = Axis(lowest, highest if highest > lowest else 1, sheet.left, round(sheet.right - room))
    none = axis.at(0)
    sheet.name_columns(
        [(axis.at(tick), name) for tick, name in labelled(ticks_of(axis.low, axis.high, _MAX_TICKS), None)]
    )
    for middle, bar, text in zip(middles, bars, texts, strict=True):
        start, end = sorted((none, axis.at(bar.value)))
        top, bottom = middle - half, middle + half
        sheet.fill((none, top, axis.at(bar.most or 0), bottom), palette.line, strength=PALE)
        colour = (
            palette.accent
            if bar.difficulty is None
            else palette.difficulties.get(bar.difficulty, palette.mark)
        )
        sheet.fill((start, top, end, bottom), colour)
        sheet.text((max(end, axis.at(bar.most or 0)) + _GAP, middle), text, plain, palette.text)
    return sheet.to_png()
