"""JSON with long lists, in fewer bytes once it is compressed: the lists stand behind it, each in the way that tells it shortest.

LZMA takes a fourth more for a decimal digit, or a letter of an id, than it tells.
"""

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Final, NamedTuple, TypeAlias, cast

from pydantic_core import from_json, to_json

Json: TypeAlias = "str | int | float | list[Json] | dict[str, Json] | None"

_APART: Final = "#"
"""Stands where a list was, with how it is written and in how many bytes; no field is called so."""
_LEAST: Final = 16
"""Entries from which on it is worth its while."""
_FEW: Final = 256
_ID: Final = re.compile(r"[0-9a-f]{16}")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_NEVER: Final = 0
"""Stands for a moment that nobody knows."""


class _Way(NamedTuple):
    """How lists of one kind are written."""

    write: Callable[[Sequence[Json]], bytes | None]
    """Returns None for a list of another kind."""
    read: Callable[[bytes], Sequence[Json]]


def pack(plain: Json) -> bytes:
    """Return JSON with its long lists behind it."""
    lists: list[bytes] = []
    head = to_json(_set_apart(plain, lists))
    return b"".join([len(head).to_bytes(4, "big"), head, *lists])


def unpack(packed: bytes) -> Json:
    """Return the JSON that `pack` was given."""
    content = BytesIO(packed)
    head = content.read(int.from_bytes(content.read(4), "big"))
    return _put_back(from_json(head), content)


def _set_apart(plain: Json, lists: list[bytes]) -> Json:
    if isinstance(plain, dict):
        return {name: _set_apart(value, lists) for name, value in plain.items()}
    if not isinstance(plain, list):
        return plain
    if len(plain) >= _LEAST:
        for name, way in _WAYS.items():
            if (written := way.write(plain)) is not None:
                lists.append(written)
                return {_APART: [name, len(written)]}
    return [_set_apart(each, lists) for each in plain]


def _put_back(packed: Json, content: BytesIO) -> Json:
    if isinstance(packed, list):
        return [_put_back(each, content) for each in packed]
    if not isinstance(packed, dict):
        return packed
    match packed.get(_APART):
        case [str(name), int(size)]:
            return list(_WAYS[name].read(content.read(size)))
        case _:
            return {name: _put_back(value, content) for name, value in packed.items()}


def _write_few(entries: Sequence[Json]) -> bytes | None:
    """Write each entry as one byte, behind those that differ."""
    if not all(each is None or isinstance(each, str | int) for each in entries):
        return None
    told = [to_json(each) for each in entries]
    places = {each: place for place, each in enumerate(dict.fromkeys(told))}
    if len(places) > min(_FEW, len(entries) // 4):
        return None
    return b"[%b]" % b",".join(places) + b"\n" + bytes(map(places.__getitem__, told))


def _read_few(written: bytes) -> Sequence[Json]:
    head, _, places = written.partition(b"\n")
    found = cast("list[Json]", from_json(head))
    return [found[place] for place in places]


def _write_numbers(entries: Sequence[Json]) -> bytes | None:
    """Write numbers by their first, second, third and fourth bytes."""
    numbers = [each for each in entries if type(each) is int and 0 <= each < 2**32]
    if len(numbers) < len(entries):
        return None
    written = struct.pack(f"<{len(numbers)}I", *numbers)
    return b"".join(written[place::4] for place in range(4))


def _read_numbers(written: bytes) -> Sequence[int]:
    size = len(written) // 4
    places = (written[start : start + size] for start in range(0, len(written), size))
    return [int.from_bytes(number, "little") for number in map(bytes, zip(*places, strict=True))]


def _write_ids(entries: Sequence[Json]) -> bytes | None:
    ids = [each for each in entries if isinstance(each, str) and _ID.fullmatch(each)]
    return bytes.fromhex("".join(ids)) if len(ids) == len(entries) else None


def _read_ids(written: bytes) -> Sequence[str]:
    return [each.hex() for (each,) in struct.iter_unpack("8s", written)]


def _write_moments(entries: Sequence[Json]) -> bytes | None:
    """Write moments as seconds since 1970; none of that second is among them."""
    if not all(each is None or (isinstance(each, str) and _MOMENT.fullmatch(each)) for each in entries):
        return None
    try:
        seconds = [_NEVER if each is None else _seconds(str(each)) for each in entries]
    except ValueError:  # as of February 30
        return None
    return _write_numbers(seconds) if seconds.count(_NEVER) == entries.count(None) else None


def _seconds(moment: str) -> int:
    return int(datetime.fromisoformat(moment).timestamp())


def _read_moments(written: bytes) -> Sequence[str | None]:
    return [
        None if each == _NEVER else f"{datetime.fromtimestamp(each, UTC):%Y-%m-%dT%H:%M:%SZ}"
        for each in _read_numbers(written)
    ]


def _write_texts(entries: Sequence[Json]) -> bytes | None:
    texts = [each for each in entries if isinstance(each, str) and "\n" not in each]
    return "\n".join(texts).encode() if len(texts) == len(entries) else None


def _read_texts(written: bytes) -> Sequence[str]:
    return written.decode().split("\n")


_WAYS: Final[Mapping[str, _Way]] = {
    "few": _Way(_write_few, _read_few),
    "number": _Way(_write_numbers, _read_numbers),
    "id": _Way(_write_ids, _read_ids),
    "moment": _Way(_write_moments, _read_moments),
    "text": _Way(_write_texts, _read_texts),
}
"""The first that a list can be written in counts."""
