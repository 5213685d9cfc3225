"""The picture of `/table`: all charts that match a filter, in rows by constant, with rank and lamp."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.domain.charts import Difficulty
from bot.domain.members import Cut
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.faces import Face, FaceStamp
from bot.ui.cards.layout import PHONE, WIDE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import (
    EDGE,
    GAP,
    INNER,
    PHONE_HALF,
    PHONE_INNER,
    Facts,
    Piece,
    bold,
    figures,
    foot,
    frame,
    panel,
    regular,
    side_by_side,
    split_bar,
    stripe,
    write,
    write_all,
)
from bot.ui.cards.plates import LampBadge, LampPlate, RankPlate
from bot.ui.cards.tiles import LINE

MAX_PATTERNED_CHARTS: Final = 250
"""The most charts whose faces have patterns: with 400 of them a picture would be half as large again as allowed."""
_PLATES_PER_ROW: Final = 8
"""The number of plates side by side."""
_HEAD: Final = 156
_BAR: Final = 10
_LABELS: Final = 70
"""The width left of the plates for their constant, in pixels."""
_PLATE: Final = (139, 54)
_ACROSS: Final = 145
_DOWN: Final = 60
_BETWEEN: Final = 8
"""The additional pixels between rows of different constants."""
_STRIPE: Final = 4
_FACE: Final = 42
_RANK: Final = (46, 18)
_LAMP: Final = 14
_PHONE_HEAD: Final = 250
_PHONE_ROW: Final = 76
_PHONE_ROOM: Final = 2_040
"""The pixels for rows on a phone: with more the picture would be higher than 2.2 times its width."""
_PHONE_RANK: Final = (92, 36)


@dataclass(frozen=True, slots=True)
class Plate:
    """The texts of one chart."""

    title: str
    face: Face
    difficulty: Difficulty
    rank: str
    """The rank; empty if the chart was not played."""
    lamp: LampBadge | None


@dataclass(frozen=True, slots=True)
class Row:
    """All charts with one constant."""

    label: str
    plates: tuple[Plate, ...]
    nearest: tuple[Plate, ...] = ()
    """The same charts, sorted by how near they are to the next rank that matters."""
    played: str = ""
    """The number of played charts, in words."""
    ranks: tuple[tuple[str, int], ...] = ()
    """The number of charts with each rank, the highest first."""

    @property
    def height(self) -> int:
        """The pixels to the next row."""
        return -(-len(self.plates) // _PLATES_PER_ROW) * _DOWN + _BETWEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionPicture:
    """The texts on the picture, in the reader's language."""

    title: str
    """The title, which says which charts are shown."""
    note: str
    """The player, and the order of the charts."""
    facts: Facts
    """The facts, at most three."""
    ranks: tuple[tuple[str, int, str], ...]
    """The ranks as label, number of charts and that number in words, the highest first."""
    rows: tuple[Row, ...]
    more: str
    """The note for phones that not all charts fit."""
    foot: str
    sign: str
    """The signature, such as "Kiroku · /table"."""

    @property
    def count(self) -> int:
        """The number of charts."""
        return sum(len(row.plates) for row in self.rows)


def completion_drawing(picture: CompletionPicture, cut: Cut) -> Drawing:
    """Return the picture for a desktop or a phone."""
    return _phone(picture) if cut is Cut.PHONE else _wide(picture)


def rank_parts(canvas: Canvas, ranks: Sequence[tuple[str, int]], whole: int) -> list[tuple[int, int]]:
    """Return the parts of a bar as number of charts and colour, by rank; charts not played come last."""
    colours, told = canvas.palette.ranks, sum(many for _label, many in ranks)
    parts = [(many, colours.get(label, colours["AAA"])) for label, many in ranks]
    return [*parts, (max(0, whole - told), canvas.palette.line)]


