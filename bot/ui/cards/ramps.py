"""What the card of `/best` is painted on: 8-bit pixels that are already those of the PNG.

A text's edges need shades between its own colour and that of its ground. For each such pair the palette holds a
ramp of neighbours, so that blending the *numbers* of two colours gives the number of the shade between: nothing
has to be reduced to 256 colours afterwards, and the file is a third of one in full colour.
"""

from io import BytesIO
from typing import Final

from bot.ui.cards.canvas import COMPRESSION, Box
from bot.ui.cards.letters import Font, glyphs_of
from bot.ui.palette import blend

_SHADES: Final = 12
"""Steps from ground to text, both included: more cannot be seen at the size of letters."""
_COLOURS: Final = 256
_HALF_LINE: Final = 0.62
"""Share of a font's size from a line's middle to the highest and lowest of its letters."""


class RampCanvas:
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

    def text(self, place: tuple[int, int], text: str, font: Font, colour: int, ground: int) -> None:
        """Write one line on a plain ground, its left end and middle at `place`."""
        first = self._ramp(ground, colour)
        across, middle = place
        baseline, half = font.baseline(middle), round(_HALF_LINE * font.size)
        glyphs = glyphs_of(text, font)
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
        self._image.save(written, format="PNG", compress_level=COMPRESSION)
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
