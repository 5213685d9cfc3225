"""The player at the head of a picture: rating, class, the calculation of the rating, and its history."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import Final

from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.curves import CurveLine, paint_curve
from bot.ui.cards.layout import Block
from bot.ui.cards.parts import EDGE, INNER, PHONE_INNER, Piece, bold, panel, regular, write, write_all
from bot.ui.cards.plates import ClassPlate, DeltaText, Rating, ladder, leading, paint_change, paint_rating
from bot.ui.kit.letters import width_of

_WIDE_CURVE: Final = (176, 96)
_PHONE_CURVE: Final = (392, 88)
_SUM: Final = 330
"""The least width of the calculation of a rating, in pixels; wide figures take more."""
_SUM_GAPS: Final = 40
"""The width of all gaps in a row: between label, average, number of places, plus sign and total."""
_SUM_LABELS: Final = 108


@dataclass(frozen=True, slots=True)
class SumRow:
    """The texts about what one slot adds to a rating."""

    label: str
    average: str
    places: str
    total: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class RatingSum:
    """The calculation of a rating: the slots, and the divisor of their sum."""

    rows: tuple[SumRow, ...]
    total: str
    divisor: str
    result: str
    label: str
    """The label of the last row, such as "in all"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """The player."""

    rating: Rating
    change: DeltaText | None
    """The change of the rating."""
    since: str
    """The start of the change, in words; empty if nothing earlier is stored."""
    name: str
    title: str = ""
    """The title that the scores have earned; empty for none."""
    to_go: tuple[tuple[str, bool], ...] = ()
    """What is missing to the next step, as parts of a text; the flag marks the figure."""
    last_step: str = ""
    """The name of the ladder's last step, with the rating at which it begins."""
    sum: RatingSum | None = None
    curve: CurveLine | None = None


def wide_hero(hero: Hero) -> Block:
    """Return the head of a wide picture."""
    return Block(190, partial(_paint_wide, hero=hero))


def _paint_wide(canvas: Canvas, top: int, hero: Hero) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, right = EDGE + 26, EDGE + INNER - 20
    panel(canvas, (EDGE, top), (INNER, 190), ground)
    used = paint_rating(canvas, (left, top + 65), hero.rating, bold(116), ground)
    plate = ClassPlate.of(hero.rating, 28, ground)
    canvas.stamp((left - 2, top + 124), plate)
    inner = left + max(used, plate.size[0]) + 24
    panel(canvas, (inner, top + 22), (2, 118), palette.line)
    inner += 22
    if hero.curve:
        right -= _WIDE_CURVE[0]
        _paint_history(canvas, (right, top), hero.curve, leading(palette, hero.rating.name))
        right -= 30
    if hero.sum:
        right -= _sum_width(hero.sum)
        _paint_sum(canvas, (right, top), hero.sum)
        right -= 30
    room = right - inner
    write(canvas, (inner, top + 39), hero.name, bold(40), palette.text, ground, room=room)
    write(canvas, (inner, top + 78), hero.title, bold(20), palette.quiet, ground, room=room)
    at = inner
    if hero.change:
        at += paint_change(canvas, (at, top + 110), hero.change, bold(24), ground) + 10
    write(canvas, (at, top + 110), hero.since, regular(15), palette.quiet, ground, room=max(0, right - at))
    pieces = to_go_pieces(canvas, hero.to_go, small=15, large=20)
    write_all(canvas, (inner, top + 139), pieces, ground, right=right)
    ladder(canvas, (EDGE, top + 182), (INNER, 8), hero.rating.value, marks=bold(13), last=hero.last_step)


def _paint_sum(canvas: Canvas, corner: Place, found: RatingSum) -> None:
    """Write the slots below each other, and the result below a line."""
    (left, top), palette, ground = corner, canvas.palette, canvas.palette.panel
    width, labels = _sum_width(found), _label_width(found)
    right = left + width
    for number, row in enumerate(found.rows):
        middle = top + 39 + 39 * number
        colour, at = palette.new if row.is_new else palette.text, left + labels + 10
        write(canvas, (left, middle), row.label, bold(15), colour, ground, room=labels)
        at += write(canvas, (at, middle), row.average, bold(24), palette.text, ground) + 10
        write(canvas, (at, middle), row.places, regular(15), palette.quiet, ground)
        used = write(canvas, (right, middle), row.total, bold(20), palette.text, ground, anchor=1)
        if number:
            write(canvas, (right - used - 8, middle), "+", regular(15), palette.quiet, ground, anchor=1)
    panel(canvas, (left, top + 102), (width, 2), palette.mark)
    used = write(canvas, (right, top + 122), found.total, regular(15), palette.quiet, ground, anchor=1)
    room = width - used - 10
    write(canvas, (left, top + 122), found.label, regular(15), palette.quiet, ground, room=room)


