"""Titles split into words, in the ways in which players split them to shorten them."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

import jaconv

from bot.domain.kanji import KANJI

SMALL_WORDS: Final = frozenset({"a", "an", "and", "for", "in", "of", "on", "the", "to"})
"""English words that players leave out, and that say little when they are typed."""
_MIN_WORDS: Final = 2
_MAX_WORDS: Final = 8
"""The most words of a title for initials: longer titles are shortened to the beginnings of their words."""

_ASIDE: Final = re.compile(
    r"【[^】]*】|\([^)]*\)|\[[^\]]*\]|\bfeat\.?.*|\bft\..*|\bver\..*| [-～~].*[-～~]$", re.IGNORECASE
)
"""The parts beside the title proper: brackets, guests, versions, subtitles."""
_LOOKALIKES: Final = str.maketrans("ØøЯΛΣΞλЭ", "OoRASEaE")
"""Letters that titles use instead of Latin ones, for their looks."""
_DIGITS: Final = {
    word: str(number)
    for number, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_NOUGHTS: Final = {"hundred": "00", "thousand": "000", "million": "000000"}
_LATIN_WORD: Final = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|\d+")
_CAMEL_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BETWEEN_KANA: Final = re.compile(r"[\s・!?、。=☆★♥♡]+")


def without_aside(title: str) -> str:
    """Return a title without the parts beside it, or unchanged if nothing else is left."""
    return _ASIDE.sub("", unicodedata.normalize("NFKC", title)).strip() or title


def in_latin(text: str) -> str:
    """Return a text with accents removed, and with plain Latin letters for those that look like them."""
    folded = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
    apart = unicodedata.normalize("NFKD", folded)
    return "".join(char for char in apart if not unicodedata.combining(char)).replace("’", "'")


def latin_words(text: str) -> list[str]:
    """Return the words of Latin letters and the numbers of a text, in lower case."""
    return _LATIN_WORD.findall(in_latin(text).lower())


def in_digits(words: Sequence[str]) -> str:
    """Return one word, or two joined, with numbers in digits: "seven" is "7", and "7 thousand" is "7000"."""
    first, *rest = (_DIGITS.get(word, word) for word in words)
    noughts = _NOUGHTS.get(words[-1])
    if noughts is None:
        return "".join((first, *rest))
    return f"1{noughts}" if not rest else f"{first}{noughts}" if first.isdigit() else "".join(words)


def title_words(title: str) -> set[tuple[str, ...]]:
    """Return the ways in which a title is split into words: as written, by camel case, without small words, by kana."""
    ways: set[tuple[str, ...]] = set()
    for text in dict.fromkeys((title, without_aside(title))):
        latin = in_latin(text)
        words = _LATIN_WORD.findall(latin)
        for way in (
            words,
            _CAMEL_WORD.findall(latin),
            [each for each in words if each.lower() not in SMALL_WORDS],
        ):
            ways.add(tuple(word.lower().replace("'", "") for word in way))
        kana = [each for each in _BETWEEN_KANA.split(unicodedata.normalize("NFKC", text)) if each]
        if len(kana) > 1 and not KANJI.search(text) and not text.isascii():
            spelt = [jaconv.kana2alphabet(jaconv.kata2hira(each)).lower() for each in kana]
            if all(each.isascii() and each[0].isalnum() for each in spelt):
                ways.add(tuple(spelt))
    return ways - {()}


def initials(ways: Iterable[tuple[str, ...]]) -> set[str]:
    """Return the initials of each way to split a title into words; a number gives its first digit or all of them."""
    found: set[str] = set()
    for words in ways:
        if _MIN_WORDS <= len(words) <= _MAX_WORDS:
            found.add("".join(word[0] for word in words))
            found.add("".join(word if word.isdigit() else word[0] for word in words))
    return found
