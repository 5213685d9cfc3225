"""The paper that every plot stands on: its title, what stands along its edges, and the pen that draws on it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final

from bot.domain.members import Theme
from bot.ui.cards.letters import Font, cut_to, glyphs_of, width_of
from bot.ui.fonts import BOLD, REGULAR, drawable
from bot.ui.markdown import one_line
from bot.ui.palette import PALETTES, blend, hex_of

WIDTH: Final = 1040
"""Pixels: up to three times what Discord shows on a phone."""
TITLE: Final = Font(BOLD, 34)
PLAIN: Final = Font(REGULAR, 26)
_MARGIN: Final = 24
_TITLE_AT: Final = 42
_HEAD: Final = 80
"""Pixels from the upper edge to the plot, or to the name of its upright axis."""
_FOOT: Final = 52
"""Pixels below a plot for what stands along its lower edge."""
_LINE: Final = 40
"""Pixels that a line of text takes."""
_GAP: Final = 12
"""Pixels between a plot and what stands beside it."""
_APART: Final = 24
"""Pixels between texts that stand side by side."""
_FINER: Final = 4
"""How many times finer lines are drawn than shown, so that their edges are smooth."""
_PEN: Final = 4
"""Pixels across a line."""
_DOT: Final = 5
"""Pixels of a dot's radius."""
_STEPS: Final = (1, 2, 2.5, 5, 10)
_COLOURS: Final = 96
"""Enough for every shade at the edge of letters and lines; the file is a third of one in full colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What is written on a plot, in the reader's language."""

    title: str
    across: str = ""
    """Along the horizontal axis."""
    up: str = ""
    """Along the vertical axis."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The values along one edge, and the pixels between which they stand."""

    low: float
    high: float
    start: int
    end: int

    def at(self, value: float) -> float:
        """Return the pixel of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


class Sheet:
    """One picture with one plot of `height` pixels: first what stands along its edges, then what is drawn on it."""

    def __init__(self, labels: Labels, theme: Theme, *, height: int) -> None:
        from PIL import Image  # noqa: PLC0415 - at the first picture: a bot at rest does without

        self.palette = PALETTES[theme]
        self.left, self.right = _MARGIN, WIDTH - 2 * _MARGIN
        self.top = _HEAD + (_LINE if labels.up else 0)
        self.bottom = self.top + height
        foot = _FOOT + (_LINE if labels.across else 0)
        self._image = Image.new("RGB", (WIDTH, self.bottom + foot), hex_of(self.palette.background))
        title = cut_to(one_line(drawable(labels.title, BOLD)), TITLE, WIDTH - 2 * _MARGIN, middle=True)
        self.text((_MARGIN, _TITLE_AT), title, TITLE, self.palette.text)
        self.text((_MARGIN, _HEAD), _fit(labels.up, WIDTH / 2), PLAIN, self.palette.quiet)
        across = _fit(labels.across, WIDTH / 2)
        self.text((self.right, self.bottom + _FOOT + _LINE / 4), across, PLAIN, self.palette.quiet, anchor=1)

    def name_rows(self, rows: Sequence[tuple[float, str]], colour: int, *, room: float = WIDTH) -> None:
        """Write what stands left of the plot, each at its pixel from above, and let the plot begin beside it."""
        names = [(middle, _fit(name, room)) for middle, name in rows]
        self.left += math.ceil(max((width_of(name, PLAIN) for _middle, name in names), default=0)) + _GAP
        for middle, name in names:
            self.text((self.left - _GAP, middle), name, PLAIN, colour, anchor=1)

    def name_columns(self, columns: Sequence[tuple[float, str]]) -> None:
        """Write what stands below the plot, each with its middle at its pixel, with an upright line above.

        They come from left to right; written are the first, the last, and those between that leave room to both sides.
        """
        placed: list[tuple[float, float, float, str]] = []
        for middle, name in columns:
            text = drawable(name, REGULAR)
            width = width_of(text, PLAIN)
            left = min(max(middle - width / 2, _MARGIN / 2), WIDTH - _MARGIN / 2 - width)
            placed.append((left, left + width, middle, text))
        free, end = 0.0, placed[-1][0] if placed else 0
        for number, (left, right, middle, text) in enumerate(placed, start=1):
            if number == len(placed) or (left >= free and right + _APART <= end):
                self.fill((middle - 0.5, self.top, middle + 0.5, self.bottom), self.palette.line)
                self.text((left, self.bottom + _FOOT / 2), text, PLAIN, self.palette.quiet)
                free = right + _APART

    def rule_rows(self, rows: Sequence[float]) -> None:
        """Draw a line across the plot at each pixel from above."""
        for middle in rows:
            self.fill((self.left, middle - 0.5, self.right, middle + 0.5), self.palette.line)

    def text(
        self, place: tuple[float, float], text: str, font: Font, colour: int, *, anchor: float = 0
    ) -> None:
        """Write one line, its middle at that height; `anchor` of its width stands left of the place."""
        glyphs = glyphs_of(text, font)
        at = place[0] - anchor * sum(glyph.advance for glyph in glyphs)
        for glyph in glyphs:
            if glyph.mask is not None:
                corner = (round(at) + glyph.left, font.baseline(place[1]) + glyph.top)
                self._image.paste(hex_of(colour), corner, glyph.mask)
            at += glyph.advance

    def fill(self, box: tuple[float, float, float, float], colour: int, *, strength: float = 1) -> None:
        """Fill a rectangle, weaker towards the paper's own colour."""
        left, top, right, bottom = (round(edge) for edge in box)
        if right > left and bottom > top:
            mixed = blend(self.palette.background, colour, strength)
            self._image.paste(hex_of(mixed), (left, top, right, bottom))

    def line(self, points: Sequence[tuple[float, float]], dots: Sequence[tuple[float, float]]) -> None:
        """Draw a line through points in the accent, and dots where they would not touch."""
        from PIL import Image, ImageDraw  # noqa: PLC0415 - as above

        pen = Image.new("L", (self._image.width * _FINER, self._image.height * _FINER))
        draw = ImageDraw.Draw(pen)
        finer = [(across * _FINER, down * _FINER) for across, down in points]
        if len(finer) > 1:
            draw.line(finer, fill=255, width=_PEN * _FINER, joint="curve")
        for across, down in dots if len(dots) * 3 * _DOT < self.right - self.left else ():
            draw.circle((across * _FINER, down * _FINER), _DOT * _FINER, fill=255)
        self._image.paste(hex_of(self.palette.accent), (0, 0), pen.reduce(_FINER))

    def to_png(self) -> bytes:
        """Return the finished picture."""
        from PIL import Image  # noqa: PLC0415 - as above

        written = BytesIO()
        self._image.quantize(_COLOURS, dither=Image.Dither.NONE).save(written, format="PNG", optimize=True)
        return written.getvalue()


