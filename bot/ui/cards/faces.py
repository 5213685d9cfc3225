"""The face of a song, as the service has no covers: a pattern by its genre, in colours by its id.

Ground and pattern are two tones of one hue, deep and mid; the title's initials on them are bright and in a hue that
is not close to it. A hash of the song's id determines the hues, which of the two tones is the ground, and the
rotation, scale and shift of the pattern, so a face never changes and need not be stored.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2s, shake_256
from itertools import count
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.ui.cards.canvas import Canvas, Place
from bot.ui.kit.letters import Font, line_of
from bot.ui.kit.palette import Palette

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

DEEP: Final = (
    0x571616, 0x512100, 0x3E2F00, 0x1B3A00, 0x003E28, 0x003C47, 0x00345B, 0x26295F, 0x411E52, 0x511738,
)  # fmt: skip
"""Ten hues, 36° apart in OKLCH, with a lightness of 0.31; the other two tables have the same hues."""
MID: Final = (
    0x943835, 0x8B4600, 0x6F5900, 0x3D690F, 0x00704F, 0x006D7C, 0x00619A, 0x4B519F, 0x73428C, 0x8C3866,
)  # fmt: skip
"""The same hues with a lightness of 0.47."""
BRIGHT: Final = (
    0xFFB0A7, 0xFFBE78, 0xE8D16B, 0xB0E38D, 0x71EBC3, 0x54E8F8, 0x81DBFF, 0xBCC9FF, 0xEEB9FF, 0xFFAFDE,
)  # fmt: skip
"""The same hues with a lightness of 0.86."""
PALER_VALUE: Final = 110
"""The value of a pattern's second tone in its mask, where the first has 255: 3 of 7 steps."""

_SALT: Final = b"kiroku1"
"""The salt of the hash, chosen so that the faces of one artist's songs are easy to tell apart."""
_NEIGHBOUR_HUES: Final = 2
"""The number of hues to each side that are too close for letters."""
_VARIANT_COUNT: Final = 24
_LETTERS_SHARE: Final = 0.84
"""The largest share of a face's width that letters take."""
_WIDE_RATIO: Final = 1.4
"""The ratio of width to height beyond which a face has its letters at the right."""
_SMALL: Final = 56
"""The width below which a pattern is coarse with hard edges: a card has 35 such faces, and its file has to be small."""
_SUPERSAMPLING: Final = 2
"""The factor by which patterns are drawn larger than shown, for smooth edges."""


class Face(NamedTuple):
    """The look of a song's face."""

    family: str
    """The name of the pattern; empty for none."""
    variant: int
    ground: int
    figure: int
    """The colour of the pattern."""
    letter: int
    initials: str

    def greyed(self, palette: Palette) -> "Face":
        """Return the face without colour, for a chart that was not played."""
        return self._replace(ground=palette.background, figure=palette.panel, letter=palette.mark)


