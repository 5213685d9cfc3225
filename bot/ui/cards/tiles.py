"""One record on a picture: as a tile where it matters most, or as a row."""

from dataclasses import dataclass
from typing import Final

from bot.domain.charts import Difficulty
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.faces import Face, FaceStamp
from bot.ui.cards.parts import (
    BOLD_LABEL,
    BOLD_SMALL,
    FIGURE,
    GREATEST,
    LABEL,
    NAME,
    RATING,
    SMALL,
    TITLE,
    DeltaText,
    LampBadge,
    RankPlate,
    change_width,
    frame,
    lamps,
    paint_change,
    panel,
    stripe,
    write,
)
from bot.ui.kit.letters import cut_to, width_of

TILE: Final = 158
"""A tile is so many pixels high."""
SMALL_TILE: Final = (164, 168)
"""A small tile is so many pixels wide and high."""
ROW: Final = 46
"""A row is so many pixels high."""
PITCH: Final = 50
"""A row is so many pixels below the one before."""

_FACE: Final = 130
_STRIPE: Final = 8
_CLOSE: Final = 470
"""A wide tile's figures have so many pixels: they stay together, whatever the title has."""
_TAG: Final = 34
_LOWERED: Final = 12
"""A tile's letters stand so many pixels lower, because the tag of its place is in the corner above them."""

_SMALL_FACE: Final = 60
_SMALL_TAG: Final = (28, 24)

_ROW_STRIPE: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """One record, as it is written."""

    place: str
    """It is the place in its slot, and empty where the record is in none."""
    title: str
    face: Face
    difficulty: Difficulty
    chart: str
    """It is the difficulty in letters and the constant: on a tile "MASTER 14.7", on a row "MAS 14.7"."""
    rating: str
    """It is empty where the chart has none."""
    score: str
    rank: str
    lamps: tuple[LampBadge, ...] = ()
    change: DeltaText | None = None
    """It is what became of a tile's rating, or of a row's score."""