def _label_width(found: RatingSum) -> int:
    return min(_SUM_LABELS, max(ceil(width_of(row.label, bold(15))) for row in found.rows))


def _sum_width(found: RatingSum) -> int:
    """Return the width of a sum; it is wider if a constant is unknown, since each figure has a sign before it then."""
    figures = (
        width_of(row.average, bold(24))
        + width_of(f"{row.places}+", regular(15))
        + width_of(row.total, bold(20))
        for row in found.rows
    )
    return max(_SUM, _label_width(found) + ceil(max(figures)) + _SUM_GAPS)


def _paint_history(canvas: Canvas, corner: Place, line: CurveLine, colour: int) -> None:
    (left, top), (width, _height), palette, ground = corner, _WIDE_CURVE, canvas.palette, canvas.palette.panel
    paint_curve(canvas, (left, top + 22), _WIDE_CURVE, line, colour, ground)
    used = write(canvas, (left + width, top + 133), line.span, regular(13), palette.quiet, ground, anchor=1)
    write(canvas, (left, top + 133), line.began, regular(13), palette.quiet, ground, room=width - used - 6)


def phone_hero(hero: Hero) -> Block:
    """Return the head of a picture for a phone."""
    height = 322 if hero.sum else 272
    return Block(height, partial(_paint_phone, hero=hero, height=height))


def _paint_phone(canvas: Canvas, top: int, hero: Hero, height: int) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, right = EDGE + 30, EDGE + PHONE_INNER - 20
    panel(canvas, (EDGE, top), (PHONE_INNER, height), ground)
    used = paint_rating(canvas, (left, top + 90), hero.rating, bold(170), ground)
    inner = left + used + 40
    write(canvas, (inner, top + 50), hero.name, bold(60), palette.text, ground, room=right - inner)
    at = inner
    if hero.change:
        at += paint_change(canvas, (at, top + 120), hero.change, bold(48), ground) + 14
    write(canvas, (at, top + 122), hero.since, regular(34), palette.quiet, ground, room=max(0, right - at))
    plate = ClassPlate.of(hero.rating, 48, ground)
    canvas.stamp((left - 4, top + 180), plate)
    at = left + plate.size[0] + 18
    curve = (right - _PHONE_CURVE[0], top + 158)
    end = curve[0] - 16 if hero.curve else right
    write_all(
        canvas, (at, top + 204), to_go_pieces(canvas, hero.to_go, small=34, large=38), ground, right=end
    )
    if hero.curve:
        paint_curve(canvas, curve, _PHONE_CURVE, hero.curve, leading(palette, hero.rating.name), ground)
    if hero.sum:
        pieces = _sum_pieces(canvas, hero.sum)
        write_all(canvas, (left, top + 274), pieces, ground, right=right)
    ladder(canvas, (EDGE, top + height - 15), (PHONE_INNER, 15), hero.rating.value)


def _sum_pieces(canvas: Canvas, found: RatingSum) -> list[Piece]:
    """Return the pieces of "( 17.211 × 30 + 16.467 × 20 ) ÷ 50 = 16.91"."""
    palette, quiet = canvas.palette, regular(34)
    pieces: list[Piece] = []
    for number, row in enumerate(found.rows):
        colour = palette.new if row.is_new else palette.text
        pieces.append(Piece(" + " if number else "( ", quiet, palette.quiet))
        pieces.append(Piece(row.average, bold(38), colour))
        pieces.append(Piece(f" {row.places}", quiet, palette.quiet))
    pieces.append(Piece(f" ) {found.divisor} = ", quiet, palette.quiet))
    return [*pieces, Piece(found.result, bold(38), palette.text)]


def to_go_pieces(canvas: Canvas, parts: Sequence[tuple[str, bool]], *, small: int, large: int) -> list[Piece]:
    """Return the pieces of what is missing to the next step, with the figure in large letters."""
    palette = canvas.palette
    return [
        Piece(text, bold(large), palette.text) if is_figure else Piece(text, regular(small), palette.quiet)
        for text, is_figure in parts
    ]
