"""How titles with kanji are said, by a small file of words that is read once for new titles."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Final

from bot.domain.kanji import KANJI, Words, parts, readings
from bot.features.readings.packed import find_lines

WORDS: Final = Path(__file__).with_name("words.xz")
"""A word a line, and its sounds with their costs; `make readings` makes it from UniDic."""
_CACHED_TITLES: Final = 16_384
"""Titles whose readings are kept: the next catalogue is nearly the same."""

_known: Final[dict[str, tuple[str, ...]]] = {}
_one_at_a_time: Final = Lock()
"""Who asks for the same titles meanwhile finds them known."""


def read_titles(titles: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the readings of those titles that have kanji, the likeliest first; for new ones it reads for a moment."""
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
    """Return those of some words that are in the file."""
    found: dict[str, list[tuple[str, int]]] = {}
    for word, sounds in find_lines(WORDS, wanted):
        each = sounds.split()
        found[word] = [(sound, int(cost)) for sound, cost in zip(each[::2], each[1::2], strict=True)]
    return found
