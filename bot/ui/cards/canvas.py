"""What pictures are painted on: one byte a pixel, the number of a tone that the theme has declared.

Letters and shapes are masks. A mask becomes pixels by one table of 256 bytes for each pair of ground and colour, or
for each pair of ground and bands; nothing is blended pixel by pixel, and nothing has to be reduced to a palette
afterwards. What many pictures have in common is a stamp, whose finished pixels are kept: never a name.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable
from functools import cache, lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from bot.domain.members import Theme
from bot.ui.cards.tones import TONES
from bot.ui.kit.letters import Font, line_of
from bot.ui.kit.palette import PALETTES, Palette, blend

if TYPE_CHECKING:
    from PIL import Image

COMPRESSION: Final = 5
"""This one of zlib's nine levels is used: at 6 a picture is a twelfth smaller and takes half as long again; at 3 the card
of `/best` is too large, and would be compressed twice."""
SHADES: Final = 7
"""Ground and colour are this many steps apart, both included: more cannot be seen at the edge of a letter."""
SLANT: Final = 0.22
"""Plates and bands lean by this share of their height."""
_MAX_STAMP_BYTES: Final = 6_000_000
"""All stamps that are kept take no more: about a thousand faces of songs."""

_REACH: Final = 32
"""The greens of a shade and of its tone are at most this far apart: tests/ui/test_tones.py holds that one is near."""

Box = tuple[int, int, int, int]
"""A box is its left, top, right and bottom, in pixels."""
Place = tuple[int, int]
"""A place is this many pixels from the left, and this many from above."""
Colour: TypeAlias = int | tuple[int, ...]
"""A colour is 0xRRGGBB, or several of them in slanted bands of one width, from the left."""


class Canvas(Protocol):
    """What a layout needs of whatever it is painted on."""

    @property
    def palette(self) -> Palette:
        """The theme's colours."""
        ...

    def fill(self, box: Box, colour: int) -> None:
        """Fill a rectangle."""
        ...

    def text(
        self, place: Place, text: str, font: Font, colour: Colour, ground: int, squeeze: float = 1
    ) -> None:
        """Write one line, its left end and middle at `place`; `ground` is what lies under it.

        `squeeze` is the share of their width in which letters are written.
        """
        ...

    def shape(self, corner: Place, mask: "Image.Image", colour: Colour, ground: int) -> None:
        """Paint the shape of a mask."""
        ...

    def stamp(self, corner: Place, stamp: "Stamp") -> None:
        """Paint what many pictures have."""
        ...


class Stamp(Hashable, Protocol):
    """A part of pictures that is the same wherever it is equal."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        ...

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint it, every pixel of its size."""
        ...


class ToneCanvas:
    """A canvas of the theme's tones."""

    def __init__(self, theme: Theme, width: int, height: int) -> None:
        from PIL import Image

        self.palette = PALETTES[theme]
        self._theme = theme
        self._from_buffer = Image.frombuffer
        self._image = Image.new("L", (width, height), tone_of(theme, self.palette.background))

    def fill(self, box: Box, colour: int) -> None:
        """Fill a rectangle."""
        self._image.paste(tone_of(self._theme, colour), box)

    def text(
        self, place: Place, text: str, font: Font, colour: Colour, ground: int, squeeze: float = 1
    ) -> None:
        """Write one line, its left end and middle at `place`; `ground` is what lies under it."""
        line = line_of(text, font, squeeze)
        if line is not None:
            corner = (place[0] + line.left, font.baseline(place[1]) + line.top)
            self.shape(corner, line.mask, colour, ground)

    def shape(self, corner: Place, mask: "Image.Image", colour: Colour, ground: int) -> None:
        """Paint the shape of a mask."""
        values = mask.tobytes()
        seen = self._over(mask.size, values.translate(_SEEN))
        if isinstance(colour, int):
            pixels = self._over(mask.size, values.translate(_table(self._theme, ground, colour)))
        else:
            pixels = self._banded(mask.size, values, colour, ground)
        self._image.paste(pixels, corner, seen)

    def stamp(self, corner: Place, stamp: Stamp) -> None:
        """Paint what many pictures have, from what is kept of it."""
        made = _STAMPS.find((self._theme, stamp))
        if made is None:
            canvas = ToneCanvas(self._theme, *stamp.size)
            stamp.paint(canvas, (0, 0))
            made = canvas._image
            _STAMPS.put((self._theme, stamp), made)
        self._image.paste(made, corner)

    def to_png(self, compression: int = COMPRESSION) -> bytes:
        """Return the finished picture."""
        self._image.putpalette(b"".join(tone.to_bytes(3, "big") for tone in TONES[self._theme]))
        written = BytesIO()
        self._image.save(written, format="PNG", compress_level=compression)
        return written.getvalue()

    def _over(self, size: tuple[int, int], values: bytes) -> "Image.Image":
        """Return an image that lies over bytes, which are not copied."""
        return self._from_buffer("L", size, values, "raw", "L", 0, 1)

    def _banded(
        self, size: tuple[int, int], values: bytes, colours: tuple[int, ...], ground: int
    ) -> "Image.Image":
        """Return a mask's pixels in bands: each stands for its band and its step in one number."""
        from PIL import ImageChops

        steps = self._over(size, values.translate(_STEPS))
        both = ImageChops.add(steps, bands(*size, len(colours)))
        table = _banded_table(self._theme, ground, colours)
        return self._over(size, both.tobytes().translate(table))


