"""A canvas of plain Pillow, to measure pictures against and to look at what they should look like."""

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.domain.members import Theme
from bot.ui.cards.canvas import SHADES, Box, Colour, Place, Stamp, bands
from bot.ui.cards.layout import Drawing
from bot.ui.kit.fonts import runs_of
from bot.ui.kit.letters import Font
from bot.ui.kit.palette import PALETTES


class PlainCanvas:
    """What anybody would write: full colour, ImageDraw, nothing kept but fonts, PNG as Pillow saves it by default."""

    _fonts: Final[dict[Font, ImageFont.FreeTypeFont]] = {}

    def __init__(self, theme: Theme, width: int, height: int) -> None:
        self.palette = PALETTES[theme]
        self.image = Image.new("RGB", (width, height), f"#{self.palette.background:06x}")
        self._draw = ImageDraw.Draw(self.image)

    def fill(self, box: Box, colour: int) -> None:
        left, top, right, bottom = box
        if right > left and bottom > top:
            self._draw.rectangle((left, top, right - 1, bottom - 1), fill=colour_of(colour))

    def text(
        self,
        place: Place,
        text: str,
        font: Font,
        colour: Colour,
        ground: int,  # noqa: ARG002 - full colour needs no ground
        squeeze: float = 1,
    ) -> None:
        at = float(place[0])
        for file, part in runs_of(text, font.file):
            opened = self._opened(Font(file, font.size))
            baseline = font.baseline(place[1])
            if squeeze < 1 or not isinstance(colour, int):
                at += self._masked((at, baseline), part, opened, colour, squeeze)
            else:
                self._draw.text((at, baseline), part, fill=colour_of(colour), font=opened, anchor="ls")
                at += opened.getlength(part)

    def _opened(self, font: Font) -> ImageFont.FreeTypeFont:
        if font not in self._fonts:
            self._fonts[font] = ImageFont.truetype(
                str(font.file), font.size, layout_engine=ImageFont.Layout.BASIC
            )
        return self._fonts[font]

    def _masked(
        self,
        place: tuple[float, float],
        text: str,
        font: ImageFont.FreeTypeFont,
        colour: Colour,
        squeeze: float,
    ) -> float:
        """Write letters squeezed, or in bands; return their width."""
        left, top, right, bottom = (round(edge) for edge in font.getbbox(text, anchor="ls"))
        if right > left and bottom > top:
            mask = Image.new("L", (right - left, bottom - top))
            ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, anchor="ls")
            narrow = max(1, int((right - left) * squeeze))
            mask = mask.resize((narrow, bottom - top), Image.Resampling.BILINEAR)  # pyright: ignore[reportUnknownMemberType] - Pillow's types name NumPy's
            self.shape((round(place[0] + left * squeeze), round(place[1]) + top), mask, colour, 0)
        return font.getlength(text) * squeeze

    def shape(self, corner: Place, mask: Image.Image, colour: Colour, ground: int) -> None:  # noqa: ARG002 - as above
        if isinstance(colour, int):
            self.image.paste(
                colour_of(colour), (*corner, corner[0] + mask.width, corner[1] + mask.height), mask
            )
            return
        coloured = bands(*mask.size, len(colour)).copy()
        flat = [0] * 768
        for number, each in enumerate(colour):
            flat[3 * SHADES * number : 3 * SHADES * number + 3] = each.to_bytes(3, "big")
        coloured.putpalette(flat)
        self.image.paste(coloured.convert("RGB"), corner, mask)

    def stamp(self, corner: Place, stamp: Stamp) -> None:
        stamp.paint(self, corner)


def colour_of(colour: int) -> tuple[int, int, int]:
    red, green, blue = colour.to_bytes(3, "big")
    return red, green, blue


def drawn_plainly(drawing: Drawing, theme: Theme) -> bytes:
    canvas = PlainCanvas(theme, *drawing.size)
    drawing.paint(canvas)
    written = BytesIO()
    canvas.image.save(written, format="PNG")
    return written.getvalue()
