"""The storage format of a snapshot's scores: ten and a half bytes each, because there may be a snapshot every day."""

import json
import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Final, TypeAlias

from sqlalchemy import Dialect, LargeBinary, TypeDecorator

ChartScore: TypeAlias = tuple[str, str, int]
"""A song's id, a difficulty and a score."""

_PLAIN: Final = 0
_ROWS: Final = 1
"""The value of the first byte, which names the format of the rest."""

_ID: Final = re.compile(r"[0-9a-f]{16}")
_ID_DIGITS: Final = 16
_SCORE_DIGITS: Final = 5
_ROW_DIGITS: Final = _ID_DIGITS + _SCORE_DIGITS
"""An id and a score have this many digits in hexadecimal: two digits are a byte."""
_MAX_BYTE: Final = 255
"""The most scores, and the most bytes of a difficulty: a byte cannot count more."""


class PackedScores(TypeDecorator[Sequence[ChartScore]]):
    """Scores in no order."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Sequence[ChartScore] | None, dialect: Dialect) -> bytes | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Pack scores."""
        return None if value is None else pack(value)

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Sequence[ChartScore] | None:  # noqa: ARG002 - the signature is SQLAlchemy's
        """Unpack scores."""
        return None if value is None else unpack(value)


def pack(scores: Sequence[ChartScore]) -> bytes:
    """Return scores as bytes: by difficulty, a row of 84 bits each; as JSON if one does not fit."""
    if len(scores) > _MAX_BYTE or not all(_fits(*each) for each in scores):
        return bytes([_PLAIN]) + json.dumps(scores).encode()
    groups: dict[str, list[str]] = {}
    for song, difficulty, score in scores:
        groups.setdefault(difficulty, []).append(f"{song}{score:0{_SCORE_DIGITS}x}")
    return bytes([_ROWS]) + b"".join(_pack_group(*group) for group in groups.items())


def unpack(packed: bytes) -> list[ChartScore]:
    """Return the scores that `pack` packed."""
    if packed[0] == _PLAIN:
        return [(song, difficulty, score) for song, difficulty, score in json.loads(packed[1:])]
    return list(_unpack_groups(BytesIO(packed[1:])))


def _fits(song: str, difficulty: str, score: int) -> bool:
    is_counted = len(difficulty.encode()) <= _MAX_BYTE and 0 <= score < 16**_SCORE_DIGITS
    return is_counted and _ID.fullmatch(song) is not None


def _pack_group(difficulty: str, rows: Sequence[str]) -> bytes:
    code, digits = difficulty.encode(), "".join(rows)
    return bytes([len(code), *code, len(rows)]) + bytes.fromhex(digits + "0" * (len(digits) % 2))


def _unpack_groups(packed: BytesIO) -> Iterator[ChartScore]:
    while size := packed.read(1):
        difficulty = packed.read(size[0]).decode()
        digits = packed.read(1)[0] * _ROW_DIGITS
        rows = packed.read((digits + 1) // 2).hex()
        for start in range(0, digits, _ROW_DIGITS):
            score = start + _ID_DIGITS
            yield rows[start:score], difficulty, int(rows[score : start + _ROW_DIGITS], 16)
