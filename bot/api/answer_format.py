"""The storage format of answers: entries are written by columns, because similar values side by side compress best.

A member's thousand records are written each time that they were fetched, so that has to take only a few milliseconds.
Titles that are stored once for all members are left out of each member's answers, where they would be a third.
"""

import zlib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from itertools import chain, groupby, repeat, starmap
from operator import attrgetter
from sys import intern
from types import GenericAlias
from typing import Any, Final, NamedTuple, TypeAlias, cast, get_type_hints

from pydantic import TypeAdapter
from pydantic_core import from_json, to_json, to_jsonable_python

from bot.domain.ids import SongId
from bot.domain.players import Friend, Player
from bot.domain.scores import CourseRecord, RatingData, Record, Slot, SlotName

_ENTRIES: Final[Mapping[str, type[Any]]] = {
    "player": Player,
    "rating_data": Record,
    "records": Record,
    "worlds_end": Record,
    "courses": CourseRecord,
    "friends": Friend,
}
"""The type of an answer's entries, by the first word of the question."""
KEPT_WORDS: Final = _ENTRIES.keys()
"""The first words of the questions whose answers are kept."""
_BYTE_COLUMN_VALUES: Final = 256
"""A column of fewer distinct values is written as one byte per entry, if its values repeat."""
_MIN_REPEATS: Final = 4
_NUMBER_BYTES: Final = 4
_ID_BYTES: Final = 8
_COMPRESSION_LEVEL: Final = 4
"""The level of zlib, of nine: at level 6 an answer is 1 % smaller, and takes twice as long to compress."""
_SHARED_NUMBERS: Final = tuple(range(2_048))
"""Levels, constants and ratings are among these numbers, so all records share one object for each."""
_NEVER: Final = 0
"""Stands for a moment that nobody knows."""

_SONG: Final = "song_id"
_TITLE: Final = "title"
Titles: TypeAlias = Mapping[SongId, str]
_NO_TITLES: Final[Titles] = {}
_Column: TypeAlias = Sequence[Any]


class _Written(NamedTuple):
    """A column, and the encoding below that wrote it."""

    way: str
    parts: Sequence[bytes]


def titles_of(value: object) -> dict[SongId, str]:
    """Return the titles in an answer by song, as far as a database accepts them as text."""
    found = {each.song_id: each.title for each in _entries_of(value) if isinstance(each, Record)}
    return {song: title for song, title in found.items() if song and "\0" not in song + title}


def write(value: object, titles: Titles = _NO_TITLES) -> bytes:
    """Return an answer as bytes, without the titles that are in `titles`."""
    if isinstance(value, Player):  # one alone has no columns, and posts read those of a thousand members
        return zlib.compress(_PLAYER.dump_json(value), _COMPRESSION_LEVEL)
    slots: Mapping[str, object] = {}
    if isinstance(value, RatingData):
        slots = {
            name: [slot.average and str(slot.average), [entry is not None for entry in slot.entries]]
            for name, slot in value.slots.items()
        }
    entries = _entries_of(value)
    names = [field.name for field in fields(entries[0])] if entries else []
    values = {name: [*map(attrgetter(name), entries)] for name in names}
    if _TITLE in values and _SONG in values:
        of_songs = zip(values[_TITLE], map(titles.get, values[_SONG]), strict=True)
        values[_TITLE] = [None if title == known else title for title, known in of_songs]
    columns = [*map(_written, values.values())]
    sizes = [[name, way, *map(len, parts)] for name, (way, parts) in zip(names, columns, strict=True)]
    head = to_json([slots, len(entries), sizes])
    parts = chain.from_iterable(column.parts for column in columns)
    content = b"".join([len(head).to_bytes(_NUMBER_BYTES, "big"), head, *parts])
    return zlib.compress(content, _COMPRESSION_LEVEL)


def read(name: str, body: bytes, titles: Titles = _NO_TITLES) -> object | None:
    """Return the answer to a question.

    None if another version of the bot wrote it in another shape, or without a title that `titles` lacks.
    """
    word, _, _ = name.partition("/")
    try:
        content = zlib.decompress(body)
        if content.startswith(b"{"):
            return _PLAYER.validate_json(content)
        slots, entries = _read(_ENTRIES[word], content, titles)
        if word == "player":  # as version 1.0 wrote it
            (player,) = entries
            return player
        return _rating_data(slots, iter(entries)) if word == "rating_data" else entries
    except (ValueError, LookupError, TypeError, zlib.error):
        return None


def as_json(name: str, body: bytes, titles: Titles = _NO_TITLES) -> object:
    """Return an answer as plain JSON, to export it to the person it is about."""
    return to_jsonable_python(read(name, body, titles))


def _entries_of(value: object) -> tuple[Any, ...]:
    if isinstance(value, RatingData):
        return tuple(chain.from_iterable(slot.records for slot in value.slots.values()))
    return cast("tuple[Any, ...]", value if isinstance(value, tuple) else (value,))


def _read(kind: type[Any], content: bytes, titles: Titles) -> tuple[Mapping[str, Any], tuple[Any, ...]]:
    start = _NUMBER_BYTES + int.from_bytes(content[:_NUMBER_BYTES], "big")
    slots, count, sizes = from_json(content[_NUMBER_BYTES:start])
    columns: dict[str, _Column] = {}
    for name, way, *ends in sizes:
        parts: list[bytes] = []
        for size in ends:
            parts.append(content[start : start + size])
            start += size
        columns[name] = _WAYS[way](_MAYBE_TITLES if name == _TITLE else _adapter(kind, name), *parts)
    if _TITLE in columns and _SONG in columns:
        of_songs = zip(columns[_TITLE], columns[_SONG], strict=True)
        columns[_TITLE] = [titles[song] if title is None else title for title, song in of_songs]
    names = [*columns]
    rows = zip(*columns.values(), strict=True) if count else ()
    by_position = [field.name for field in fields(kind) if not field.kw_only]
    if names == by_position:  # records, of which there are thousands: names take three times as long
        return slots, tuple(starmap(kind, rows))
    return slots, tuple([kind(**dict(zip(names, row, strict=True))) for row in rows])


