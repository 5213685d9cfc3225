"""The picture of a daily post: standings, gains and the play of the day. There is one cut for all, made for phones."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.curves import CurveLine, paint_curve
from bot.ui.cards.layout import PHONE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import (
    EDGE,
    GAP,
    PHONE_HALF,
    PHONE_INNER,
    bold,
    foot,
    panel,
    phone_heading,
    regular,
    side_by_side,
    write,
)
from bot.ui.cards.plates import (
    ClassPlate,
    DeltaText,
    Move,
    Rating,
    leading,
    paint_change,
    paint_largest,
    paint_rating,
    stars,
)
from bot.ui.cards.plays import LOW, MEDIUM, Play, PlaySize, paint_phone_play
from bot.ui.kit.letters import Font

MAX_MEMBERS: Final = 30
"""The most members on a picture; `DailyCard.more` says how many more there are."""
STEPS: Final = 3
"""The number of first members, who have more room than the others."""
_MANY_MEMBERS: Final = 15
"""The number of members beyond which lines and the play are lower."""
_LINE: Final = 68
"""The largest height of a member's line, in pixels."""
_STEP: Final = ((PHONE_INNER - 2 * GAP) // STEPS, 236)


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyPlace:
    """One member in a post."""

    place: str
    name: str
    rating: Rating
    change: DeltaText | None
    """The gain, or the words that there was none or that it is unknown."""
    is_largest: bool = False
    """Whether nobody has gained more."""
    curve: CurveLine | None = None
    """The history of the rating; None if there is none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyCard:
    """The texts on the picture, in the language of the post."""

    title: str
    """The title, which names the day."""
    note: str
    """The summary of what was played."""
    total: DeltaText | None
    """The total gain of all members."""
    total_note: str
    members: tuple[DailyPlace, ...]
    """The members in order of rating, one to `MAX_MEMBERS`."""
    to_go: str = ""
    """What one member lacks to the next step."""
    more: str
    """A text such as "and 12 more"; empty if all are shown."""
    play_heading: str
    play: Play | None
    foot: str
    sign: str
    """The signature, such as "Kiroku · /daily"."""


def daily_drawing(card: DailyCard) -> Drawing:
    """Return the picture of a post."""
    many = len(card.members)
    return stacked(
        PHONE,
        gap(EDGE),
        Block(150, partial(_paint_head, card=card)),
        gap(GAP),
        _one(card) if many == 1 else _few(card) if many <= STEPS else _several(card),
        _play(card.play_heading, card.play, LOW if many > _MANY_MEMBERS else MEDIUM),
        foot(card.foot, card.sign, is_phone=True),
    )


def _paint_head(canvas: Canvas, top: int, card: DailyCard) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, right = EDGE + 26, EDGE + PHONE_INNER - 26
    panel(canvas, (EDGE, top), (PHONE_INNER, 150), ground)
    wide = 0
    if card.total:
        wide = paint_change(canvas, (right, top + 50), card.total, bold(48), ground, anchor=1) + 30
    write(canvas, (left, top + 48), card.title, bold(48), palette.text, ground, room=right - left - wide)
    used = write(canvas, (right, top + 108), card.total_note, regular(34), palette.quiet, ground, anchor=1)
    room = right - left - used - 30
    write(canvas, (left, top + 108), card.note, regular(34), palette.quiet, ground, room=room)


def _one(card: DailyCard) -> Iterator[Block]:
    yield Block(418 if card.members[0].curve else 250, partial(_paint_one, card=card, member=card.members[0]))


def _paint_one(canvas: Canvas, top: int, card: DailyCard, member: DailyPlace) -> None:
    """Paint the only member, without a rank number."""
    palette, ground, rating = canvas.palette, canvas.palette.raised, member.rating
    left, right = EDGE + 32, EDGE + PHONE_INNER - 28
    panel(canvas, (EDGE, top), (PHONE_INNER, 418 if member.curve else 250), ground)
    plate = ClassPlate.of(rating, 48, ground)
    canvas.stamp((right - plate.size[0], top + 28), plate)
    room = right - plate.size[0] - 20 - left
    write(canvas, (left, top + 52), member.name, bold(60), palette.text, ground, room=room)
    at = left + paint_rating(canvas, (left, top + 168), rating, bold(170), ground) + 44
    if member.change:
        _paint_moved(canvas, (at, top + 140), member.change, 76, ground)
    write(canvas, (at, top + 214), card.to_go, regular(34), palette.quiet, ground, room=right - at)
    if member.curve:
        size, colour = (right - left + 8, 120), leading(palette, rating.name)
        paint_curve(canvas, (left - 8, top + 250), size, member.curve, colour, ground)
        middle = top + 393
        used = write(canvas, (right, middle), member.curve.span, regular(28), palette.quiet, ground, anchor=1)
        room = right - left - used - 20
        write(canvas, (left, middle), member.curve.began, regular(28), palette.quiet, ground, room=room)


def _paint_moved(canvas: Canvas, place: Place, change: DeltaText, size: int, ground: int) -> None:
    """Write a change in large letters, or the words instead of one in the usual size."""
    paint_change(canvas, place, change, bold(size) if change.move.value else bold(34), ground)


def _few(card: DailyCard) -> Iterator[Block]:
    height = 244 if any(member.curve for member in card.members) else 150
    for member in card.members:
        yield Block(height + 10, partial(_paint_few, member=member, height=height))


def _paint_few(canvas: Canvas, top: int, member: DailyPlace, height: int) -> None:
    """Paint one of two or three members across the picture."""
    palette, ground, rating = canvas.palette, canvas.palette.raised, member.rating
    left, right = EDGE + 78, EDGE + PHONE_INNER
    place = (EDGE + 38, top + height // 2)
    write(canvas, place, member.place, bold(60), palette.text, palette.background, anchor=0.5)
    panel(canvas, (left, top), (right - left, height), ground)
    end = right - 28
    if member.change:
        end -= _paint_gain(canvas, (end, top + 78), member, bold(48), ground)
    end = min(end, right - 220)
    end -= paint_rating(canvas, (end, top + 74), rating, bold(100), ground, anchor=1) + 30
    write(canvas, (left + 24, top + 46), member.name, bold(48), palette.text, ground, room=end - left - 24)
    canvas.stamp((left + 22, top + 88), ClassPlate.of(rating, 36, ground))
    if member.curve:
        size = (right - left - 44, 84)
        paint_curve(canvas, (left + 22, top + 150), size, member.curve, leading(palette, rating.name), ground)


def _paint_gain(canvas: Canvas, place: Place, member: DailyPlace, font: Font, ground: int) -> int:
    """Write a member's gain, ending at `place`, on a filled plate if it is the largest; return its width."""
    if member.change is None:
        return 0
    if member.is_largest:
        return paint_largest(canvas, (place[0] + font.size // 4, place[1]), member.change, font, ground)
    if member.change.move is Move.NONE:
        small, colour, room = regular(min(34, font.size)), canvas.palette.quiet, 3.6 * font.size
        return write(canvas, place, member.change.text, small, colour, ground, anchor=1, room=room)
    return paint_change(canvas, place, member.change, font, ground, anchor=1)


def _several(card: DailyCard) -> Iterator[Block]:
    yield side_by_side(_STEP[1] + GAP, _paint_step, _STEP[0] + GAP, card.members[:STEPS])
    rest, pitch = card.members[STEPS:], 58 if len(card.members) > _MANY_MEMBERS else _LINE + 4
    rows = -(-len(rest) // 2)
    for number in range(rows):
        paint = partial(_paint_line, height=pitch - 4)
        yield side_by_side(pitch, paint, PHONE_HALF + GAP, rest[number::rows])
    if card.more:
        yield Block(50, partial(_paint_more, text=card.more))


def _paint_step(canvas: Canvas, corner: Place, member: DailyPlace) -> None:
    (left, top), (width, _height), palette, rating = corner, _STEP, canvas.palette, member.rating
    ground, right = palette.raised, left + width - 18
    panel(canvas, corner, _STEP, ground)
    panel(canvas, corner, (60, 60), palette.background)
    place = (left + 30, top + 30)
    write(canvas, place, member.place, bold(38), palette.text, palette.background, anchor=0.5)
    write(canvas, (left + 74, top + 32), member.name, bold(38), palette.text, ground, room=right - left - 74)
    paint_rating(canvas, (left + width // 2, top + 118), rating, bold(100), ground, anchor=0.5)
    if rating.stars:
        stars(canvas, (left + 20, top + 184), rating, 30, ground)
    else:
        plate = ClassPlate.of(rating, 34, ground)
        if plate.size[0] + 150 < width:
            canvas.stamp((left + 16, top + 183), plate)
    if member.change:
        _paint_gain(canvas, (right, top + 200), member, bold(38), ground)


def _paint_line(canvas: Canvas, corner: Place, member: DailyPlace, height: int) -> None:
    (left, top), palette, rating = corner, canvas.palette, member.rating
    ground, middle, right = palette.panel, top + height // 2, left + PHONE_HALF - 12
    gain, number = (28, 34) if height < _LINE else (34, 38)
    panel(canvas, corner, (PHONE_HALF, height), ground)
    panel(canvas, corner, (8, height), leading(palette, rating.name))
    write(canvas, (left + 56, middle), member.place, regular(28), palette.quiet, ground, anchor=1)
    _paint_gain(canvas, (right, middle), member, bold(gain), ground)
    end = right - round(3.7 * gain) - 10
    end -= paint_rating(canvas, (end, middle), rating, bold(number), ground, anchor=1) + 14
    name = left + 70
    write(canvas, (name, middle), member.name, bold(34), palette.text, ground, room=end - name)


def _paint_more(canvas: Canvas, top: int, text: str) -> None:
    palette = canvas.palette
    write(canvas, (EDGE, top + 26), text, regular(34), palette.quiet, palette.background, room=PHONE_INNER)


def _play(heading: str, play: Play | None, size: PlaySize) -> Iterator[Block]:
    if play:
        yield Block(74, partial(_paint_play_heading, text=heading))
        yield Block(size.height, partial(paint_phone_play, play=play, size=size))


def _paint_play_heading(canvas: Canvas, top: int, text: str) -> None:
    phone_heading(canvas, top + 42, text)
