"""The English meanings of Japanese words in titles, from a small file that is read once for new titles."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from threading import Lock
from typing import Final

from bot.domain.nicknames import Meanings
from bot.domain.nicknames.meanings import parts
from bot.features.readings.packed import find_lines

MEANINGS: Final = Path(__file__).with_name("meanings.xz")
"""The file of words, each line a word and the stems of its meanings; `make readings` creates it from EDICT."""

_known: Final[dict[str, Mapping[str, tuple[str, ...]]]] = {}
_one_at_a_time: Final = Lock()
"""Lets concurrent callers with the same titles wait for the first."""


def read_meanings(titles: Iterable[str]) -> Meanings:
    """Return the meanings of words in titles; new titles take a moment of reading.

    Only the last call's titles are cached: the next catalogue is nearly the same.
    """
    titles = list(titles)
    with _one_at_a_time:
        if any(title not in _known for title in titles):
            wanted = {part for title in titles for part in parts(title)}
            found = {word: tuple(stems.split()) for word, stems in find_lines(MEANINGS, wanted)}
            _known.clear()
            _known.update(
                (title, {part: found[part] for part in parts(title) if part in found}) for title in titles
            )
        return {word: stems for title in titles for word, stems in _known[title].items()}
