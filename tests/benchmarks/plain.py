"""A canvas of plain Pillow, to measure pictures against and to look at what they should look like."""

from collections.abc import Callable
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.domain.members import Theme
from bot.ui.cards.canvas import SHADES, Box, Canvas, Colour, Place, Stamp, bands
from bot.ui.kit.fonts import runs_of
from bot.ui.kit.letters import Font
from bot.ui.kit.palette import PALETTES, hex_of


class PlainCanvas:
    """What anybody would write: full colour, ImageDraw, nothing kept but fonts, PNG as Pillow saves it by default."""

    _fonts: Final[dict[Font, ImageFont.FreeTypeFont]] = {}

    def __init__(self, theme: Theme, width: int, height: int) -> None:
        self.palette = PALETTES[theme]
        self.image = Image.new("RGB", (width, height), hex_of(self.palette.background))
        self._draw = ImageDraw.Draw(self.image)

    def fill(self, box: Box, colour: int) -> None:
        left, top, right, bottom = box
        if right > left and bottom > top:
            self._draw.rectangle((left, top, right - 1, bottom - 1), fill=hex_of(colour))

    def text(self, place: Place, text: str, font: Font, colour: Colour, ground: int) -> None:
        if not isinstance(colour, int):
            self._banded(place, text, font, colour, ground)
            return
        across = float(place[0])
        for file, part in runs_of(text, font.file):
            opened = self._opened(Font(file, font.size))
            self._draw.text(
                (across, font.baseline(place[1])), part, fill=hex_of(colour), font=opened, anchor="ls"
            )
            across += opened.getlength(part)

    def _opened(self, font: Font) -> ImageFont.FreeTypeFont:
        if font not in self._fonts:
            self._fonts[font] = ImageFont.truetype(str(font.file), font.size)
        return self._fonts[font]

    def _banded(self, place: Place, text: str, font: Font, colours: tuple[int, ...], ground: int) -> None:
        opened = self._opened(font)
        left, top, right, bottom = (round(edge) for edge in opened.getbbox(text, anchor="ls"))
        mask = Image.new("L", (right - left, bottom - top))
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=opened, anchor="ls")
        self.shape((place[0] + left, font.baseline(place[1]) + top), mask, colours, ground)

    def shape(self, corner: Place, mask: Image.Image, colour: Colour, ground: int) -> None:  # noqa: ARG002 - full colour needs no ground
        if isinstance(colour, int):
            self.image.paste(hex_of(colour), corner, mask)
            return
        coloured = bands(*mask.size, len(colour)).copy()
        flat = [0] * 768
        for number, each in enumerate(colour):
            flat[3 * SHADES * number : 3 * SHADES * number + 3] = each.to_bytes(3, "big")
        coloured.putpalette(flat)
        self.image.paste(coloured.convert("RGB"), corner, mask)

    def stamp(self, corner: Place, stamp: Stamp) -> None:
        stamp.paint(self, corner)


def drawn_plainly(theme: Theme, size: tuple[int, int], paint: Callable[[Canvas], None]) -> bytes:
    canvas = PlainCanvas(theme, *size)
    paint(canvas)
    written = BytesIO()
    canvas.image.save(written, format="PNG")
    return written.getvalue()
