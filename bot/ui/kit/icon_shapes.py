"""Icons, to stand in a line of text: a few letters on a plate, read at 22 pixels on a dark page and on a light one."""

from enum import Enum
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.ui.kit.fonts import BOLD
from bot.ui.kit.letters import Font, line_of

if TYPE_CHECKING:
    from PIL import Image

SIDE: Final = 128
_SUPERSAMPLING: Final = 4
_EDGE: Final = 6
"""The line around a plate, which parts it from the page, is this many pixels broad."""
_LEAN: Final = 13
"""The plate of a rank leans by this many pixels to either side."""
_TOP: Final = 11
"""Plates that are not square have this many empty pixels above and below."""
_CORNER: Final = 22
_LETTERS: Final = Font(BOLD, 100)
_LETTERS_HEIGHT: Final = 62
"""Letters are this high, and pressed together where they are many: narrow ones are read better than small ones."""
_MAX_STRETCH: Final = 1.1
"""Letters become at most this many times as broad as their font has them."""


class IconShape(Enum):
    """What an icon is about, told without its colour."""

    LEANING = "rank"
    ROUND = "lamp"
    RING = "lesser lamp"
    SQUARE = "difficulty"


_MAX_LETTERS: Final = 4
"""A plate has at most this many letters."""
_LETTERS_WIDTH: Final = {
    IconShape.LEANING: 92,
    IconShape.ROUND: 88,
    IconShape.RING: 82,
    IconShape.SQUARE: 104,
}
"""Letters have this many pixels from side to side."""


class Icon(NamedTuple):
    """A few letters on a plate."""

    name: str
    """It has letters alone: by it whoever hears a message read aloud knows the icon."""
    label: str
    """It stands in a message where the icon is missing."""
    shape: IconShape
    colour: int
    ink: int


def draw_icon(icon: Icon) -> bytes:
    """Return an icon as PNG, with nothing around its plate."""
    from PIL import Image

    image = Image.new("RGBA", (SIDE, SIDE))
    layers = [(0, icon.ink), (_EDGE, icon.colour)]
    letters = icon.ink
    if icon.shape is IconShape.RING:
        layers.append((_EDGE + 8, icon.ink))
        letters = icon.colour
    for inset, colour in layers:
        image.paste(_opaque(colour), (0, 0, SIDE, SIDE), _plate(icon.shape, inset))
    mask = _letters(icon.label if len(icon.label) <= _MAX_LETTERS else icon.name, _LETTERS_WIDTH[icon.shape])
    corner = ((SIDE - mask.size[0]) // 2, (SIDE - mask.size[1]) // 2)
    image.paste(_opaque(letters), corner, mask)
    written = BytesIO()
    image.save(written, format="PNG", optimize=True)
    return written.getvalue()


def _plate(shape: IconShape, inset: int) -> "Image.Image":
    from PIL import Image, ImageDraw

    plate = Image.new("L", (SIDE * _SUPERSAMPLING, SIDE * _SUPERSAMPLING))
    draw = ImageDraw.Draw(plate)
    near, far = inset * _SUPERSAMPLING, (SIDE - inset) * _SUPERSAMPLING - 1
    top, bottom = near + _TOP * _SUPERSAMPLING, far - _TOP * _SUPERSAMPLING
    if shape is IconShape.LEANING:
        lean = _LEAN * _SUPERSAMPLING
        draw.polygon([(near + lean, top), (far, top), (far - lean, bottom), (near, bottom)], fill=255)
    elif shape is IconShape.SQUARE:
        draw.rounded_rectangle((near, near, far, far), (_CORNER - inset) * _SUPERSAMPLING, fill=255)
    else:
        draw.rounded_rectangle((near, top, far, bottom), (bottom - top) / 2, fill=255)
    return plate.reduce(_SUPERSAMPLING)


def _letters(label: str, room: int) -> "Image.Image":
    from PIL import Image

    line = line_of(label, _LETTERS)
    if line is None:
        return Image.new("L", (1, 1))
    width, height = line.mask.size
    broad = min(room, round(_MAX_STRETCH * width * _LETTERS_HEIGHT / height))
    return line.mask.resize((broad, _LETTERS_HEIGHT), Image.Resampling.LANCZOS)  # pyright: ignore[reportUnknownMemberType] - Pillow's types name NumPy's


def _opaque(colour: int) -> tuple[int, int, int, int]:
    red, green, blue = colour.to_bytes(3, "big")
    return red, green, blue, 255