@dataclass(frozen=True, slots=True)
class FaceStamp:
    """A face of a certain size."""

    face: Face
    size: tuple[int, int]
    font: Font
    shines: bool = False
    """Whether it has two slanted bands in which ground and pattern are swapped."""
    lowered: int = 0
    """The pixels by which the letters are below the middle."""

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint every pixel of the face's area."""
        (left, top), (width, height), face = corner, self.size, self.face
        canvas.fill((left, top, left + width, top + height), face.ground)
        if face.family:
            pattern = pattern_of(face.family, face.variant, width, height)
            canvas.shape(corner, _shining(pattern) if self.shines else pattern, face.figure, face.ground)
        letters = _letters_of(face.initials, self.font, round(width * _LETTERS_SHARE))
        if letters is not None:
            across, down = letters.size
            # At the right in a wide face: the tag of the place is at the left.
            before = (
                width - across - round(0.14 * height)
                if width > _WIDE_RATIO * height
                else (width - across) // 2
            )
            middle = (left + before, top + (height - down) // 2 + self.lowered)
            canvas.shape(middle, letters, face.letter, face.ground)


@lru_cache(maxsize=4096)  # thirty calls for every card, even if its picture is cached
def face_of(song: str, title: str, genre: str | None) -> Face:
    """Return the face of a song."""
    code = blake2s(song.encode(), digest_size=5, salt=_SALT).digest()
    hue = code[0] % len(DEEP)
    apart = _NEIGHBOUR_HUES + 1 + code[1] % (len(DEEP) - 2 * _NEIGHBOUR_HUES - 1)
    ground, figure = (DEEP[hue], MID[hue]) if code[2] % 3 else (MID[hue], DEEP[hue])
    return Face(
        family=_OF_GENRE.get(genre or "", FAMILIES[code[4] % len(FAMILIES)]),
        variant=code[3] % _VARIANT_COUNT,
        ground=ground,
        figure=figure,
        letter=BRIGHT[(hue + apart) % len(BRIGHT)],
        initials=initials_of(title),
    )


def initials_of(title: str) -> str:
    """Return the first kana or kanji, the initials of two Latin words, or the first two letters of one."""
    words = "".join(char if char.isalnum() else " " for char in title).split()
    if not words:
        return "♪"
    first = words[0]
    if not first[0].isascii():
        return first[0]
    if len(words) > 1 and words[1][0].isascii():
        return (first[0] + words[1][0]).upper()
    return first[:2].capitalize() if first[:2].isascii() else first[0].upper()


@lru_cache(maxsize=192)
def pattern_of(family: str, variant: int, width: int, height: int) -> "Image.Image":
    """Return a pattern as a mask, rotated, scaled and shifted by its variant."""
    from PIL import Image, ImageDraw

    is_small = width < _SMALL
    finer = 1 if is_small else _SUPERSAMPLING
    wide, high = width * finer, height * finer
    image = Image.new("L", (wide, high))
    turn, size, shift = variant % 4, variant // 4 % 3, variant // 12
    unit = min(wide, high) / ((2.0, 2.4, 2.8) if is_small else (3.2, 4.4, 6.0))[size]
    _PATTERNS[family](FacePen(ImageDraw.Draw(image), wide, high, unit, turn, shift, _dice(family, variant)))
    return image.reduce(finer)


class FacePen(NamedTuple):
    """The tools and values for drawing a pattern."""

    draw: "ImageDraw.ImageDraw"
    width: int
    height: int
    unit: float
    """The unit of length, in pixels."""
    turn: int
    """The rotation, one of four."""
    shift: int
    """The shift, one of two."""
    dice: Iterator[float]
    """Pseudo-random numbers from 0 to 1, the same each time the pattern is drawn."""

    def polygon(self, corners: list[tuple[float, float]], tone: int) -> None:
        """Fill a polygon."""
        self.draw.polygon(corners, fill=tone)

    def disc(self, middle: tuple[float, float], radius: float, tone: int) -> None:
        """Fill a circle."""
        across, down = middle
        self.draw.ellipse((across - radius, down - radius, across + radius, down + radius), fill=tone)

    def bar(self, corner: tuple[float, float], width: float, height: float, tone: int) -> None:
        """Fill a rectangle."""
        across, down = corner
        self.draw.rectangle((across, down, across + width, down + height), fill=tone)

    def lattice(self, across: float, down: float) -> Iterator[tuple[int, int]]:
        """Yield column and row of all cells of a grid with that step width and height, beyond the edges too."""
        for row in range(-1, int(self.height / down) + 2):
            for column in range(-1, int(self.width / across) + 2):
                yield column, row


def _lanes(pen: FacePen) -> None:
    """Draw slanted lanes, alternately broad and narrow."""
    lean = (-1.0, -0.5, 0.5, 1.0)[pen.turn] * pen.height
    step = 2 * pen.unit
    lanes = int((pen.width + pen.height) / step) + 2
    for number in range(-lanes, lanes):
        left = (number + pen.shift / 4) * step
        broad, tone = (0.8 * pen.unit, PALER_VALUE) if number % 2 else (0.45 * pen.unit, 255)
        pen.polygon(
            [(left, 0), (left + broad, 0), (left + broad + lean, pen.height), (left + lean, pen.height)], tone
        )


def _dots(pen: FacePen) -> None:
    """Draw a halftone: dots that grow from one side to the other."""
    for column, row in pen.lattice(pen.unit, pen.unit):
        across, down = (column + row % 2 / 2) * pen.unit, (row + pen.shift / 2) * pen.unit
        from_left, from_top = across / pen.width, down / pen.height
        share = (from_left, from_top, 1 - from_left, 1 - from_top)[pen.turn]
        pen.disc((across, down), pen.unit * (0.12 + 0.36 * max(0.0, share)), 255)


def _bars(pen: FacePen) -> None:
    """Draw horizontal bars, like comments that scroll across a video."""
    down = 0.0
    while down < pen.height:
        thick = pen.unit * (0.2, 0.35, 0.6)[int(2.99 * next(pen.dice))]
        left, wide = (1.0 * next(pen.dice) - 0.35) * pen.width, (0.3 + 0.6 * next(pen.dice)) * pen.width
        pen.bar((left, down), wide, thick, 255 if next(pen.dice) < 0.5 else PALER_VALUE)  # noqa: PLR2004 - a coin
        down += thick + 0.22 * pen.unit


def _waves(pen: FacePen) -> None:
    """Draw waves as on cloth: scales of three rings, each row over the one above."""
    radius, rise = 0.9 * pen.unit, 0.9 * pen.unit * (0.55 + 0.15 * pen.turn)
    for column, row in pen.lattice(2 * radius, rise):
        middle = ((column + row % 2 / 2) * 2 * radius, row * rise + pen.shift * rise / 2)
        for share, tone in ((1, 255), (0.72, 0), (0.45, PALER_VALUE)):
            pen.disc(middle, radius * share, tone)


def _shards(pen: FacePen) -> None:
    """Draw scattered triangles."""
    for _ in range(round(2.2 * math.sqrt(pen.width * pen.height) / pen.unit) + 5):
        across, down = next(pen.dice) * pen.width, next(pen.dice) * pen.height
        start, radius = next(pen.dice) * math.tau, pen.unit * (0.4 + 0.6 * next(pen.dice))
        tone = 255 if next(pen.dice) < 0.5 else PALER_VALUE  # noqa: PLR2004 - as above
        angles = (start, start + 2.1, start + 4.0)
        pen.polygon([(across + radius * math.cos(at), down + radius * math.sin(at)) for at in angles], tone)


def _checks(pen: FacePen) -> None:
    """Draw squares or diamonds, touching or apart."""
    side = pen.unit * (1.0 if pen.turn < 2 else 0.65)  # noqa: PLR2004 - two of four variants touch
    for column, row in pen.lattice(pen.unit, pen.unit):
        if (column + row + pen.shift) % 2:
            continue
        across, down, half = column * pen.unit, row * pen.unit, side / 2
        if pen.turn % 2:
            corners = [
                (across, down - half),
                (across + half, down),
                (across, down + half),
                (across - half, down),
            ]
            pen.polygon(corners, 255)
        else:
            pen.bar((across, down), side - 1, side - 1, 255)


def _rings(pen: FacePen) -> None:
    """Draw rings around a corner."""
    corner = (pen.width * (pen.turn % 2), pen.height * (pen.turn // 2))
    for number in range(int(2.4 * max(pen.width, pen.height) / pen.unit) + 3, 0, -1):
        pen.disc(corner, (number - pen.shift / 2) * 0.6 * pen.unit, (255, 0, PALER_VALUE, 0)[number % 4])


def _glitch(pen: FacePen) -> None:
    """Draw pieces of lines that are shifted."""
    line = pen.height / 9
    for number in range(22):
        left, wide = (1.2 * next(pen.dice) - 0.2) * pen.width, (0.05 + 0.35 * next(pen.dice)) * pen.width
        tone = (255, PALER_VALUE, 0)[int(2.99 * next(pen.dice))]
        pen.bar((left, number % 9 * line), wide, line - 2, tone)


_PATTERNS: Final[Mapping[str, Callable[[FacePen], None]]] = {
    "lanes": _lanes,
    "dots": _dots,
    "bars": _bars,
    "waves": _waves,
    "shards": _shards,
    "checks": _checks,
    "rings": _rings,
    "glitch": _glitch,
}
FAMILIES: Final = tuple(_PATTERNS)
_OF_GENRE: Final[Mapping[str, str]] = {
    "ORIGINAL": "lanes",
    "POPS&ANIME": "dots",
    "POPS & ANIME": "dots",
    "niconico": "bars",
    "東方Project": "waves",
    "VARIETY": "shards",
    "イロドリミドリ": "checks",
    "ゲキマイ": "rings",
    "WORLD'S END": "glitch",
}
"""The patterns of the game's genres, as the service spells them; any other gets one by the song's hash."""


def _dice(family: str, variant: int) -> Iterator[float]:
    for throw in count():
        for byte in shake_256(f"{family} {variant} {throw}".encode()).digest(128):
            yield byte / 255


def _shining(pattern: "Image.Image") -> "Image.Image":
    """Return a pattern with two slanted bands in which it and its ground are swapped."""
    from PIL import Image, ImageChops, ImageDraw

    width, height = pattern.size
    finer = Image.new("L", (width * _SUPERSAMPLING, height * _SUPERSAMPLING))
    draw = ImageDraw.Draw(finer)
    for start, broad in ((-0.05, 0.26), (0.32, 0.08)):
        left, right = start * height * _SUPERSAMPLING, (start + broad) * height * _SUPERSAMPLING
        lean = height * _SUPERSAMPLING / 2
        foot = height * _SUPERSAMPLING
        draw.polygon([(left + lean, 0), (right + lean, 0), (right, foot), (left, foot)], fill=255)
    return ImageChops.difference(pattern, finer.reduce(_SUPERSAMPLING))


def _letters_of(text: str, font: Font, room: int) -> "Image.Image | None":
    """Return letters as a mask, scaled down if they are wider than their room."""
    line = line_of(text, font)
    if line is None:
        return None
    line.mask.thumbnail((room, room))
    return line.mask
