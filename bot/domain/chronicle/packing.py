"""The storage format of marks: a full state, or the differences from an earlier full state; compressed, by columns.

Charts are in order; each song's id is stored once, in eight bytes. A difference refers to charts by their position in the
full state, and has its checksum, which identifies it. Columns without any value are left out.
"""

import json
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby, starmap
from operator import itemgetter
from struct import pack as pack_numbers
from struct import unpack_from
from sys import byteorder
from typing import Final, TypeAlias

from bot.domain.charts import Difficulty
from bot.domain.chronicle.state import RecordMark
from bot.domain.history import ChartKey
from bot.domain.ids import SongId

_COMPRESSION_LEVEL: Final = 5
"""The level of zlib, of nine: with level 9, records are 0.3 % smaller but take twice as long."""
_NUMBER: Final = "I"
_BYTES: Final = array(_NUMBER).itemsize
_PLAIN_FIELDS: Final = len(RecordMark._fields) - len(RecordMark._field_defaults)
"""The number of fields stored if no mark is below the best ever seen, as in the original format."""


_Item: TypeAlias = tuple[ChartKey, RecordMark]


class UnreadableState(ValueError):
    """The data is of another version, or its full state is not the one that it was made with."""


def pack(marks: Mapping[ChartKey, RecordMark], whole: bytes | None = None) -> bytes:
    """Return marks as bytes: as a full state, or as differences from `whole`."""
    if whole is None:
        return zlib.compress(_write(sorted(marks.items())), _COMPRESSION_LEVEL)
    base = _read(_open(whole))
    known = dict(base)
    places = {key: place for place, (key, _) in enumerate(base)}
    changed = sorted(
        (places[key], mark) for key, mark in marks.items() if key in known and known[key] != mark
    )
    removed = sorted(places[key] for key in known.keys() - marks.keys())
    added = sorted((key, mark) for key, mark in marks.items() if key not in known)
    parts = (
        pack_numbers("<I", zlib.crc32(whole)),
        _numbers(removed),
        _numbers([place for place, _ in changed]),
        _columns([mark for _, mark in changed]),
        _write(added),
    )
    return zlib.compress(_joined(parts), _COMPRESSION_LEVEL)


def unpack(
    packed: bytes, whole: bytes | None = None, opened: dict[bytes, list[_Item]] | None = None
) -> dict[ChartKey, RecordMark]:
    """Return the marks that `pack` packed, given the same `whole`. Raises: UnreadableState.

    `opened` caches full states that were read before, and gets this one: unchanged marks are then the same objects.
    """
    if whole is None:
        return dict(_read(_open(packed)))
    gone, places, columns, added = _beside(packed, whole)
    opened = {} if opened is None else opened
    base = opened.get(whole)
    if base is None:
        base = opened[whole] = _read(_open(whole))
    marks = dict(base)
    for place in _from_numbers(gone):
        del marks[base[place][0]]
    changed = _from_numbers(places)
    for place, mark in zip(changed, _from_columns(columns, len(changed)), strict=True):
        marks[base[place][0]] = mark
    marks.update(_read(added))
    return marks


def find_mark(chart: ChartKey, packed: bytes, whole: bytes | None = None) -> RecordMark | None:
    """Return one of the marks that `unpack` would return, in a small part of the time. Raises: UnreadableState."""
    if whole is None:
        return _find(chart, _open(packed))
    gone, places, columns, added = _beside(packed, whole)
    base = _open(whole)
    place = _place(chart, base)
    if place is None:
        return _find(chart, added)
    if place in _from_numbers(gone):
        return None
    changed = _from_numbers(places)
    if place in changed:
        return _from_columns(columns, len(changed))[changed.index(place)]
    return _mark_at(place, base)


def _find(chart: ChartKey, written: bytes) -> RecordMark | None:
    place = _place(chart, written)
    return None if place is None else _mark_at(place, written)


def _place(chart: ChartKey, written: bytes) -> int | None:
    """Return the position of a chart in the data; None if it is not there."""
    head, ids, counts, numbers, _ = _split(written)
    codes, plain = json.loads(head)
    song, difficulty = chart
    number = _number_of(song, plain, ids)
    if number is None or difficulty not in codes:
        return None
    each = _from_numbers(counts)
    first = sum(each[:number])
    there = _from_numbers(numbers)[first : first + each[number]]
    code = codes.index(difficulty)
    return first + there.index(code) if code in there else None


