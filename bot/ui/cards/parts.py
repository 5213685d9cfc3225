"""The elements that all pictures share: one grid, one way to write, one slant."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import ceil
from typing import Final, NamedTuple, TypeAlias, TypeVar

from bot.domain.charts import ADVANCED, BASIC, EXPERT, ULTIMA, Difficulty
from bot.ui.cards import shapes
from bot.ui.cards.canvas import Canvas, Colour, Place
from bot.ui.cards.layout import PHONE, WIDE, Block
from bot.ui.kit.fonts import BOLD, REGULAR
from bot.ui.kit.letters import Font, fit_to, width_of

_T = TypeVar("_T")

EDGE: Final = 24
GAP: Final = 12
PHONE_INNER: Final = PHONE - 2 * EDGE
PHONE_HALF: Final = (PHONE_INNER - GAP) // 2
"""The width of one of two columns on a phone."""
INNER: Final = WIDE - 2 * EDGE
COLUMN: Final = (INNER - 2 * GAP) // 3

bold = partial(Font, BOLD)
regular = partial(Font, REGULAR)

Facts: TypeAlias = Sequence[tuple[str, str]]
"""Facts as values with their labels."""

_BLACK: Final = 0x000000
_GAPS: Final = {difficulty: count for count, difficulty in enumerate((EXPERT, ADVANCED, BASIC), start=1)}
"""The number of gaps in a difficulty's stripe, which tell it from others without colour."""


class Piece(NamedTuple):
    """Part of a line."""

    text: str
    font: Font
    colour: Colour


def write(  # noqa: PLR0913 - a line of text has that many properties
    canvas: Canvas,
    place: Place,
    text: str,
    font: Font,
    colour: Colour,
    ground: int,
    *,
    room: float | None = None,
    anchor: float = 0,
) -> int:
    """Write one line and return its width; `anchor` is the share of it left of `place`, `room` the width to fit it into."""
    fitted = fit_to(text, font, room)
    width = ceil(fitted.width)
    at = place[0] - round(anchor * width), place[1]
    canvas.text(at, fitted.text, font, colour, ground, fitted.squeeze)
    return width


def write_all(canvas: Canvas, place: Place, pieces: Sequence[Piece], ground: int, *, right: float) -> int:
    """Write the pieces of one line up to the first that would cross `right`; return their width."""
    at = place[0]
    for piece in pieces:
        if at + width_of(piece.text, piece.font) > right:
            break
        at += write(canvas, (at, place[1]), *piece, ground)
    return at - place[0]


def figures(canvas: Canvas, corner: Place, facts: Facts, *, first: int | None = None) -> int:
    """Write values above their labels, right-aligned at a corner of a panel; return their left edge.

    The first value may have a colour of its own.
    """
    (at, top), palette = corner, canvas.palette
    for number, (value, label) in reversed([*enumerate(facts)]):
        colour = palette.text if number or first is None else first
        at -= round(max(width_of(value, bold(40)), width_of(label, regular(15))))
        write(canvas, (at, top + 36), value, bold(40), colour, palette.panel)
        write(canvas, (at, top + 72), label, regular(15), palette.quiet, palette.panel)
        at -= 36
    return at


def panel(canvas: Canvas, corner: Place, size: tuple[int, int], colour: int) -> None:
    """Fill a rectangle."""
    (left, top), (width, height) = corner, size
    canvas.fill((left, top, left + width, top + height), colour)


def frame(canvas: Canvas, corner: Place, size: tuple[int, int], colour: int, broad: int) -> None:
    """Paint the frame of a rectangle."""
    (left, top), (width, height) = corner, size
    panel(canvas, corner, (width, broad), colour)
    panel(canvas, (left, top + height - broad), (width, broad), colour)
    panel(canvas, corner, (broad, height), colour)
    panel(canvas, (left + width - broad, top), (broad, height), colour)


