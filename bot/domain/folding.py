"""Text as it is compared: without width, case, kana script and symbols."""

import unicodedata
from functools import lru_cache
from typing import Final

import jaconv

_REMEMBERED: Final = 16_384
"""Texts whose folded form is kept: a catalogue's titles and artists several times over."""


@lru_cache(_REMEMBERED)
def fold(text: str) -> str:
    """Fold width, case and kana, and leave symbols and spaces out: "ﾊﾛｰ　World!" is "はろーworld"."""
    folded = jaconv.kata2hira(unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded if char.isalnum() or char == "ー")


def occurs_in(part: str, whole: str) -> bool:
    """Return whether `part` occurs in `whole` as people compare; one of nothing but symbols is taken as it is."""
    folded = fold(part)
    return folded in fold(whole) if folded else part.strip().casefold() in whole.casefold()


def is_same(one: str, other: str) -> bool:
    """Return whether two texts are the same as people compare; symbols count where there is nothing else."""
    folded = fold(one)
    return folded == fold(other) if folded else one.strip().casefold() == other.strip().casefold()
