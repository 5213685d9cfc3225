"""What cards are painted on: 8-bit pixels that are already those of the PNG.

A text's edges need shades between its own colour and that of its ground. For each such pair the palette holds a
ramp of neighbours, so that blending the *numbers* of two colours gives the number of the shade between: nothing
has to be reduced to 256 colours afterwards, and the file is a third of one in full colour. Letters are drawn once
and kept; what is kept is letters, never names.
"""

from collections.abc import Iterable
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from bot.ui.fonts import runs_of
from bot.ui.markdown import TAIL
from bot.ui.palette import blend

if TYPE_CHECKING:
    from PIL import Image, ImageFont

_SHADES: Final = 12
"""Steps from ground to text, both included: more cannot be seen at the size of letters."""
_COLOURS: Final = 256
_COMPRESSION: Final = 4
_RISE: Final = 0.37
"""Share of a font's size from the baseline to the middle of its capitals, and of its kanji."""
_HALF_LINE: Final = 0.62
"""Share of a font's size from a line's middle to the highest and lowest of its letters."""
_KEPT: Final = 4096
"""Letters kept of each face: about 1 MB."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


class Face(NamedTuple):
    """A font in a size."""

    file: Path
    size: int

    def baseline(self, middle: float) -> int:
        """Return where letters stand whose line has its middle there, in pixels from above."""
        return round(middle) + round(_RISE * self.size)


class Canvas(Protocol):
    """What a card's layout needs of whatever it is painted on."""

    def fill(self, box: Box, colour: int) -> None:
        """Fill a rectangle."""
        ...

    def text(self, place: tuple[int, int], text: str, face: Face, colour: int, ground: int) -> None:
        """Write one line on a plain ground, its left end and middle at `place`."""
        ...


class _Glyph(NamedTuple):
    mask: "Image.Image | None"
    """None where there is nothing to see."""
    left: int
    top: int
    advance: float


class PaletteCanvas:
    """A canvas of palette pixels."""

    def __init__(self, width: int, height: int, ground: int) -> None:
        from PIL import Image  # noqa: PLC0415 - at the first picture: a bot at rest does without

        self._colours: list[int] = [ground]
        self._plain: dict[int, int] = {ground: 0}
        self._ramps: dict[tuple[int, int], int] = {}
        self._image = Image.new("P", (width, height), 0)

    def fill(self, box: Box, colour: int) -> None:
        """Fill a rectangle."""
        if colour not in self._plain:
            self._plain[colour] = self._add([colour])
        self._image.paste(self._plain[colour], box)

    def text(self, place: tuple[int, int], text: str, face: Face, colour: int, ground: int) -> None:
        """Write one line on a plain ground, its left end and middle at `place`."""
        first = self._ramp(ground, colour)
        across, middle = place
        baseline, half = face.baseline(middle), round(_HALF_LINE * face.size)
        glyphs = glyphs_of(text, face)
        end = across + round(sum(glyph.advance for glyph in glyphs))
        # The ground takes the ramp's own first number, which looks the same and blends.
        self._image.paste(first, (across, middle - half, end, middle + half))
        at = float(across)
        for glyph in glyphs:
            if glyph.mask is not None:
                corner = (round(at) + glyph.left, baseline + glyph.top)
                self._image.paste(first + _SHADES - 1, corner, glyph.mask)
            at += glyph.advance

    def to_png(self) -> bytes:
        """Return the finished card."""
        flat = [part for colour in self._colours for part in (colour >> 16, colour >> 8 & 255, colour & 255)]
        self._image.putpalette(flat)
        written = BytesIO()
        self._image.save(written, format="PNG", compress_level=_COMPRESSION)
        return written.getvalue()

    def _ramp(self, ground: int, colour: int) -> int:
        key = (ground, colour)
        if key not in self._ramps:
            self._ramps[key] = self._add(
                [blend(ground, colour, step / (_SHADES - 1)) for step in range(_SHADES)]
            )
        return self._ramps[key]

    def _add(self, colours: list[int]) -> int:
        first = len(self._colours)
        if first + len(colours) > _COLOURS:
            message = "the card has more colours than a palette holds"
            raise ValueError(message)
        self._colours += colours
        return first


def cut_to(text: str, face: Face, width: float, *, middle: bool = False) -> str:
    """Return `text` cut to `width` pixels; `middle`: its end stays, which is what tells remixes of one title apart."""
    if width_of(text, face) <= width:
        return text
    left = width - width_of("…", face)
    tail = "".join(reversed(_start(reversed(text), face, left * TAIL))).lstrip() if middle else ""
    head = "".join(_start(text, face, left - width_of(tail, face)))
    return f"{head.rstrip()}…{tail}"


def _start(text: Iterable[str], face: Face, width: float) -> list[str]:
    kept: list[str] = []
    for char in text:
        width -= width_of(char, face)
        if width < 0:
            break
        kept.append(char)
    return kept


def width_of(text: str, face: Face) -> float:
    """Return how many pixels a line takes."""
    return sum(glyph.advance for glyph in glyphs_of(text, face))


def glyphs_of(text: str, face: Face) -> list[_Glyph]:
    """Return the letters of a line, each from the font that has it."""
    case = _case(face)
    return [glyph for char in text for glyph in case[char]]


class _Case(dict[str, tuple[_Glyph, ...]]):
    """The letters of one face, drawn when first asked for: as a printer's case holds them."""

    def __init__(self, face: Face) -> None:
        super().__init__()
        self._face = face

    def __missing__(self, char: str) -> tuple[_Glyph, ...]:
        if len(self) >= _KEPT:
            self.clear()
        pieces = runs_of(char, self._face.file)
        glyphs = tuple(_draw(file, self._face.size, each) for file, piece in pieces for each in piece)
        self[char] = glyphs
        return glyphs


@cache
def _case(face: Face) -> _Case:
    return _Case(face)


def _draw(file: Path, size: int, char: str) -> _Glyph:
    font = _font(file, size)
    left, top, right, bottom = (round(edge) for edge in font.getbbox(char, anchor="ls"))
    if right <= left or bottom <= top:
        return _Glyph(None, 0, 0, font.getlength(char))
    from PIL import Image, ImageDraw  # noqa: PLC0415 - as in PaletteCanvas

    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).text((-left, -top), char, fill=255, font=font, anchor="ls")
    return _Glyph(mask, left, top, font.getlength(char))


@cache
def _font(file: Path, size: int) -> "ImageFont.FreeTypeFont":
    from PIL import ImageFont  # noqa: PLC0415 - as in PaletteCanvas

    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)
