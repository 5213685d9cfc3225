"""The fonts of pictures, and which characters they have: a picture must never show an empty box."""

import struct
import sys
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

import noto_cjk_sans_jp_bold
import noto_cjk_sans_jp_regular

REGULAR: Final = Path(str(noto_cjk_sans_jp_regular.FONT_PATH))
BOLD: Final = Path(str(noto_cjk_sans_jp_bold.FONT_PATH))
_DEJAVU: Final = Path(__file__).with_name("typefaces") / "DejaVuSans.ttf"
_DEJAVU_BOLD: Final = _DEJAVU.with_name("DejaVuSans-Bold.ttf")

_MISSING_LETTER: Final = "〓"
"""The geta mark, the Japanese printers' sign for a missing letter."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_VARIATION_SELECTORS: Final = range(0xFE00, 0xFE10)
_EVERYDAY: Final = (range(0x20, 0x7F), range(0x3041, 0x3097), range(0x30A0, 0x3100), range(0x4E00, 0x9FF0))
"""ASCII, kana and kanji, which the first font is known to have, so its table is not read for them."""


def fallback_of(font: Path) -> Path:
    """Return the fallback for characters missing in `font`."""
    return _DEJAVU_BOLD if font == BOLD else _DEJAVU


def runs_of(text: str, font: Path) -> Iterator[tuple[Path, str]]:
    """Return `text` in pieces, each with the font that has its characters.

    A character that no font has is replaced by its plain form if there is one, else by the sign for a missing letter.
    """
    for file, pairs in groupby(_chosen(text, font), key=lambda pair: pair[0]):
        yield file, "".join(char for _file, char in pairs)


def drawable(text: str, font: Path) -> str:
    """Return `text` as `runs_of` writes it: with replacements for characters that no font has."""
    return "".join(part for _file, part in runs_of(text, font))


def _chosen(text: str, font: Path) -> Iterator[tuple[Path, str]]:
    for char in text:
        if ord(char) in _VARIATION_SELECTORS or unicodedata.category(char) in _INVISIBLE - {"Cn", "Co"}:
            continue
        found = _find(char, font)
        if found is not None:
            yield found, char
            continue
        plain = unicodedata.normalize("NFKD", char)
        yield from (
            (_find(part, font) or font, part if _find(part, font) else _MISSING_LETTER) for part in plain
        )


@lru_cache(maxsize=4096)
def _find(char: str, font: Path) -> Path | None:
    code = ord(char)
    if any(code in everyday for everyday in _EVERYDAY) or _has(font, code):
        return font
    fallback = fallback_of(font)
    return fallback if _has(fallback, code) else None


def _has(font: Path, code: int) -> bool:
    starts, ends = _ranges(font)
    place = bisect_right(starts, code) - 1
    return place >= 0 and code <= ends[place]


@cache
def _ranges(font: Path) -> tuple[Sequence[int], Sequence[int]]:
    """Return the first and last codes of each range of characters that a font has.

    Parsed here, which takes a millisecond and needs no library. Source: OpenType, "cmap", format 12.
    """
    with font.open("rb") as file:
        (count,) = struct.unpack(">4xH6x", file.read(12))
        tables = {
            tag: start for tag, _sum, start, _length in struct.iter_unpack(">4sIII", file.read(16 * count))
        }
        base = tables[b"cmap"]
        file.seek(base)
        (count,) = struct.unpack(">2xH", file.read(4))
        for _platform, _encoding, offset in struct.iter_unpack(">HHI", file.read(8 * count)):
            file.seek(base + offset)
            kind, groups = struct.unpack(">H10xI", file.read(16))
            if kind == 12:  # noqa: PLR2004 - the number of the format
                codes = array("I", file.read(12 * groups))
                if sys.byteorder == "little":
                    codes.byteswap()
                return codes[::3], codes[1::3]
    message = f"{font.name} has no table of all its characters"
    raise ValueError(message)
