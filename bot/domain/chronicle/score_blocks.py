"""The storage format of scores for boards: each chart is in one of a few blocks, so that only one has to be read."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from struct import Struct
from typing import Final, TypeVar
from zlib import crc32

from bot.domain.chronicle.state import LampFlags, RecordMark
from bot.domain.history import ChartKey

T = TypeVar("T")

BLOCKS: Final = 16
"""The number of blocks of a member's scores: with more, writing costs more; with fewer, a board reads more."""
_SONG_BYTES: Final = 5
"""Bytes of a song's key: a collision within one game has a probability of one in a million."""
_DIFFICULTY_BYTES: Final = 2
_KEY_BYTES: Final = _SONG_BYTES + _DIFFICULTY_BYTES
_ENTRY: Final = Struct(f">{_SONG_BYTES}s{_DIFFICULTY_BYTES}sI")
_ENTRY_BYTES: Final = _ENTRY.size
_GONE: Final = int(LampFlags.GONE)
_KNOWN_SONGS: Final = 4_096
_KNOWN_DIFFICULTIES: Final = 64


def block_of(chart: ChartKey) -> int:
    """Return the block that has a chart's score."""
    return _song_key(chart[0])[0] % BLOCKS


def score_blocks(marks: Mapping[ChartKey, RecordMark]) -> list[bytes]:
    """Return all blocks, in order, of the records that the service lists."""
    blocks: list[list[bytes]] = [[] for _ in range(BLOCKS)]
    for (song, difficulty), mark in marks.items():
        if not mark.lamps & _GONE:
            key = _song_key(song)
            blocks[key[0] % BLOCKS].append(_ENTRY.pack(key, _difficulty_key(difficulty), mark.score))
    return [b"".join(block) for block in blocks]


def find_scores(chart: ChartKey, blocks: Iterable[tuple[T, bytes]]) -> Iterator[tuple[T, int]]:
    """Yield the scores on a chart, each with its owner, from those blocks that have one."""
    key = _song_key(chart[0]) + _difficulty_key(chart[1])
    for whose, block in blocks:
        at = block.find(key)
        while at > 0 and at % _ENTRY_BYTES:  # the match began within another entry
            at = block.find(key, at + 1)
        if at >= 0:
            yield whose, int.from_bytes(block[at + _KEY_BYTES : at + _ENTRY_BYTES], "big")


def scores_in(block: bytes) -> list[int]:
    """Return all scores of a block."""
    return [score for _, _, score in _ENTRY.iter_unpack(block)]


@lru_cache(_KNOWN_SONGS)
def _song_key(song: str) -> bytes:
    return blake2b(song.encode(), digest_size=_SONG_BYTES).digest()


@lru_cache(_KNOWN_DIFFICULTIES)
def _difficulty_key(difficulty: str) -> bytes:
    return (crc32(difficulty.encode()) & 0xFFFF).to_bytes(_DIFFICULTY_BYTES, "big")