def paint_tile(canvas: Canvas, corner: Place, width: int, tile: Tile) -> None:
    """Paint a record of those that matter most."""
    (left, top), palette = corner, canvas.palette
    ground = palette.raised
    panel(canvas, corner, (width, TILE), ground)
    stripe(canvas, corner, (_STRIPE, TILE), tile.difficulty)
    is_max = LampBadge.ALL_CRITICAL in tile.lamps
    face = FaceStamp(tile.face, (_FACE, TILE), GREATEST, shines=is_max, lowered=_LOWERED)
    canvas.stamp((left + _STRIPE, top), face)
    if tile.place:
        tag = max(_TAG, round(width_of(tile.place, TITLE)) + 12)
        panel(canvas, (left + _STRIPE, top), (tag, _TAG), palette.background)
        middle = (left + _STRIPE + tag // 2, top + _TAG // 2)
        write(canvas, middle, tile.place, TITLE, palette.text, palette.background, anchor=0.5)
    inner, right = left + _STRIPE + _FACE + 16, left + width - 14
    title = cut_to(tile.title, TITLE, right - inner, middle=True)
    write(canvas, (inner, top + 26), title, TITLE, palette.text, ground)
    right = left + min(width, _CLOSE) - 14
    # A chart without a rating, as of World's End, has its score where the others have their rating.
    large, small = (tile.rating, tile.score) if tile.rating else (tile.score, "")
    room = right - inner - (change_width(tile.change, BOLD_LABEL) + 8 if tile.change else 0)
    font = RATING if width_of(large, RATING) <= room else FIGURE
    write(canvas, (inner - 2, top + 73), large, font, palette.text, ground)
    if tile.change:
        paint_change(canvas, (right, top + 82), tile.change, BOLD_LABEL, ground, anchor=1)
    write(canvas, (inner, top + 115), small, TITLE, palette.text, ground)
    rank = RankPlate(tile.rank, (66, 26), ground)
    canvas.stamp((right - 66, top + 102), rank)
    used = lamps(canvas, (right, top + 141), tile.lamps, 18, ground)
    write(canvas, (inner, top + 140), tile.chart, LABEL, palette.quiet, ground, room=right - inner - used)
    if is_max:
        frame(canvas, (left + _STRIPE, top), (width - _STRIPE, TILE), palette.gold, 3)


def paint_small_tile(canvas: Canvas, corner: Place, tile: Tile) -> None:
    """Paint a record of those that matter next, its face above what is written."""
    (left, top), (width, _height), palette = corner, SMALL_TILE, canvas.palette
    ground = palette.panel
    panel(canvas, corner, SMALL_TILE, ground)
    is_max = LampBadge.ALL_CRITICAL in tile.lamps
    canvas.stamp(corner, FaceStamp(tile.face, (width, _SMALL_FACE), RATING, shines=is_max))
    stripe(canvas, (left, top + _SMALL_FACE), (width, _ROW_STRIPE), tile.difficulty)
    panel(canvas, corner, _SMALL_TAG, palette.background)
    middle = (left + _SMALL_TAG[0] // 2, top + _SMALL_TAG[1] // 2)
    write(canvas, middle, tile.place, BOLD_LABEL, palette.text, palette.background, anchor=0.5)
    inner, right, top = left + 10, left + width - 10, top + _SMALL_FACE + _ROW_STRIPE
    title = cut_to(tile.title, BOLD_LABEL, right - inner, middle=True)
    write(canvas, (inner, top + 18), title, BOLD_LABEL, palette.text, ground)
    write(canvas, (inner, top + 46), tile.rating or tile.score, NAME, palette.text, ground)
    if tile.rating:
        canvas.stamp((right - 56, top + 36), RankPlate(tile.rank, (56, 22), ground))
        write(canvas, (inner, top + 71), tile.score, BOLD_SMALL, palette.text, ground)
    lamps(canvas, (right, top + 71), tile.lamps, 14, ground)
    used = change_width(tile.change, BOLD_SMALL) + 6 if tile.change else 0
    write(canvas, (inner, top + 90), tile.chart, SMALL, palette.quiet, ground, room=right - inner - used)
    if tile.change:
        paint_change(canvas, (right, top + 90), tile.change, BOLD_SMALL, ground, anchor=1)
    if is_max:
        frame(canvas, corner, SMALL_TILE, palette.gold, 2)


def paint_empty(canvas: Canvas, corner: Place, size: tuple[int, int], place: str) -> None:
    """Paint a place that no record has yet."""
    (left, top), (width, height), palette = corner, size, canvas.palette
    frame(canvas, corner, size, palette.line, 2)
    font = BOLD_LABEL if height <= ROW else NAME
    middle = (left + width // 2, top + height // 2)
    write(canvas, middle, place, font, palette.quiet, palette.background, anchor=0.5)


def paint_row(canvas: Canvas, corner: Place, width: int, row: Tile) -> None:
    """Paint a record among many."""
    (left, top), palette = corner, canvas.palette
    ground = palette.panel
    panel(canvas, corner, (width, ROW), ground)
    stripe(canvas, corner, (_ROW_STRIPE, ROW), row.difficulty)
    is_max = LampBadge.ALL_CRITICAL in row.lamps
    canvas.stamp((left + _ROW_STRIPE, top), FaceStamp(row.face, (ROW, ROW), NAME, shines=is_max))
    one, two = top + 14, top + ROW - 13
    inner, right = left + _ROW_STRIPE + ROW + 10, left + width - 12
    if row.place:
        write(canvas, (inner + 9, one), row.place, BOLD_SMALL, palette.quiet, ground, anchor=0.5)
        inner += 30
    end = right - write(canvas, (right, one), row.rating, TITLE, palette.text, ground, anchor=1)
    end -= 56 if row.rating else 48
    canvas.stamp((end, one - 9), RankPlate(row.rank, (48, 18), ground))
    title = cut_to(row.title, BOLD_LABEL, end - 6 - inner, middle=True)
    write(canvas, (inner, one), title, BOLD_LABEL, palette.text, ground)
    end = right - write(canvas, (right, two), row.chart, SMALL, palette.quiet, ground, anchor=1)
    end -= lamps(canvas, (end - 7, two), row.lamps, 14, ground) + 7
    inner += write(canvas, (inner, two), row.score, BOLD_SMALL, palette.text, ground) + 8
    if row.change and inner + change_width(row.change, BOLD_SMALL) <= end:
        paint_change(canvas, (inner, two), row.change, BOLD_SMALL, ground)
    if is_max:
        frame(canvas, (left + _ROW_STRIPE, top), (width - _ROW_STRIPE, ROW), palette.gold, 2)
