"""The main play of a picture, in large."""

from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.faces import FaceStamp
from bot.ui.cards.parts import COLUMN, EDGE, PHONE_INNER, bold, frame, panel, regular, stripe, write
from bot.ui.cards.plates import RankPlate, lamps, lamps_width, tag
from bot.ui.cards.tiles import Tile

WIDE_PLAY: Final = (COLUMN, 356)
_BANNER: Final = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """A play and its effect."""

    tile: Tile
    tag: str = ""
    """The mark of a new song; empty for others."""
    by: str = ""
    """The player, if a picture is about several."""
    effect: str = ""
    """What the play added to the rating; empty if nothing."""
    facts: str = ""
    short_facts: str = ""
    """The facts shown on a phone."""


class PlaySize(NamedTuple):
    """The height of a play on a phone, and the sizes of its letters."""

    height: int
    title: int
    number: int
    low: int
    rank: tuple[int, int]


LARGE: Final = PlaySize(300, 48, 100, 48, (157, 64))
MEDIUM: Final = PlaySize(196, 48, 76, 34, (128, 48))
LOW: Final = PlaySize(160, 38, 60, 34, (108, 46))


def paint_wide_play(canvas: Canvas, corner: Place, play: Play) -> None:
    """Paint a play on a wide picture, with its face as a banner above."""
    (left, top), width, palette, tile = corner, WIDE_PLAY[0], canvas.palette, play.tile
    ground = palette.raised
    panel(canvas, corner, WIDE_PLAY, ground)
    canvas.stamp(corner, FaceStamp(tile.face, (width, _BANNER), bold(116), shines=tile.is_max))
    stripe(canvas, (left, top + _BANNER), (width, 8), tile.difficulty)
    if play.tag:
        tag(canvas, corner, play.tag, bold(15), (100, 28), is_new=tile.is_new)
    inner, right = left + 16, left + width - 16
    write(canvas, (inner, top + 184), tile.title, bold(24), palette.text, ground, room=right - inner)
    write(canvas, (inner - 3, top + 239), tile.number, bold(76), palette.text, ground)
    if tile.rating:
        canvas.stamp((right - 84, top + 209), RankPlate(tile.rank, (84, 34), ground))
    lamps(canvas, (right, top + 260), tile.lamps, 22, ground)
    at = inner
    if tile.rating:
        at += write(canvas, (at, top + 291), tile.score, bold(20), palette.text, ground) + 10
    write(canvas, (at, top + 291), tile.chart, regular(15), palette.quiet, ground, room=right - at)
    _paint_effect(canvas, (inner, top + 325), right, play, is_phone=False, size=24)
    if tile.is_max:
        frame(canvas, corner, WIDE_PLAY, palette.gold, 3)


def paint_phone_play(canvas: Canvas, top: int, play: Play, size: PlaySize) -> None:
    """Paint a play across the picture on a phone."""
    height, palette, tile = size.height, canvas.palette, play.tile
    ground, left, right = palette.raised, EDGE, EDGE + PHONE_INNER - 24
    panel(canvas, (left, top), (PHONE_INNER, height), ground)
    stripe(canvas, (left, top), (14, height), tile.difficulty)
    letters = bold(170 if size is LARGE else 100)
    face = FaceStamp(tile.face, (height, height), letters, shines=tile.is_max)
    canvas.stamp((left + 14, top), face)
    if play.tag:
        tag(canvas, (left + 14, top), play.tag, bold(28), (160, 46), is_new=tile.is_new)
    inner = left + height + 40
    write(
        canvas,
        (inner, top + height * 3 // 20),
        tile.title,
        bold(size.title),
        palette.text,
        ground,
        room=right - inner,
    )
    middle = top + height // 2
    at = inner + write(canvas, (inner - 4, middle), tile.number, bold(size.number), palette.text, ground) + 20
    end = right
    if tile.rating:
        width, high = size.rank
        canvas.stamp((right - width, middle - high // 2), RankPlate(tile.rank, size.rank, ground))
        end -= width + 12
    earned = next(kept for kept in (tile.lamps, tile.lamps[:1], ()) if at + lamps_width(kept, 36) <= end)
    lamps(canvas, (end, middle), earned, 36, ground)
    low = (inner, top + height * 17 // 20)
    _paint_effect(canvas, low, right, play, is_phone=True, size=size.low)
    if tile.is_max:
        frame(canvas, (left + 14, top), (PHONE_INNER - 14, height), palette.gold, 4)


def _paint_effect(canvas: Canvas, place: Place, right: int, play: Play, *, is_phone: bool, size: int) -> None:
    """Write the player, the effect and the facts of a play."""
    palette, (at, middle), ground = canvas.palette, place, canvas.palette.raised
    small, facts = (34, play.short_facts) if is_phone else (15, play.facts)
    if play.by:
        room = (right - at) // 2
        at += write(canvas, (at, middle), play.by, bold(size), palette.text, ground, room=room) + small // 2
    if play.effect:
        at += write(canvas, (at, middle), play.effect, bold(size), palette.up, ground) + small // 2
    if at < right:
        write(canvas, (at, middle), facts, regular(small), palette.quiet, ground, room=right - at)
