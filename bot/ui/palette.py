"""The colours of pictures, dark and light; what Discord draws itself is coloured in `bot.ui.look`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain.members import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One theme's colours, as 0xRRGGBB."""

    background: int
    panel: int
    """What text stands on, a little apart from the background."""
    line: int
    """Grids and borders."""
    text: int
    quiet: int
    """Text that matters less."""
    accent: int
    gold: int
    up: int
    down: int


PALETTES: Final[Mapping[Theme, Palette]] = {
    Theme.DARK: Palette(
        background=0x1B1C20,
        panel=0x2A2C31,
        line=0x43464D,
        text=0xF2F3F5,
        quiet=0xAEB4BE,
        accent=0x8B95FF,
        gold=0xFFC83D,
        up=0x4ADE80,
        down=0xFF7B7B,
    ),
    Theme.LIGHT: Palette(
        background=0xE9EBEF,
        panel=0xFFFFFF,
        line=0xCDD1D8,
        text=0x1B1C20,
        quiet=0x5A616C,
        accent=0x4752C4,
        gold=0xA86E00,
        up=0x0F7A38,
        down=0xC22B2B,
    ),
}
_NEARLY_BLACK: Final = 0x40


def hex_of(colour: int) -> str:
    """Return 0x1B1C20 as "#1b1c20"."""
    return f"#{colour:06x}"


def is_dark(colour: int) -> bool:
    """Return whether a colour is nearly black."""
    return max(colour.to_bytes(3, "big")) < _NEARLY_BLACK
