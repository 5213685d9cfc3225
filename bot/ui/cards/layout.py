"""The layout of a picture: blocks below each other, each with its own height."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from bot.domain.members import Theme
from bot.ui.cards.canvas import Canvas, ToneCanvas

WIDE: Final = 1272
PHONE: Final = 1080
"""The width of a picture for a phone, in pixels; Discord shows it at 350."""
MAX_WIDE_BYTES: Final = 130_000
MAX_PHONE_BYTES: Final = 160_000
"""The intended limit: larger pictures load too slowly in an arcade, so they are compressed again with a higher level."""
_HARDER: Final = 7
_HARDEST: Final = 8
"""The highest level of zlib in use, which takes more than twice as long as the one before it."""
_HARDEST_SHARE: Final = 0.9
"""The least share of the size that level 8 leaves of level 7's: if even that is too large, level 8 is skipped."""


class Block(NamedTuple):
    """A part of a picture across its whole width."""

    height: int
    paint: Callable[[Canvas, int], object]
    """The function that paints the block, given the canvas and the block's top in pixels."""


class Drawing(NamedTuple):
    """A picture that has not been painted yet."""

    width: int
    blocks: tuple[Block, ...]

    @property
    def size(self) -> tuple[int, int]:
        """The width and height in pixels."""
        return self.width, sum(block.height for block in self.blocks)

    def paint(self, canvas: Canvas) -> None:
        """Paint the picture on any canvas of its size that is filled with the background."""
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
    """Return a picture of blocks, or of lists of them."""
    found: list[Block] = []
    for each in blocks:
        found += [each] if isinstance(each, Block) else each
    return Drawing(width, tuple(found))


def gap(height: int) -> Block:
    """Return an empty block."""
    return Block(height, _paint_nothing)


def _paint_nothing(canvas: Canvas, top: int) -> None:
    """Leave the background as it is."""
