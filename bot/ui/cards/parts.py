"""The parts that all pictures are made of: one grid, one type scale, one slant."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, pi, sin
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.domain.charts import ULTIMA, Difficulty
from bot.domain.rating import RATING_COLOURS
from bot.ui.cards.canvas import SLANT, Canvas, Place
from bot.ui.kit.fonts import BOLD, REGULAR
from bot.ui.kit.letters import Font, cut_to, width_of
from bot.ui.kit.palette import Palette, blend

if TYPE_CHECKING:
    from PIL import Image

WIDTH: Final = 1272
EDGE: Final = 24
GAP: Final = 12
INNER: Final = WIDTH - 2 * EDGE
COLUMN: Final = (INNER - 2 * GAP) // 3
HEADING: Final = 48
"""A heading takes so many pixels, from what is above to what is below."""
FOOT: Final = 46
LADDER: Final = 8

BANDS: Final = 14
"""A number in several colours has so many bands."""

SMALL: Final = Font(REGULAR, 13)
LABEL: Final = Font(REGULAR, 15)
SENTENCE: Final = Font(REGULAR, 17)
BOLD_SMALL: Final = Font(BOLD, 13)
BOLD_LABEL: Final = Font(BOLD, 15)
HEADLINE: Final = Font(BOLD, 17)
TITLE: Final = Font(BOLD, 20)
NAME: Final = Font(BOLD, 28)
FIGURE: Final = Font(BOLD, 36)
RATING: Final = Font(BOLD, 54)
GREAT: Final = Font(BOLD, 76)
GREATEST: Final = Font(BOLD, 100)
"""The type scale has few sizes, because each that a first picture opens costs as much as drawing a hundred letters."""

_LETTERS: Final = {
    14: Font(BOLD, 10),
    18: BOLD_SMALL,
    22: BOLD_SMALL,
    26: HEADLINE,
    34: Font(BOLD, 24),
    40: Font(BOLD, 24),
}
"""It has the font of a plate by the plate's height."""
_SUPERSAMPLING: Final = 4
_BLACK: Final = 0x000000


class Move(Enum):
    """What became of a record since the last snapshot."""

    NEW = "new"
    UP = "▲"
    DOWN = "▼"


class DeltaText(NamedTuple):
    """What became of something, and by how much, if that is said; of what is new the word."""

    move: Move
    text: str

    def colour(self, palette: Palette) -> int:
        """Return the colour in which it is shown."""
        return {Move.NEW: palette.new, Move.UP: palette.up, Move.DOWN: palette.down}[self.move]


class LampBadge(Enum):
    """What a play earned, in the letters that players use."""

    FULL_COMBO = "FC"
    ALL_JUSTICE = "AJ"
    ALL_CRITICAL = "AJC"
    FULL_CHAIN = "FCH"


class Rating(NamedTuple):
    """A player's rating as it is written, and its class."""

    text: str
    name: str
    """It names the class, one of `bot.domain.rating.RATING_COLOURS`."""
    label: str
    """The plate of the class says this."""


def write(  # noqa: PLR0913 - a line of text has so many sides
    canvas: Canvas,
    place: Place,
    text: str,
    font: Font,
    colour: int | tuple[int, ...],
    ground: int,
    *,
    room: float | None = None,
    anchor: float = 0,
) -> int:
    """Write one line and return its width; `anchor` of it stands left of the place, `room` cuts it."""
    if room is not None:
        text = cut_to(text, font, room)
    width = ceil(width_of(text, font))
    canvas.text((place[0] - round(anchor * width), place[1]), text, font, colour, ground)
    return width


def figures(canvas: Canvas, corner: Place, facts: Sequence[tuple[str, str]]) -> int:
    """Write values above their labels, the last one's end right in a corner of a panel; return where they begin."""
    (at, top), palette = corner, canvas.palette
    for value, label in reversed(facts):
        at -= round(max(width_of(value, FIGURE), width_of(label, LABEL)))
        write(canvas, (at, top + 36), value, FIGURE, palette.text, palette.panel)
        write(canvas, (at, top + 72), label, LABEL, palette.quiet, palette.panel)
        at -= 36
    return at


def panel(canvas: Canvas, corner: Place, size: tuple[int, int], colour: int) -> None:
    """Fill a rectangle of a size."""
    (left, top), (width, height) = corner, size
    canvas.fill((left, top, left + width, top + height), colour)


