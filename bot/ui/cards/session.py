"""The picture of `/session`: the plays that moved the rating, the most effective one largest, and other improvements."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.ui.cards import shapes
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.faces import FaceStamp
from bot.ui.cards.layout import WIDE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import (
    COLUMN,
    EDGE,
    GAP,
    INNER,
    Facts,
    bold,
    dashes,
    foot,
    heading,
    panel,
    regular,
    side_by_side,
    stripe,
    write,
)
from bot.ui.cards.plates import (
    ClassPlate,
    DeltaText,
    RankPlate,
    Rating,
    change_width,
    ladder,
    lamps,
    lamps_width,
    paint_change,
    paint_rating,
)
from bot.ui.cards.plays import WIDE_PLAY, Play, paint_wide_play
from bot.ui.cards.tiles import Tile
from bot.ui.kit.letters import Font, width_of

MAX_EFFECTS: Final = 6
"""The most plays shown with their gains, or with how close they came."""
MAX_OTHERS: Final = 9
"""The most other plays on a wide picture."""

_LABEL_ROOM: Final = 190
_ROW: Final = 60
_ROWS_LEFT: Final = EDGE + COLUMN + GAP
_BARS_LEFT: Final = EDGE + 812
_BARS_RIGHT: Final = EDGE + 1107
_OTHER: Final = 46


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a play added to the rating, with start and end; or how close it came, with its start."""

    tile: Tile | None = None
    """The play; None for several plays together."""
    label: str = ""
    """The text instead of a tile, such as "4 more charts"."""
    origin: str = ""
    """The state before, such as "first play" or "from 16.52"."""
    place: str = ""
    """The place now, such as "NEW 2"."""
    tag: str = ""
    """The mark of a new song on a phone; empty for others."""
    text: str
    """The gain, or what is missing."""
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCard:
    """The texts on the picture, in the reader's language."""

    player: str
    when: str
    short_when: str
    """The time of play for a phone, with how much was played."""
    before: str
    """The rating before; empty if it is the same or unknown."""
    from_before: str = ""
    """The same for a phone, such as "from 16.86", or how many scores are better."""
    rating: Rating | None
    """The rating after; None for a player without one."""
    change: DeltaText | None
    to_go: tuple[tuple[str, bool], ...] = ()
    """What is missing to the next step, as in `Hero`."""
    counts: Facts
    """The counts, at most four."""
    play: Play | None
    """The play that moved the rating most, else the best of the others."""
    effects_heading: str = ""
    effects_note: str = ""
    effects: tuple[Effect, ...] = ()
    """The effects in order of play, at most `MAX_EFFECTS`."""
    together: tuple[str, str] | None = None
    """The sum of the effects, as label and figure."""
    ticks: tuple[tuple[float, str], ...] = ()
    """The hundredths along the axis of the bars."""
    floor: float | None = None
    """The rating to which the effects are distances; None if they are gains."""
    floor_text: str = ""
    others_heading: str
    others_note: str
    others: tuple[Tile, ...]
    more: str
    """A text such as "and 12 more"; empty if all are shown."""
    empty: str
    """The text if nothing was gained."""
    foot: str
    version: str = ""
    """The game version, after `foot` on a wide picture."""
    sign: str
    """The signature, such as "Kiroku · /session"."""


def scale_of(card: SessionCard, left: int, right: int) -> Callable[[float], int]:
    """Return the function from a rating to its pixel from the left."""
    ends = [each for effect in card.effects for each in (effect.start, effect.end)]
    ends += [value for value, _text in card.ticks] + ([] if card.floor is None else [card.floor])
    low, high = min(ends), max(ends)
    return lambda value: left + round((right - left) * (value - low) / ((high - low) or 1))


def write_ticks(
    canvas: Canvas, middle: int, card: SessionCard, at: Callable[[float], int], font: Font, ground: int
) -> None:
    """Write the hundredths along an axis; those without room beside the one before are left out."""
    free = 0
    for value, text in card.ticks:
        half = round(width_of(text, font)) // 2
        if at(value) - half >= free:
            write(canvas, (at(value), middle), text, font, canvas.palette.quiet, ground, anchor=0.5)
            free = at(value) + half + font.size // 2


def wide_session(card: SessionCard) -> Drawing:
    """Return the picture for a desktop."""
    shown = card.others[:MAX_OTHERS]
    return stacked(
        WIDE,
        gap(EDGE),
        Block(168, partial(_paint_hero, card=card)),
        _body(card),
        [Block(46, partial(_paint_others_heading, card=card))] if shown else [],
        [
            side_by_side(_OTHER + 4, _paint_other, COLUMN + GAP, shown[at : at + 3])
            for at in range(0, len(shown), 3)
        ],
        foot(" · ".join(filter(None, [card.foot, card.version])), card.sign),
    )


