"""The readings of titles with kanji, from a small word file that is read once for new titles."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from bot.domain.kanji import KANJI, Words, parts, readings
from bot.features.readings.packed import find_lines

WORDS: Final = Path(__file__).with_name("words.xz")
"""The file of words, each line a word and its sounds with costs; `make readings` creates it from UniDic."""
_CACHED_TITLES: Final = 16_384
"""The most titles whose readings are cached: the next catalogue is nearly the same."""

_known: Final[dict[str, tuple[str, ...]]] = {}
_one_at_a_time: Final = Lock()
"""Lets concurrent callers with the same titles wait for the first."""


def read_titles(titles: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the readings of titles with kanji, likeliest first; new titles take a moment of reading."""
    kanji = [title for title in titles if KANJI.search(title)]
    with _one_at_a_time:
        if new := [title for title in dict.fromkeys(kanji) if title not in _known]:
            words = find_words({part for title in new for part in parts(title)})
            _known.update((title, readings(title, words)) for title in new)
        found = {title: _known[title] for title in kanji}
        for title in list(_known)[: max(0, len(_known) - _CACHED_TITLES)]:
            del _known[title]
        return found


def find_words(wanted: Collection[str]) -> Words:
    """Return those words that are in the file."""
    found: dict[str, list[tuple[str, int]]] = {}
    for word, sounds in find_lines(WORDS, wanted):
        each = sounds.split()
        found[word] = [(sound, int(cost)) for sound, cost in zip(each[::2], each[1::2], strict=True)]
    return found