def frame(canvas: Canvas, corner: Place, size: tuple[int, int], colour: int, broad: int) -> None:
    """Paint the four sides of a rectangle."""
    (left, top), (width, height) = corner, size
    panel(canvas, corner, (width, broad), colour)
    panel(canvas, (left, top + height - broad), (width, broad), colour)
    panel(canvas, corner, (broad, height), colour)
    panel(canvas, (left + width - broad, top), (broad, height), colour)


def stripe(canvas: Canvas, corner: Place, size: tuple[int, int], difficulty: Difficulty) -> None:
    """Paint a difficulty's stripe; ULTIMA's is in blocks, and known without colour."""
    panel(canvas, corner, size, canvas.palette.difficulties.get(difficulty, canvas.palette.mark))
    if difficulty == ULTIMA:
        (left, top), (width, height) = corner, size
        block = max(6, min(size))
        for at in range(0, max(size), 2 * block):
            if width > height:
                panel(canvas, (left + at, top), (min(block, width - at), height), _BLACK)
            else:
                panel(canvas, (left, top + at), (width, min(block, height - at)), _BLACK)


@dataclass(frozen=True, slots=True)
class RankPlate:
    """A rank on a slanted plate of its colour."""

    label: str
    size: tuple[int, int]
    ground: int

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint it, every pixel of its size."""
        colour = canvas.palette.ranks.get(self.label, canvas.palette.ranks["AAA"])
        _paint_plate(canvas, corner, self.size, (self.label, _LETTERS[self.size[1]]), (colour,), self.ground)


@dataclass(frozen=True, slots=True)
class ClassPlate:
    """A class by its name, on a slanted plate of its colours."""

    label: str
    name: str
    height: int
    ground: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return ceil(width_of(self.label, _LETTERS[self.height])) + self.height, self.height

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint it, every pixel of its size."""
        colours = canvas.palette.classes[self.name]
        _paint_plate(canvas, corner, self.size, (self.label, _LETTERS[self.height]), colours, self.ground)


