"""The picture of tiers: charts from easy to hard for one player, what is done, and what comes next."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.domain.charts import Difficulty
from bot.domain.members import Cut
from bot.ui.cards.canvas import Canvas, Place
from bot.ui.cards.completion import rank_parts
from bot.ui.cards.faces import Face, FaceStamp
from bot.ui.cards.layout import PHONE, WIDE, Block, Drawing, gap, stacked
from bot.ui.cards.parts import (
    EDGE,
    GAP,
    INNER,
    PHONE_HALF,
    PHONE_INNER,
    Facts,
    bar,
    bold,
    figures,
    foot,
    frame,
    mark_done,
    panel,
    regular,
    side_by_side,
    split_bar,
    stripe,
    write,
)
from bot.ui.cards.plates import RankPlate, tag
from bot.ui.kit.letters import width_of

MAX_ROWS: Final = 7
"""The most rows of a picture: easier or harder ones are merged into the first or last row."""
MAX_OPEN: Final = 10
"""The most open charts of a row; if there are more, the last place says how many."""
_PHONE_OPEN: Final = 4
_ACROSS: Final = 5
_LABELS: Final = 110
_TILE: Final = (214, 64)
_PITCH: Final = (225, 72)
_PHONE_TILE: Final = (PHONE_HALF, 104)


@dataclass(frozen=True, slots=True, kw_only=True)
class TierChart:
    """The texts of one chart that is not done."""

    title: str
    face: Face
    difficulty: Difficulty
    constant: str
    rank: str
    """The rank; empty if the chart was not played."""
    missing: str
    """The missing points, or that the chart was not played."""
    chance: str
    """The chance that one try reaches the rank, in per cent."""
    share: float
    """The same chance, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TierRow:
    """All charts with a similar chance."""

    label: str
    """The chances of the row's charts, such as "90%+"."""
    done: int
    count: int
    count_text: str
    """A text such as "33 of 40", or with the counts of both players "33 : 21 / 40"."""
    done_titles: tuple[str, ...]
    """The titles of done charts, the best first."""
    open_charts: tuple[TierChart, ...]
    """The open charts, those nearest to being done first."""
    more: str
    """The pattern "and {count} more"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TiersCard:
    """The texts on the picture, in the reader's language."""

    title: str
    note: str
    notes: tuple[str, str]
    """The two lines of notes on a phone."""
    facts: Facts
    """The numbers of done and open charts, and the other player's number of done ones if there is one."""
    ranks: tuple[tuple[str, int], ...]
    """The number of charts with each rank, the highest first."""
    rows: tuple[TierRow, ...]
    """The rows, at most `MAX_ROWS`, the easiest first."""
    legend: tuple[str, str, str]
    """The meanings of a tick, of the bars, and of a figure with a minus."""
    foot: str
    sign: str
    """The signature, such as "Kiroku · /tiers"."""

    @property
    def count(self) -> int:
        """The number of charts."""
        return sum(row.count for row in self.rows)


def tiers_drawing(card: TiersCard, cut: Cut) -> Drawing:
    """Return the picture for a desktop or a phone."""
    return _phone(card) if cut is Cut.PHONE else _wide(card)


def _wide(card: TiersCard) -> Drawing:
    return stacked(
        WIDE,
        gap(EDGE),
        Block(128 + GAP, partial(_paint_head, card=card)),
        [Block(_height_of(row), partial(_paint_row, row=row)) for row in card.rows],
        Block(34, partial(_paint_legend, legend=card.legend)),
        foot(card.foot, card.sign),
    )


def _paint_head(canvas: Canvas, top: int, card: TiersCard) -> None:
    palette, left = canvas.palette, EDGE + 24
    ground = palette.panel
    panel(canvas, (EDGE, top), (INNER, 128), ground)
    at = figures(canvas, (EDGE + INNER - 24, top), card.facts, first=palette.up)
    write(canvas, (left, top + 38), card.title, bold(30), palette.text, ground, room=at - left - 24)
    write(canvas, (left, top + 78), card.note, regular(15), palette.quiet, ground, room=at - left - 24)
    split_bar(canvas, (EDGE, top + 116), (INNER, 12), rank_parts(canvas, card.ranks, card.count))