def span_of(values: Sequence[float]) -> tuple[float, float]:
    """Return the lowest and the highest value with a little room; around 0 where there is none."""
    low, high = min(values, default=0), max(values, default=0)
    room = (high - low) * 0.05 or abs(high) * 0.01 or 1
    return low - room, high + room


def ticks_of(low: float, high: float, most: int) -> list[float]:
    """Return round values between two, in even steps, at most so many."""
    least = (high - low) / most
    power = 10 ** math.floor(math.log10(least))
    step = next(power * each for each in _STEPS if power * each >= least * (1 - 1e-9))
    return [count * step for count in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def named(ticks: Sequence[float], format_value: Callable[[float], str] | None) -> list[tuple[float, str]]:
    """Return ticks with their texts, as short as tells them apart; of several with one text, the first."""
    decimals = next(each for each in (0, 1, 2, 3) if each == 3 or _are_round(ticks, each))  # noqa: PLR2004 - as above
    write = format_value or f"{{:.{decimals}f}}".format
    texts: dict[str, float] = {}
    for tick in ticks:
        texts.setdefault(drawable(write(tick), REGULAR), tick)
    return [(tick, text) for text, tick in texts.items()]


def _are_round(ticks: Sequence[float], decimals: int) -> bool:
    return all(math.isclose(tick, round(tick, decimals), abs_tol=1e-9) for tick in ticks)


def _fit(text: str, room: float) -> str:
    return cut_to(one_line(drawable(text, REGULAR)), PLAIN, room)