def _paint_plate(
    canvas: Canvas,
    corner: Place,
    size: tuple[int, int],
    label: tuple[str, Font],
    colours: tuple[int, ...],
    ground: int,
) -> None:
    (left, top), (width, height) = corner, size
    panel(canvas, corner, size, ground)
    canvas.shape(corner, _slanted(*size), colours, ground)
    text, font = label
    under = colours[len(colours) // 2]
    middle = (left + width // 2, top + height // 2)
    write(canvas, middle, text, font, canvas.palette.ink, under, anchor=0.5)


@dataclass(frozen=True, slots=True)
class LampPlate:
    """A lamp: a full combo's is outlined, all justice's is filled, the highest score's has a star too."""

    lamp: LampBadge
    height: int
    ground: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return ceil(width_of(self.lamp.value, self._font) + 0.7 * self.height) + self._star, self.height

    @property
    def _font(self) -> Font:
        return _LETTERS[self.height]

    @property
    def _star(self) -> int:
        return round(0.62 * self.height) if self.lamp is LampBadge.ALL_CRITICAL else 0

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint it, every pixel of its size."""
        (left, top), (width, height), gold = corner, self.size, canvas.palette.gold
        is_hollow = self.lamp in {LampBadge.FULL_COMBO, LampBadge.FULL_CHAIN}
        panel(canvas, corner, self.size, self.ground)
        canvas.shape(corner, _capsule(width, height, is_hollow=is_hollow), gold, self.ground)
        ink, under = (gold, self.ground) if is_hollow else (canvas.palette.ink, gold)
        middle = (left + (width + self._star) // 2, top + height // 2)
        write(canvas, middle, self.lamp.value, self._font, ink, under, anchor=0.5)
        if self._star:
            inner = (left + round(0.3 * height), top + (height - self._star) // 2)
            canvas.shape(inner, _star(self._star), ink, under)


def lamps(canvas: Canvas, place: Place, earned: tuple[LampBadge, ...], height: int, ground: int) -> int:
    """Paint lamps that end at a place, and return how wide they are with the room before them."""
    right, middle = place
    used = 0
    for lamp in reversed(earned):
        plate = LampPlate(lamp, height, ground)
        used += plate.size[0]
        canvas.stamp((right - used, middle - height // 2), plate)
        used += 5
    return used


def change_width(change: DeltaText, font: Font) -> int:
    """Return how many pixels a change takes."""
    gap = _arrow_gap(font) if change.text else 0
    return ceil(width_of(change.text, font)) + (0 if change.move is Move.NEW else _arrow(font) + gap)


def paint_change(
    canvas: Canvas, place: Place, change: DeltaText, font: Font, ground: int, *, anchor: float = 0
) -> int:
    """Write a change, with a triangle that says where it went; return its width."""
    width, colour = change_width(change, font), change.colour(canvas.palette)
    left, middle = place[0] - round(anchor * width), place[1]
    at = left
    if change.move is not Move.NEW:
        side = _arrow(font)
        canvas.shape(
            (at, middle - side // 2), _triangle(side, is_down=change.move is Move.DOWN), colour, ground
        )
        at += side + _arrow_gap(font)
    write(canvas, (at, middle), change.text, font, colour, ground)
    return width


def _arrow(font: Font) -> int:
    return round(0.68 * font.size)


def _arrow_gap(font: Font) -> int:
    return max(3, font.size // 6)


def paint_rating(
    canvas: Canvas, place: Place, rating: Rating, font: Font, ground: int, *, anchor: float = 0
) -> int:
    """Write a rating in the colours of its class; return its width."""
    colours = canvas.palette.classes[rating.name]
    return write(canvas, place, rating.text, font, along(colours, BANDS), ground, anchor=anchor)


@lru_cache(maxsize=64)
def along(colours: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return so many colours in even steps from the first to the last; of one, that alone."""
    if len(colours) == 1:
        return colours
    found: list[int] = []
    for number in range(count):
        at = number * (len(colours) - 1) / (count - 1)
        first = min(int(at), len(colours) - 2)
        found.append(blend(colours[first], colours[first + 1], at - first))
    return tuple(found)


def leading(palette: Palette, name: str) -> int:
    """Return the one colour of a class that stands for all of them: in lines and small marks."""
    colours = palette.classes[name]
    return colours[max(0, len(colours) - 2)]  # of many, one beside the palest in the middle


def ladder(canvas: Canvas, corner: Place, width: int, reached: str | None, height: int = LADDER) -> None:
    """Paint the ten classes as steps, those up to the one that was reached in their colours."""
    left, top = corner
    names = [name for name, _least in RATING_COLOURS]
    high = names.index(reached) if reached in names else -1
    gap = 4
    starts = [left + round(number * (width + gap) / len(names)) for number in range(len(names) + 1)]
    for number, (start, end) in enumerate(pairwise(starts)):
        colours = canvas.palette.classes[names[number]] if number <= high else (canvas.palette.line,)
        edges = [start + (end - gap - start) * part // len(colours) for part in range(len(colours) + 1)]
        for (begin, finish), colour in zip(pairwise(edges), colours, strict=True):
            canvas.fill((begin, top, finish, top + height), colour)


class CurveLine(NamedTuple):
    """A history: what to draw, oldest first, and where the class begins that was reached on the way."""

    values: tuple[float, ...]
    floor: float | None = None
    label: str = ""
    """This is written at the floor."""


def paint_curve(
    canvas: Canvas, corner: Place, size: tuple[int, int], curve: CurveLine, colour: int, ground: int
) -> None:
    """Draw a history that ends in a dot; two values at least."""
    (left, top), (width, height) = corner, size
    low, high = min(curve.values), max(curve.values)
    dot = 6

    def height_of(value: float) -> float:
        share = (value - low) / (high - low) if high > low else 0.5
        return dot + 1 + (height - 2 * dot - 3) * (1 - share)

    step = (width - 2 * dot - 2) / (len(curve.values) - 1)
    points = [(1 + dot / 2 + number * step, height_of(value)) for number, value in enumerate(curve.values)]
    area, line = _drawn_curve(size, points, dot)
    canvas.shape(corner, area, canvas.palette.tint, ground)
    if curve.floor is not None and low < curve.floor <= high:
        level = top + round(height_of(curve.floor))
        for across in range(round(points[0][0]), width - dot, 9):
            panel(canvas, (left + across, level), (5, 1), canvas.palette.mark)
        if curve.label:
            write(canvas, (left, level - 11), curve.label, LABEL, canvas.palette.quiet, ground)
    canvas.shape(corner, line, colour, canvas.palette.tint)


def heading(canvas: Canvas, corner: Place, width: int, text: str, note: str = "", end: str = "") -> None:
    """Write a heading, what it means, and a line to its end, where something more may stand."""
    left, top = corner
    middle, palette = top + HEADING // 2, canvas.palette
    at = (
        left
        + write(canvas, (left, middle), text, HEADLINE, palette.text, palette.background, room=width)
        + 12
    )
    right = left + width
    if end:
        right -= write(canvas, (right, middle), end, LABEL, palette.quiet, palette.background, anchor=1) + 12
    if note and right - at > 4 * LABEL.size:
        room = right - at
        at += write(canvas, (at, middle), note, LABEL, palette.quiet, palette.background, room=room) + 12
    if at < right:
        panel(canvas, (at, middle), (right - at, 1), palette.line)


def foot(canvas: Canvas, top: int, text: str, sign: str) -> None:
    """Write the last line: when and of what, and whose picture it is."""
    middle, palette = top + FOOT // 2, canvas.palette
    used = write(canvas, (WIDTH - EDGE, middle), sign, BOLD_SMALL, palette.text, palette.background, anchor=1)
    room = INNER - used - 2 * GAP
    write(canvas, (EDGE, middle), text, SMALL, palette.quiet, palette.background, room=room)


@lru_cache(maxsize=64)
def _slanted(width: int, height: int) -> "Image.Image":
    lean = SLANT * height
    return _shape(width, height, [(lean, 0), (width, 0), (width - lean, height), (0, height)])


@lru_cache(maxsize=16)
def _triangle(side: int, *, is_down: bool) -> "Image.Image":
    foot, tip = (0, side * 0.88) if is_down else (side, side * 0.12)
    return _shape(side, side, [(0, foot), (side, foot), (side / 2, tip)])


@lru_cache(maxsize=16)
def arrow(width: int, height: int) -> "Image.Image":
    """Return the mask of an arrow to the right."""
    tip, shaft = width - height, height / 8
    middle = height / 2
    corners = [(0, middle - shaft), (tip, middle - shaft), (tip, 0), (width, middle), (tip, height)]
    return _shape(width, height, [*corners, (tip, middle + shaft), (0, middle + shaft)])


@lru_cache(maxsize=16)
def _star(side: int) -> "Image.Image":
    half = side / 2
    corners = [
        (half + reach * sin(number * pi / 4), half - reach * cos(number * pi / 4))
        for number, reach in enumerate([half, 0.3 * half] * 4)
    ]
    return _shape(side, side, corners)


def _shape(width: int, height: int, corners: list[tuple[float, float]]) -> "Image.Image":
    from PIL import Image, ImageDraw  # noqa: PLC0415 - at the first picture: a bot at rest does without

    image = Image.new("L", (width * _SUPERSAMPLING, height * _SUPERSAMPLING))
    ImageDraw.Draw(image).polygon([(x * _SUPERSAMPLING, y * _SUPERSAMPLING) for x, y in corners], fill=255)
    return image.reduce(_SUPERSAMPLING)


@lru_cache(maxsize=32)
def _capsule(width: int, height: int, *, is_hollow: bool) -> "Image.Image":
    from PIL import Image, ImageDraw  # noqa: PLC0415 - as above

    right, bottom = width * _SUPERSAMPLING - 1, height * _SUPERSAMPLING - 1
    image = Image.new("L", (right + 1, bottom + 1))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, right, bottom), bottom / 2, fill=255)
    if is_hollow:
        rim = 2 * _SUPERSAMPLING
        draw.rounded_rectangle((rim, rim, right - rim, bottom - rim), bottom / 2 - rim, fill=0)
    return image.reduce(_SUPERSAMPLING)


def _drawn_curve(
    size: tuple[int, int], points: list[tuple[float, float]], dot: int
) -> "tuple[Image.Image, Image.Image]":
    """Return what lies under a line through points, and the line with a dot at its end, as masks."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - as above

    finer = [(x * _SUPERSAMPLING, y * _SUPERSAMPLING) for x, y in points]
    width, height = size[0] * _SUPERSAMPLING, size[1] * _SUPERSAMPLING
    area, line = Image.new("L", (width, height)), Image.new("L", (width, height))
    ImageDraw.Draw(area).polygon([*finer, (finer[-1][0], height), (finer[0][0], height)], fill=255)
    draw = ImageDraw.Draw(line)
    draw.line(finer, fill=255, width=3 * _SUPERSAMPLING, joint="curve")
    draw.circle(finer[-1], dot * _SUPERSAMPLING, fill=255)
    return area.reduce(_SUPERSAMPLING), line.reduce(_SUPERSAMPLING)
