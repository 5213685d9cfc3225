"""Packed files of words: a word a line, a space, and what is known of it."""

import lzma
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

_PIECE_BYTES: Final = 1 << 18
"""Bytes that are gone through at once: line by line the unpacking would take twice as long."""


def find_lines(path: Path, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield those of some words that are in a file, and what stands behind each."""
    encoded = {word.encode() for word in wanted}
    rest = b""
    with lzma.open(path) as file:
        while piece := file.read(_PIECE_BYTES):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                word, _, known = line.partition(b" ")
                if word in encoded:
                    yield word.decode(), known.decode()
