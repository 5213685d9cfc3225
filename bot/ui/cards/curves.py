"""How a rating went, as a small line."""

from typing import NamedTuple

from bot.ui.cards import shapes
from bot.ui.cards.canvas import Canvas, Place


class CurveLine(NamedTuple):
    """A history: what to draw, oldest first."""

    values: tuple[float, ...]
    began: str = ""
    """It says when the line begins."""
    span: str = ""
    """It says from where to where it goes."""


def paint_curve(
    canvas: Canvas, corner: Place, size: tuple[int, int], line: CurveLine, colour: int, ground: int
) -> None:
    """Draw a history that ends in a dot; two values at least."""
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
