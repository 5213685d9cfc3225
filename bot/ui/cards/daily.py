"""The picture of the daily post: a server's day."""

from dataclasses import dataclass
from typing import Final

from bot.domain.members import Theme
from bot.ui.cards.canvas import Canvas, Place, ToneCanvas
from bot.ui.cards.parts import (
    BOLD_LABEL,
    COLUMN,
    EDGE,
    FIGURE,
    FOOT,
    GAP,
    GREAT,
    HEADING,
    INNER,
    LABEL,
    NAME,
    SENTENCE,
    TITLE,
    WIDTH,
    ClassPlate,
    CurveLine,
    DeltaText,
    Move,
    Rating,
    figures,
    foot,
    heading,
    leading,
    paint_change,
    paint_curve,
    paint_rating,
    panel,
    write,
)
from bot.ui.cards.tiles import PITCH, ROW, TILE, Tile, paint_tile

MAX_STEPS: Final = 3
MAX_BARS: Final = 9
"""A picture holds so many; `DailyPicture.more` tells how many more there are."""

_HEAD: Final = 100
_EMPTY: Final = 72
_STEP: Final = 196
_LOW_STEP: Final = 142
"""So high is a step where nobody has a history yet."""
_TAG: Final = 48
_BY: Final = 76


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyStep:
    """One member, of the highest who have moved."""

    place: str
    name: str
    rating: Rating
    change: DeltaText | None
    curve: CurveLine | None = None
    """It is None before there is a history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyBar:
    """One of the others."""

    place: str
    name: str
    rating: Rating
    change: DeltaText | None
    share: float
    """It is the bar's length as a share of that of the day's largest change, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayScore:
    """The one score of the day, by whom, and why it is."""

    heading: str
    tile: Tile
    name: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPicture:
    """All that is written on the picture, in the language of the post."""

    title: str
    """It names the day."""
    note: str
    """It says since when."""
    facts: tuple[tuple[str, str], ...]
    """Each is a value and its label; there are three at most."""
    steps: tuple[DailyStep, ...]
    """There are at most `MAX_STEPS`."""
    bars_heading: str
    bars_note: str
    bars: tuple[DailyBar, ...]
    """There are at most `MAX_BARS`."""
    more: str
    """It reads as "and 12 more", and is empty where all are shown."""
    score: DayScore | None
    empty: str
    """This is said on a day on which nobody changed."""
    foot: str
    sign: str
    """This says whose picture it is, as "Kiroku · /daily"."""


def draw_daily(picture: DailyPicture, theme: Theme) -> bytes:
    """Return the picture as PNG."""
    canvas = ToneCanvas(theme, *daily_size(picture))
    paint_daily(canvas, picture)
    return canvas.to_png()


def daily_size(picture: DailyPicture) -> tuple[int, int]:
    """Return width and height in pixels."""
    bars = HEADING - 8 + PITCH * len(picture.bars) - 4 if picture.bars else 0
    score = HEADING - 8 + TILE + (GAP + _BY if picture.bars else 0) if picture.score else 0
    return WIDTH, _below_top(picture) + max(bars, score) + FOOT


def _below_top(picture: DailyPicture) -> int:
    return EDGE + _HEAD + GAP + (_step_height(picture) if picture.steps else _EMPTY)


def _step_height(picture: DailyPicture) -> int:
    return _STEP if any(step.curve for step in picture.steps) else _LOW_STEP


