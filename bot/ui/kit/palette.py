"""The colours of pictures, dark and light; those of embeds are in `bot.ui.kit.look`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain.charts import ADVANCED, BASIC, EXPERT, MASTER, ULTIMA, WORLDS_END, Difficulty
from bot.domain.members import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """One theme's colours, as 0xRRGGBB."""

    background: int
    panel: int
    """The ground of text, slightly different from the background."""
    raised: int
    """The ground of what matters most."""
    line: int
    """The colour of grids and borders, which need not be seen."""
    tint: int
    """The colour of the area under a curve."""
    mark: int
    """The colour of shapes without a meaning of their own."""
    text: int
    quiet: int
    """The colour of less important text."""
    accent: int
    gold: int
    up: int
    down: int
    new: int
    """The colour of the slot of new songs; in a comparison, of the asker."""
    rival: int
    """The colour of the player compared with the asker."""
    ink: int
    """The colour of text on any of the colours below."""
    classes: Mapping[str, tuple[int, ...]]
    """The game's colours of player ratings, by the names of `bot.domain.rating`; some have several."""
    ranks: Mapping[str, int]
    """The colours of ranks by label; a missing rank has the colour of AAA."""
    difficulties: Mapping[Difficulty, int]
    """The colours of difficulties; a missing one has the colour `mark`."""


PALETTES: Final[Mapping[Theme, Palette]] = {
    Theme.DARK: Palette(
        background=0x0E1016,
        panel=0x1B1E28,
        raised=0x242836,
        line=0x3A4052,
        tint=0x2D3344,
        mark=0x7C869E,
        text=0xF4F5F8,
        quiet=0xA9B0C0,
        accent=0x8B95FF,
        gold=0xFFCB45,
        up=0x4ADE80,
        down=0xFF8585,
        new=0x6FD3FF,
        rival=0xFFB35C,
        ink=0x12141B,
        classes={
            "blue": (0x6FA8FF,),
            "green": (0x4FD98A,),
            "orange": (0xFFA04D,),
            "red": (0xFF7A7A,),
            "purple": (0xC79BFF,),
            "copper": (0xE39B6D,),
            "silver": (0xAEBBCB, 0xE6EDF5),
            "gold": (0xFFB627, 0xFFE27A),
            "platinum": (0x9FE8E0, 0xF3FBFF, 0xC9C3FF),
            "rainbow": (0xFF7D9C, 0xFFB35C, 0xF6E45F, 0x74E08F, 0x66C9FF, 0xC09BFF),
            "kiwami": (0xFFD75E, 0xFFF6D0, 0xFFFFFF, 0xFFC8EE, 0xBFE6FF),
        },
        ranks={
            "AAA": 0x7C869E,
            "S": 0x8296AE,
            "S+": 0x9FB6D0,
            "SS": 0xC98A6C,
            "SS+": 0xF0A07A,
            "SSS": 0xFFCB45,
            "SSS+": 0xE6F4FF,
        },
        difficulties={
            BASIC: 0x22C796,
            ADVANCED: 0xFF9A3D,
            EXPERT: 0xFF6268,
            MASTER: 0xB877FF,
            ULTIMA: 0xFF4A4A,
            WORLDS_END: 0x4C9BFF,
        },
    ),
    Theme.LIGHT: Palette(
        background=0xEDEBE4,
        panel=0xFFFFFF,
        raised=0xF8F6F0,
        line=0xC9C5BA,
        tint=0xE2E6EE,
        mark=0x7B7F89,
        text=0x15171C,
        quiet=0x585D68,
        accent=0x4752C4,
        gold=0x8A5A00,
        up=0x0E7035,
        down=0xB3242B,
        new=0x005E9E,
        rival=0x8A4A00,
        ink=0xFFFFFF,
        classes={
            "blue": (0x1D57C7,),
            "green": (0x0B7038,),
            "orange": (0xA34A00,),
            "red": (0xBA1F2B,),
            "purple": (0x7A1FC9,),
            "copper": (0x8C4A20,),
            "silver": (0x556270, 0x3C4854),
            "gold": (0x935A00, 0x6F4A00),
            "platinum": (0x0F6B66, 0x2F5470, 0x4A3FA8),
            "rainbow": (0xC2185B, 0xB34700, 0x2F7A1E, 0x00727A, 0x0B62B4, 0x6A3FD0),
            "kiwami": (0x8A5A00, 0x7A2E6B, 0x0B4FA0),
        },
        ranks={
            "AAA": 0x6B7079,
            "S": 0x5B6E82,
            "S+": 0x3F607F,
            "SS": 0x84523C,
            "SS+": 0xA5431F,
            "SSS": 0x8A5A00,
            "SSS+": 0x10485E,
        },
        difficulties={
            BASIC: 0x008A63,
            ADVANCED: 0xC25E00,
            EXPERT: 0xD3202A,
            MASTER: 0x8C1BE1,
            ULTIMA: 0xC8141E,
            WORLDS_END: 0x0B62D6,
        },
    ),
}


def blend(ground: int, colour: int, share: float) -> int:
    """Return the colour between `ground` and `colour`, `share` of the way."""
    mixed = 0
    for shift in (16, 8, 0):
        start, end = ground >> shift & 255, colour >> shift & 255
        mixed |= round(start + (end - start) * share) << shift
    return mixed