def _rating_data(slots: Mapping[str, Any], records: Iterable[Record]) -> RatingData:
    left = iter(records)
    return RatingData(
        slots={
            SlotName(name): Slot(
                average=_AVERAGE.validate_python(average),
                entries=tuple(next(left) if is_filled else None for is_filled in places),
            )
            for name, (average, places) in slots.items()
        }
    )


@cache
def _adapter(kind: type[Any], name: str) -> TypeAdapter[list[Any]]:
    hint: Any = GenericAlias(list, get_type_hints(kind)[name])
    return TypeAdapter(hint)


def _written(column: _Column) -> _Written:
    """Return a column in the shortest encoding that fits its values."""
    kinds = set(map(type, column)) - {type(None)}
    if kinds == {datetime} and (moments := _moments(column)) is not None:
        return _Written("moments", [moments])
    if (few := _few(column)) is not None:
        return _Written("few", few)
    if kinds == {int} and (numbers := _numbers(column)) is not None:
        return _Written("numbers", [numbers])
    if kinds == {str} and None not in column:
        runs = [(text, len([*run])) for text, run in groupby(column)]
        texts, lengths = [text for text, _ in runs], _numbers([length for _, length in runs])
        if (ids := _ids(texts)) is not None:
            return _Written("ids", [lengths or b"", ids])
        return _Written("texts", [lengths or b"", to_json(texts)])
    return _Written("any", [to_json(column)])


def _few(column: _Column) -> list[bytes] | None:
    places = {value: place for place, value in enumerate(dict.fromkeys(column))}
    if len(places) > min(_BYTE_COLUMN_VALUES, len(column) // _MIN_REPEATS):
        return None
    return [to_json([*places]), bytes(map(places.__getitem__, column))]


def _moments(column: _Column) -> bytes | None:
    """Write moments as seconds since 1970; None if the values are not moments."""
    if any(moment is not None and moment.microsecond for moment in column):
        return None
    seconds = [_NEVER if moment is None else int(moment.timestamp()) for moment in column]
    return _numbers(seconds) if seconds.count(_NEVER) == column.count(None) else None


def _numbers(column: Iterable[Any]) -> bytes | None:
    """Write numbers split into their first, second, third and fourth bytes, because bytes of one place are alike."""
    try:
        plain = array("I", column).tobytes()
    except (TypeError, OverflowError):
        return None
    return b"".join(plain[byte::_NUMBER_BYTES] for byte in range(_NUMBER_BYTES))


def _ids(texts: Sequence[str]) -> bytes | None:
    together = "".join(texts)
    try:
        plain = bytes.fromhex(together)
    except ValueError:
        return None
    are_ids = plain.hex() == together and all(len(text) == 2 * _ID_BYTES for text in texts)
    return plain if are_ids else None


def _read_numbers(planes: bytes) -> "array[int]":
    size = len(planes) // _NUMBER_BYTES
    plain = bytearray(len(planes))
    for byte in range(_NUMBER_BYTES):
        plain[byte::_NUMBER_BYTES] = planes[byte * size : (byte + 1) * size]
    return array("I", bytes(plain))


def _read_few(adapter: TypeAdapter[list[Any]], values: bytes, places: bytes) -> _Column:
    found = adapter.validate_json(values)
    return [found[place] for place in places]


def _read_moments(_: object, planes: bytes) -> _Column:
    return [
        None if seconds == _NEVER else datetime.fromtimestamp(seconds, UTC)
        for seconds in _read_numbers(planes)
    ]


def _read_column(_: object, planes: bytes) -> _Column:
    numbers = _read_numbers(planes)
    if max(numbers, default=0) < len(_SHARED_NUMBERS):
        return [*map(_SHARED_NUMBERS.__getitem__, numbers)]
    return numbers


def _read_ids(_: object, lengths: bytes, ids: bytes) -> _Column:
    return _in_runs((ids[at : at + _ID_BYTES].hex() for at in range(0, len(ids), _ID_BYTES)), lengths)


def _read_texts(_: object, lengths: bytes, texts: bytes) -> _Column:
    return _in_runs(from_json(texts), lengths)


def _read_any(adapter: TypeAdapter[list[Any]], values: bytes) -> _Column:
    return adapter.validate_json(values)


def _in_runs(texts: Iterable[str], lengths: bytes) -> _Column:
    # Titles and ids are shared with other answers: unshared, they would take a fifth of the records' memory.
    return [*chain.from_iterable(map(repeat, map(intern, texts), _read_numbers(lengths)))]


_PLAYER: Final = TypeAdapter(Player)
_MAYBE_TITLES: Final = TypeAdapter(list[str | None])
_AVERAGE: Final = TypeAdapter[Any](get_type_hints(Slot)["average"])
_WAYS: Final[Mapping[str, Callable[..., _Column]]] = {
    "moments": _read_moments,
    "few": _read_few,
    "numbers": _read_column,
    "ids": _read_ids,
    "texts": _read_texts,
    "any": _read_any,
}
