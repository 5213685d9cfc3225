"""Text of pictures. Each letter is drawn once and cached; only letters are cached, never names."""

from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.ui.kit.fonts import runs_of

if TYPE_CHECKING:
    from PIL import Image, ImageFont

_RISE: Final = 0.37
"""The height above the baseline of the middle of capitals and kanji, as a share of the font's size."""
_KEPT_BYTES: Final = 1_000_000
"""The approximate limit of cached letters of each font, in bytes."""
_OPEN_FONTS: Final = 4
"""The most open fonts: each gradually loads its whole file, 17 MB, and cached letters need none."""
_MIN_SQUEEZE: Final = 0.82
"""The smallest share of its width that a line is squeezed to: narrower text is hard to read."""
_TAIL: Final = 5
"""The most kanji kept at the end of text cut in the middle, or Latin letters of that width: they tell remixes apart."""


class Font(NamedTuple):
    """A font in a size."""

    file: Path
    size: int

    def baseline(self, middle: float) -> int:
        """Return the baseline of a line with that middle, in pixels from above."""
        return round(middle) + round(_RISE * self.size)


class Glyph(NamedTuple):
    """A letter; `left` and `top` are those of its mask, relative to its origin on the baseline."""

    mask: "Image.Image | None"
    """The mask; None for a letter without pixels."""
    left: int
    top: int
    advance: float
    size: tuple[int, int] = (0, 0)
    """The width and height of the mask."""


class Line(NamedTuple):
    """A line of letters; `left` and `top` as of a `Glyph`."""

    mask: "Image.Image"
    left: int
    top: int


def cut_to(text: str, font: Font, width: float, *, middle: bool = False) -> str:
    """Return `text` cut to `width` pixels; `middle` keeps its end, which tells remixes of one title apart."""
    if width_of(text, font) <= width:
        return text
    left = width - width_of("…", font)
    tail = "".join(reversed(_start(reversed(text), font, min(left / 2, _TAIL * font.size)))) if middle else ""
    head = "".join(_start(text, font, left - width_of(tail, font)))
    return f"{head.rstrip()}…{tail.lstrip()}"


class Fitted(NamedTuple):
    """A line of text, fitted into its room."""

    text: str
    width: float
    squeeze: float
    """The share of their width in which the letters are written."""


def fit_to(text: str, font: Font, room: float | None) -> Fitted:
    """Fit `text` into `room` pixels: squeezed if that is enough, else squeezed and cut in the middle."""
    width = width_of(text, font)
    if room is None or width <= room:
        return Fitted(text, width, 1)
    if width * _MIN_SQUEEZE > room:
        text = cut_to(text, font, room / _MIN_SQUEEZE, middle=True)
        width = width_of(text, font)
    squeeze = min(1, room / width) if width else 1
    return Fitted(text, width * squeeze, squeeze)


def _start(text: Iterable[str], font: Font, width: float) -> list[str]:
    kept: list[str] = []
    for char in text:
        width -= width_of(char, font)
        if width < 0:
            break
        kept.append(char)
    return kept


def width_of(text: str, font: Font) -> float:
    """Return the width of a line in pixels."""
    return sum(glyph.advance for glyph in glyphs_of(text, font))


def line_of(text: str, font: Font, squeeze: float = 1) -> Line | None:
    """Return a line as one mask, squeezed to a share of its width; None if there is nothing to see."""
    from PIL import Image

    at = 0.0
    placed: list[tuple[Image.Image, int, int, int, int]] = []
    for glyph in glyphs_of(text, font):
        if glyph.mask is not None:
            left = round(at) + glyph.left
            placed.append((glyph.mask, left, glyph.top, left + glyph.size[0], glyph.top + glyph.size[1]))
        at += glyph.advance
    if not placed:
        return None
    _masks, lefts, tops, rights, bottoms = zip(*placed, strict=True)
    left, top, right, bottom = min(lefts), min(tops), max(rights), max(bottoms)
    line = Image.new("L", (right - left, bottom - top))
    # Not `Image.paste`, which checks both images for each letter: that takes longer than everything else.
    paste = line.im.paste
    for mask, *box in placed:
        paste(255, (box[0] - left, box[1] - top, box[2] - left, box[3] - top), mask.im)
    if squeeze < 1:
        narrow = max(1, int((right - left) * squeeze))
        line = line.resize((narrow, bottom - top), Image.Resampling.BILINEAR)  # pyright: ignore[reportUnknownMemberType] - Pillow's types name NumPy's
        left = round(left * squeeze)
    return Line(line, left, top)


def glyphs_of(text: str, font: Font) -> list[Glyph]:
    """Return the glyphs of a line, each from a font that has it."""
    case = _case(font)
    return [glyph for char in text for glyph in case[char]]


class _Case(dict[str, tuple[Glyph, ...]]):
    """The glyphs of one font, like a printer's type case; each is drawn on first use."""

    def __init__(self, font: Font) -> None:
        super().__init__()
        self._font = font
        self._room = _KEPT_BYTES // font.size**2

    def __missing__(self, char: str) -> tuple[Glyph, ...]:
        if len(self) >= self._room:
            self.clear()
        pieces = runs_of(char, self._font.file)
        glyphs = tuple(_draw(file, self._font.size, each) for file, piece in pieces for each in piece)
        self[char] = glyphs
        return glyphs


@cache
def _case(font: Font) -> _Case:
    return _Case(font)


def _draw(file: Path, size: int, char: str) -> Glyph:
    font = _open(file, size)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(char, anchor="ls"))
    if right <= left or bottom <= top:
        return Glyph(None, 0, 0, font.getlength(char))
    from PIL import Image, ImageDraw

    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).text((-left, -top), char, fill=255, font=font, anchor="ls")
    return Glyph(mask, left, top, font.getlength(char), mask.size)


@lru_cache(_OPEN_FONTS)
def _open(file: Path, size: int) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont

    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)