def _mark_at(place: int, written: bytes) -> RecordMark:
    *_, numbers_of_charts, columns = _split(written)
    count = len(numbers_of_charts) // _BYTES
    numbers = (columns[start + place :: count][:_BYTES] for start in range(0, len(columns), count * _BYTES))
    return RecordMark(*(int.from_bytes(number, byteorder) for number in numbers))


def _beside(packed: bytes, whole: bytes) -> list[bytes]:
    check, *parts = _split(_open(packed))
    if unpack_from("<I", check)[0] != zlib.crc32(whole):
        raise UnreadableState
    return parts


def _open(packed: bytes) -> bytes:
    try:
        return zlib.decompress(packed)
    except zlib.error:
        raise UnreadableState from None


def _write(items: Sequence[tuple[ChartKey, RecordMark]]) -> bytes:
    """Return charts in order: their songs, the number of charts of each, the difficulties, and the marks."""
    songs = [
        (song, [key[1] for key, _ in charts]) for song, charts in groupby(items, key=lambda item: item[0][0])
    ]
    codes = sorted({code for _, charts in songs for code in charts})
    number_of = {code: number for number, code in enumerate(codes)}
    ids = [song for song, _ in songs]
    plain = [song for song in ids if not _is_hexadecimal(song)]
    return _joined(
        (
            json.dumps([codes, ids if plain else []]).encode(),
            b"" if plain else bytes.fromhex("".join(ids)),
            _numbers([len(charts) for _, charts in songs]),
            _numbers([number_of[code] for code in chain.from_iterable(charts for _, charts in songs)]),
            _columns([mark for _, mark in items]),
        )
    )


def _read(written: bytes) -> list[tuple[ChartKey, RecordMark]]:
    head, ids, counts, numbers, columns = _split(written)
    codes, plain = json.loads(head)
    songs = _songs(plain, ids)
    owners = chain.from_iterable(
        [SongId(song)] * count for song, count in zip(songs, _from_numbers(counts), strict=True)
    )
    difficulties = [Difficulty(code) for code in codes]
    charts = _from_numbers(numbers)
    keys = ((song, difficulties[number]) for song, number in zip(owners, charts, strict=True))
    return list(zip(keys, _from_columns(columns, len(charts)), strict=True))


def _songs(plain: list[str], ids: bytes) -> list[str]:
    digits = ids.hex()
    return plain or [digits[start : start + 16] for start in range(0, len(digits), 16)]


def _number_of(song: str, plain: list[str], ids: bytes) -> int | None:
    """Return the position of a song in the data, without reading all songs; None if it is not there."""
    if plain or not _is_hexadecimal(song):
        return plain.index(song) if song in plain else None
    wanted = bytes.fromhex(song)
    at = ids.find(wanted)
    while at > 0 and at % len(wanted):  # the match began within another id
        at = ids.find(wanted, at + 1)
    return None if at < 0 else at // len(wanted)


def _is_hexadecimal(song: str) -> bool:
    return len(song) == 16 and not song.strip("0123456789abcdef")  # noqa: PLR2004 - digits of eight bytes


def _columns(marks: Sequence[RecordMark]) -> bytes:
    is_plain = not any(any(mark[_PLAIN_FIELDS:]) for mark in marks)
    fields = range(_PLAIN_FIELDS if is_plain else len(RecordMark._fields))
    return b"".join(_numbers(list(map(itemgetter(field), marks))) for field in fields)


def _from_columns(columns: bytes, count: int) -> list[RecordMark]:
    """Return `count` marks from their columns."""
    size = count * _BYTES
    fields = (_from_numbers(columns[start : start + size]) for start in range(0, len(columns), size or 1))
    return list(starmap(RecordMark, zip(*fields, strict=True)))


def _numbers(numbers: Iterable[int]) -> bytes:
    """Return numbers as bytes, the first bytes of all of them first, since those are similar."""
    plain = array(_NUMBER, numbers).tobytes()
    return b"".join(plain[byte::_BYTES] for byte in range(_BYTES))


def _from_numbers(planes: bytes) -> "array[int]":
    size = len(planes) // _BYTES
    plain = bytearray(len(planes))
    for byte in range(_BYTES):
        plain[byte::_BYTES] = planes[byte * size : (byte + 1) * size]
    return array(_NUMBER, bytes(plain))


def _joined(parts: Sequence[bytes]) -> bytes:
    sizes = pack_numbers(f"<B{len(parts)}I", len(parts), *map(len, parts))
    return sizes + b"".join(parts)


def _split(joined: bytes) -> list[bytes]:
    count = joined[0]
    start = 1 + 4 * count
    parts: list[bytes] = []
    for size in unpack_from(f"<{count}I", joined, 1):
        parts.append(joined[start : start + size])
        start += size
    return parts
