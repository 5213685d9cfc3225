"""Packed word files: each line is a word, a space, and the word's data."""

import lzma
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

_PIECE_BYTES: Final = 1 << 18
"""The bytes that are processed at once: unpacking line by line would take twice as long."""


def find_lines(path: Path, wanted: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield those words that are in a file, each with its data."""
    encoded = {word.encode() for word in wanted}
    rest = b""
    with lzma.open(path) as file:
        while piece := file.read(_PIECE_BYTES):
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                word, _, known = line.partition(b" ")
                if word in encoded:
                    yield word.decode(), known.decode()
