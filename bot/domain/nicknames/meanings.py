"""English meanings of Japanese words: stems of a dictionary's glosses, by the words that occur in titles."""

import re
import unicodedata
from collections.abc import Container, Iterator
from typing import Final

MAX_WORD_CHARACTERS: Final = 8
"""The most characters of a word."""
_FIRST_JAPANESE: Final = "\u3040"
"""The first character of kana and kanji."""
_ENDING: Final = re.compile(
    "(?<=[a-z]{3})(?:ies|ed|e|y|(?:e|ing|er|ly|ment|ness|ation|ition|ion|ance|ence|al|ic|ous|ful|ity)?s?)$"
)


def stem(word: str) -> str:
    """Return an English word in lower case without its ending, so that "girls" and "girl" are the same."""
    return _ENDING.sub("", word.replace("'", ""))


def parts(title: str) -> Iterator[str]:
    """Yield every part of a title that may be a word of the dictionary."""
    text = unicodedata.normalize("NFKC", title)
    for start in range(len(text)):
        if text[start] >= _FIRST_JAPANESE:
            for end in range(start + 1, min(len(text), start + MAX_WORD_CHARACTERS) + 1):
                yield text[start:end]


def words_in(title: str, known: Container[str]) -> set[str]:
    """Return the known words in a title; a single character only if no longer word covers it."""
    text = unicodedata.normalize("NFKC", title)
    spans = [
        (start, end)
        for start in range(len(text))
        for end in range(start + 1, min(len(text), start + MAX_WORD_CHARACTERS) + 1)
        if text[start:end] in known
    ]
    longer = [(start, end) for start, end in spans if end - start > 1]
    return {
        text[start:end]
        for start, end in spans
        if end - start > 1 or not any(first <= start < last for first, last in longer)
    }
