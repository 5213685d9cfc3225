"""The card of a player's best and recent records."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.domain.members import Theme
from bot.ui.cards.canvas import Paper
from bot.ui.cards.letters import Font, cut_to, width_of
from bot.ui.cards.parts import Move
from bot.ui.cards.ramps import RampCanvas
from bot.ui.fonts import BOLD, REGULAR
from bot.ui.look import FAILED
from bot.ui.palette import PALETTES, Palette, ink_on, is_dark

COLUMNS: Final = 5
_CELL: Final = (240, 88)
_GAP: Final = 8
_EDGE: Final = 20
_HEAD: Final = 112
_HEADING: Final = 40
_FOOT: Final = 36

_NAME: Final = Font(BOLD, 34)
_RATING: Final = Font(BOLD, 44)
_SECTION: Final = Font(BOLD, 20)
_TITLE: Final = Font(BOLD, 16)
_SCORE: Final = Font(BOLD, 19)
_SMALL: Final = Font(REGULAR, 14)
_BADGE: Final = Font(BOLD, 13)


class Cell(NamedTuple):
    """One record, as it is written."""

    place: int
    title: str
    chart: str
    """Difficulty and constant."""
    colour: int
    """The difficulty's, 0xRRGGBB."""
    score: str
    rank: str
    lamps: tuple[str, ...]
    rating: str
    is_max: bool = False
    move: Move | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and the records below it."""

    heading: str
    places: int
    """How many there could be; those without a record are shown empty."""
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestCard:
    """All that is written on the card."""

    player: str
    honor: str
    rating: str
    facts: tuple[tuple[str, str], ...]
    """Label and value, beside the rating."""
    sections: tuple[Section, ...]
    foot: str
    new: str
    """What stands on a record that was not there before."""


def draw_best(card: BestCard, theme: Theme) -> bytes:
    """Return the card as PNG."""
    canvas = RampCanvas(*size_of(card), PALETTES[theme].background)
    paint_best(canvas, card, PALETTES[theme])
    return canvas.to_png()


def size_of(card: BestCard) -> tuple[int, int]:
    """Return width and height in pixels."""
    width = 2 * _EDGE + COLUMNS * _CELL[0] + (COLUMNS - 1) * _GAP
    rows = sum(_HEADING + _rows(section) * (_CELL[1] + _GAP) for section in card.sections)
    return width, _HEAD + rows + _FOOT


def paint_best(canvas: Paper, card: BestCard, palette: Palette) -> None:
    """Lay the card out on any canvas of its size that is filled with the background."""
    _paint_head(canvas, card, palette)
    top = _HEAD
    for section in card.sections:
        canvas.text(
            (_EDGE, top + _HEADING // 2), section.heading, _SECTION, palette.quiet, palette.background
        )
        top += _HEADING
        for index in range(section.places):
            row, column = divmod(index, COLUMNS)
            left = _EDGE + column * (_CELL[0] + _GAP)
            down = top + row * (_CELL[1] + _GAP)
            canvas.fill((left, down, left + _CELL[0], down + _CELL[1]), palette.panel)
            if index < len(section.cells):
                _paint_cell(canvas, (left, down), section.cells[index], palette, card.new)
        top += _rows(section) * (_CELL[1] + _GAP)
    canvas.text((_EDGE, top + _FOOT // 2 - 2), card.foot, _SMALL, palette.quiet, palette.background)


def _rows(section: Section) -> int:
    return -(-section.places // COLUMNS)


def _paint_head(canvas: Paper, card: BestCard, palette: Palette) -> None:
    right = size_of(card)[0] - _EDGE
    rating = right - round(width_of(card.rating, _RATING))
    canvas.text((rating, 52), card.rating, _RATING, palette.gold, palette.background)
    left = rating - 30
    for label, value in reversed(card.facts):
        wide = max(width_of(label, _SMALL), width_of(value, _SECTION))
        left -= round(wide) + 28
        canvas.text((left, 36), label, _SMALL, palette.quiet, palette.background)
        canvas.text((left, 64), value, _SECTION, palette.text, palette.background)
    room = left - _EDGE - 20
    canvas.text((_EDGE, 40), cut_to(card.player, _NAME, room), _NAME, palette.text, palette.background)
    canvas.text((_EDGE, 82), cut_to(card.honor, _SMALL, room), _SMALL, palette.quiet, palette.background)


def _paint_cell(canvas: Paper, corner: tuple[int, int], cell: Cell, palette: Palette, new: str) -> None:
    left, top = corner
    wide, high = _CELL
    if cell.is_max:
        _frame(canvas, (left, top, left + wide, top + high), palette.gold)
    canvas.fill((left, top, left + 6, top + high), cell.colour)
    if is_dark(cell.colour) and is_dark(palette.panel):  # as ULTIMA's black, which would sink into the card
        canvas.fill((left + 4, top, left + 6, top + high), palette.quiet)
    inner, right = left + 14, left + wide - 10
    place = f"{cell.place}"
    room = right - inner - width_of(place, _SMALL) - 8
    canvas.text(
        (inner, top + 18), cut_to(cell.title, _TITLE, room, middle=True), _TITLE, palette.text, palette.panel
    )
    _write_to(canvas, (right, top + 18), place, _SMALL, palette.quiet, palette.panel)
    score_colour = palette.gold if cell.is_max else palette.text
    canvas.text((inner, top + 43), cell.score, _SCORE, score_colour, palette.panel)
    after = inner + round(width_of(cell.score, _SCORE)) + 8
    canvas.text((after, top + 43), cell.rank, _SMALL, palette.quiet, palette.panel)
    _write_to(canvas, (right, top + 43), cell.rating, _SCORE, palette.accent, palette.panel)
    at = inner + _badge(canvas, (inner, top + 68), cell.chart, ink_on(cell.colour), cell.colour) + 6
    for lamp in cell.lamps:
        plate = palette.down if lamp == FAILED else palette.gold
        at += _badge(canvas, (at, top + 68), lamp, palette.panel, plate) + 6
    if cell.move is not None:
        _paint_move(canvas, (right, top + 68), cell.move, palette, new)


def _paint_move(canvas: Paper, place: tuple[int, int], move: Move, palette: Palette, new: str) -> None:
    text = new if move is Move.NEW else move.value
    colour = palette.down if move is Move.DOWN else palette.up
    _write_to(canvas, place, text, _BADGE, colour, palette.panel)


def _write_to(canvas: Paper, place: tuple[int, int], text: str, font: Font, colour: int, ground: int) -> None:
    """Write a line that ends at `place`."""
    canvas.text((place[0] - round(width_of(text, font)), place[1]), text, font, colour, ground)


def _badge(canvas: Paper, place: tuple[int, int], text: str, colour: int, ground: int) -> int:
    """Write on a small plate of its own; return the plate's width."""
    left, middle = place
    wide = round(width_of(text, _BADGE)) + 10
    canvas.fill((left, middle - 10, left + wide, middle + 10), ground)
    canvas.text((left + 5, middle), text, _BADGE, colour, ground)
    return wide


def _frame(canvas: Paper, box: tuple[int, int, int, int], colour: int) -> None:
    left, top, right, bottom = box
    for side in (
        (left, top, right, top + 2),
        (left, bottom - 2, right, bottom),
        (right - 2, top, right, bottom),
    ):
        canvas.fill(side, colour)