def _wide(picture: CompletionPicture) -> Drawing:
    is_plain = picture.count > MAX_PATTERNED_CHARTS
    return stacked(
        WIDE,
        gap(EDGE),
        Block(_HEAD + GAP, partial(_paint_head, picture=picture)),
        [Block(row.height, partial(_paint_row, row=row, is_plain=is_plain)) for row in picture.rows],
        foot(picture.foot, picture.sign),
    )


def _paint_head(canvas: Canvas, top: int, picture: CompletionPicture) -> None:
    palette = canvas.palette
    ground, left = palette.panel, EDGE + 24
    panel(canvas, (EDGE, top), (INNER, _HEAD), ground)
    at = figures(canvas, (EDGE + INNER - 24, top), picture.facts)
    write(canvas, (left, top + 37), picture.title, bold(30), palette.text, ground, room=at - left)
    write(canvas, (left, top + 72), picture.note, regular(15), palette.quiet, ground, room=at - left)
    for label, _count, text in picture.ranks:
        canvas.stamp((left, top + 110 - _RANK[1] // 2), RankPlate(label, _RANK, ground))
        left += _RANK[0] + 8
        left += write(canvas, (left, top + 110), text, bold(15), palette.text, ground) + 22
    parts = rank_parts(canvas, [rank[:2] for rank in picture.ranks], picture.count)
    split_bar(canvas, (EDGE, top + _HEAD - _BAR), (INNER, _BAR), parts)


def _paint_row(canvas: Canvas, top: int, row: Row, *, is_plain: bool) -> None:
    palette = canvas.palette
    middle = (EDGE + _LABELS - 22, top + _PLATE[1] // 2)
    write(canvas, middle, row.label, bold(20), palette.text, palette.background, anchor=1, room=_LABELS - 22)
    height = row.height - _BETWEEN - (_DOWN - _PLATE[1])
    panel(canvas, (EDGE + _LABELS - 12, top), (2, height), palette.line)
    for number, plate in enumerate(row.plates):
        down, across = divmod(number, _PLATES_PER_ROW)
        corner = (EDGE + _LABELS + across * _ACROSS, top + down * _DOWN)
        _paint_plate(canvas, corner, plate, is_plain=is_plain)


def _paint_plate(canvas: Canvas, corner: Place, plate: Plate, *, is_plain: bool) -> None:
    (left, top), (width, height), palette = corner, _PLATE, canvas.palette
    ground = palette.panel
    panel(canvas, corner, _PLATE, ground)
    stripe(canvas, corner, (_STRIPE, height), plate.difficulty)
    is_max = plate.lamp is LampBadge.ALL_CRITICAL
    face = plate.face._replace(family="") if is_plain else plate.face
    if not plate.rank:
        face = face.greyed(palette)
    canvas.stamp((left + _STRIPE, top), FaceStamp(face, (_FACE, height), bold(20), shines=is_max))
    inner, end = left + _STRIPE + _FACE + 5, left + width - 4
    colour = palette.text if plate.rank else palette.quiet
    write(canvas, (inner, top + 15), plate.title, regular(13), colour, ground, room=end - inner)
    if plate.rank:
        canvas.stamp((inner, top + 28), RankPlate(plate.rank, _RANK, ground))
    if plate.lamp:
        canvas.stamp((inner + _RANK[0] + 3, top + 30), LampPlate(plate.lamp, _LAMP, ground))
    if is_max:
        frame(canvas, (left + _STRIPE, top), (width - _STRIPE, height), palette.gold, 2)


def _phone(picture: CompletionPicture) -> Drawing:
    rows = picture.rows[: _PHONE_ROOM // _PHONE_ROW]
    lines = _lines_of(rows)
    shown = sum(min(2 * many, len(row.plates)) for row, many in zip(rows, lines, strict=True))
    blocks = [block for row, many in zip(rows, lines, strict=True) for block in _phone_row(row, many)]
    is_cut = shown < picture.count
    return stacked(
        PHONE,
        gap(EDGE),
        Block(_PHONE_HEAD, partial(_paint_phone_head, picture=picture)),
        blocks,
        foot(picture.more if is_cut else picture.foot, picture.sign, is_phone=True),
    )


def _lines_of(rows: Sequence[Row]) -> list[int]:
    """Return the number of lines, of two charts each, for each row; they get one in turn while there is room."""
    left = (_PHONE_ROOM - _PHONE_ROW * len(rows)) // LINE
    lines = [0] * len(rows)
    wanted = [-(-len(row.plates) // 2) for row in rows]
    while left > 0 and lines != wanted:
        for number, many in enumerate(wanted):
            if lines[number] < many and left > 0:
                lines[number] += 1
                left -= 1
    return lines


def _phone_row(row: Row, lines: int) -> Iterator[Block]:
    yield Block(_PHONE_ROW, partial(_paint_phone_label, row=row))
    is_whole = 2 * lines >= len(row.plates)
    plates = row.plates if is_whole else row.nearest[: 2 * lines]
    for number in range(lines):
        yield side_by_side(LINE, _paint_line, PHONE_HALF + GAP, plates[number::lines])


def _paint_phone_head(canvas: Canvas, top: int, picture: CompletionPicture) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, right, height = EDGE + 26, EDGE + PHONE_INNER - 26, _PHONE_HEAD - GAP
    panel(canvas, (EDGE, top), (PHONE_INNER, height), ground)
    room = right - left
    if picture.facts:
        value, label = picture.facts[0]
        used = write(canvas, (right, top + 48), value, bold(48), palette.text, ground, anchor=1)
        used = max(
            used, write(canvas, (right, top + 104), label, regular(34), palette.quiet, ground, anchor=1)
        )
        room -= used + 30
    write(canvas, (left, top + 48), picture.title, bold(48), palette.text, ground, room=room)
    write(canvas, (left, top + 104), picture.note, regular(34), palette.quiet, ground, room=room)
    at = left
    for value, label in picture.facts[1:]:
        pieces = [Piece(value, bold(34), palette.text), Piece(f" {label}", regular(34), palette.quiet)]
        at += write_all(canvas, (at, top + 160), pieces, ground, right=right) + 30
    parts = rank_parts(canvas, [rank[:2] for rank in picture.ranks], picture.count)
    split_bar(canvas, (EDGE, top + height - 34), (PHONE_INNER, 34), parts)


def _paint_phone_label(canvas: Canvas, top: int, row: Row) -> None:
    palette, middle = canvas.palette, top + 40
    write(canvas, (EDGE, middle), row.label, bold(38), palette.text, palette.background, room=150)
    end = EDGE + PHONE_INNER
    used = write(canvas, (end, middle), row.played, bold(34), palette.text, palette.background, anchor=1)
    size = (PHONE_INNER - 166 - max(used, 150) - 24, 22)
    parts = rank_parts(canvas, row.ranks, len(row.plates))
    split_bar(canvas, (EDGE + 166, middle - 11), size, parts)


def _paint_line(canvas: Canvas, corner: Place, plate: Plate) -> None:
    (left, top), palette = corner, canvas.palette
    ground, middle, right = palette.panel, top + LINE // 2, left + PHONE_HALF - 12
    panel(canvas, corner, (PHONE_HALF, LINE), ground)
    panel(canvas, (left + 10, top + LINE - 1), (PHONE_HALF - 10, 1), palette.line)
    stripe(canvas, corner, (10, LINE), plate.difficulty)
    if plate.rank:
        corner = (right - _PHONE_RANK[0], middle - _PHONE_RANK[1] // 2)
        canvas.stamp(corner, RankPlate(plate.rank, _PHONE_RANK, ground))
        right = corner[0] - 8
    if plate.lamp:
        lamp = LampPlate(plate.lamp, 34, ground)
        right -= lamp.size[0]
        canvas.stamp((right, middle - 17), lamp)
        right -= 8
    name = left + 26
    colour = palette.text if plate.rank else palette.quiet
    write(canvas, (name, middle), plate.title, bold(34), colour, ground, room=right - name)
