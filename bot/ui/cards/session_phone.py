"""The picture of `/session` for a phone."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from bot.domain.members import Cut
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.heroes import to_go_pieces
from bot.ui.cards.layout import PHONE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import (
    EDGE,
    GAP,
    PHONE_HALF,
    PHONE_INNER,
    bold,
    dashes,
    foot,
    panel,
    phone_heading,
    regular,
    side_by_side,
    stripe,
    write,
    write_all,
)
from bot.ui.cards.plates import ClassPlate, change_width, ladder, paint_change, paint_rating, tag
from bot.ui.cards.plays import LARGE, paint_phone_play
from bot.ui.cards.session import Effect, SessionCard, scale_of, wide_session, write_ticks
from bot.ui.cards.tiles import LINE, Tile

_HERO: Final = 330
_ROW: Final = 104
_AXIS: Final = 62
_MAX_OTHERS: Final = 6
_LEFT: Final = EDGE + 26
_BARS: Final = (EDGE + 50, EDGE + PHONE_INNER - 40)
"""The left and right end of the bars, in pixels."""


def session_drawing(card: SessionCard, cut: Cut) -> Drawing:
    """Return the picture for a desktop or a phone."""
    return _phone(card) if cut is Cut.PHONE else wide_session(card)


def _phone(card: SessionCard) -> Drawing:
    return stacked(
        PHONE,
        gap(EDGE),
        Block(_HERO, partial(_paint_hero, card=card)),
        gap(14),
        _body(card),
        _others(card),
        foot(card.foot, card.sign, is_phone=True),
    )


def _paint_hero(canvas: Canvas, top: int, card: SessionCard) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, right = EDGE + 30, EDGE + PHONE_INNER - 24
    panel(canvas, (EDGE, top), (PHONE_INNER, _HERO), ground)
    used = write(canvas, (right, top + 52), card.short_when, regular(34), palette.quiet, ground, anchor=1)
    room = right - used - 30 - left
    write(canvas, (left, top + 50), card.player, bold(60), palette.text, ground, room=room)
    if card.rating is None:
        return
    at = left + paint_rating(canvas, (left, top + 166), card.rating, bold(170), ground) + 44
    if card.change:
        paint_change(canvas, (at, top + 140), card.change, bold(76), ground)
    write(canvas, (at, top + 212), card.from_before, regular(34), palette.quiet, ground, room=right - at)
    plate = ClassPlate.of(card.rating, 46, ground)
    canvas.stamp((left - 4, top + 256), plate)
    at = left + plate.size[0] + 18
    pieces = to_go_pieces(canvas, card.to_go, small=34, large=38)
    write_all(canvas, (at, top + 279), pieces, ground, right=right)
    ladder(canvas, (EDGE, top + _HERO - 16), (PHONE_INNER, 16), card.rating.value)


def _body(card: SessionCard) -> Iterator[Block]:
    if card.play is None:
        yield Block(100, partial(_paint_empty, text=card.empty))
        return
    yield Block(LARGE.height, partial(paint_phone_play, play=card.play, size=LARGE))
    if card.effects:
        yield Block(70, partial(_paint_heading, card=card))
        height = len(card.effects) * _ROW + (_AXIS if card.ticks else 8)
        yield Block(height, partial(_paint_effects, card=card, height=height))


def _paint_empty(canvas: Canvas, top: int, text: str) -> None:
    palette = canvas.palette
    panel(canvas, (EDGE, top), (PHONE_INNER, 100), palette.panel)
    room = PHONE_INNER - 52
    write(canvas, (EDGE + 26, top + 50), text, regular(34), palette.quiet, palette.panel, room=room)


def _paint_heading(canvas: Canvas, top: int, card: SessionCard) -> None:
    palette = canvas.palette
    phone_heading(canvas, top + 38, card.effects_heading, end=card.floor_text, end_colour=palette.gold)


def _paint_effects(canvas: Canvas, top: int, card: SessionCard, height: int) -> None:
    """Paint a line for each play with its bar below, and the axis of hundredths."""
    palette, at = canvas.palette, scale_of(card, *_BARS)
    ground = palette.panel
    panel(canvas, (EDGE, top), (PHONE_INNER, height), ground)
    rows = len(card.effects) * _ROW
    for value, _text in card.ticks:
        panel(canvas, (at(value), top + 8), (1, rows), palette.line)
    write_ticks(canvas, top + rows + _AXIS // 2, card, at, regular(28), ground)
    if card.floor is not None:
        dashes(canvas, (at(card.floor), top), height, palette.gold, is_upright=True)
    lowest = min(effect.start for effect in card.effects)
    for number, effect in enumerate(card.effects):
        above = top + number * _ROW
        _paint_line(canvas, above, effect, is_gain=card.floor is None)
        start, end = at(effect.start), at(effect.end)
        if card.floor is not None:
            left = at(lowest)
            panel(canvas, (left, above + 68), (at(card.floor) - left, 22), palette.line)
        panel(canvas, (start, above + 68), (max(3, end - start), 22), palette.up)
        if card.floor is None and number + 1 < len(card.effects):
            panel(canvas, (end - 1, above + 90), (1, _ROW - 22), palette.mark)


def _paint_line(canvas: Canvas, top: int, effect: Effect, *, is_gain: bool) -> None:
    palette, ground, tile = canvas.palette, canvas.palette.panel, effect.tile
    middle, right = top + 34, EDGE + PHONE_INNER - 20
    if tile:
        stripe(canvas, (EDGE, top), (10, _ROW), tile.difficulty)
    colour = palette.up if is_gain else palette.quiet
    # On the ground of the panel, since lines of the axis run behind the text.
    panel(canvas, (_LEFT, top + 10), (PHONE_INNER - 36, 48), ground)
    right -= write(canvas, (right, middle), effect.text, bold(34), colour, ground, anchor=1) + 24
    if tile:
        right -= write(canvas, (right, middle), tile.number, bold(34), palette.text, ground, anchor=1) + 24
    left = _LEFT
    if effect.tag:
        left += tag(canvas, (left, middle - 22), effect.tag, bold(28), (72, 44), is_new=True) + 12
    name = tile.title if tile else effect.label
    write(canvas, (left, middle), name, bold(34), palette.text, ground, room=right - left)


def _others(card: SessionCard) -> Iterator[Block]:
    shown = card.others[:_MAX_OTHERS]
    if not shown:
        return
    yield Block(82, partial(_paint_others_heading, card=card))
    rows = -(-len(shown) // 2)
    for number in range(rows):
        yield side_by_side(LINE, _paint_other, PHONE_HALF + GAP, shown[number::rows])


def _paint_others_heading(canvas: Canvas, top: int, card: SessionCard) -> None:
    phone_heading(canvas, top + 46, card.others_heading, card.others_note)


def _paint_other(canvas: Canvas, corner: Place, tile: Tile) -> None:
    (left, top), palette, ground = corner, canvas.palette, canvas.palette.panel
    panel(canvas, corner, (PHONE_HALF, LINE), ground)
    stripe(canvas, corner, (10, LINE), tile.difficulty)
    middle, right = top + LINE // 2, left + PHONE_HALF - 12
    if tile.change:
        wide = change_width(tile.change, bold(34))
        paint_change(canvas, (right, middle), tile.change, bold(34), ground, anchor=1, colour=palette.quiet)
        right -= wide + 14
    write(canvas, (left + 26, middle), tile.title, bold(34), palette.text, ground, room=right - left - 26)
