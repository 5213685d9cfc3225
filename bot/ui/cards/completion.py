"""The picture of `/table`: every chart of a filter, in rows by constant, with rank and lamp."""

from dataclasses import dataclass
from typing import Final

from bot.domain.charts import Difficulty
from bot.domain.members import Theme
from bot.ui.cards.canvas import Canvas, Place, ToneCanvas
from bot.ui.cards.faces import Face, FaceStamp
from bot.ui.cards.parts import (
    BOLD_LABEL,
    EDGE,
    FOOT,
    GAP,
    INNER,
    NAME,
    SENTENCE,
    SMALL,
    TITLE,
    WIDTH,
    LampBadge,
    LampPlate,
    RankPlate,
    figures,
    foot,
    frame,
    panel,
    stripe,
    write,
)

_PLATES_PER_ROW: Final = 8
"""So many plates stand side by side."""
MAX_PATTERNED_CHARTS: Final = 250
"""Of more charts, faces have no patterns: with those of 400 a picture would be a half larger than it may be."""
_COMPRESSION: Final = 8
"""The picture is long: this saves a fifth of its bytes for a tenth of a second more."""
_HEAD: Final = 156
_BAR: Final = 10
_LABELS: Final = 70
"""Left of the plates there are so many pixels for their constant."""
_PLATE: Final = (139, 54)
_ACROSS: Final = 145
_DOWN: Final = 60
_BETWEEN: Final = 8
"""Rows of two constants are so many pixels further apart."""
_STRIPE: Final = 4
_FACE: Final = 42
_RANK: Final = (44, 18)
_LAMP: Final = 14


@dataclass(frozen=True, slots=True)
class Plate:
    """One chart, as it is written."""

    title: str
    face: Face
    difficulty: Difficulty
    rank: str
    """It is empty where the chart was not played."""
    lamp: LampBadge | None


@dataclass(frozen=True, slots=True)
class Row:
    """All charts of a constant."""

    label: str
    plates: tuple[Plate, ...]

    @property
    def height(self) -> int:
        """Pixels to the next row."""
        return -(-len(self.plates) // _PLATES_PER_ROW) * _DOWN + _BETWEEN


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionPicture:
    """All that is written on the picture, in the reader's language."""

    title: str
    """It says which charts they are."""
    note: str
    """It says whose they are, and in what order."""
    facts: tuple[tuple[str, str], ...]
    """Each is a value and its label; there are three at most."""
    ranks: tuple[tuple[str, int, str], ...]
    """Each is a label, how many charts, and that number as it is written; the highest rank comes first."""
    rows: tuple[Row, ...]
    foot: str
    sign: str
    """This says whose picture it is, as "Kiroku · /table"."""


def draw_completion(picture: CompletionPicture, theme: Theme) -> bytes:
    """Return the picture as PNG."""
    canvas = ToneCanvas(theme, *completion_size(picture))
    paint_completion(canvas, picture)
    return canvas.to_png(_COMPRESSION)


def completion_size(picture: CompletionPicture) -> tuple[int, int]:
    """Return width and height in pixels."""
    return WIDTH, EDGE + _HEAD + GAP + sum(row.height for row in picture.rows) + FOOT


def paint_completion(canvas: Canvas, picture: CompletionPicture) -> None:
    """Lay the picture out on any canvas of its size that is filled with the background."""
    _paint_head(canvas, picture)
    top = EDGE + _HEAD + GAP
    is_plain = sum(len(row.plates) for row in picture.rows) > MAX_PATTERNED_CHARTS
    for row in picture.rows:
        _paint_row(canvas, top, row, is_plain=is_plain)
        top += row.height
    foot(canvas, completion_size(picture)[1] - FOOT, picture.foot, picture.sign)


def _paint_head(canvas: Canvas, picture: CompletionPicture) -> None:
    palette = canvas.palette
    ground, left = palette.panel, EDGE + 24
    panel(canvas, (EDGE, EDGE), (INNER, _HEAD), ground)
    at = figures(canvas, (EDGE + INNER - 24, EDGE), picture.facts)
    write(canvas, (left, EDGE + 37), picture.title, NAME, palette.text, ground, room=at - left)
    write(canvas, (left, EDGE + 72), picture.note, SENTENCE, palette.quiet, ground, room=at - left)
    for label, _count, text in picture.ranks:
        canvas.stamp((left, EDGE + 110 - _RANK[1] // 2), RankPlate(label, _RANK, ground))
        left += _RANK[0] + 8
        left += write(canvas, (left, EDGE + 110), text, BOLD_LABEL, palette.text, ground) + 22
    _paint_bar(canvas, picture)


def _paint_bar(canvas: Canvas, picture: CompletionPicture) -> None:
    """Paint how far it is by rank: what was not played stays as it is."""
    palette = canvas.palette
    top, whole = EDGE + _HEAD - _BAR, sum(len(row.plates) for row in picture.rows)
    panel(canvas, (EDGE, top), (INNER, _BAR), palette.line)
    start = count = 0
    for label, many, _text in picture.ranks:
        count += many
        end = INNER * count // whole
        panel(
            canvas, (EDGE + start, top), (end - start, _BAR), palette.ranks.get(label, palette.ranks["AAA"])
        )
        panel(canvas, (EDGE + end - 2, top), (2, _BAR), palette.panel)
        start = end


def _paint_row(canvas: Canvas, top: int, row: Row, *, is_plain: bool) -> None:
    palette = canvas.palette
    middle = (EDGE + _LABELS - 22, top + _PLATE[1] // 2)
    write(canvas, middle, row.label, TITLE, palette.text, palette.background, anchor=1)
    height = row.height - _BETWEEN - (_DOWN - _PLATE[1])
    panel(canvas, (EDGE + _LABELS - 12, top), (2, height), palette.line)
    for number, plate in enumerate(row.plates):
        down, across = divmod(number, _PLATES_PER_ROW)
        _paint_plate(
            canvas, (EDGE + _LABELS + across * _ACROSS, top + down * _DOWN), plate, is_plain=is_plain
        )


def _paint_plate(canvas: Canvas, corner: Place, plate: Plate, *, is_plain: bool) -> None:
    (left, top), (width, height), palette = corner, _PLATE, canvas.palette
    ground = palette.panel
    panel(canvas, corner, _PLATE, ground)
    stripe(canvas, corner, (_STRIPE, height), plate.difficulty)
    is_max = plate.lamp is LampBadge.ALL_CRITICAL
    face = plate.face._replace(family="") if is_plain else plate.face
    if not plate.rank:
        face = face._replace(ground=palette.background, figure=palette.panel, letter=palette.mark)
    canvas.stamp((left + _STRIPE, top), FaceStamp(face, (_FACE, height), TITLE, shines=is_max))
    inner, end = left + _STRIPE + _FACE + 5, left + width - 4
    colour = palette.text if plate.rank else palette.quiet
    write(canvas, (inner, top + 15), plate.title, SMALL, colour, ground, room=end - inner)
    if plate.rank:
        canvas.stamp((inner, top + 28), RankPlate(plate.rank, _RANK, ground))
    if plate.lamp:
        canvas.stamp((inner + _RANK[0] + 3, top + 30), LampPlate(plate.lamp, _LAMP, ground))
    if is_max:
        frame(canvas, (left + _STRIPE, top), (width - _STRIPE, height), palette.gold, 2)
