"""The picture of `/compare`: two players side by side, and charts that both have played."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from bot.domain.charts import Difficulty
from bot.domain.members import Cut
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.faces import Face, FaceStamp
from bot.ui.cards.layout import PHONE, WIDE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import EDGE, GAP, bold, foot, heading, panel, phone_heading, regular, stripe, write
from bot.ui.cards.plates import ClassPlate, Rating, paint_rating
from bot.ui.kit.letters import Font
from bot.ui.kit.palette import Palette


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """One of the two players."""

    name: str
    rating: Rating
    averages: Sequence[str]
    """The averages of the slots, in words; empty if unknown."""
    wins: int
    wins_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMeeting:
    """A chart that both have played."""

    title: str
    face: Face
    difficulty: Difficulty
    chart: str
    scores: tuple[str, str]
    gap: int
    """The lead of the first player in points; negative if the second is ahead."""
    gap_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonCard:
    """The texts on the picture, in the reader's language."""

    opponents: tuple[Opponent, Opponent]
    versus: str
    note: str
    """The number of charts, and on how many each is ahead."""
    heading: str
    """The heading, which says which charts are shown."""
    heading_note: str
    meetings: tuple[ChartMeeting, ...]
    foot: str
    sign: str
    """The signature, such as "Kiroku · /compare"."""


class _Sizes(NamedTuple):
    """The sizes of everything on a picture."""

    width: int
    head: int
    name: Font
    rating: tuple[Font, int]
    plate: tuple[int, int]
    averages: int
    quiet: Font
    wins: Font
    row: int
    title: Font
    score: Font
    face: int
    bar: int


_WIDE: Final = _Sizes(
    WIDE, 214, bold(30), (bold(76), 104), (28, 150), 196, regular(15), bold(40), 66, bold(20), bold(20), 66, 6
)
_PHONE: Final = _Sizes(
    PHONE,
    374,
    bold(48),
    (bold(116), 154),
    (46, 218),
    298,
    regular(34),
    bold(60),
    132,
    bold(34),
    bold(38),
    116,
    10,
)


def comparison_drawing(card: ComparisonCard, cut: Cut) -> Drawing:
    """Return the picture for a desktop or a phone."""
    sizes = _PHONE if cut is Cut.PHONE else _WIDE
    return stacked(
        sizes.width,
        gap(EDGE),
        Block(sizes.head, partial(_paint_opponents, card=card, sizes=sizes)),
        Block(sizes.wins.size + 70, partial(_paint_wins, card=card, sizes=sizes)),
        _meetings(card, sizes),
        foot(card.foot, card.sign, is_phone=cut is Cut.PHONE),
    )


def _colours(palette: Palette) -> tuple[int, int]:
    return palette.new, palette.rival


def _half(sizes: _Sizes) -> int:
    return (sizes.width - 2 * EDGE - GAP) // 2


