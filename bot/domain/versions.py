"""The game's versions, by the first day on which each added songs. Source: the game in Japan, as in the service."""

from bisect import bisect_right
from dataclasses import dataclass
from datetime import date
from typing import Final


@dataclass(frozen=True, slots=True)
class Version:
    """A version of the game."""

    names: tuple[str, ...]
    """The names in lower case: the printed one, then all others."""
    since: date


VERSIONS: Final = (
    Version(("original", "1st"), date(2015, 7, 16)),
    Version(("plus", "original+", "1st+"), date(2016, 2, 4)),
    Version(("air",), date(2016, 8, 25)),
    Version(("air+", "airplus", "air plus"), date(2017, 2, 9)),
    Version(("star",), date(2017, 8, 24)),
    Version(("star+", "starplus", "star plus"), date(2018, 3, 8)),
    Version(("amazon",), date(2018, 10, 25)),
    Version(("amazon+", "amazonplus", "amazon plus"), date(2019, 4, 11)),
    Version(("crystal",), date(2019, 10, 24)),
    Version(("crystal+", "crystalplus", "crystal plus"), date(2020, 7, 16)),
    Version(("paradise",), date(2021, 1, 21)),
    Version(("lost", "paradiselost", "paradise lost"), date(2021, 5, 13)),
    Version(("new",), date(2021, 11, 4)),
    Version(("new+", "newplus", "new plus"), date(2022, 4, 14)),
    Version(("sun",), date(2022, 10, 13)),
    Version(("sun+", "sunplus", "sun plus"), date(2023, 5, 11)),
    Version(("luminous",), date(2023, 12, 14)),
    Version(("luminous+", "luminousplus", "luminous plus"), date(2024, 6, 20)),
    Version(("verse",), date(2024, 12, 12)),
    Version(("x-verse", "xverse"), date(2025, 7, 16)),
    Version(("x-verse-x", "xversex"), date(2025, 12, 11)),
    Version(("mate",), date(2026, 7, 2)),
)
"""All versions, oldest first. A new one needs one more line; until then, its songs count to the one before."""

_BEGINNINGS: Final = [version.since for version in VERSIONS]


def version_of(released_on: date) -> int:
    """Return the position in `VERSIONS` of the version that added a song on that day; the first for older songs."""
    return max(0, bisect_right(_BEGINNINGS, released_on) - 1)
