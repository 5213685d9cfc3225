"""Make the file of meanings from EDICT, as Debian's package `edict` carries it.

`make readings` runs it; another copy of EDICT can be named as its argument. The same dictionary gives the same bytes.

Source: EDICT, in EUC-JP: an entry a line, "word [reading] /(kind) gloss/gloss/(P)/", where (P) marks common words.
"""

import lzma
import re
import sys
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Final

from bot.domain.nicknames.meanings import MAX_WORD_CHARACTERS, stem
from bot.domain.nicknames.words import SMALL_WORDS
from bot.features.readings import WORDS
from bot.features.readings.meanings import MEANINGS

_DICTIONARY: Final = Path("/usr/share/edict/edict")
_MAX_STEMS: Final = 6
"""Of a word: later glosses are rarer senses."""
_COMMON: Final = "/(P)"
_ENTRY: Final = re.compile(r"(?P<words>[^ /]+) (?:\[[^\]]*\] )?/(?P<glosses>.*)/$")
_ASIDE: Final = re.compile(r"\([^)]*\)|\{[^}]*\}")
_ENGLISH_WORD: Final = re.compile(r"[a-z']{2,}")
_WRITTEN: Final = re.compile(r"[ァ-ヺー]{3,}|.*[㐀-鿿々].*")
"""Words in kanji, and loan words in katakana: hiragana alone says too little."""
_SHORT: Final = re.compile(r"[㐀-鿿々]{1,2}")
"""Of words that are not common those that titles are made of; longer ones add a megabyte and find hardly a song."""
_EMPTY: Final = SMALL_WORDS | {"be", "by", "etc", "esp", "from", "it", "one", "or", "something", "with"}
"""English words that glosses are full of, and that mean nothing in them."""


def build(dictionary: str, spoken: Container[str]) -> bytes:
    """Return the file of meanings: a word a line, and the stems of what it means.

    In it are the common words, and those of one or two kanji that are also in the list of words that are `spoken`.
    """
    lines = "".join(
        f"{word} {' '.join(stems)}\n" for word, stems in sorted(_read(dictionary, spoken).items())
    )
    return lzma.compress(lines.encode(), preset=9 | lzma.PRESET_EXTREME)


def _read(dictionary: str, spoken: Container[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in sorted(dictionary.splitlines(), key=lambda line: _COMMON not in line):
        entry = _ENTRY.match(line)
        if entry is None:
            continue
        stems = list(dict.fromkeys(_stems(entry["glosses"])))
        for spelt in entry["words"].split(";"):
            word = _ASIDE.sub("", spelt)
            is_kept = _COMMON in line or (_SHORT.fullmatch(word) and word in spoken)
            if is_kept and len(word) <= MAX_WORD_CHARACTERS and _WRITTEN.fullmatch(word):
                known = found.setdefault(word, [])
                known += [each for each in stems if each not in known][: _MAX_STEMS - len(known)]
    return {word: stems for word, stems in found.items() if stems}


def _stems(glosses: str) -> Iterator[str]:
    for word in _ENGLISH_WORD.findall(_ASIDE.sub("", glosses).lower()):
        if word not in _EMPTY:
            yield stem(word)


def main() -> None:
    """Write the file."""
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else _DICTIONARY
    if not source.is_file():
        sys.exit("EDICT is not here: install Debian's package edict, or name its file")
    with lzma.open(WORDS, "rt", encoding="utf-8") as lines:
        spoken = {line.partition(" ")[0] for line in lines}
    MEANINGS.write_bytes(build(source.read_text(encoding="euc_jp", errors="replace"), spoken))


if __name__ == "__main__":
    main()
