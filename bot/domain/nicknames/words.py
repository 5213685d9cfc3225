"""Titles parted into words, in the ways in which players take them apart to shorten them."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import jaconv

SMALL_WORDS: Final = frozenset({"a", "an", "and", "for", "in", "of", "on", "the", "to"})
"""English words that players leave out, and that say little where they are typed."""
_MIN_WORDS: Final = 2
_MAX_WORDS: Final = 8
"""Titles of more words are shortened to their heads, not to initials."""

_ASIDE: Final = re.compile(
    r"【[^】]*】|\([^)]*\)|\[[^\]]*\]|\bfeat\.?.*|\bft\..*|\bver\..*| [-～~].*[-～~]$", re.IGNORECASE
)
"""What stands beside a title proper: brackets, guests, versions, subtitles."""
_LOOKALIKES: Final = str.maketrans("ØøЯΛΣΞλЭ", "OoRASEaE")
"""Letters that titles write in place of Latin ones, for their looks."""
_LATIN_WORD: Final = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|\d+")
_CAMEL_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BETWEEN_KANA: Final = re.compile(r"[\s・!?、。=☆★♥♡]+")


def without_aside(title: str) -> str:
    """Return a title without what stands beside it, or as it is where nothing else is left."""
    return _ASIDE.sub("", unicodedata.normalize("NFKC", title)).strip() or title


def in_latin(text: str) -> str:
    """Return a text with its letters as plain Latin ones where they look like such, without accents."""
    folded = unicodedata.normalize("NFKC", text).translate(_LOOKALIKES)
    apart = unicodedata.normalize("NFKD", folded)
    return "".join(char for char in apart if not unicodedata.combining(char)).replace("’", "'")


def latin_words(text: str) -> list[str]:
    """Return the words of Latin letters and the numbers of a text, in small letters."""
    return _LATIN_WORD.findall(in_latin(text).lower())


def title_words(title: str) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which a title is parted into words: as written, by camel case, without small words, by kana."""
    for text in dict.fromkeys((title, without_aside(title))):
        latin = in_latin(text)
        words = _LATIN_WORD.findall(latin)
        for way in (
            words,
            _CAMEL_WORD.findall(latin),
            [each for each in words if each.lower() not in SMALL_WORDS],
        ):
            if way:
                yield tuple(word.lower().replace("'", "") for word in way)
        kana = [each for each in _BETWEEN_KANA.split(unicodedata.normalize("NFKC", text)) if each]
        spelt = [jaconv.kana2alphabet(jaconv.kata2hira(each)).lower() for each in kana]
        if len(spelt) > 1 and all(each.isascii() and each[:1].isalnum() for each in spelt):
            yield tuple(spelt)


def initials(title: str) -> set[str]:
    """Return the initials by which a title may be called: of each way to part it, numbers by their first digit or whole."""
    found: set[str] = set()
    for words in title_words(title):
        if _MIN_WORDS <= len(words) <= _MAX_WORDS:
            found.add("".join(word[0] for word in words))
            found.add("".join(word if word.isdigit() else word[0] for word in words))
    return found
