"""Plates of ranks, classes and lamps, and the ratings and changes beside them."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple

from bot.domain.numbers import Hundredths
from bot.domain.rating import RATING_STEPS
from bot.ui.cards import shapes
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.parts import bold, panel, write
from bot.ui.kit.letters import Font, width_of
from bot.ui.kit.palette import Palette, blend

BANDS: Final = 14
"""The number of bands in a number of several colours."""
_LETTERS: Final = {14: 10, 18: 13, 22: 15, 28: 20, 34: 24, 36: 24, 46: 34, 48: 34, 64: 48}
"""The size of letters on a plate, by its height."""
_STAR: Final = 0.6
"""The size of a star on a plate, as a share of its height."""
_WIDER: Final = 1.9
"""The factor by which the ladder's steps are wider from the first star on, where people count hundredths."""


class Move(Enum):
    """The direction of a change."""

    UP = "▲"
    DOWN = "▼"
    NONE = ""
    """No change, or an unknown one: only its text is shown."""


class DeltaText(NamedTuple):
    """The direction of a change, and its text."""

    move: Move
    text: str

    def colour(self, palette: Palette) -> int:
        """Return the colour of the change."""
        return {Move.NONE: palette.quiet, Move.UP: palette.up, Move.DOWN: palette.down}[self.move]


class LampBadge(Enum):
    """A lamp, in the letters that players use."""

    FULL_COMBO = "FC"
    ALL_JUSTICE = "AJ"
    ALL_CRITICAL = "AJC"
    FULL_CHAIN = "FCH"


class Rating(NamedTuple):
    """The text of a player's rating, and its class."""

    text: str
    value: Hundredths
    name: str
    """The name of the class, one of `bot.domain.rating.RATING_COLOURS`."""
    label: str
    """The text on the plate of the class."""
    stars: int = 0


