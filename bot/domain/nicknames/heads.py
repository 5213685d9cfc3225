"""Titles clipped to the heads of their words: "garadoll" for "Garakuta Doll Play", "ntcg" for a title of four kanji."""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final

import jaconv

MIN_LENGTH: Final = 3
_MAX_LENGTH: Final = 9
"""Letters of a short form: in longer ones some way can be found through too many titles."""
_VOWELS: Final = frozenset("aeiou")
_ANY_VOWELS: Final = "[aeiou]*"
_NEXT_WORD: Final = "[a-z0-9]* (?:[a-z0-9]+ )?"
"""The rest of a word, and perhaps a word that is left out."""
_KANJI_TITLE: Final = re.compile("[\u3400-\u9fff々]{3,8}")
_KANJI_SOUND: Final = "([あ-ゖ])[ゃゅょ]?[いうんきくちつっ]?"
"""How a kanji is said in words from Chinese: one syllable, and perhaps one of these behind it."""


class HeadIndex:
    """Titles as words of plain letters, in one string that is searched for heads in their order."""

    def __init__(self, titles: Iterable[Iterable[tuple[str, ...]]]) -> None:
        """Take the ways in which each title is parted into words."""
        lines = [(" ".join(words), number) for number, ways in enumerate(titles) for words in sorted(ways)]
        self._numbers = array("I", (number for _line, number in lines))
        self._joined = "\n" + "\n".join(line for line, _number in lines) + "\n"
        self._starts = array("I", accumulate((len(line) + 1 for line, _number in lines), initial=1))

    def holding(self, typed: str) -> Iterator[tuple[int, int]]:
        """Yield songs whose words begin so, one after the other, and of how many words they are.

        Vowels within a word may be left out, and so may a word between two others.
        """
        if not MIN_LENGTH <= len(typed) <= _MAX_LENGTH:
            return
        steps = (f"(?:{'' if char in _VOWELS else _ANY_VOWELS}|{_NEXT_WORD}){char}" for char in typed[1:])
        for match in re.finditer(f"\n{typed[0]}{''.join(steps)}", self._joined):
            place = bisect_right(self._starts, match.start() + 1) - 1
            yield self._numbers[place], self._joined.count(" ", *self._line(place)) + 1

    def _line(self, place: int) -> tuple[int, int]:
        return self._starts[place], self._starts[place + 1]


def kanji_initials(title: str, reading: str) -> set[str]:
    """Return the initials of a title of three kanji or more: one for each, and one for each word of two."""
    said = re.fullmatch(_KANJI_SOUND * len(title), reading) if _KANJI_TITLE.fullmatch(title) else None
    if said is None:
        return set()
    letters = "".join(jaconv.kana2alphabet(kana)[0] for kana in said.groups())
    return {letters, letters[::2]} if len(letters) % 2 == 0 else {letters}
