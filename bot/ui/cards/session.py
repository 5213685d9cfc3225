"""The picture of `/session`: what was played since, and what came of it."""

from dataclasses import dataclass
from typing import Final

from bot.domain.members import Theme
from bot.ui.cards.canvas import Canvas, ToneCanvas
from bot.ui.cards.parts import (
    COLUMN,
    EDGE,
    FIGURE,
    FOOT,
    GAP,
    GREATEST,
    HEADING,
    INNER,
    LABEL,
    LADDER,
    NAME,
    RATING,
    SENTENCE,
    WIDTH,
    ClassPlate,
    DeltaText,
    Rating,
    arrow,
    foot,
    heading,
    ladder,
    paint_change,
    paint_rating,
    panel,
    write,
)
from bot.ui.cards.tiles import PITCH, TILE, Tile, paint_row, paint_tile
from bot.ui.kit.letters import width_of

MAX_TILES: Final = 3
MAX_ROWS: Final = 15
"""A picture holds so many; `SessionPicture.more` tells how many more there are."""

_HERO: Final = 180
_EMPTY: Final = 72
_LABEL_ROOM: Final = 190


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPicture:
    """All that is written on the picture, in the reader's language."""

    player: str
    when: str
    """It says which session it is, as "22 Nov, 18:04 – 20:41"."""
    before: str | None
    """It is the rating before, and None where that is the same or not known."""
    after: Rating | None
    """It is the rating after, and None for a player who has none."""
    change: DeltaText | None
    """It is by how much the rating has moved."""
    counts: tuple[tuple[str, str], ...]
    """Each is a value and its label; there are four at most."""
    gains: tuple[Tile, ...]
    """They are the largest, at most `MAX_TILES`."""
    others_heading: str
    """It stands above the rows, as "Also better"."""
    others_note: str
    """It says what stands on each of the rows, as "what each gained in score"."""
    others: tuple[Tile, ...]
    """There are at most `MAX_ROWS`."""
    more: str
    """It reads as "and 12 more", and is empty where all are shown."""
    empty: str
    """This is said where nothing was gained."""
    foot: str
    sign: str
    """This says whose picture it is, as "Kiroku · /session"."""


def draw_session(picture: SessionPicture, theme: Theme) -> bytes:
    """Return the picture as PNG."""
    canvas = ToneCanvas(theme, *session_size(picture))
    paint_session(canvas, picture)
    return canvas.to_png()


def session_size(picture: SessionPicture) -> tuple[int, int]:
    """Return width and height in pixels."""
    return WIDTH, _others_top(picture) + _others_height(picture) + FOOT


def _others_top(picture: SessionPicture) -> int:
    return EDGE + _HERO + GAP + (TILE if picture.gains else _EMPTY)


def _others_height(picture: SessionPicture) -> int:
    return HEADING - 8 + PITCH * -(-len(picture.others) // 3) - 4 if picture.others else 0


def paint_session(canvas: Canvas, picture: SessionPicture) -> None:
    """Lay the picture out on any canvas of its size that is filled with the background."""
    _paint_hero(canvas, picture)
    top = EDGE + _HERO + GAP
    if picture.gains:
        wide = (INNER - (len(picture.gains) - 1) * GAP) // len(picture.gains)
        for number, tile in enumerate(picture.gains):
            paint_tile(canvas, (EDGE + number * (wide + GAP), top), wide, tile)
    else:
        palette = canvas.palette
        panel(canvas, (EDGE, top), (INNER, _EMPTY), palette.panel)
        middle = (EDGE + 26, top + _EMPTY // 2)
        write(canvas, middle, picture.empty, SENTENCE, palette.quiet, palette.panel, room=INNER - 52)
    top = _others_top(picture)
    if picture.others:
        heading(canvas, (EDGE, top), INNER, picture.others_heading, picture.others_note, picture.more)
        for number, row in enumerate(picture.others):
            down, across = divmod(number, 3)
            place = (EDGE + across * (COLUMN + GAP), top + HEADING - 8 + down * PITCH)
            paint_row(canvas, place, COLUMN, row)
    foot(canvas, session_size(picture)[1] - FOOT, picture.foot, picture.sign)


def _paint_hero(canvas: Canvas, picture: SessionPicture) -> None:
    palette = canvas.palette
    left, top, ground = EDGE + 26, EDGE, palette.panel
    panel(canvas, (EDGE, top), (INNER, _HERO), ground)
    room = _paint_counts(canvas, picture) - 2 * GAP - left
    when = min(room * 3 // 5, round(width_of(picture.when, SENTENCE)) + 1)
    used = write(canvas, (left, top + 36), picture.player, NAME, palette.text, ground, room=room - when - 18)
    write(canvas, (left + used + 18, top + 37), picture.when, SENTENCE, palette.quiet, ground, room=when)
    at = left
    if picture.before is not None:
        at += write(canvas, (at, top + 116), picture.before, RATING, palette.quiet, ground) + 20
        canvas.shape((at, top + 104), arrow(46, 24), palette.mark, ground)
        at += 64
    if picture.after is not None:
        at += paint_rating(canvas, (at, top + 108), picture.after, GREATEST, ground) + 26
        plate = ClassPlate(picture.after.label, picture.after.name, 26, ground)
        if picture.change:
            paint_change(canvas, (at + 2, top + 93), picture.change, FIGURE, ground)
        canvas.stamp((at, top + 126), plate)
    ladder(canvas, (EDGE, top + _HERO - LADDER), INNER, picture.after and picture.after.name)


def _paint_counts(canvas: Canvas, picture: SessionPicture) -> int:
    """Write the counts, two above two, at the right end of the hero; return where they begin."""
    palette = canvas.palette
    left = EDGE + INNER - 26
    columns = [picture.counts[start::2] for start in range(min(2, len(picture.counts)))]
    for column in reversed(columns):
        values = max(round(width_of(value, FIGURE)) for value, _label in column)
        labels = max(min(_LABEL_ROOM, round(width_of(label, LABEL)) + 1) for _value, label in column)
        left -= values + 10 + labels
        for number, (value, label) in enumerate(column):
            middle = EDGE + 50 + 68 * number
            write(canvas, (left + values, middle), value, FIGURE, palette.text, palette.panel, anchor=1)
            place = (left + values + 10, middle + 8)
            write(canvas, place, label, LABEL, palette.quiet, palette.panel, room=labels)
        left -= 36
    return left + 36