@dataclass(frozen=True, slots=True)
class RankPlate:
    """A rank on a slanted plate of its colour."""

    label: str
    size: tuple[int, int]
    ground: int

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint every pixel of the plate's area."""
        ranks, font = canvas.palette.ranks, _font_of(self.size[1])
        colour = ranks.get(self.label, ranks["AAA"])
        _paint_ground(canvas, corner, self.size, (colour,), self.ground)
        middle = (corner[0] + self.size[0] // 2, corner[1] + self.size[1] // 2)
        write(canvas, middle, self.label, font, canvas.palette.ink, colour, anchor=0.5)


@dataclass(frozen=True, slots=True)
class ClassPlate:
    """A class with its name and stars, on a slanted plate in its colours."""

    label: str
    name: str
    stars: int
    height: int
    ground: int

    @classmethod
    def of(cls, rating: Rating, height: int, ground: int) -> "ClassPlate":
        """Return the plate of a rating."""
        return cls(rating.label, rating.name, rating.stars, height, ground)

    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""
        word = ceil(width_of(self.label, _font_of(self.height)))
        return word + round(self.height * (0.8 + _STAR * self.stars + 0.2 * bool(self.stars))), self.height

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint every pixel of the plate's area."""
        (left, top), palette = corner, canvas.palette
        colours = palette.classes[self.name]
        _paint_ground(canvas, corner, self.size, colours, self.ground)
        under = colours[len(colours) // 2]
        at = left + round(0.4 * self.height)
        middle = (at, top + self.height // 2)
        at += write(canvas, middle, self.label, _font_of(self.height), palette.ink, under)
        side = round(_STAR * self.height)
        corner = at + round(0.2 * self.height), top + (self.height - side) // 2
        for number in range(self.stars):
            canvas.shape((corner[0] + number * side, corner[1]), shapes.star(side), palette.ink, under)


def _font_of(height: int) -> Font:
    return bold(_LETTERS[height])


def _paint_ground(
    canvas: Canvas, corner: Place, size: tuple[int, int], colours: tuple[int, ...], ground: int
) -> None:
    panel(canvas, corner, size, ground)
    canvas.shape(corner, shapes.slanted(*size), colours, ground)


@dataclass(frozen=True, slots=True)
class LampPlate:
    """A lamp: outlined for a full combo, filled for all justice, with a star for the highest score."""

    lamp: LampBadge
    height: int
    ground: int

    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""
        word = width_of(self.lamp.value, _font_of(self.height))
        return ceil(word + 0.7 * self.height) + self._star, self.height

    @property
    def _star(self) -> int:
        return round(0.62 * self.height) if self.lamp is LampBadge.ALL_CRITICAL else 0

    def paint(self, canvas: Canvas, corner: Place) -> None:
        """Paint every pixel of the plate's area."""
        (left, top), (width, height), gold = corner, self.size, canvas.palette.gold
        is_hollow = self.lamp in {LampBadge.FULL_COMBO, LampBadge.FULL_CHAIN}
        panel(canvas, corner, self.size, self.ground)
        canvas.shape(corner, shapes.capsule(width, height, is_hollow=is_hollow), gold, self.ground)
        ink, under = (gold, self.ground) if is_hollow else (canvas.palette.ink, gold)
        middle = (left + (width + self._star) // 2, top + height // 2)
        write(canvas, middle, self.lamp.value, _font_of(height), ink, under, anchor=0.5)
        if self._star:
            inner = (left + round(0.3 * height), top + (height - self._star) // 2)
            canvas.shape(inner, shapes.star(self._star, points=4, inner=0.3), ink, under)


def lamps(canvas: Canvas, place: Place, earned: tuple[LampBadge, ...], height: int, ground: int) -> int:
    """Paint lamps that end at `place`; return their width with the gap before them."""
    right, middle = place
    used = 0
    for lamp in reversed(earned):
        plate = LampPlate(lamp, height, ground)
        used += plate.size[0]
        canvas.stamp((right - used, middle - height // 2), plate)
        used += 5
    return used


def lamps_width(earned: tuple[LampBadge, ...], height: int) -> int:
    """Return the width of lamps with the gap before them."""
    return sum(LampPlate(lamp, height, 0).size[0] + 5 for lamp in earned)


def tag(canvas: Canvas, corner: Place, text: str, font: Font, size: tuple[int, int], *, is_new: bool) -> int:
    """Write a place in a corner of a face, on a ground that marks places of new songs; return its width."""
    palette, (left, top) = canvas.palette, corner
    width = max(size[0], ceil(width_of(text, font)) + font.size // 2)
    ground, ink = (palette.new, palette.ink) if is_new else (palette.background, palette.text)
    panel(canvas, corner, (width, size[1]), ground)
    write(canvas, (left + width // 2, top + size[1] // 2), text, font, ink, ground, anchor=0.5)
    return width


def change_width(change: DeltaText | None, font: Font) -> int:
    """Return the width of a change in pixels."""
    if change is None:
        return 0
    arrow = 0 if change.move is Move.NONE else _arrow(font) + (_arrow_gap(font) if change.text else 0)
    return ceil(width_of(change.text, font)) + arrow


def paint_change(  # noqa: PLR0913 - as a line of text
    canvas: Canvas,
    place: Place,
    change: DeltaText,
    font: Font,
    ground: int,
    *,
    anchor: float = 0,
    colour: int | None = None,
) -> int:
    """Write a change with a triangle for its direction; return its width."""
    width = change_width(change, font)
    colour = change.colour(canvas.palette) if colour is None else colour
    at, middle = place[0] - round(anchor * width), place[1]
    if change.move is not Move.NONE:
        side = _arrow(font)
        mask = shapes.triangle(side, is_down=change.move is Move.DOWN)
        canvas.shape((at, middle - side // 2), mask, colour, ground)
        at += side + _arrow_gap(font)
    write(canvas, (at, middle), change.text, font, colour, ground)
    return width


def paint_largest(canvas: Canvas, place: Place, change: DeltaText, font: Font, ground: int) -> int:
    """Write the largest change of a picture on a filled plate that ends at `place`; return its width."""
    palette, height = canvas.palette, round(1.35 * font.size)
    width = change_width(change, font) + font.size
    corner = (place[0] - width, place[1] - height // 2)
    canvas.shape(corner, shapes.slanted(width, height), palette.up, ground)
    middle = (corner[0] + font.size // 2, place[1])
    paint_change(canvas, middle, change, font, palette.up, colour=palette.ink)
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


def stars(canvas: Canvas, corner: Place, rating: Rating, side: int, ground: int) -> int:
    """Paint only the stars of a rating, in the colours of its class; return their width."""
    colours = canvas.palette.classes[rating.name]
    for number in range(rating.stars):
        place = (corner[0] + number * (side + 4), corner[1])
        canvas.shape(place, shapes.star(side), colours[number * len(colours) // rating.stars], ground)
    return rating.stars * (side + 4)


@lru_cache(maxsize=64)
def along(colours: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return `count` colours in even steps from the first to the last; a single colour is returned as it is."""
    if len(colours) == 1:
        return colours
    found: list[int] = []
    for number in range(count):
        at = number * (len(colours) - 1) / (count - 1)
        first = min(int(at), len(colours) - 2)
        found.append(blend(colours[first], colours[first + 1], at - first))
    return tuple(found)


def leading(palette: Palette, name: str) -> int:
    """Return the colour of a class for lines and small marks."""
    colours = palette.classes[name]
    return colours[max(0, len(colours) - 2)]  # of several, one beside the palest in the middle


def ladder(
    canvas: Canvas,
    corner: Place,
    size: tuple[int, int],
    reached: Hundredths | None,
    *,
    marks: Font | None = None,
    last: str = "",
) -> None:
    """Paint the steps of the rating as a scale, filled up to `reached`; with `marks`, stars and the last step's name above."""
    (left, top), (width, height), palette = corner, size, canvas.palette
    shares = [_WIDER if step.stars or step is RATING_STEPS[-1] else 1 for step in RATING_STEPS]
    unit = (width + 4) / sum(shares)
    at = float(left)
    for number, (step, share) in enumerate(zip(RATING_STEPS, shares, strict=True)):
        wide = round(at + share * unit) - round(at) - 4
        above = RATING_STEPS[number + 1].lowest if number + 1 < len(RATING_STEPS) else step.lowest
        begun = 0 if reached is None else (reached - step.lowest) / max(1, above - step.lowest)
        filled = wide if above == step.lowest and begun >= 0 else round(wide * min(1.0, max(0.0, begun)))
        panel(canvas, (round(at), top), (wide, height), palette.line)
        colours = palette.classes[step.colour]
        if step.stars:
            colours = colours[step.stars - 1 : step.stars + 1]
        for part, colour in enumerate(colours):
            start, end = wide * part // len(colours), min(filled, wide * (part + 1) // len(colours))
            panel(canvas, (round(at) + start, top), (max(0, end - start), height), colour)
        if marks:
            text = "★" * step.stars or (last if step is RATING_STEPS[-1] else "")
            colour = palette.text if begun >= 0 and step.stars else palette.quiet
            write(canvas, (round(at), top - 12), text, marks, colour, palette.panel)
        at += share * unit
