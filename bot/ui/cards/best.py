"""The card of `/best`: a player's rating, and the records of one slot, those that matter most the largest."""

from dataclasses import dataclass
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, ULTIMA, difficulty_name
from bot.domain.members import Theme
from bot.ui.cards.canvas import Canvas, Place, ToneCanvas
from bot.ui.cards.parts import (
    BOLD_SMALL,
    COLUMN,
    EDGE,
    FIGURE,
    FOOT,
    GAP,
    HEADING,
    HEADLINE,
    INNER,
    LABEL,
    LADDER,
    SMALL,
    TITLE,
    WIDTH,
    ClassPlate,
    CurveLine,
    DeltaText,
    Font,
    LampBadge,
    LampPlate,
    Rating,
    change_width,
    foot,
    heading,
    ladder,
    leading,
    paint_change,
    paint_curve,
    paint_rating,
    panel,
    stripe,
    write,
)
from bot.ui.cards.tiles import (
    PITCH,
    ROW,
    SMALL_TILE,
    TILE,
    Tile,
    paint_empty,
    paint_row,
    paint_small_tile,
    paint_tile,
)
from bot.ui.kit.fonts import BOLD
from bot.ui.kit.letters import width_of

TILES: Final = 3
SMALL_TILES: Final = 7
MAX_CURVE_VALUES: Final = 60
"""A curve has at most so many values: more would be less than six pixels apart."""

