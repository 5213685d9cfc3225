"""The card of `/best`: a player's rating and the records that make it, the most important ones largest."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.domain.charts import DIFFICULTIES, WORLDS_END, difficulty_name
from bot.domain.members import Cut
from bot.ui.cards.canvas import Canvas
from bot.ui.cards.heroes import Hero, phone_hero, wide_hero
from bot.ui.cards.layout import PHONE, WIDE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import (
    EDGE,
    GAP,
    INNER,
    PHONE_HALF,
    bold,
    dashes,
    foot,
    heading,
    phone_heading,
    regular,
    side_by_side,
    stripe,
    write,
)
from bot.ui.cards.plates import DeltaText, LampBadge, LampPlate, change_width, paint_change
from bot.ui.cards.tiles import (
    FIRST,
    LINE,
    MIDDLE,
    PHONE_TILE,
    SMALL,
    Tile,
    TileStyle,
    paint_free,
    paint_line,
    paint_phone_tile,
    paint_tile,
)
from bot.ui.kit.letters import width_of

MAX_CURVE_VALUES: Final = 60
"""The most values of a curve: more would be hardly two pixels apart."""

_STEP: Final = FIRST.width + 10
"""The pixels from one column to the next."""
_BETWEEN: Final = 14
"""The pixels by which two sections are further apart than two columns."""
_COLUMNS: Final = (3, 2)
"""The columns of two sections side by side: three and two, like their 30 and 20 places."""
_ROWS: Final = (FIRST, MIDDLE, MIDDLE)
"""The tile styles of the first rows; all others are small."""
_DOWN: Final = 6
_PHONE_TILES: Final = (8, 4)
"""The numbers of places of the first and second section that are tiles on a phone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """The places of one slot."""

    heading: str
    note: str = ""
    """The description of the slot, and its average."""
    phone_note: str = ""
    """The description of the slot, and what enters it."""
    average: str = ""
    is_new: bool = False
    """Whether it is the slot of new songs, and has their colour."""
    places: int
    """The number of places; those without a record are shown as free."""
    tiles: tuple[Tile, ...]
    free: str = ""
    """The text on a free place, after its number."""
    floor: str = ""
    """What enters the slot, or how many places are free; empty if neither applies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """The meanings of marks."""

    lamps: tuple[tuple[LampBadge, str], ...]
    changes: tuple[tuple[DeltaText, str], ...]
    signs: tuple[tuple[str, str], ...] = ()
    """The signs after constants, with their meanings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestCard:
    """The texts on the card, in the reader's language."""

    hero: Hero
    sections: tuple[Section, ...]
    """Two sections if two slots make the rating, else one."""
    legend: Legend
    when: str
    version: str
    """The version of the game."""
    sign: str
    """The signature, such as "Kiroku · /best"."""


def best_drawing(card: BestCard, cut: Cut) -> Drawing:
    """Return the card for a desktop or a phone."""
    return _phone(card) if cut is Cut.PHONE else _wide(card)


def _wide(card: BestCard) -> Drawing:
    return stacked(
        WIDE,
        gap(EDGE),
        wide_hero(card.hero),
        Block(44, partial(_paint_headings, card=card)),
        _rows(card),
        Block(28, partial(_paint_floors, card=card)),
        Block(24, partial(_paint_legend, legend=card.legend)),
        foot(f"{card.when} · {card.version}", card.sign),
    )


def _sides(card: BestCard) -> Iterator[tuple[Section, int, int]]:
    """Yield each section with its left edge and its number of columns."""
    left = EDGE
    for section, columns in zip(
        card.sections, _COLUMNS if len(card.sections) > 1 else (sum(_COLUMNS),), strict=True
    ):
        yield section, left, columns
        left += columns * _STEP + _BETWEEN


def _width(columns: int) -> int:
    return columns * _STEP - 10


def _paint_headings(canvas: Canvas, top: int, card: BestCard) -> None:
    for section, left, columns in _sides(card):
        colour = canvas.palette.new if section.is_new else None
        heading(canvas, (left, top + 24), _width(columns), section.heading, section.note, colour=colour)


