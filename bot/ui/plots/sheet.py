"""The sheet of every plot: its title, its axes, and the drawing on it."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import cycle, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.domain.members import Cut, PictureStyle
from bot.ui.cards.canvas import ToneCanvas
from bot.ui.kit.fonts import BOLD, REGULAR, drawable
from bot.ui.kit.letters import Fitted, Font, fit_to, line_of, width_of
from bot.ui.kit.markdown import one_line
from bot.ui.kit.palette import PALETTES, blend

if TYPE_CHECKING:
    from PIL import ImageDraw


class PlotSize(NamedTuple):
    """The sizes of everything on a plot, in pixels."""

    width: int
    title: Font
    plain: Font
    line: int
    """The height of a line of text."""
    row: int
    """The height of a bar with the gap to the next."""
    name: int
    """The width for a bar's name."""
    height: int
    """The height of a plot of lines."""
    low_height: int
    """The height of a plot over time, which accompanies an answer."""

    @property
    def head(self) -> int:
        """The distance from the upper edge to the plot, or to the name of its vertical axis."""
        return 2 * self.line

    @property
    def foot(self) -> int:
        """The height for texts below the plot."""
        return self.line + 12


SIZES: Final[Mapping[Cut, PlotSize]] = {
    Cut.WIDE: PlotSize(1040, Font(BOLD, 34), Font(REGULAR, 26), 40, 46, 240, 360, 270),
    Cut.PHONE: PlotSize(1080, Font(BOLD, 48), Font(REGULAR, 34), 54, 64, 400, 760, 620),
}
"""The sizes by cut; a missing cut has those of the wide one."""
_MARGIN: Final = 24
_GAP: Final = 12
"""The pixels between a plot and the texts beside it."""
_APART: Final = 24
"""The least distance between texts side by side, in pixels."""
_SUPERSAMPLING: Final = 4
"""The factor by which lines are drawn larger than shown, for smooth edges."""
_PEN: Final = 4
"""The width of a line, in pixels."""
_DOT: Final = 5
"""The radius of a dot, in pixels."""
_DASH: Final = 10
"""The length of a dash and of the gap after it, in pixels."""
_SAMPLE: Final = 72
"""The length of the sample of a line beside its name, in pixels."""
_STEPS: Final = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The texts on a plot, in the reader's language."""

    title: str
    across: str = ""
    """The name of the horizontal axis."""
    up: str = ""
    """The name of the vertical axis."""


class PlotShape(Enum):
    """The shape at a known value; shapes can be told apart without colour."""

    DOT = auto()
    SQUARE = auto()
    TRIANGLE = auto()
    DIAMOND = auto()
    CROSS = auto()


_CORNERS: Final[Mapping[PlotShape, Sequence[tuple[float, float]]]] = {
    PlotShape.SQUARE: ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    PlotShape.TRIANGLE: ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    PlotShape.DIAMOND: ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
}
"""The corners of shapes relative to the middle, in multiples of the pen's size."""


@dataclass(frozen=True, slots=True)
class PlotPen:
    """The style of one line of several."""

    colour: int
    """The colour as 0xRRGGBB."""
    shape: PlotShape = PlotShape.DOT
    dashes: tuple[int, ...] = ()
    """The alternating lengths of dashes and gaps in pixels; empty for a solid line."""
    size: int = _DOT
    """The pixels from the middle of a shape to its edge."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: the range of its values, and the pixels of its ends."""

    low: float
    high: float
    start: int
    end: int

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