@lru_cache(maxsize=32)
def bands(width: int, height: int, count: int) -> "Image.Image":
    """Return in which band a pixel lies, as the band's number times `SHADES`."""
    from PIL import Image, ImageDraw

    image = Image.new("L", (width, height))
    draw = ImageDraw.Draw(image)
    lean = SLANT * height
    wide = (width + lean) / count
    for number in range(1, count):
        left = number * wide
        corners = [(left, 0), (width + lean, 0), (width + lean, height), (left - lean, height)]
        draw.polygon(corners, fill=number * SHADES)
    return image


@lru_cache(maxsize=4096)
def tone_of(theme: Theme, colour: int) -> int:
    """Return the number of the tone that is nearest to a colour; the eye is keenest for green, and dullest for red."""
    tones = _tones(theme)
    if colour in tones.numbers:
        return tones.numbers[colour]
    red, green, blue = colour.to_bytes(3, "big")
    first, last = bisect_left(tones.greens, green - _REACH), bisect_right(tones.greens, green + _REACH)
    near = tones.parts[first:last] or tones.parts
    apart = [4 * (g - green) ** 2 + 3 * (b - blue) ** 2 + 2 * (r - red) ** 2 for g, b, r, _number in near]
    return near[apart.index(min(apart))][3]


class _Tones(NamedTuple):
    """The tones of a theme, as one looks for them."""

    numbers: dict[int, int]
    parts: list[tuple[int, int, int, int]]
    """Each is green, blue, red and number; they are sorted by green."""
    greens: list[int]


@cache
def _tones(theme: Theme) -> _Tones:
    numbers = {tone: number for number, tone in enumerate(TONES[theme])}
    parts = sorted((tone >> 8 & 255, tone & 255, tone >> 16, number) for tone, number in numbers.items())
    return _Tones(numbers, parts, [part[0] for part in parts])


@lru_cache(maxsize=1024)
def _ramp(theme: Theme, ground: int, colour: int) -> bytes:
    """Return the tones from ground to colour."""
    return bytes(tone_of(theme, blend(ground, colour, step / (SHADES - 1))) for step in range(SHADES))


@lru_cache(maxsize=1024)
def _table(theme: Theme, ground: int, colour: int) -> bytes:
    """Return the tone of each value of a mask."""
    return _STEPS.translate(_ramp(theme, ground, colour).ljust(256))


@lru_cache(maxsize=128)
def _banded_table(theme: Theme, ground: int, colours: tuple[int, ...]) -> bytes:
    """Return the tone of each pair of band and step."""
    return b"".join(_ramp(theme, ground, colour) for colour in colours).ljust(256)


_STEPS: Final = bytes(round(value * (SHADES - 1) / 255) for value in range(256))
"""It holds the step of each value of a mask."""
_SEEN: Final = bytes(255 if step else 0 for step in _STEPS)


class _StampCache:
    """The stamps that were painted lately; those that nobody asked for longest go first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._weight = 0
        self._stamps: dict[Hashable, Image.Image] = {}

    def find(self, key: Hashable) -> "Image.Image | None":
        found = self._stamps.pop(key, None)
        if found is not None:
            self._stamps[key] = found
        return found

    def put(self, key: Hashable, image: "Image.Image") -> None:
        self._stamps[key] = image
        self._weight += _weight(image)
        while self._weight > self._max_bytes:
            self._weight -= _weight(self._stamps.pop(next(iter(self._stamps))))


def _weight(image: "Image.Image") -> int:
    return image.size[0] * image.size[1] + 1000  # what Python and Pillow keep beside the pixels


_STAMPS: Final = _StampCache(_MAX_STAMP_BYTES)
