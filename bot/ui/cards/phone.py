"""The card of `/best` cut for a phone, whose width shows a third of its pixels: two pictures of at most 4:5."""

from typing import Final

from bot.domain.members import Theme
from bot.ui.cards.best import TILES, BestCard, Hero
from bot.ui.cards.canvas import Canvas, Place, ToneCanvas
from bot.ui.cards.faces import FaceStamp
from bot.ui.cards.parts import (
    EDGE,
    FIGURE,
    GAP,
    GREAT,
    NAME,
    RATING,
    ClassPlate,
    LampBadge,
    RankPlate,
    change_width,
    frame,
    ladder,
    lamps,
    leading,
    paint_change,
    paint_curve,
    paint_rating,
    panel,
    stripe,
    write,
)
from bot.ui.cards.tiles import Tile, paint_empty
from bot.ui.kit.fonts import BOLD, REGULAR
from bot.ui.kit.letters import Font, cut_to, width_of

PHONE_WIDTH: Final = 1080
MAX_PHONE_HEIGHT: Final = 1350
"""The cut is four to five at most: what is higher, Discord shows narrower."""
FIRST_PLACES: Final = TILES + 2 * 6
"""The first picture has tiles, and rows of two."""

_INNER: Final = PHONE_WIDTH - 2 * EDGE
_HERO: Final = 248
_LADDER: Final = 12
_HEADING: Final = 60
_FOOT: Final = 46
_TILE: Final = ((_INNER - 2 * GAP) // TILES, 286)
_ROW: Final = ((_INNER - GAP) // 2, 104)
_PITCH: Final = 112
_FACE: Final = 104
_STRIPE: Final = 10
_CURVE: Final = 64

_GREATEST: Final = Font(BOLD, 164)
_ROW_RATING: Final = Font(BOLD, 42)
_LETTERS: Final = Font(BOLD, 24)
_QUIET: Final = Font(REGULAR, 24)
"""It is the smallest that is read at a third of its size."""


def phone_pictures(records: int) -> int:
    """Return how many pictures so many records make."""
    return 1 if records <= FIRST_PLACES else 2


def draw_phone(card: BestCard, number: int, theme: Theme) -> bytes:
    """Return one of the pictures as PNG, the first with the player."""
    canvas = ToneCanvas(theme, *phone_size(card, number))
    paint_phone(canvas, card, number)
    return canvas.to_png()


def phone_size(card: BestCard, number: int) -> tuple[int, int]:
    """Return width and height of one of the pictures in pixels."""
    rows = -(-len(_places(card, number)) // 2)
    floor = _HEADING if number and card.floor else 0
    return PHONE_WIDTH, _rows_top(card, number) + rows * _PITCH + floor + _FOOT


def paint_phone(canvas: Canvas, card: BestCard, number: int) -> None:
    """Lay one of the pictures out on any canvas of its size that is filled with the background."""
    palette = canvas.palette
    if number == 0:
        _paint_hero(canvas, card.hero)
        if card.heading:
            middle = (EDGE, EDGE + _HERO + _HEADING // 2)
            write(canvas, middle, card.heading, NAME, palette.text, palette.background, room=_INNER)
        for place in range(min(TILES, card.places)):
            corner = (EDGE + place * (_TILE[0] + GAP), _tiles_top(card))
            if place < len(card.tiles):
                _paint_tile(canvas, corner, card.tiles[place])
            else:
                paint_empty(canvas, corner, _TILE, str(place + 1))
    top = _rows_top(card, number)
    for at, place in enumerate(_places(card, number)):
        down, across = divmod(at, 2)
        corner = (EDGE + across * (_ROW[0] + GAP), top + down * _PITCH)
        if place < len(card.tiles):
            _paint_row(canvas, corner, card.tiles[place])
        else:
            paint_empty(canvas, corner, _ROW, str(place + 1))
    bottom = phone_size(card, number)[1] - _FOOT
    if number and card.floor:
        middle = (EDGE, bottom - _HEADING // 2)
        write(canvas, middle, card.floor, _QUIET, palette.quiet, palette.background, room=_INNER)
    middle = bottom + _FOOT // 2
    count = phone_pictures(len(card.tiles))
    sign = f"{card.sign} {number + 1}/{count}" if count > 1 else card.sign
    used = write(canvas, (EDGE + _INNER, middle), sign, _LETTERS, palette.text, palette.background, anchor=1)
    room = _INNER - used - 2 * GAP
    write(canvas, (EDGE, middle), card.when, _QUIET, palette.quiet, palette.background, room=room)


def _places(card: BestCard, number: int) -> range:
    """Return which places stand in rows on a picture."""
    return range(FIRST_PLACES, card.places) if number else range(TILES, min(card.places, FIRST_PLACES))


def _tiles_top(card: BestCard) -> int:
    return EDGE + _HERO + (_HEADING if card.heading else GAP)


def _rows_top(card: BestCard, number: int) -> int:
    return EDGE if number else _tiles_top(card) + _TILE[1] + GAP


def _paint_hero(canvas: Canvas, hero: Hero) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, top = EDGE + 24, EDGE
    panel(canvas, (EDGE, top), (_INNER, _HERO), ground)
    used = paint_rating(canvas, (left, top + 82), hero.rating, _GREATEST, ground)
    plate = ClassPlate(hero.rating.label, hero.rating.name, 40, ground)
    canvas.stamp((left + 4, top + 156), plate)
    at = left + 4 + plate.size[0] + 20
    if hero.change:
        at += paint_change(canvas, (at, top + 176), hero.change, FIGURE, ground)
    write(canvas, (left + 6, top + 216), hero.since, _QUIET, palette.quiet, ground, room=used)
    inner, right = max(left + used, at) + 36, EDGE + _INNER - 24
    room = right - inner
    write(canvas, (inner, top + 48), hero.name, RATING, palette.text, ground, room=room)
    write(canvas, (inner, top + 100), hero.title, NAME, palette.text, ground, room=room)
    at = inner
    for label, value in hero.facts:
        if at + width_of(label, _QUIET) + 8 + width_of(value, _LETTERS) > right:
            break
        at += write(canvas, (at, top + 142), label, _QUIET, palette.quiet, ground) + 8
        at += write(canvas, (at, top + 142), value, _LETTERS, palette.text, ground) + 24
    if hero.curve:
        curve = hero.curve._replace(label="")
        colour = leading(palette, hero.rating.name)
        paint_curve(canvas, (inner, top + 164), (room, _CURVE), curve, colour, ground)
    ladder(canvas, (EDGE, top + _HERO - _LADDER), _INNER, hero.rating.name, _LADDER)


def _paint_tile(canvas: Canvas, corner: Place, tile: Tile) -> None:
    """Paint a record of those that matter most."""
    (left, top), (width, _height), palette = corner, _TILE, canvas.palette
    ground, face = palette.raised, _FACE
    panel(canvas, corner, _TILE, ground)
    is_max = LampBadge.ALL_CRITICAL in tile.lamps
    canvas.stamp(corner, FaceStamp(tile.face, (width, face), GREAT, shines=is_max))
    stripe(canvas, (left, top + face), (width, _STRIPE), tile.difficulty)
    _tag(canvas, corner, tile.place)
    inner, right, top = left + 14, left + width - 14, top + face + _STRIPE
    title = cut_to(tile.title, NAME, right - inner, middle=True)
    write(canvas, (inner, top + 27), title, NAME, palette.text, ground)
    write(canvas, (inner - 2, top + 77), tile.rating or tile.score, RATING, palette.text, ground)
    if tile.rating:
        canvas.stamp((right - 100, top + 60), RankPlate(tile.rank, (100, 34), ground))
        write(canvas, (inner, top + 122), tile.score, _LETTERS, palette.text, ground)
    lamps(canvas, (right, top + 122), tile.lamps, 26, ground)
    used = change_width(tile.change, _LETTERS) + 8 if tile.change else 0
    write(canvas, (inner, top + 153), tile.chart, _QUIET, palette.quiet, ground, room=right - inner - used)
    if tile.change:
        paint_change(canvas, (right, top + 153), tile.change, _LETTERS, ground, anchor=1)
    if is_max:
        frame(canvas, corner, _TILE, palette.gold, 4)


def _paint_row(canvas: Canvas, corner: Place, row: Tile) -> None:
    """Paint a record among many."""
    (left, top), (width, height), palette = corner, _ROW, canvas.palette
    ground = palette.panel
    panel(canvas, corner, _ROW, ground)
    stripe(canvas, corner, (_STRIPE, height), row.difficulty)
    is_max = LampBadge.ALL_CRITICAL in row.lamps
    canvas.stamp(
        (left + _STRIPE, top), FaceStamp(row.face, (_FACE, height), RATING, shines=is_max, lowered=10)
    )
    _tag(canvas, (left + _STRIPE, top), row.place)
    inner, right = left + _STRIPE + _FACE + 14, left + width - 14
    used = change_width(row.change, _LETTERS) + 10 if row.change else 0
    title = cut_to(row.title, NAME, right - inner - used, middle=True)
    write(canvas, (inner, top + 26), title, NAME, palette.text, ground)
    if row.change:
        paint_change(canvas, (right, top + 26), row.change, _LETTERS, ground, anchor=1)
    used = write(canvas, (inner, top + 73), row.rating, _ROW_RATING, palette.text, ground)
    middle = inner + used + 18 if row.rating else inner
    write(canvas, (middle, top + 59), row.score, _LETTERS, palette.text, ground)
    canvas.stamp((right - 92, top + 43), RankPlate(row.rank, (92, 34), ground))
    used = lamps(canvas, (right, top + 89), row.lamps, 22, ground)
    write(canvas, (middle, top + 88), row.chart, _QUIET, palette.quiet, ground, room=right - middle - used)
    if is_max:
        frame(canvas, (left + _STRIPE, top), (width - _STRIPE, height), palette.gold, 3)


def _tag(canvas: Canvas, corner: Place, place: str) -> None:
    """Write a record's place in a corner of its face."""
    (left, top), palette = corner, canvas.palette
    panel(canvas, corner, (44, 36), palette.background)
    write(canvas, (left + 22, top + 18), place, _LETTERS, palette.text, palette.background, anchor=0.5)