_LARGE: Final = TILES + SMALL_TILES
_COLUMN: Final = 10
_HERO: Final = 180
_RATING: Final = Font(BOLD, 116)
_CURVE: Final = (360, 114)
_BASE: Final = 143
"""The middle of the hero's last line is so many pixels below its top."""
_FLOOR: Final = 28
_LEGEND: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Hero:
    """The player."""

    rating: Rating
    change: DeltaText | None
    """This is by how much the rating has moved."""
    since: str
    """This says since when; it is empty where nothing is remembered."""
    name: str
    title: str
    """The scores have earned it; it is empty where there is none."""
    honor: str
    facts: tuple[tuple[str, str], ...]
    """Each is a label and a value; the last ones go where there is no room."""
    curve: CurveLine | None
    began: str
    """This is the day on which the curve begins."""
    highest: str
    """This is the highest rating, with its label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Places in rows."""

    heading: str
    note: str = ""
    first: int = 0
    """So many places come before it."""
    places: int
    """There are so many; those without a record are shown empty."""
    rows: tuple[Tile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """What marks mean."""

    lamps: tuple[tuple[LampBadge, str], ...]
    changes: tuple[tuple[DeltaText, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestCard:
    """All that is written on the card, in the reader's language."""

    hero: Hero
    heading: str = ""
    """This says which slot it is; it is empty for the one that everybody means."""
    note: str = ""
    places: int
    """There could be so many records, thirty at most; places without one are shown empty."""
    tiles: tuple[Tile, ...]
    recent: Column | None = None
    """This other slot stands beside the one that the card is about."""
    floor: str = ""
    """This says above which rating a score enters; it is empty where places are left."""
    legend: Legend
    when: str
    version: str
    """This is the version of the game."""
    sign: str
    """This says whose picture it is, as "Kiroku · /best"."""


def draw_best(card: BestCard, theme: Theme) -> bytes:
    """Return the card as PNG."""
    canvas = ToneCanvas(theme, *best_size(card))
    paint_best(canvas, card)
    return canvas.to_png()


def best_size(card: BestCard) -> tuple[int, int]:
    """Return width and height in pixels."""
    return WIDTH, _columns_bottom(card) + _FLOOR * bool(card.floor) + GAP + _LEGEND + FOOT


def columns_of(card: BestCard) -> list[Column]:
    """Return the places after those that are tiles: in tens where they have another slot beside them, else in thirds."""
    step = _COLUMN if card.recent else -(-(card.places - _LARGE) // 3)
    columns = [
        Column(
            heading=f"{first + 1}–{min(first + step, card.places)}",
            first=first,
            places=min(step, card.places - first),
            rows=card.tiles[first : first + step],
        )
        for first in range(_LARGE, card.places, max(1, step))
    ]
    return [*columns, card.recent] if card.recent else columns


def _tiles_top(card: BestCard) -> int:
    return EDGE + _HERO + (HEADING if card.heading else GAP)


def _columns_top(card: BestCard) -> int:
    return _tiles_top(card) + TILE + (GAP + SMALL_TILE[1] if card.places > TILES else 0)


def _columns_bottom(card: BestCard) -> int:
    most = max((column.places for column in columns_of(card)), default=0)
    return _columns_top(card) + (HEADING - 6 + most * PITCH if most else 0)


def paint_best(canvas: Canvas, card: BestCard) -> None:
    """Lay the card out on any canvas of its size that is filled with the background."""
    _paint_hero(canvas, card.hero)
    if card.heading:
        heading(canvas, (EDGE, EDGE + _HERO), INNER, card.heading, card.note)
    _paint_tiles(canvas, card)
    for number, column in enumerate(columns_of(card)):
        _paint_column(canvas, (EDGE + number * (COLUMN + GAP), _columns_top(card)), column)
    if card.floor:
        _paint_floor(canvas, (EDGE + COLUMN + GAP, _columns_bottom(card) + _FLOOR // 2), card.floor)
    bottom = best_size(card)[1]
    _paint_legend(canvas, (EDGE, bottom - FOOT - _LEGEND // 2), card.legend)
    foot(canvas, bottom - FOOT, f"{card.when} · {card.version}", card.sign)


def _paint_hero(canvas: Canvas, hero: Hero) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, top, base = EDGE + 22, EDGE, EDGE + _BASE
    panel(canvas, (EDGE, top), (INNER, _HERO), ground)
    used = paint_rating(canvas, (left, top + 68), hero.rating, _RATING, ground)
    plate = ClassPlate(hero.rating.label, hero.rating.name, 26, ground)
    canvas.stamp((left + 4, base - 13), plate)
    at = left + 4 + plate.size[0] + 16
    if hero.change:
        at += paint_change(canvas, (at, base), hero.change, TITLE, ground) + 8
    at += write(canvas, (at, base), hero.since, LABEL, palette.quiet, ground)
    inner = max(left + used, at) + 24
    panel(canvas, (inner, top + 24), (2, 130), palette.line)
    inner, right = inner + 24, EDGE + INNER - 20
    room = right - inner
    if hero.curve:
        _paint_history(canvas, hero)
        room -= _CURVE[0] + 24
    write(canvas, (inner, top + 42), hero.name, FIGURE, palette.text, ground, room=room)
    write(canvas, (inner, top + 83), hero.title, TITLE, palette.text, ground, room=room)
    write(canvas, (inner, top + 112), hero.honor, LABEL, palette.quiet, ground, room=room)
    at = inner
    for label, value in hero.facts:
        if at + width_of(label, LABEL) + 7 + width_of(value, HEADLINE) > inner + room:
            break
        at += write(canvas, (at, base), label, LABEL, palette.quiet, ground) + 7
        at += write(canvas, (at, base), value, HEADLINE, palette.text, ground) + 22
    ladder(canvas, (EDGE, top + _HERO - LADDER), INNER, hero.rating.name)


def _paint_history(canvas: Canvas, hero: Hero) -> None:
    (width, _height), palette, ground = _CURVE, canvas.palette, canvas.palette.panel
    left, right, base = EDGE + INNER - 20 - width, EDGE + INNER - 20, EDGE + _BASE
    if hero.curve:
        paint_curve(canvas, (left, EDGE + 14), _CURVE, hero.curve, leading(palette, hero.rating.name), ground)
    used = write(canvas, (right, base), hero.highest, LABEL, palette.quiet, ground, anchor=1)
    write(canvas, (left, base), hero.began, LABEL, palette.quiet, ground, room=width - used - 8)


def _paint_tiles(canvas: Canvas, card: BestCard) -> None:
    top = _tiles_top(card)
    for number in range(min(TILES, card.places)):
        corner = (EDGE + number * (COLUMN + GAP), top)
        if number < len(card.tiles):
            paint_tile(canvas, corner, COLUMN, card.tiles[number])
        else:
            paint_empty(canvas, corner, (COLUMN, TILE), str(number + 1))
    top += TILE + GAP
    step = (INNER - SMALL_TILE[0]) / (SMALL_TILES - 1)
    for number in range(TILES, min(card.places, _LARGE)):
        corner = (EDGE + round((number - TILES) * step), top)
        if number < len(card.tiles):
            paint_small_tile(canvas, corner, card.tiles[number])
        else:
            paint_empty(canvas, corner, SMALL_TILE, str(number + 1))


def _paint_column(canvas: Canvas, corner: Place, column: Column) -> None:
    left, top = corner
    heading(canvas, corner, COLUMN, column.heading, column.note)
    for number in range(column.places):
        place = (left, top + HEADING - 6 + number * PITCH)
        if number < len(column.rows):
            paint_row(canvas, place, COLUMN, column.rows[number])
        else:
            paint_empty(canvas, place, (COLUMN, ROW), str(column.first + number + 1))


def _paint_floor(canvas: Canvas, place: Place, text: str) -> None:
    """Write what a score must be rated above, at the end of a dashed line."""
    (left, middle), palette = place, canvas.palette
    right = left + COLUMN
    right -= write(
        canvas, (right, middle), text, LABEL, palette.quiet, palette.background, anchor=1, room=COLUMN
    )
    for across in range(left, right - 18, 12):
        panel(canvas, (across, middle), (7, 2), palette.gold)


def _paint_legend(canvas: Canvas, place: Place, legend: Legend) -> None:
    (at, middle), palette, ground = place, canvas.palette, canvas.palette.background
    for difficulty in (BASIC, ADVANCED, EXPERT, MASTER, ULTIMA):
        stripe(canvas, (at, middle - 7), (6, 14), difficulty)
        at += 11
        at += write(canvas, (at, middle), difficulty_name(difficulty), SMALL, palette.quiet, ground) + 14
    at += 10
    for lamp, meaning in legend.lamps:
        plate = LampPlate(lamp, 18, ground)
        if at + plate.size[0] + 6 + width_of(meaning, SMALL) > EDGE + INNER:
            return
        canvas.stamp((at, middle - 9), plate)
        at += plate.size[0] + 6
        at += write(canvas, (at, middle), meaning, SMALL, palette.quiet, ground) + 14
    at += 10
    for change, meaning in legend.changes:
        if at + change_width(change, BOLD_SMALL) + 6 + width_of(meaning, SMALL) > EDGE + INNER:
            return
        at += paint_change(canvas, (at, middle), change, BOLD_SMALL, ground) + 6
        at += write(canvas, (at, middle), meaning, SMALL, palette.quiet, ground) + 14