def _rows(card: BestCard) -> Iterator[Block]:
    many = max(-(-section.places // columns) for section, _left, columns in _sides(card))
    for number in range(many):
        style = _ROWS[number] if number < len(_ROWS) else SMALL
        yield Block(style.height + _DOWN, partial(_paint_row, card=card, number=number, style=style))


def _paint_row(canvas: Canvas, top: int, card: BestCard, number: int, style: TileStyle) -> None:
    for section, left, columns in _sides(card):
        for across in range(columns):
            place, corner = number * columns + across, (left + across * _STEP, top)
            if place < len(section.tiles):
                paint_tile(canvas, corner, section.tiles[place], style)
            elif place < section.places:
                paint_free(canvas, corner, style, f"{place + 1} · {section.free}")


def _paint_floors(canvas: Canvas, top: int, card: BestCard) -> None:
    """Write what enters each section at the end of a dashed line."""
    palette, middle = canvas.palette, top + 13
    for section, left, columns in _sides(card):
        if section.floor:
            wide = _width(columns)
            at = (left + wide, middle)
            used = write(
                canvas, at, section.floor, regular(15), palette.quiet, palette.background, anchor=1, room=wide
            )
            colour = palette.new if section.is_new else palette.gold
            dashes(canvas, (left, middle), wide - used - 10, colour)


def _paint_legend(canvas: Canvas, top: int, legend: Legend) -> None:
    palette, ground, middle, at = canvas.palette, canvas.palette.background, top + 10, EDGE
    for difficulty in DIFFICULTIES:
        if difficulty != WORLDS_END:
            stripe(canvas, (at, middle - 9), (5, 18), difficulty)
            at += 11
            at += (
                write(canvas, (at, middle), difficulty_name(difficulty), regular(13), palette.quiet, ground)
                + 14
            )
    for sign, meaning in legend.signs:
        at += write(canvas, (at, middle), sign, bold(13), palette.text, ground) + 6
        at += write(canvas, (at, middle), meaning, regular(13), palette.quiet, ground) + 14
    for lamp, meaning in legend.lamps:
        plate = LampPlate(lamp, 18, ground)
        if at + plate.size[0] + 6 + width_of(meaning, regular(13)) > EDGE + INNER:
            return
        canvas.stamp((at, middle - 9), plate)
        at += plate.size[0] + 6
        at += write(canvas, (at, middle), meaning, regular(13), palette.quiet, ground) + 14
    for change, meaning in legend.changes:
        if at + change_width(change, bold(13)) + 6 + width_of(meaning, regular(13)) > EDGE + INNER:
            return
        at += paint_change(canvas, (at, middle), change, bold(13), ground) + 6
        at += write(canvas, (at, middle), meaning, regular(13), palette.quiet, ground) + 14


def _phone(card: BestCard) -> Drawing:
    sections = [
        block
        for section, tiles in zip(card.sections, _PHONE_TILES, strict=False)
        for block in _phone_section(section, tiles)
    ]
    return stacked(
        PHONE, gap(EDGE), phone_hero(card.hero), sections, foot(card.when, card.sign, is_phone=True)
    )


def _phone_section(section: Section, tiles: int) -> Iterator[Block]:
    """Yield a section's heading, its first places as tiles, and the others as lines in column order."""
    yield Block(70, partial(_paint_phone_heading, section=section))
    for first in range(0, min(tiles, len(section.tiles)), 2):
        pair = section.tiles[first : min(first + 2, tiles)]
        yield side_by_side(PHONE_TILE[1] + 10, paint_phone_tile, PHONE_HALF + GAP, pair)
    lines = section.tiles[tiles:]
    rows = -(-len(lines) // 2)
    for number in range(rows):
        paint = partial(paint_line, is_last=number == rows - 1)
        yield side_by_side(LINE, paint, PHONE_HALF + GAP, lines[number::rows])


def _paint_phone_heading(canvas: Canvas, top: int, section: Section) -> None:
    colour = canvas.palette.new if section.is_new else None
    phone_heading(canvas, top + 36, section.heading, section.phone_note, section.average, colour=colour)
