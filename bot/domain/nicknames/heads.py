"""Titles shortened to the beginnings of their words: "garadoll" for "Garakuta Doll Play", "ntcg" for four kanji."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import jaconv

MIN_LENGTH: Final = 3
_MAX_LENGTH: Final = 9
"""The most letters of a short form: a longer one could be read into too many titles."""
_VOWELS: Final = frozenset("aeiou")
_KANJI_TITLE: Final = re.compile("[\u3400-\u9fff々]{3,8}")
_KANJI_SOUND: Final = "([あ-ゖ])[ゃゅょ]?[いうんきくちつっ]?"
"""The sound of a kanji in words of Chinese origin: one syllable, and perhaps one of these after it."""


class HeadIndex:
    """Titles as words of plain letters, by the first two letters that a short form may have."""

    def __init__(self, titles: Iterable[Iterable[tuple[str, ...]]]) -> None:
        """Take the ways in which each title is split into words."""
        self._lines: list[str] = []
        self._numbers = array("I")
        self._places: dict[str, array[int]] = {}
        for number, ways in enumerate(titles):
            for words in sorted(ways):
                for pair in {
                    words[0][0] + words[word][letter] for word, letter in _next_letters(words, (0, 0))
                }:
                    self._places.setdefault(pair, array("I")).append(len(self._lines))
                self._lines.append(" ".join(words))
                self._numbers.append(number)

    def holding(self, typed: str) -> Iterator[tuple[int, int]]:
        """Yield the songs of which a text joins beginnings of words, in order, and how many words each has.

        Vowels within a word may be left out, and so may a word between two others.
        """
        if not MIN_LENGTH <= len(typed) <= _MAX_LENGTH:
            return
        for place in self._places.get(typed[:2], ()):
            words = self._lines[place].split(" ")
            if _are_heads(typed, words):
                yield self._numbers[place], len(words)


def _are_heads(typed: str, words: Sequence[str]) -> bool:
    """Return whether words that begin with the first letter may be shortened to what was typed."""
    # An equivalent regular expression takes longer to compile, for each typed text, than going through the few titles.
    reached = {(0, 0)}
    for char in typed[1:]:
        reached = {
            (word, letter)
            for place in reached
            for word, letter in _next_letters(words, place)
            if words[word][letter] == char
        }
    return bool(reached)


def _next_letters(words: Sequence[str], place: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield which letters may follow one: the next, the next consonant, and the first of each of the next two words."""
    at, letter = place
    word = words[at]
    after = letter + 1
    if after < len(word):
        yield at, after
    while after < len(word) and word[after] in _VOWELS:
        after += 1
    if letter + 1 < after < len(word):
        yield at, after
    yield from ((each, 0) for each in range(at + 1, min(at + 3, len(words))))


def kanji_initials(title: str, reading: str) -> set[str]:
    """Return the initials of a title of three kanji or more: one for each kanji, and one for each word of two."""
    said = re.fullmatch(_KANJI_SOUND * len(title), reading) if _KANJI_TITLE.fullmatch(title) else None
    if said is None:
        return set()
    letters = "".join(jaconv.kana2alphabet(kana)[0] for kana in said.groups())
    return {letters, letters[::2]} if len(letters) % 2 == 0 else {letters}
