"""The history of a rating as a small curve."""

from typing import NamedTuple

from bot.ui.cards import shapes
from bot.ui.cards.canvas import Canvas, Place


class CurveLine(NamedTuple):
    """A history to draw, oldest value first."""

    values: tuple[float, ...]
    began: str = ""
    """The start of the line, in words."""
    span: str = ""
    """The first and last value, in words."""


def paint_curve(
    canvas: Canvas, corner: Place, size: tuple[int, int], line: CurveLine, colour: int, ground: int
) -> None:
    """Draw a history of at least two values, with a dot at its end."""
    width, height = size
    low, high = min(line.values), max(line.values)
    dot = 6

    def height_of(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return dot + 1 + (height - 2 * dot - 3) * (1 - share)

    step = (width - 2 * dot - 2) / (len(line.values) - 1)
    points = [(1 + dot / 2 + number * step, height_of(value)) for number, value in enumerate(line.values)]
    area, drawn = shapes.curve(size, points, dot)
    canvas.shape(corner, area, canvas.palette.tint, ground)
    canvas.shape(corner, drawn, colour, canvas.palette.tint)
