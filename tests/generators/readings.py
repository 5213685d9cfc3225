"""Make the file of kanji readings from UniDic, as unidic-lite carries it.

`make readings` runs it. The same dictionary gives the same bytes.

Source: MeCab's compiled dictionary: a head of ten numbers of 32 bits and the name of the encoding in 32 bytes; the
trie; a token a word, with its cost; and the features of each word as a line of CSV that ends with a zero.
"""

import csv
import lzma
import re
import struct
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import jaconv

from bot.domain.kanji import KANJI, MAX_KANJI_CHARACTERS
from bot.features.readings import WORDS

_HEAD: Final = 72
_SIZES: Final = struct.Struct("<3I")
"""Bytes of trie, tokens and features."""
_SIZES_AT: Final = 24
_TOKEN: Final = struct.Struct("<3HhII")
"""Three ids, the cost, the place of the features, and a number of no use."""
_SPELLING, _SOUND = 8, 17
"""Features: the word as it is written, and in katakana."""
_KANA: Final = re.compile("[ぁ-ゖー]+")
_WORD: Final = re.compile(f"({KANJI.pattern}|{_KANA.pattern})+")
_UNIDIC_COSTS_PER_STEP: Final = 100
"""UniDic's costs are finer than readings need."""


def find_dictionary() -> Path | None:
    """Return UniDic's compiled words, or None where unidic-lite is not installed."""
    spec = find_spec("unidic_lite")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent / "dicdir/sys.dic"


def build(dictionary: Path) -> bytes:
    """Return the file of words: those with kanji, each with its sounds, of inflected ones the stems."""
    costs: dict[str, dict[str, int]] = {}
    for spelt, said, cost in _read(dictionary.read_bytes()):
        if (
            len(spelt) <= MAX_KANJI_CHARACTERS
            and KANJI.search(spelt)
            and _WORD.fullmatch(spelt)
            and _KANA.fullmatch(said)
        ):
            word, sound = _stem(spelt, said)
            sounds = costs.setdefault(word, {})
            sounds[sound] = min(cost, sounds.get(sound, cost))
    lines = (
        " ".join((word, *(f"{sound} {cost}" for sound, cost in sorted(sounds.items())))) + "\n"
        for word, sounds in sorted(costs.items())
    )
    return lzma.compress("".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def _read(content: bytes) -> Iterator[tuple[str, str, int]]:
    """Yield each word of a compiled dictionary in hiragana and kanji, its sound in hiragana, and its cost."""
    trie, tokens, _features = _SIZES.unpack_from(content, _SIZES_AT)
    begin = _HEAD + trie
    for *_ids, cost, place, _compound in _TOKEN.iter_unpack(content[begin : begin + tokens]):
        at = begin + tokens + place
        features = next(csv.reader([content[at : content.index(b"\0", at)].decode()]))
        if len(features) > _SOUND:
            yield (
                jaconv.kata2hira(features[_SPELLING]),
                jaconv.kata2hira(features[_SOUND]),
                cost // _UNIDIC_COSTS_PER_STEP,
            )


def _stem(word: str, sound: str) -> tuple[str, str]:
    """Return a word without the kana at its end, but for the first: "輝かしい" is "輝か" with any ending."""
    while len(word) > 2 and word[-2:] == sound[-2:] and not KANJI.search(word[-2:]):
        word, sound = word[:-1], sound[:-1]
    return word, sound


def main() -> None:
    """Write the file."""
    dictionary = find_dictionary()
    if dictionary is None:
        sys.exit("unidic-lite is not installed: make setup")
    WORDS.write_bytes(build(dictionary))


if __name__ == "__main__":
    main()
