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
        gold=0x8F5E00,
        up=0x0F7A38,
        down=0xC22B2B,
    ),
}
_NEARLY_BLACK: Final = 0x40
_WHITE: Final = 0xFFFFFF
_BLACK: Final = 0x000000


def hex_of(colour: int) -> str:
    """Return 0x1B1C20 as "#1b1c20"."""
    return f"#{colour:06x}"


def blend(ground: int, colour: int, share: float) -> int:
    """Return a colour between two, `share` of the way."""
    mixed = 0
    for shift in (16, 8, 0):
        start, end = ground >> shift & 255, colour >> shift & 255
        mixed |= round(start + (end - start) * share) << shift
    return mixed


def is_dark(colour: int) -> bool:
    """Return whether a colour is nearly black."""
    return max(colour.to_bytes(3, "big")) < _NEARLY_BLACK


def ink_on(ground: int) -> int:
    """Return white or black, whichever is read better on a colour: at least 4.5 to 1 on any."""
    return max(_WHITE, _BLACK, key=lambda ink: contrast(ink, ground))


def contrast(one: int, other: int) -> float:
    """Return how two colours stand out from each other, 1 to 21. Source: WCAG 2.2, "contrast ratio"."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: int) -> float:
    """Source: WCAG 2.2, "relative luminance"."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 - sRGB's own
        for part in (each / 255 for each in colour.to_bytes(3, "big"))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
