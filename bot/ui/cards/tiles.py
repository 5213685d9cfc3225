"""One record on a picture: the more important, the larger."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.domain.charts import Difficulty
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.faces import Face, FaceStamp
from bot.ui.cards.parts import PHONE_HALF, bold, frame, panel, regular, stripe, write
from bot.ui.cards.plates import (
    DeltaText,
    LampBadge,
    RankPlate,
    change_width,
    lamps,
    lamps_width,
    paint_change,
    tag,
)
from bot.ui.kit.letters import Font, width_of

PHONE_TILE: Final = (PHONE_HALF, 124)
LINE: Final = 52
"""The height of a table's line on a phone, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """The texts of one record."""

    place: str = ""
    """The place in the slot; empty for a record in none."""
    title: str
    face: Face
    difficulty: Difficulty
    chart: str
    """The difficulty in letters and the constant, such as "MAS 14.7"."""
    rating: str
    """The rating; empty if the chart has none."""
    score: str
    rank: str
    lamps: tuple[LampBadge, ...] = ()
    change: DeltaText | None = None
    """The change of the rating, or of the score if the picture is about scores."""
    is_new: bool = False
    """Whether the song counts as new, and its place is in their slot."""

    @property
    def is_max(self) -> bool:
        """Whether it is the highest possible score."""
        return LampBadge.ALL_CRITICAL in self.lamps

    @property
    def number(self) -> str:
        """The number in large letters: the rating, or the score of a chart without one, such as World's End."""
        return self.rating or self.score


class TileStyle(NamedTuple):
    """The sizes of a tile and its parts; lines are given by their pixels below its top."""

    width: int
    height: int
    stripe: int
    face: tuple[int, int]
    title: tuple[Font, int]
    rating: tuple[Font, int]
    rank: tuple[int, int]
    score: tuple[Font, int]
    chart: tuple[Font, int]
    lamp: int
    change: Font
    tag: tuple[Font, tuple[int, int]]
    pad: int
    letters: int
    is_stacked: bool = False
    """Whether score and chart are below each other beside the rating, and the lamp below the rank."""


FIRST: Final = TileStyle(
    width=234, height=208, stripe=6, face=(234, 84), title=(bold(20), 111), rating=(bold(48), 151), rank=(70, 28),
    score=(bold(15), 187), chart=(regular(15), 187), lamp=18, change=bold(15), tag=(bold(20), (34, 32)), pad=12,
    letters=76,
)  # fmt: skip
"""The tile of the first places, with the face as a banner above."""
MIDDLE: Final = TileStyle(
    width=234, height=94, stripe=6, face=(66, 94), title=(bold(15), 18), rating=(bold(30), 47), rank=(57, 22),
    score=(bold(13), 76), chart=(regular(13), 76), lamp=18, change=bold(13), tag=(bold(15), (27, 24)), pad=9, letters=40,
)  # fmt: skip
SMALL: Final = TileStyle(
    width=234, height=66, stripe=5, face=(36, 66), title=(bold(15), 14), rating=(bold(24), 43), rank=(46, 18),
    score=(regular(13), 34), chart=(regular(13), 52), lamp=14, change=bold(13), tag=(bold(13), (22, 18)), pad=8,
    letters=24, is_stacked=True,
)  # fmt: skip