class Sheet:
    """A picture with one plot of `height` pixels: first write the texts around it, then draw on it."""

    def __init__(self, labels: Labels, style: PictureStyle, *, height: int, legend: int = 0) -> None:
        """Write the title; `legend` is the number of lines that `name_lines` will name."""
        self.palette, self.size = PALETTES[style.theme], size_of(style)
        size, width = self.size, self.size.width
        self._columns = 1 if style.cut is Cut.PHONE else 2
        self.left, self.right = _MARGIN, width - 2 * _MARGIN
        self.top = size.head + (size.line if labels.up else 0) + size.line * -(-legend // self._columns)
        self.bottom = self.top + height
        foot = size.foot + (size.line if labels.across else 0)
        self._canvas = ToneCanvas(style.theme, width, self.bottom + foot)
        title = fit_to(one_line(drawable(labels.title, BOLD)), size.title, width - 2 * _MARGIN)
        self.text((_MARGIN, size.line + 2), title, size.title, self.palette.text)
        self.text((_MARGIN, size.head), self._fit(labels.up, width / 2), size.plain, self.palette.quiet)
        place = (self.right, self.bottom + size.foot + size.line / 4)
        self.text(place, self._fit(labels.across, width / 2), size.plain, self.palette.quiet, anchor=1)

    def name_rows(self, rows: Sequence[tuple[float, str]], colour: int, *, room: float | None = None) -> None:
        """Write texts left of the plot, each at its pixel from above, and move the plot's left edge beside them."""
        names = [(middle, self._fit(name, room)) for middle, name in rows]
        self.left += math.ceil(max((name.width for _middle, name in names), default=0)) + _GAP
        for middle, name in names:
            self.text((self.left - _GAP, middle), name, self.size.plain, colour, anchor=1)

    def name_columns(self, columns: Sequence[tuple[float, str]]) -> None:
        """Write texts below the plot, each centred at its pixel, with a vertical line above.

        They come from left to right; the last is always written, others if they have room on both sides.
        """
        placed: list[tuple[float, float, float, str]] = []
        for middle, name in columns:
            text = drawable(name, REGULAR)
            width = width_of(text, self.size.plain)
            left = min(max(middle - width / 2, _MARGIN / 2), self.size.width - _MARGIN / 2 - width)
            placed.append((left, left + width, middle, text))
        free, end = 0.0, placed[-1][0] if placed else 0
        for number, (left, right, middle, text) in enumerate(placed, start=1):
            if number == len(placed) or (left >= free and right + _APART <= end):
                self.fill((middle - 0.5, self.top, middle + 0.5, self.bottom), self.palette.line)
                self.text((left, self.bottom + self.size.foot / 2), text, self.size.plain, self.palette.quiet)
                free = right + _APART

    def mark_columns(self, columns: Sequence[tuple[float, str]]) -> None:
        """Draw a dashed vertical line at each pixel from the left, with its name beside its upper end.

        A name that would touch the one before it is a line lower.
        """
        free, row = 0.0, 0
        for middle, name in columns:
            for top in range(self.top, self.bottom, 2 * _DASH):
                box = (middle - 1.5, top, middle + 1.5, min(top + _DASH, self.bottom))
                self.fill(box, self.palette.gold)
            text = self._fit(name, self.size.width / 3)
            is_right = middle + _GAP + text.width <= self.right
            left = middle + _GAP if is_right else middle - _GAP - text.width
            row = row + 1 if left < free and (row + 2) * self.size.line < self.bottom - self.top else 0
            free = left + text.width + _APART
            place = (left, self.top + self.size.line * (row + 0.5))
            self.text(place, text, self.size.plain, self.palette.gold)

    def name_lines(self, lines: Sequence[tuple[str, PlotPen]]) -> None:
        """Write the legend below the title: the name of each line beside a sample."""
        room = (self.size.width - 2 * _MARGIN) / self._columns
        for number, (name, pen) in enumerate(lines):
            row, column = divmod(number, self._columns)
            left, middle = _MARGIN + column * room, self.size.head + row * self.size.line
            self.line([(left, middle), (left + _SAMPLE, middle)], [(left + _SAMPLE / 2, middle)], pen)
            text = self._fit(name, room - _SAMPLE - _GAP - _APART)
            self.text((left + _SAMPLE + _GAP, middle), text, self.size.plain, self.palette.text)

    def rule_rows(self, rows: Sequence[float]) -> None:
        """Draw a horizontal line across the plot at each pixel from above."""
        for middle in rows:
            self.fill((self.left, middle - 0.5, self.right, middle + 0.5), self.palette.line)

    def text(
        self, place: tuple[float, float], text: str | Fitted, font: Font, colour: int, *, anchor: float = 0
    ) -> None:
        """Write one line, vertically centred at `place`; `anchor` is the share of its width left of it."""
        fitted = fit_to(text, font, None) if isinstance(text, str) else text
        line = line_of(fitted.text, font, fitted.squeeze)
        if line is not None:
            left = round(place[0] - anchor * fitted.width) + line.left
            corner = left, font.baseline(place[1]) + line.top
            self._canvas.shape(corner, line.mask, colour, self.palette.background)

    def fill(self, box: tuple[float, float, float, float], colour: int, *, strength: float = 1) -> None:
        """Fill a rectangle; with a lower `strength` its colour is closer to the background."""
        left, top, right, bottom = (round(edge) for edge in box)
        if right > left and bottom > top:
            self._canvas.fill((left, top, right, bottom), blend(self.palette.background, colour, strength))

    def line(
        self,
        points: Sequence[tuple[float, float]],
        dots: Sequence[tuple[float, float]],
        pen: PlotPen | None = None,
    ) -> None:
        """Draw a line through points, by default in the accent colour, and the dots unless they would touch."""
        from PIL import Image, ImageDraw

        pen = pen or PlotPen(self.palette.accent)
        if not points:
            return
        left, top = (max(0, math.floor(min(each)) - pen.size - _PEN) for each in zip(*points, strict=True))
        right, bottom = (math.ceil(max(each)) + pen.size + _PEN for each in zip(*points, strict=True))
        mask = Image.new("L", ((right - left) * _SUPERSAMPLING, (bottom - top) * _SUPERSAMPLING))
        draw = ImageDraw.Draw(mask)
        for part in _dashed(points, pen.dashes):
            finer = [
                ((across - left) * _SUPERSAMPLING, (down - top) * _SUPERSAMPLING) for across, down in part
            ]
            draw.line(finer, fill=255, width=_PEN * _SUPERSAMPLING, joint="curve")
        for across, down in dots if len(dots) * 3 * pen.size < self.right - self.left else ():
            _mark(draw, ((across - left) * _SUPERSAMPLING, (down - top) * _SUPERSAMPLING), pen)
        mask = mask.reduce(_SUPERSAMPLING)
        self._canvas.shape((left, top), mask, pen.colour, self.palette.background)

    def _fit(self, text: str, room: float | None) -> Fitted:
        return fit_to(one_line(drawable(text, REGULAR)), self.size.plain, room)

    def to_png(self) -> bytes:
        """Return the finished picture."""
        return self._canvas.to_png()


def _dashed(points: Sequence[tuple[float, float]], dashes: Sequence[int]) -> list[list[tuple[float, float]]]:
    """Return the dashes of a line."""
    if not dashes:
        return [[*points]] if len(points) > 1 else []
    parts: list[list[tuple[float, float]]] = []
    lengths = cycle(dashes)
    left, is_drawn = next(lengths), True
    part: list[tuple[float, float]] = [*points[:1]]
    for (across, down), end in pairwise(points):
        length, walked = math.dist((across, down), end), 0.0
        while length - walked > left:
            walked += left
            share = walked / length
            corner = (across + (end[0] - across) * share, down + (end[1] - down) * share)
            if is_drawn:
                parts.append([*part, corner])
            part, is_drawn, left = [corner], not is_drawn, next(lengths)
        left -= length - walked
        part.append(end)
    return [*parts, part] if is_drawn and len(part) > 1 else parts


def _mark(draw: "ImageDraw.ImageDraw", place: tuple[float, float], pen: PlotPen) -> None:
    """Draw the shape of a known value."""
    across, down = place
    size = pen.size * _SUPERSAMPLING
    if pen.shape is PlotShape.DOT:
        draw.circle(place, size, fill=255)
    elif pen.shape is PlotShape.CROSS:
        for slant in (1, -1):
            ends = [(across - size, down - slant * size), (across + size, down + slant * size)]
            draw.line(ends, fill=255, width=_PEN * _SUPERSAMPLING)
    else:
        corners = [(across + size * right, down + size * below) for right, below in _CORNERS[pen.shape]]
        draw.polygon(corners, fill=255)


def span_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and highest value with a small margin; a range around 0 if there are no values."""
    low, high = min(values, default=0), max(values, default=0)
    # Between values that differ only in their last digits a float leaves no room for ticks.
    room = abs(high) * 0.01 or 1 if math.isclose(low, high) else (high - low) * 0.05
    return low - room, high + room


def ticks_of(low: float, high: float, most: int) -> list[float]:
    """Return round values between two, in at most `most` even steps."""
    least = (high - low) / most
    power = 10 ** math.floor(math.log10(least))
    step = next(power * each for each in _STEPS if power * each >= least * (1 - 1e-9))
    return [count * step for count in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def labelled(ticks: Sequence[float], format_value: Callable[[float], str] | None) -> list[tuple[float, str]]:
    """Return ticks with the shortest texts that tell them apart; of several with equal texts, only the first."""
    decimals = next(each for each in (0, 1, 2, 3) if each == 3 or _are_round(ticks, each))  # noqa: PLR2004 - as above
    write = format_value or f"{{:.{decimals}f}}".format
    texts: dict[str, float] = {}
    for tick in ticks:
        texts.setdefault(drawable(write(tick).replace("-", "−"), REGULAR), tick)
    return [(tick, text) for text, tick in texts.items()]


def _are_round(ticks: Sequence[float], decimals: int) -> bool:
    return all(math.isclose(tick, round(tick, decimals), abs_tol=1e-9) for tick in ticks)


def size_of(style: PictureStyle) -> PlotSize:
    """Return the sizes for somebody's style of plots."""
    return SIZES.get(style.cut, SIZES[Cut.WIDE])
