"""A canvas that paints nothing and notes what would be painted where."""

from PIL import Image

from bot.domain.members import Theme
from bot.ui.cards.canvas import Box, Colour, Place, Stamp
from bot.ui.kit.letters import Font, line_of
from bot.ui.kit.palette import PALETTES


class Noted:
    """A canvas that keeps what is painted on it, and where."""

    def __init__(self, theme: Theme, size: tuple[int, int]) -> None:
        self.palette = PALETTES[theme]
        self.fills: list[tuple[Box, int]] = [((0, 0, *size), self.palette.background)]
        self.texts: list[tuple[str, Box, Colour, int]] = []
        self.stamps: list[tuple[Box, Stamp]] = []
        self.sizes: list[tuple[str, int]] = []
        """Each text with the size of its font."""

    def fill(self, box: Box, colour: int) -> None:
        self.fills.append((box, colour))

    def text(
        self, place: Place, text: str, font: Font, colour: Colour, ground: int, squeeze: float = 1
    ) -> None:
        line = line_of(text, font, squeeze)
        if line is not None:
            self.sizes.append((text, font.size))
            left, top = place[0] + line.left, font.baseline(place[1]) + line.top
            width, height = line.mask.size
            self.texts.append((text, (left, top, left + width, top + height), colour, ground))

    def shape(self, corner: Place, mask: Image.Image, colour: Colour, ground: int) -> None:
        pass

    def stamp(self, corner: Place, stamp: Stamp) -> None:
        left, top = corner
        width, height = stamp.size
        self.stamps.append(((left, top, left + width, top + height), stamp))

    def ground_of(self, box: Box) -> tuple[Box, int]:
        """Return what was filled last where the middle of a box is."""
        across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return [
            (area, colour)
            for area, colour in self.fills
            if area[0] <= across < area[2] and area[1] <= down < area[3]
        ][-1]