def _paint_opponents(canvas: Canvas, top: int, card: ComparisonCard, sizes: _Sizes) -> None:
    palette, ground, half = canvas.palette, canvas.palette.panel, _half(sizes)
    for number, (opponent, colour) in enumerate(zip(card.opponents, _colours(palette), strict=True)):
        left = EDGE + number * (half + GAP)
        panel(canvas, (left, top), (half, sizes.head), ground)
        panel(canvas, (left, top), (half, 10), colour)
        middle, room = left + half // 2, half - 40
        place = (middle, top + 20 + sizes.name.size // 2 + 10)
        write(canvas, place, opponent.name, sizes.name, palette.text, ground, anchor=0.5, room=room)
        font, down = sizes.rating
        paint_rating(canvas, (middle, top + down), opponent.rating, font, ground, anchor=0.5)
        height, down = sizes.plate
        plate = ClassPlate.of(opponent.rating, height, ground)
        canvas.stamp((middle - plate.size[0] // 2, top + down), plate)
        lines = opponent.averages if sizes is _PHONE else filter(None, [" · ".join(opponent.averages)])
        for line, text in enumerate(lines):
            place = (middle, top + sizes.averages + line * (sizes.quiet.size + 10))
            write(canvas, place, text, sizes.quiet, palette.quiet, ground, anchor=0.5, room=room)
    size = 2 * sizes.quiet.size
    corner = (sizes.width // 2 - size // 2, top + sizes.rating[1] - size // 2)
    panel(canvas, corner, (size, size), palette.background)
    place = (sizes.width // 2, top + sizes.rating[1])
    write(canvas, place, card.versus, sizes.title, palette.text, palette.background, anchor=0.5)


def _paint_wins(canvas: Canvas, top: int, card: ComparisonCard, sizes: _Sizes) -> None:
    """Paint on how many charts each is ahead."""
    palette, ground = canvas.palette, canvas.palette.background
    (mine, theirs), colours = card.opponents, _colours(palette)
    middle, right = top + sizes.wins.size // 2 + 14, sizes.width - EDGE
    used = write(canvas, (EDGE, middle), mine.wins_text, sizes.wins, colours[0], ground)
    used = max(
        used, write(canvas, (right, middle), theirs.wins_text, sizes.wins, colours[1], ground, anchor=1)
    )
    room = sizes.width - 2 * (EDGE + used + 20)
    place = (sizes.width // 2, middle)
    write(canvas, place, card.note, sizes.quiet, palette.quiet, ground, anchor=0.5, room=room)
    width, whole = sizes.width - 2 * EDGE, mine.wins + theirs.wins
    part = width * mine.wins // whole if whole else width // 2
    low = top + sizes.wins.size + 28
    panel(canvas, (EDGE, low), (max(0, part - 3), 2 * sizes.bar), colours[0])
    panel(canvas, (EDGE + part + 3, low), (max(0, width - part - 3), 2 * sizes.bar), colours[1])


def _meetings(card: ComparisonCard, sizes: _Sizes) -> Iterator[Block]:
    if not card.meetings:
        return

    def paint_heading(canvas: Canvas, top: int) -> None:
        if sizes is _PHONE:
            quiet = canvas.palette.quiet
            phone_heading(canvas, top + 36, card.heading, end=card.heading_note, end_colour=quiet)
        else:
            heading(canvas, (EDGE, top + 20), WIDE - 2 * EDGE, card.heading, end=card.heading_note)

    yield Block(76 if sizes is _PHONE else 44, paint_heading)
    widest = max(abs(meeting.gap) for meeting in card.meetings)
    for meeting in card.meetings:
        share = abs(meeting.gap) / widest if widest else 0
        yield Block(sizes.row + 8, partial(_paint_meeting, meeting=meeting, sizes=sizes, share=share))


def _paint_meeting(canvas: Canvas, top: int, meeting: ChartMeeting, sizes: _Sizes, share: float) -> None:
    """Paint a chart: its face between the scores, and a bar towards whoever is ahead."""
    palette, ground = canvas.palette, canvas.palette.panel
    left, right, colours = EDGE, sizes.width - EDGE, _colours(palette)
    panel(canvas, (left, top), (right - left, sizes.row), ground)
    face = (sizes.width - sizes.face) // 2
    stripe(canvas, (face - 8, top), (8, sizes.row), meeting.difficulty)
    canvas.stamp(
        (face, top), FaceStamp(meeting.face, (sizes.face, sizes.row), bold(2 * sizes.title.size - 8))
    )
    pad, high, low = sizes.title.size * 2 // 3, top + sizes.row * 6 // 25, top + sizes.row * 5 // 8
    edges = (face - 8, face + sizes.face)
    room = edges[0] - left - 2 * pad
    write(canvas, (left + pad, high), meeting.title, sizes.title, palette.text, ground, room=room)
    write(canvas, (right - pad, high), meeting.chart, sizes.quiet, palette.quiet, ground, anchor=1)
    for number, score in enumerate(meeting.scores):
        is_ahead = meeting.gap > 0 if number == 0 else meeting.gap < 0
        font, colour = (sizes.score, colours[number]) if is_ahead else (sizes.quiet, palette.quiet)
        outer = (left + pad, low) if number == 0 else (right - pad, low)
        write(canvas, outer, score, font, colour, ground, anchor=number)
        if is_ahead:
            inner = (edges[number] + (pad if number else -pad), low)
            write(canvas, inner, meeting.gap_text, sizes.title, palette.text, ground, anchor=1 - number)
            _paint_bar(canvas, (edges[number], top + sizes.row - sizes.bar), number, share, sizes, colour)


def _paint_bar(canvas: Canvas, corner: Place, side: int, share: float, sizes: _Sizes, colour: int) -> None:
    width = max(3, round((_half(sizes) - sizes.face // 2 - 8) * share))
    left = corner[0] if side else corner[0] - width
    panel(canvas, (left, corner[1]), (width, sizes.bar), colour)