def stripe(canvas: Canvas, corner: Place, size: tuple[int, int], difficulty: Difficulty) -> None:
    """Paint a difficulty's stripe; all but MASTER's have blocks or gaps to be told apart without colour."""
    palette, (left, top), (width, height) = canvas.palette, corner, size
    panel(canvas, corner, size, palette.difficulties.get(difficulty, palette.mark))
    length, colour = max(size), _BLACK
    if difficulty == ULTIMA:
        broad = max(6, min(size))
        breaks = [*range(0, length, 2 * broad)]
    else:
        count, colour = _GAPS.get(difficulty, 0), palette.background
        broad = max(2, min(6, length // 9))
        breaks = [length * number // (count + 1) - broad // 2 for number in range(1, count + 1)]
    for at in breaks:
        end = min(at + broad, length)
        box = (at, 0, end, height) if width > height else (0, at, width, end)
        canvas.fill((left + box[0], top + box[1], left + box[2], top + box[3]), colour)


def bar(canvas: Canvas, corner: Place, size: tuple[int, int], share: float, colour: int, track: int) -> None:
    """Paint a bar, filled to a share from the left, on its track."""
    panel(canvas, corner, size, track)
    panel(canvas, corner, (round(size[0] * min(1.0, max(0.0, share))), size[1]), colour)


def split_bar(canvas: Canvas, corner: Place, size: tuple[int, int], parts: Sequence[tuple[int, int]]) -> None:
    """Paint a bar of parts, each with a count and a colour, with small gaps between them."""
    (left, top), (width, height) = corner, size
    whole = sum(many for many, _colour in parts) or 1
    start = count = 0
    for many, colour in parts:
        count += many
        end = width * count // whole
        if end > start:
            panel(canvas, (left + start, top), (max(1, end - start - 2 * (end < width)), height), colour)
        start = end


def dashes(canvas: Canvas, start: Place, length: int, colour: int, *, is_upright: bool = False) -> None:
    """Paint a dashed line."""
    for at in range(0, length - 6, 12):
        corner = (start[0], start[1] + at) if is_upright else (start[0] + at, start[1])
        panel(canvas, corner, (2, 7) if is_upright else (7, 2), colour)


def heading(  # noqa: PLR0913 - one for each of its parts
    canvas: Canvas,
    place: Place,
    width: int,
    text: str,
    note: str = "",
    end: str = "",
    *,
    colour: int | None = None,
) -> None:
    """Write a heading with a note, a line, and `end` at the right; `place` is its left end and vertical middle."""
    (left, middle), palette, ground = place, canvas.palette, canvas.palette.background
    title = palette.text if colour is None else colour
    at = left + write(canvas, place, text, bold(20), title, ground, room=width) + 12
    right = left + width
    if end:
        right -= write(canvas, (right, middle), end, regular(15), palette.quiet, ground, anchor=1) + 12
    if note and right - at > 4 * 15:
        at += write(canvas, (at, middle), note, regular(15), palette.quiet, ground, room=right - at) + 12
    if at < right:
        panel(canvas, (at, middle), (right - at, 1), palette.line)


def phone_heading(  # noqa: PLR0913 - as `heading`
    canvas: Canvas,
    middle: int,
    text: str,
    note: str = "",
    end: str = "",
    *,
    colour: int | None = None,
    end_colour: int | None = None,
) -> None:
    """Write a heading on a phone with `end` at the right, and between them a note, or a line if there is neither."""
    palette, ground, right = canvas.palette, canvas.palette.background, EDGE + PHONE_INNER
    colour = palette.text if colour is None else colour
    if end:
        ending = colour if end_colour is None else end_colour
        right -= write(canvas, (right, middle), end, bold(38), ending, ground, anchor=1) + 18
    at = EDGE + write(canvas, (EDGE, middle), text, bold(38), colour, ground, room=right - EDGE) + 18
    if note and at < right:
        write(canvas, (at, middle), note, regular(34), palette.quiet, ground, room=right - at)
    elif not end and at < right:
        panel(canvas, (at, middle), (right - at, 2), palette.line)


def foot(text: str, sign: str, *, is_phone: bool = False) -> Block:
    """Return the last line of a picture: a text, such as time and source, and the signature."""
    width, height, size = (PHONE, 60, 28) if is_phone else (WIDE, 38, 13)

    def paint(canvas: Canvas, top: int) -> None:
        middle, palette, ground = top + height // 2, canvas.palette, canvas.palette.background
        used = write(canvas, (width - EDGE, middle), sign, bold(size), palette.text, ground, anchor=1)
        room = width - 2 * EDGE - used - 2 * GAP
        write(canvas, (EDGE, middle), text, regular(size), palette.quiet, ground, room=room)

    return Block(height, paint)


def side_by_side(
    height: int, paint: Callable[[Canvas, Place, _T], object], step: int, parts: Iterable[_T]
) -> Block:
    """Return a block of parts side by side from the left edge, `step` pixels from one to the next."""

    def paint_all(canvas: Canvas, top: int) -> None:
        for number, part in enumerate(parts):
            paint(canvas, (EDGE + number * step, top), part)

    return Block(height, paint_all)


def mark_done(canvas: Canvas, place: Place, side: int, ground: int) -> int:
    """Paint a tick with its left end and vertical middle at `place`; return its width."""
    canvas.shape((place[0], place[1] - side // 2), shapes.tick(side), canvas.palette.up, ground)
    return side
