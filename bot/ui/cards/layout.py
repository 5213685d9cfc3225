"""How a picture is laid out: blocks below one another, each as high as it says."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from bot.domain.members import Theme
from bot.ui.cards.canvas import Canvas, ToneCanvas

WIDE: Final = 1272
PHONE: Final = 1080
"""Pixels across a picture for a phone, which Discord shows at 350."""
MAX_WIDE_BYTES: Final = 130_000
MAX_PHONE_BYTES: Final = 160_000
"""Larger pictures take too long to load in an arcade: what comes out larger is compressed harder."""
_HARDER: Final = 7
_HARDEST: Final = 8
"""This level of zlib takes more than twice as long as the one before it."""
_HARDEST_SHARE: Final = 0.9
"""What the hardest level leaves of the one before it is no less: where that is too much, it is spared."""


class Block(NamedTuple):
    """A part of a picture that takes its whole width."""

    height: int
    paint: Callable[[Canvas, int], object]
    """It is given the canvas, and how many pixels from above the block begins."""


class Drawing(NamedTuple):
    """A picture that has not been painted yet."""

    width: int
    blocks: tuple[Block, ...]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.width, sum(block.height for block in self.blocks)

    def paint(self, canvas: Canvas) -> None:
        """Paint it on any canvas of its size that is filled with the background."""
        top = 0
        for block in self.blocks:
            block.paint(canvas, top)
            top += block.height

    def to_png(self, theme: Theme) -> bytes:
        """Return the finished picture."""
        canvas = ToneCanvas(theme, *self.size)
        self.paint(canvas)
        png = canvas.to_png()
        most = MAX_PHONE_BYTES if self.width == PHONE else MAX_WIDE_BYTES
        if len(png) > most:
            png = canvas.to_png(_HARDER)
        return canvas.to_png(_HARDEST) if most < len(png) <= most / _HARDEST_SHARE else png


def stacked(width: int, *blocks: Block | Iterable[Block]) -> Drawing:
    """Return blocks, or lists of them, as one picture."""
    found: list[Block] = []
    for each in blocks:
        found += [each] if isinstance(each, Block) else each
    return Drawing(width, tuple(found))


def gap(height: int) -> Block:
    """Return room between two blocks."""
    return Block(height, _paint_nothing)


def _paint_nothing(canvas: Canvas, top: int) -> None:
    """Leave the background as it is."""