def paint_tile(canvas: Canvas, corner: Place, tile: Tile, style: TileStyle) -> None:
    """Paint a record on a wide picture."""
    (left, top), palette = corner, canvas.palette
    ground = _ground_of(canvas, style)
    panel(canvas, corner, (style.width, style.height), ground)
    inner, right = _paint_face(canvas, corner, tile, style), left + style.width - style.pad
    font, middle = style.title
    write(canvas, (inner, top + middle), tile.title, font, palette.text, ground, room=right - inner)
    middle, font = style.rating[1], _number_font(tile, style, right - inner)
    at = inner + write(canvas, (inner - 1, top + middle), tile.number, font, palette.text, ground) + 6
    if tile.rating:
        font, middle = style.score
        used = write(
            canvas, (at if style.is_stacked else inner, top + middle), tile.score, font, palette.text, ground
        )
        at = at if style.is_stacked else inner + used + 7
        width, height = style.rank
        middle = style.score[1] if style.is_stacked else style.rating[1]
        canvas.stamp((right - width, top + middle - height // 2), RankPlate(tile.rank, style.rank, ground))
    elif not style.is_stacked:
        at = inner
    _paint_low(canvas, (at, top), right, tile, style)
    if tile.is_max:
        edge = left if style is FIRST else left + style.stripe
        frame(canvas, (edge, top), (left + style.width - edge, style.height), palette.gold, 2)


def _number_font(tile: Tile, style: TileStyle, room: float) -> Font:
    """Return the font of a rating, smaller if the rank would cover it: with the sign of an unknown constant it is wider."""
    font = style.rating[0]
    if tile.rating:
        room -= style.rank[0] + (width_of(tile.score, style.score[0]) + 6 if style.is_stacked else 3)
    return font._replace(size=min(font.size, int(font.size * room / width_of(tile.number, font))))


def _ground_of(canvas: Canvas, style: TileStyle) -> int:
    return canvas.palette.raised if style is FIRST else canvas.palette.panel


def _paint_face(canvas: Canvas, corner: Place, tile: Tile, style: TileStyle) -> int:
    """Paint face, stripe and place; return the left edge of texts."""
    (left, top), (width, height), is_banner = corner, style.face, style is FIRST
    lowered = 0 if is_banner else style.tag[1][1] // 3
    face = FaceStamp(tile.face, style.face, bold(style.letters), shines=tile.is_max, lowered=lowered)
    edge = left if is_banner else left + style.stripe
    canvas.stamp((edge, top), face)
    if is_banner:
        stripe(canvas, (left, top + height), (style.width, style.stripe), tile.difficulty)
    else:
        stripe(canvas, corner, (style.stripe, style.height), tile.difficulty)
    if tile.place:
        tag(canvas, (edge, top), tile.place, *style.tag, is_new=tile.is_new)
    return left + style.pad if is_banner else edge + width + style.pad


def _paint_low(canvas: Canvas, place: Place, right: int, tile: Tile, style: TileStyle) -> None:
    """Paint a tile's last line: chart, lamps, change; lamps without room go onto the face. `place` is at the tile's top."""
    (at, top), ground, (font, middle) = place, _ground_of(canvas, style), style.chart
    at += (
        write(canvas, (at, top + middle), tile.chart, font, canvas.palette.quiet, ground, room=right - at) + 6
    )
    end = right
    if tile.change and at + change_width(tile.change, style.change) <= end:
        end -= paint_change(canvas, (end, top + middle), tile.change, style.change, ground, anchor=1) + 4
    if at + lamps_width(tile.lamps, style.lamp) <= end:
        lamps(canvas, (end, top + middle), tile.lamps, style.lamp, ground)
        return
    width, height = style.face
    edge = right + style.pad - style.width + (0 if style is FIRST else style.stripe)
    earned = next(
        kept for kept in (tile.lamps, tile.lamps[:1], ()) if lamps_width(kept, style.lamp) <= width + 5
    )
    low = top + height - style.lamp // 2
    lamps(canvas, (edge + lamps_width(earned, style.lamp) - 5, low), earned, style.lamp, ground)


def paint_free(canvas: Canvas, corner: Place, style: TileStyle, text: str) -> None:
    """Paint a place without a record."""
    palette, ground = canvas.palette, canvas.palette.background
    frame(canvas, corner, (style.width, style.height), palette.line, 2)
    middle = (corner[0] + style.width // 2, corner[1] + style.height // 2)
    write(canvas, middle, text, regular(15), palette.quiet, ground, anchor=0.5, room=style.width - 12)


def paint_phone_tile(canvas: Canvas, corner: Place, tile: Tile) -> None:
    """Paint an important record on a phone."""
    (left, top), (width, height), palette = corner, PHONE_TILE, canvas.palette
    ground = palette.raised
    panel(canvas, corner, PHONE_TILE, ground)
    stripe(canvas, corner, (10, height), tile.difficulty)
    face = FaceStamp(tile.face, (112, height), bold(60), shines=tile.is_max, lowered=10)
    canvas.stamp((left + 10, top), face)
    if tile.place:
        tag(canvas, (left + 10, top), tile.place, bold(28), (42, 38), is_new=tile.is_new)
    inner, right = left + 136, left + width - 12
    write(canvas, (inner, top + 31), tile.title, bold(34), palette.text, ground, room=right - inner)
    at = inner + write(canvas, (inner - 2, top + 86), tile.number, bold(60), palette.text, ground) + 14
    end = right
    if tile.rating:
        canvas.stamp((right - 108, top + 66), RankPlate(tile.rank, (108, 46), ground))
        end -= 108 + 4
    if tile.change and at + change_width(_shortened(tile.change), bold(34)) <= end:
        at += paint_change(canvas, (at, top + 92), _shortened(tile.change), bold(34), ground) + 8
    for earned in (tile.lamps, tile.lamps[:1]):
        if at + lamps_width(earned, 34) <= end:
            lamps(canvas, (end, top + 90), earned, 34, ground)
            break
    else:  # beside "≥16.70" there is no room
        earned = tile.lamps[:1]
        lamps(canvas, (left + 10 + lamps_width(earned, 34), top + height - 20), earned, 34, ground)
    if tile.is_max:
        frame(canvas, (left + 10, top), (width - 10, height), palette.gold, 4)


def _shortened(change: DeltaText) -> DeltaText:
    """Return a change without its amount, for which a phone has no room."""
    return change._replace(text="")


def paint_line(canvas: Canvas, corner: Place, tile: Tile, *, is_last: bool) -> None:
    """Paint one of many records on a phone: place, name, whether it rose, rating and difficulty."""
    (left, top), palette = corner, canvas.palette
    ground, middle = palette.panel, top + LINE // 2
    panel(canvas, corner, (PHONE_HALF, LINE), ground)
    if not is_last:
        panel(canvas, (left + 10, top + LINE - 1), (PHONE_HALF - 10, 1), palette.line)
    stripe(canvas, corner, (10, LINE), tile.difficulty)
    write(canvas, (left + 58, middle), tile.place, regular(28), palette.quiet, ground, anchor=1)
    right = left + PHONE_HALF - 12
    right -= write(canvas, (right, middle), tile.number, bold(38), palette.text, ground, anchor=1) + 12
    if tile.change and (tile.change.move.value or not tile.change.text):
        change = _shortened(tile.change)
        right -= paint_change(canvas, (right, middle), change, bold(28), ground, anchor=1) + 10
    name = left + 71
    write(canvas, (name, middle), tile.title, bold(34), palette.text, ground, room=right - name)
