"""Comparable forms of kana and romaji: "シャーロット", "shaarotto" and "syarotto" have the same key."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

import jaconv

from bot.domain.folding import fold

_CACHED_TEXTS: Final = 16_384

_LATER_KANA: Final = {
    "てぃ": "ti", "でぃ": "di", "とぅ": "tu", "どぅ": "du", "でゅ": "du", "うぃ": "wi", "うぇ": "we", "うぉ": "wo",
}  # fmt: skip
"""Syllables of loan words that jaconv spells letter by letter."""

_STEPS: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"x?tsu", "tu"),
        (r"[ct](?=ch)", "t"),
        (r"chi", "ti"),
        (r"ch", "ty"),
        (r"shi", "si"),
        (r"sh", "sy"),
        (r"ji|di|dzi", "zi"),
        (r"jy?", "zy"),
        (r"fu", "hu"),
        (r"d[zu]u?", "zu"),
        (r"v", "b"),
        (r"l", "r"),
        (r"m(?=[bp])", "n"),
        (r"wo", "o"),
        (r"ou", "o"),
        (r"([aeiou])\1+", r"\1"),
        (r"n+", "n"),
        (r"[^0-9a-z]", ""),
    )
)
"""Steps that reduce the many spellings of a sound to one; vowels become short, since few people type long ones."""


@lru_cache(_CACHED_TEXTS)
def romaji_key(text: str) -> str:
    """Return the sound of kana or romaji, in lower case; empty if the text contains anything else, such as kanji."""
    folded = fold(text)
    for kana, letters in _LATER_KANA.items():
        folded = folded.replace(kana, letters)
    latin = unicodedata.normalize("NFKD", jaconv.kana2alphabet(folded).replace("ー", "-"))
    plain = "".join(char for char in latin if not unicodedata.combining(char))
    if not plain.isascii():
        return ""
    for pattern, by in _STEPS:
        plain = pattern.sub(by, plain)
    return plain