def _height_of(row: TierRow) -> int:
    lines = -(-min(len(row.open_charts), MAX_OPEN) // _ACROSS)
    return max(70, 36 + lines * _PITCH[1]) + 8


def _paint_row(canvas: Canvas, top: int, row: TierRow) -> None:
    palette, ground = canvas.palette, canvas.palette.background
    write(canvas, (EDGE, top + 22), row.label, bold(24), palette.text, ground, room=_LABELS - 24)
    write(canvas, (EDGE, top + 48), row.count_text, regular(15), palette.quiet, ground, room=_LABELS - 24)
    bar(canvas, (EDGE, top + 62), (_LABELS - 28, 6), row.done / row.count, palette.up, palette.line)
    panel(canvas, (EDGE + _LABELS - 14, top), (2, _height_of(row) - 14), palette.line)
    left = EDGE + _LABELS
    if row.done:
        _paint_done(canvas, (left, top + 14), row)
    shown = row.open_charts[:MAX_OPEN]
    for number, chart in enumerate(shown):
        down, across = divmod(number, _ACROSS)
        corner = (left + across * _PITCH[0], top + 32 + down * _PITCH[1])
        hidden = len(row.open_charts) - MAX_OPEN + 1
        if number == MAX_OPEN - 1 and hidden > 1:
            frame(canvas, corner, _TILE, palette.line, 2)
            middle = (corner[0] + _TILE[0] // 2, corner[1] + _TILE[1] // 2)
            write(
                canvas, middle, row.more.format(count=hidden), regular(15), palette.quiet, ground, anchor=0.5
            )
        else:
            _paint_open(canvas, corner, chart)


def _paint_done(canvas: Canvas, place: Place, row: TierRow) -> None:
    """Write the titles of done charts that there is room for."""
    (at, middle), palette, ground, font = place, canvas.palette, canvas.palette.background, regular(15)
    right = EDGE + INNER - 110
    at += mark_done(canvas, place, 14, ground) + 8
    left = row.done
    for title in row.done_titles:
        wide = min(width_of(title, font), 160)
        if at + wide > right:
            break
        at += write(canvas, (at, middle), title, font, palette.quiet, ground, room=160) + 8
        left -= 1
        if left:
            at += write(canvas, (at, middle), "·", font, palette.quiet, ground) + 8
    if left:
        text = row.more.format(count=left)
        write(canvas, (at, middle), text, font, palette.quiet, ground, room=EDGE + INNER - at)


def _paint_open(canvas: Canvas, corner: Place, chart: TierChart) -> None:
    (left, top), (width, height), palette = corner, _TILE, canvas.palette
    ground = palette.panel
    panel(canvas, corner, _TILE, ground)
    stripe(canvas, corner, (5, height), chart.difficulty)
    face = chart.face if chart.rank else chart.face.greyed(palette)
    canvas.stamp((left + 5, top), FaceStamp(face, (54, height), bold(30), lowered=6))
    tag(canvas, (left + 5, top), chart.constant, bold(13), (34, 17), is_new=False)
    inner, right = left + 66, left + width - 6
    write(canvas, (inner, top + 16), chart.title, bold(15), palette.text, ground, room=right - inner)
    _paint_missing(canvas, (inner, top + 40), right, chart, (46, 18), 13)
    bar(canvas, (inner, top + 56), (right - inner, 4), chart.share, palette.gold, palette.line)


def _paint_missing(
    canvas: Canvas, place: Place, right: int, chart: TierChart, rank: tuple[int, int], size: int
) -> None:
    """Paint rank, missing points and chance."""
    (at, middle), palette, ground = place, canvas.palette, canvas.palette.panel
    if chart.rank:
        canvas.stamp((at, middle - rank[1] // 2), RankPlate(chart.rank, rank, ground))
        at += rank[0] + size // 2
    large = bold(size + 2 if size < 20 else size)  # noqa: PLR2004 - on a wide picture
    right -= write(canvas, (right, middle), chart.chance, large, palette.text, ground, anchor=1) + size // 2
    write(canvas, (at, middle), chart.missing, regular(size), palette.quiet, ground, room=right - at)


def _paint_legend(canvas: Canvas, top: int, legend: tuple[str, str, str]) -> None:
    palette, ground, middle, at = canvas.palette, canvas.palette.background, top + 18, EDGE
    done, players, missing = legend
    at += mark_done(canvas, (at, middle), 14, ground) + 8
    at += write(canvas, (at, middle), done, regular(13), palette.quiet, ground) + 24
    bar(canvas, (at, middle - 2), (30, 4), 0.5, palette.gold, palette.line)
    at += 38
    at += write(canvas, (at, middle), players, regular(13), palette.quiet, ground) + 24
    write(canvas, (at, middle), missing, regular(13), palette.quiet, ground, room=EDGE + INNER - at)


def _phone(card: TiersCard) -> Drawing:
    blocks = [block for row in card.rows for block in _phone_row(row)]
    return stacked(
        PHONE,
        gap(EDGE),
        Block(206, partial(_paint_phone_head, card=card)),
        blocks,
        Block(54, partial(_paint_phone_legend, legend=card.legend)),
        foot(card.foot, card.sign, is_phone=True),
    )


def _paint_phone_head(canvas: Canvas, top: int, card: TiersCard) -> None:
    palette, ground = canvas.palette, canvas.palette.panel
    left, right = EDGE + 26, EDGE + PHONE_INNER - 26
    panel(canvas, (EDGE, top), (PHONE_INNER, 206), ground)
    room = right - left
    if card.facts:
        value, label = card.facts[0]
        wide = write(canvas, (right, top + 52), value, bold(48), palette.up, ground, anchor=1)
        mark_done(canvas, (right - wide - 54, top + 52), 42, ground)
        label_wide = write(canvas, (right, top + 110), label, regular(34), palette.quiet, ground, anchor=1)
        room -= max(wide + 54, label_wide) + 24
    write(canvas, (left, top + 52), card.title, bold(48), palette.text, ground, room=room)
    first, second = card.notes
    write(canvas, (left, top + 110), first, regular(34), palette.quiet, ground, room=room)
    write(canvas, (left, top + 160), second, regular(34), palette.quiet, ground, room=right - left)
    split_bar(canvas, (EDGE, top + 190), (PHONE_INNER, 16), rank_parts(canvas, card.ranks, card.count))


def _phone_row(row: TierRow) -> Iterator[Block]:
    yield Block(66, partial(_paint_phone_label, row=row))
    shown = row.open_charts[:_PHONE_OPEN]
    for first in range(0, len(shown), 2):
        pair = shown[first : first + 2]
        yield side_by_side(_PHONE_TILE[1] + 8, _paint_phone_open, PHONE_HALF + GAP, pair)
    if hidden := len(row.open_charts) - len(shown):
        yield Block(48, partial(_paint_phone_more, text=row.more.format(count=hidden)))


def _paint_phone_more(canvas: Canvas, top: int, text: str) -> None:
    place, palette = (EDGE + PHONE_INNER, top + 20), canvas.palette
    write(canvas, place, text, regular(34), palette.quiet, palette.background, anchor=1)


def _paint_phone_legend(canvas: Canvas, top: int, legend: tuple[str, str, str]) -> None:
    """Explain the bar and the figure with a minus; the head explains the tick."""
    palette, middle, at = canvas.palette, top + 26, EDGE
    _done, players, missing = legend
    bar(canvas, (at, middle - 3), (60, 6), 0.5, palette.gold, palette.line)
    at += 76
    at += write(canvas, (at, middle), players, regular(34), palette.quiet, palette.background) + 40
    room = EDGE + PHONE_INNER - at
    write(canvas, (at, middle), missing, regular(34), palette.quiet, palette.background, room=room)


def _paint_phone_label(canvas: Canvas, top: int, row: TierRow) -> None:
    palette, middle, right = canvas.palette, top + 34, EDGE + PHONE_INNER
    write(canvas, (EDGE, middle), row.label, bold(38), palette.text, palette.background, room=170)
    write(canvas, (right, middle), row.count_text, bold(34), palette.text, palette.background, anchor=1)
    size = (PHONE_INNER - 190 - 190, 16)
    bar(canvas, (EDGE + 190, middle - 8), size, row.done / row.count, palette.up, palette.line)


def _paint_phone_open(canvas: Canvas, corner: Place, chart: TierChart) -> None:
    (left, top), (width, height), palette = corner, _PHONE_TILE, canvas.palette
    ground = palette.panel
    panel(canvas, corner, _PHONE_TILE, ground)
    stripe(canvas, corner, (10, height), chart.difficulty)
    face = chart.face if chart.rank else chart.face.greyed(palette)
    canvas.stamp((left + 10, top), FaceStamp(face, (90, height), bold(48)))
    inner, right = left + 112, left + width - 12
    write(canvas, (inner, top + 27), chart.title, bold(34), palette.text, ground, room=right - inner)
    _paint_missing(canvas, (inner, top + 68), right, chart, (92, 36), 34)
    bar(canvas, (inner, top + 93), (right - inner, 6), chart.share, palette.gold, palette.line)