def paint_daily(canvas: Canvas, picture: DailyPicture) -> None:
    """Lay the picture out on any canvas of its size that is filled with the background."""
    _paint_head(canvas, picture)
    top, palette = EDGE + _HEAD + GAP, canvas.palette
    if picture.steps:
        wide = (INNER - (len(picture.steps) - 1) * GAP) // len(picture.steps)
        for number, step in enumerate(picture.steps):
            _paint_step(canvas, (EDGE + number * (wide + GAP), top), (wide, _step_height(picture)), step)
    else:
        panel(canvas, (EDGE, top), (INNER, _EMPTY), palette.panel)
        middle = (EDGE + 24, top + _EMPTY // 2)
        write(canvas, middle, picture.empty, SENTENCE, palette.quiet, palette.panel, room=INNER - 48)
    top = _below_top(picture)
    first = top + HEADING - 8
    if picture.bars:
        wide = INNER - COLUMN - GAP if picture.score else INNER
        heading(canvas, (EDGE, top), wide, picture.bars_heading, picture.bars_note, picture.more)
        for number, bar in enumerate(picture.bars):
            _paint_bar(canvas, (EDGE, first + number * PITCH), wide, bar)
    if picture.score:
        _paint_score(canvas, (EDGE, top), picture.score, is_beside=bool(picture.bars))
    foot(canvas, daily_size(picture)[1] - FOOT, picture.foot, picture.sign)


def _paint_head(canvas: Canvas, picture: DailyPicture) -> None:
    palette = canvas.palette
    ground = palette.panel
    panel(canvas, (EDGE, EDGE), (INNER, _HEAD), ground)
    at = figures(canvas, (EDGE + INNER - 24, EDGE), picture.facts)
    left = EDGE + 24
    write(canvas, (left, EDGE + 37), picture.title, NAME, palette.text, ground, room=at - left)
    write(canvas, (left, EDGE + 72), picture.note, SENTENCE, palette.quiet, ground, room=at - left)


def _paint_step(canvas: Canvas, corner: Place, size: tuple[int, int], step: DailyStep) -> None:
    (left, top), (width, _height), palette = corner, size, canvas.palette
    ground = palette.raised
    panel(canvas, corner, size, ground)
    panel(canvas, corner, (_TAG, _TAG), palette.background)
    middle = (left + _TAG // 2, top + _TAG // 2)
    write(canvas, middle, step.place, NAME, palette.text, palette.background, anchor=0.5)
    plate = ClassPlate(step.rating.label, step.rating.name, 22, ground)
    end = left + width - 14 - plate.size[0]
    canvas.stamp((end, top + 15), plate)
    name = (left + _TAG + 16, top + 26)
    write(canvas, name, step.name, NAME, palette.text, ground, room=end - 16 - name[0])
    at = left + 18 + paint_rating(canvas, (left + 18, top + 98), step.rating, GREAT, ground) + 30
    if step.change:
        font = TITLE if step.change.move is Move.NEW else FIGURE  # in words
        paint_change(canvas, (at, top + 98), step.change, font, ground)
    if step.curve:
        colour = leading(palette, step.rating.name)
        paint_curve(canvas, (left + 16, top + 136), (width - 32, 50), step.curve, colour, ground)


def _paint_score(canvas: Canvas, corner: Place, score: DayScore, *, is_beside: bool) -> None:
    """Paint the score of the day: beside the bars its player stands below, else at its end."""
    left, top = corner
    right, first, wide = left + INNER - COLUMN, top + HEADING - 8, INNER - COLUMN - GAP
    if is_beside:
        heading(canvas, (right, top), COLUMN, score.heading)
        paint_tile(canvas, (right, first), COLUMN, score.tile)
        by, high = first + TILE + GAP, _BY
    else:
        heading(canvas, (left, top), INNER, score.heading)
        paint_tile(canvas, (left, first), wide, score.tile)
        by, high = first, TILE
    palette, room = canvas.palette, COLUMN - 36
    panel(canvas, (right, by), (COLUMN, high), palette.panel)
    name, note = (right + 18, by + high // 2 - 13), (right + 18, by + high // 2 + 14)
    write(canvas, name, score.name, TITLE, palette.text, palette.panel, room=room)
    write(canvas, note, score.note, LABEL, palette.quiet, palette.panel, room=room)


def _paint_bar(canvas: Canvas, corner: Place, width: int, bar: DailyBar) -> None:
    (left, top), palette = corner, canvas.palette
    ground, middle, right = palette.panel, top + ROW // 2, left + width - 16
    panel(canvas, corner, (width, ROW), ground)
    panel(canvas, corner, (6, ROW), leading(palette, bar.rating.name))
    write(canvas, (left + 28, middle), bar.place, BOLD_LABEL, palette.quiet, ground, anchor=0.5)
    name = left + 52
    rating = left + width * 7 // 16
    used = paint_rating(canvas, (rating, middle), bar.rating, NAME, ground, anchor=1)
    write(canvas, (name, middle), bar.name, TITLE, palette.text, ground, room=rating - used - 16 - name)
    plate = ClassPlate(bar.rating.label, bar.rating.name, 22, ground)
    canvas.stamp((rating + 16, top + 12), plate)
    if bar.change:
        paint_change(canvas, (right, middle), bar.change, TITLE, ground, anchor=1)
    if bar.change and bar.change.move is not Move.NEW:
        start, end = rating + 140, right - 100
        panel(canvas, (start, middle - 6), (end - start, 12), palette.raised)
        length = max(2, round((end - start) * min(1.0, bar.share)))
        colour = palette.down if bar.change.move is Move.DOWN else palette.up
        panel(canvas, (start, middle - 6), (length, 12), colour)