def _paint_hero(canvas: Canvas, top: int, card: SessionCard) -> None:
    palette, ground, left = canvas.palette, canvas.palette.panel, EDGE + 28
    panel(canvas, (EDGE, top), (INNER, 168), ground)
    room = _paint_counts(canvas, top, card.counts) - 2 * GAP - left
    used = write(canvas, (left, top + 34), card.player, bold(30), palette.text, ground, room=room // 2)
    used += 18
    write(canvas, (left + used, top + 35), card.when, regular(15), palette.quiet, ground, room=room - used)
    at = left
    if card.before:
        at += write(canvas, (at, top + 108), card.before, bold(48), palette.quiet, ground) + 20
        canvas.shape((at, top + 98), shapes.arrow(40, 20), palette.mark, ground)
        at += 60
    if card.rating:
        at += paint_rating(canvas, (at, top + 100), card.rating, bold(116), ground) + 26
        if card.change:
            paint_change(canvas, (at + 2, top + 86), card.change, bold(40), ground)
        plate = ClassPlate.of(card.rating, 28, ground)
        canvas.stamp((at, top + 115), plate)
        ladder(canvas, (EDGE, top + 160), (INNER, 8), card.rating.value)


def _paint_counts(canvas: Canvas, top: int, counts: Facts) -> int:
    """Write the counts in two rows of two at the right end of the hero; return their left edge."""
    palette, left = canvas.palette, EDGE + INNER - 26
    for column in reversed([counts[start::2] for start in range(min(2, len(counts)))]):
        values = max(round(width_of(value, bold(30))) for value, _label in column)
        labels = max(min(_LABEL_ROOM, round(width_of(label, regular(15))) + 1) for _value, label in column)
        left -= values + 10 + labels
        for number, (value, label) in enumerate(column):
            middle = top + 46 + 62 * number
            write(canvas, (left + values, middle), value, bold(30), palette.text, palette.panel, anchor=1)
            place = (left + values + 10, middle + 5)
            write(canvas, place, label, regular(15), palette.quiet, palette.panel, room=labels)
        left -= 36
    return left + 36


def _body(card: SessionCard) -> Iterator[Block]:
    """Yield the main play with the effects or other plays, or the text that nothing was gained."""
    if card.play is None:
        yield gap(GAP)
        yield Block(72, partial(_paint_empty, text=card.empty))
        return
    yield Block(58, partial(_paint_heading, card=card))
    yield Block(WIDE_PLAY[1] + (44 if card.together else 0), partial(_paint_body, card=card, play=card.play))


def _paint_empty(canvas: Canvas, top: int, text: str) -> None:
    palette = canvas.palette
    panel(canvas, (EDGE, top), (INNER, 72), palette.panel)
    middle = (EDGE + 26, top + 36)
    write(canvas, middle, text, regular(20), palette.quiet, palette.panel, room=INNER - 52)


def _paint_heading(canvas: Canvas, top: int, card: SessionCard) -> None:
    room = _BARS_LEFT - EDGE - 40 if card.effects else INNER
    heading(canvas, (EDGE, top + 30), room, card.effects_heading, card.effects_note)
    if not card.effects:
        return
    palette, at = canvas.palette, scale_of(card, _BARS_LEFT, _BARS_RIGHT)
    if card.floor is not None:
        place = (at(card.floor), top + 42)
        write(canvas, place, card.floor_text, regular(15), palette.gold, palette.background, anchor=1)
    write_ticks(canvas, top + 42, card, at, regular(13), palette.background)


def _paint_body(canvas: Canvas, top: int, card: SessionCard, play: Play) -> None:
    paint_wide_play(canvas, (EDGE, top), play)
    if not card.effects:
        return
    palette, at = canvas.palette, scale_of(card, _BARS_LEFT, _BARS_RIGHT)
    for value, _text in card.ticks:
        panel(canvas, (at(value), top - 6), (1, WIDE_PLAY[1] + 6), palette.line)
    for number, effect in enumerate(card.effects):
        _paint_row(canvas, (_ROWS_LEFT, top + number * _ROW), effect)
        middle, colour = top + number * _ROW + 28, palette.up if card.floor is None else palette.quiet
        write(canvas, (EDGE + INNER, middle), effect.text, bold(20), colour, palette.background, anchor=1)
    _paint_bars(canvas, (top + 14, 28, _ROW), card, at)
    if card.together:
        label, figure = card.together
        panel(canvas, (_BARS_LEFT, top + WIDE_PLAY[1] + 10), (EDGE + INNER - _BARS_LEFT, 1), palette.mark)
        middle = top + WIDE_PLAY[1] + 28
        used = write(
            canvas, (EDGE + INNER, middle), figure, bold(20), palette.text, palette.background, anchor=1
        )
        place = (EDGE + INNER - used - 24, middle)
        write(canvas, place, label, regular(15), palette.quiet, palette.background, anchor=1)


def _paint_bars(
    canvas: Canvas, rows: tuple[int, int, int], card: SessionCard, at: Callable[[float], int]
) -> None:
    """Paint each play's gain, starting at the end of the one before, or its distance to the floor."""
    (top, height, pitch), palette = rows, canvas.palette
    for number, effect in enumerate(card.effects):
        start, end, above = at(effect.start), at(effect.end), top + number * pitch
        if card.floor is not None:
            left = at(min(each.start for each in card.effects))
            panel(canvas, (left, above), (at(card.floor) - left, height), palette.line)
        panel(canvas, (start, above), (max(2, end - start), height), palette.up)
        if card.floor is None and number + 1 < len(card.effects):
            panel(canvas, (end - 1, above + height), (1, pitch - height), palette.mark)
    if card.floor is not None:
        length = (len(card.effects) - 1) * pitch + 2 * height
        dashes(canvas, (at(card.floor), top - height // 2), length, palette.gold, is_upright=True)


def _paint_row(canvas: Canvas, corner: Place, effect: Effect) -> None:
    """Paint a play beside its bar."""
    (left, top), palette, ground, tile = corner, canvas.palette, canvas.palette.panel, effect.tile
    width, height = _BARS_LEFT - _ROWS_LEFT - 14, _ROW - 4
    panel(canvas, corner, (width, height), ground)
    if tile is None:
        middle = (left + 72, top + height // 2)
        write(canvas, middle, effect.label, bold(15), palette.text, ground, room=width - 80)
        return
    stripe(canvas, corner, (6, height), tile.difficulty)
    canvas.stamp((left + 6, top), FaceStamp(tile.face, (56, height), bold(30), shines=tile.is_max))
    inner, right = left + 72, left + width - 10
    write(canvas, (inner, top + 17), tile.title, bold(20), palette.text, ground, room=right - inner)
    end = right
    if tile.rating:
        canvas.stamp((right - 46, top + 31), RankPlate(tile.rank, (46, 18), ground))
        end -= 52
    at = inner + write(canvas, (inner, top + 40), tile.number, bold(20), palette.text, ground) + 10
    at += write(canvas, (at, top + 41), effect.origin, regular(15), palette.quiet, ground, room=end - at) + 12
    if at < end:
        colour = palette.new if tile.is_new else palette.quiet
        write(canvas, (at, top + 41), effect.place, bold(15), colour, ground, room=end - at)


def _paint_others_heading(canvas: Canvas, top: int, card: SessionCard) -> None:
    heading(canvas, (EDGE, top + 24), INNER, card.others_heading, card.others_note, card.more)


def _paint_other(canvas: Canvas, corner: Place, tile: Tile) -> None:
    (left, top), palette, ground = corner, canvas.palette, canvas.palette.panel
    panel(canvas, corner, (COLUMN, _OTHER), ground)
    stripe(canvas, corner, (5, _OTHER), tile.difficulty)
    canvas.stamp((left + 5, top), FaceStamp(tile.face, (_OTHER, _OTHER), bold(30), shines=tile.is_max))
    inner, right = left + 62, left + COLUMN - 12
    end = right
    if tile.rating:
        end -= write(canvas, (right, top + 23), tile.rating, bold(20), palette.text, ground, anchor=1) + 56
        canvas.stamp((end, top + 14), RankPlate(tile.rank, (46, 18), ground))
    write(canvas, (inner, top + 15), tile.title, bold(15), palette.text, ground, room=end - 8 - inner)
    low = top + 33
    at = inner + write(canvas, (inner, low), tile.score, regular(13), palette.text, ground) + 8
    at += write(canvas, (at, low), tile.chart, regular(13), palette.quiet, ground) + 8
    if tile.change and at + change_width(tile.change, bold(13)) <= end:
        at += paint_change(canvas, (at, low), tile.change, bold(13), ground, colour=palette.quiet) + 8
    wide = lamps_width(tile.lamps, 14)
    if at + wide <= end:
        lamps(canvas, (at + wide - 5, low), tile.lamps, 14, ground)
