"""The shapes of pictures as masks, drawn larger than shown for smooth edges."""

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from bot.ui.cards.canvas import SLANT

if TYPE_CHECKING:
    from PIL import Image

_SUPERSAMPLING: Final = 4
_LINE: Final = 3
"""The width of a curve, in pixels."""


@lru_cache(maxsize=64)
def slanted(width: int, height: int) -> "Image.Image":
    """Return a slanted plate."""
    lean = SLANT * height
    return _polygon(width, height, [(lean, 0), (width, 0), (width - lean, height), (0, height)])


@lru_cache(maxsize=16)
def triangle(side: int, *, is_down: bool) -> "Image.Image":
    """Return a triangle that points up or down."""
    foot, tip = (0, side * 0.88) if is_down else (side, side * 0.12)
    return _polygon(side, side, [(0, foot), (side, foot), (side / 2, tip)])


@lru_cache(maxsize=16)
def arrow(width: int, height: int) -> "Image.Image":
    """Return an arrow to the right."""
    tip, shaft = width - height, height / 8
    middle = height / 2
    corners = [(0, middle - shaft), (tip, middle - shaft), (tip, 0), (width, middle), (tip, height)]
    return _polygon(width, height, [*corners, (tip, middle + shaft), (0, middle + shaft)])


@lru_cache(maxsize=16)
def tick(side: int) -> "Image.Image":
    """Return a tick."""
    shares = [(0, 0.55), (0.16, 0.38), (0.37, 0.6), (0.84, 0.12), (1, 0.28), (0.38, 0.92)]
    return _polygon(side, side, [(across * side, down * side) for across, down in shares])


@lru_cache(maxsize=16)
def star(side: int, points: int = 5, inner: float = 0.42) -> "Image.Image":
    """Return a star; `inner` is the radius of the corners between its points, as a share of the radius of the points."""
    half = side / 2
    corners = [
        (half + reach * sin(number * pi / points), half - reach * cos(number * pi / points))
        for number, reach in enumerate([half, inner * half] * points)
    ]
    return _polygon(side, side, corners)


@lru_cache(maxsize=32)
def capsule(width: int, height: int, *, is_hollow: bool) -> "Image.Image":
    """Return a plate with round ends, or its rim."""
    from PIL import Image, ImageDraw

    right, bottom = width * _SUPERSAMPLING - 1, height * _SUPERSAMPLING - 1
    image = Image.new("L", (right + 1, bottom + 1))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, right, bottom), bottom / 2, fill=255)
    if is_hollow:
        rim = max(2, height // 12) * _SUPERSAMPLING
        draw.rounded_rectangle((rim, rim, right - rim, bottom - rim), bottom / 2 - rim, fill=0)
    return image.reduce(_SUPERSAMPLING)


def curve(
    size: tuple[int, int], points: Sequence[tuple[float, float]], dot: int
) -> "tuple[Image.Image, Image.Image]":
    """Return the area under a line through points, and the line with a dot at its end."""
    from PIL import Image, ImageDraw

    finer = [(x * _SUPERSAMPLING, y * _SUPERSAMPLING) for x, y in points]
    width, height = size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING
    area, line = Image.new("L", (width, height)), Image.new("L", (width, height))
    ImageDraw.Draw(area).polygon([*finer, (finer[-1][0], height), (finer[0][0], height)], fill=255)
    draw = ImageDraw.Draw(line)
    draw.line(finer, fill=255, width=_LINE * _SUPERSAMPLING, joint="curve")
    draw.circle(finer[-1], dot * _SUPERSAMPLING, fill=255)
    return area.reduce(_SUPERSAMPLING), line.reduce(_SUPERSAMPLING)


def _polygon(width: int, height: int, corners: Sequence[tuple[float, float]]) -> "Image.Image":
    from PIL import Image, ImageDraw

    image = Image.new("L", (width * _SUPERSAMPLING, height * _SUPERSAMPLING))
    ImageDraw.Draw(image).polygon([(x * _SUPERSAMPLING, y * _SUPERSAMPLING) for x, y in corners], fill=255)
    return image.reduce(_SUPERSAMPLING)
