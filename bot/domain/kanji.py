"""Likely readings of titles with kanji, from words and their sounds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from bot.domain.folding import spelling

Words: TypeAlias = Mapping[str, Sequence[tuple[str, int]]]
"""The sounds that a word may have, in hiragana, with the cost of each: rarer sounds cost more."""

KANJI: Final = re.compile("[\u3400-\u9fff々〆]")
MAX_KANJI_CHARACTERS: Final = 8
"""The most characters of a word: longer ones are read by their parts."""
_MAX_READ_CHARACTERS: Final = 128
"""The most characters of a title that are read: the longest known title has 68."""
_MAX_READINGS: Final = 5
"""The most readings of a title."""
_MARGIN_COST: Final = 60
"""A reading that costs this much more than the likeliest is dropped."""
_WORD_COST: Final = 100
"""The cost of any word in addition to its sound, so that few long words are likelier than many short ones."""
_KANA_COST: Final = 30
"""The cost of a kana outside words, so that "乗せた" is not read as "乗" with an ending."""
_UNREAD_COST: Final = 1500
"""The cost of a kanji that is in no word: it is left out."""


def parts(title: str) -> Iterator[str]:
    """Yield every part of a title that may be a word of `Words`; nothing if it has no kanji."""
    text = _read_part(title)
    for start in range(len(text)):
        for end in _ends(text, start):
            if KANJI.search(text, start, end):
                yield text[start:end]


def readings(title: str, words: Words) -> tuple[str, ...]:
    """Return the readings of a title in hiragana, the likeliest first; all but kanji keeps its spelling.

    The likeliest reading is the path through the title whose words have the lowest total cost.
    """
    text = _read_part(title)
    ways: list[dict[str, int]] = [{"": 0}, *({} for _ in text)]
    """The sounds that lead to each position of the title not yet passed, with their cost."""
    for start, char in enumerate(text):
        kanji = bool(KANJI.match(char))
        steps = [(start + 1, "" if kanji else char, _UNREAD_COST if kanji else _KANA_COST)]
        for end in _ends(text, start):
            steps += [(end, sound, _WORD_COST + cost) for sound, cost in words.get(text[start:end], ())]
        for before, spent in _cheapest(ways[start]):
            for end, sound, cost in steps:
                way, ways_there = before + sound, ways[end]
                ways_there[way] = min(spent + cost, ways_there.get(way, spent + cost))
        ways[start] = {}  # each sound is as long as the title up to there
    found = _cheapest(ways[-1])
    return tuple(sound for sound, cost in found if cost <= found[0][1] + _MARGIN_COST)


def _read_part(title: str) -> str:
    return spelling(title[:_MAX_READ_CHARACTERS])[:_MAX_READ_CHARACTERS]


def _ends(text: str, start: int) -> range:
    return range(start + 1, min(len(text), start + MAX_KANJI_CHARACTERS) + 1)


def _cheapest(ways: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(ways.items(), key=lambda way: (way[1], way[0]))[:_MAX_READINGS]
