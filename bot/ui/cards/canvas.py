"""The canvas of pictures: one byte for each pixel, the number of one of the theme's tones.

Letters and shapes are masks. A mask is turned into pixels with one table of 256 bytes for each pair of ground and
colour, or of ground and bands; nothing is blended pixel by pixel, and nothing has to be reduced to a palette
afterwards. Parts that many pictures share are stamps, whose finished pixels are cached; names never are.
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
"""The level of zlib: level 6 makes a picture a twelfth smaller but takes 1.5 times as long; level 3 makes the card of
`/best` too large, so that it would be compressed twice."""
SHADES: Final = 7
"""The steps from ground to colour, both included: more are not visible at the edge of a letter."""
SLANT: Final = 0.22
"""The slant of plates and bands, as a share of their height."""
_MAX_STAMP_BYTES: Final = 6_000_000
"""The limit of all cached stamps: about a thousand faces of songs."""

_REACH: Final = 32
"""The largest difference in green between a shade and its tone; tests/ui/test_tones.py ensures that one is near."""

Box = tuple[int, int, int, int]
"""A box as left, top, right and bottom, in pixels."""
Place = tuple[int, int]
"""A place in pixels from the left and from above."""
Colour: TypeAlias = int | tuple[int, ...]
"""A colour as 0xRRGGBB, or several of them in slanted bands of equal width, from the left."""


class Canvas(Protocol):
    """The operations that a layout needs."""

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
        """Write one line with its left end and vertical middle at `place`, on the colour `ground`.

        `squeeze` is the share of their width in which letters are written.
        """
        ...

    def shape(self, corner: Place, mask: "Image.Image", colour: Colour, ground: int) -> None:
        """Paint a mask in a colour."""
        ...

    def stamp(self, corner: Place, stamp: "Stamp") -> None:
        """Paint a stamp."""
        ...


class Stamp(Hashable, Protocol):
    """A part of pictures; equal stamps have the same pixels."""

    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""
        ...

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint every pixel of the stamp's area."""
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
        """Write one line with its left end and vertical middle at `place`, on the colour `ground`."""
        line = line_of(text, font, squeeze)
        if line is not None:
            corner = (place[0] + line.left, font.baseline(place[1]) + line.top)
            self.shape(corner, line.mask, colour, ground)

    def shape(self, corner: Place, mask: "Image.Image", colour: Colour, ground: int) -> None:
        """Paint a mask in a colour."""
        values = mask.tobytes()
        seen = self._over(mask.size, values.translate(_SEEN))
        if isinstance(colour, int):
            pixels = self._over(mask.size, values.translate(_table(self._theme, ground, colour)))
        else:
            pixels = self._banded(mask.size, values, colour, ground)
        self._image.paste(pixels, corner, seen)

    def stamp(self, corner: Place, stamp: Stamp) -> None:
        """Paint a stamp, from the cache if possible."""
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
        """Return an image that uses bytes without copying them."""
        return self._from_buffer("L", size, values, "raw", "L", 0, 1)

    def _banded(
        self, size: tuple[int, int], values: bytes, colours: tuple[int, ...], ground: int
    ) -> "Image.Image":
        """Return a mask's pixels in bands: each is one number for band and step."""
        from PIL import ImageChops

        steps = self._over(size, values.translate(_STEPS))
        both = ImageChops.add(steps, bands(*size, len(colours)))
        table = _banded_table(self._theme, ground, colours)
        return self._over(size, both.tobytes().translate(table))


@lru_cache(maxsize=32)
def bands(width: int, height: int, count: int) -> "Image.Image":
    """Return an image with the band of each pixel, as the band's number times `SHADES`."""
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
    """Return the number of the tone closest to a colour; green has the greatest weight, red the least, as for the eye."""
    tones = _tones(theme)
    if colour in tones.numbers:
        return tones.numbers[colour]
    red, green, blue = colour.to_bytes(3, "big")
    first, last = bisect_left(tones.greens, green - _REACH), bisect_right(tones.greens, green + _REACH)
    near = tones.parts[first:last] or tones.parts
    apart = [4 * (g - green) ** 2 + 3 * (b - blue) ** 2 + 2 * (r - red) ** 2 for g, b, r, _number in near]
    return near[apart.index(min(apart))][3]


class _Tones(NamedTuple):
    """The tones of a theme, prepared for searching."""

    numbers: dict[int, int]
    parts: list[tuple[int, int, int, int]]
    """The tones as green, blue, red and number, sorted by green."""
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
"""The step of each value of a mask."""
_SEEN: Final = bytes(255 if step else 0 for step in _STEPS)


class _StampCache:
    """A cache of painted stamps; the least recently used ones are dropped first."""

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
    return image.size[0] * image.size[1] + 1000  # the overhead of Python and Pillow beside the pixels


_STAMPS: Final = _StampCache(_MAX_STAMP_BYTES)
