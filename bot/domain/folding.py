"""Forms of text for comparison: without width and case, then without kana script and spaces, then without symbols."""

import unicodedata
from functools import lru_cache
from typing import Final

import jaconv

_CACHED_TEXTS: Final = 16_384
"""The most texts whose folded form is cached: a catalogue's titles and artists several times over."""


def plain(text: str) -> str:
    """Fold width and case: "ﾊﾛｰ　World!" is "ハロー world!"."""
    return unicodedata.normalize("NFKC", text).casefold().strip()


def spelling(text: str) -> str:
    """Fold width, case and kana, and remove spaces, but not symbols: "ﾊﾛｰ　World!" is "はろーworld!"."""
    return "".join(jaconv.kata2hira(plain(text)).split())


@lru_cache(_CACHED_TEXTS)
def fold(text: str) -> str:
    """Fold width, case and kana, and remove symbols and spaces: "ﾊﾛｰ　World!" is "はろーworld"."""
    return "".join(char for char in spelling(text) if char.isalnum() or char == "ー")


def compared(text: str) -> str:
    """Return the form in which a text is compared: folded, or unchanged if it consists of symbols only."""
    return fold(text) or text.strip().casefold()


def occurs_in(part: str, whole: str) -> bool:
    """Return whether `part` occurs in `whole` as people compare; a part of symbols only is taken literally."""
    folded = fold(part)
    return folded in fold(whole) if folded else part.strip().casefold() in whole.casefold()


def is_same(one: str, other: str) -> bool:
    """Return whether two texts are the same as people compare; symbols count only if there is nothing else."""
    return compared(one) == compared(other)
