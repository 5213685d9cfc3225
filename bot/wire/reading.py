"""Bytes into wire models: strict where nothing else makes sense, tolerant everywhere else.

What a member may be is said by its type. One that takes None is None where it cannot be read, and a list that need not
be there is empty where it is null. One entry that cannot be read costs that entry, not the reply: it is None in a list
whose entries may be, and left out of any other. How many were lost is told, what they held is not.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Generic, TypeVar, Union, cast, get_args, get_origin

from msgspec import Raw, UnsetType, ValidationError
from msgspec.json import Decoder, encode
from msgspec.structs import fields

from bot.domain.errors import UnreadableReply
from bot.wire.fields import OR_NUMBER
from bot.wire.replies import Array, ErrorDetail, ErrorReply, Reply

R = TypeVar("R")
Way = tuple[str | int, ...]

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_NO_JSON: Final = "no JSON"
_NOTHING: Final = Raw(b"[]")
"""Stands for null in place of a list that need not be there."""
_UNREADABLE: Final = (ValueError, RecursionError)
"""What msgspec raises, and what Python does for what is nested too deep."""
_MOST_VALUES: Final = 500_000
"""Of one reply, by its commas; the largest known one has 36,000. Each costs far more memory than the bytes that it is sent in."""
_LARGEST_ERROR: Final = 16_384
"""Bytes; no error object is longer, and a list of records is not searched for one."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[R]):
    """A reply, and how many of its entries could not be read."""

    reply: R
    lost: int


def read_reply(kind: type[R], body: bytes) -> Reading[R]:
    """Read the body of a reply.

    Raises: UnreadableReply if it is not JSON, or not of the shape that the specification promises.
    """
    reader = _Reader()
    reply = reader.read(kind, _parse(body.removeprefix(BYTE_ORDER_MARK)), ())
    return Reading(reply, reader.lost)


def find_error(body: bytes) -> ErrorDetail | None:
    """Return the error object that a body holds, or None if it holds none."""
    if len(body) > _LARGEST_ERROR or b'"error"' not in body:
        return None
    with suppress(UnreadableReply):
        error = read_reply(ErrorReply, body).reply.error
        return ErrorDetail(message=error) if isinstance(error, str) else error
    return None


def _parse(body: bytes) -> Raw:
    """Return JSON text as it stands, checked. Raises: UnreadableReply, without the error that keeps the content."""
    if body.count(b",") > _MOST_VALUES:
        reason = f"more than {_MOST_VALUES} values"
        raise UnreadableReply(reason)
    with suppress(*_UNREADABLE):
        return _decoder(Raw).decode(body)
    with suppress(*_UNREADABLE):  # this one knows NaN, which costs a member alone
        return Raw(encode(json.loads(body, parse_constant=lambda _name: None)))
    raise UnreadableReply(_NO_JSON)


class _Reader:
    """Reads one reply, entry by entry, so that no other thread waits long."""

    def __init__(self) -> None:
        self.lost = 0

    def read(self, kind: Any, sent: Raw, way: Way) -> Any:
        """Return what was sent at a place. Raises: UnreadableReply."""
        parts = get_args(kind)
        if get_origin(kind) in {Union, UnionType}:
            return self._read_any(parts, sent, way)
        if get_origin(kind) is tuple:
            return self._read_entries(parts[0], sent, way)
        if get_origin(kind) is dict:
            members = _decode(dict[str, Raw], sent, way)
            return {name: self.read(parts[1], each, (*way, name)) for name, each in members.items()}
        if isinstance(kind, type) and issubclass(kind, Array):
            array = cast("type[Array[Any]]", kind)
            return array(self._read_entries(array.entry(), sent, way))
        if isinstance(kind, type) and issubclass(kind, Reply):
            return self._read_members(kind, sent, way)
        return _decode(kind, _quoted(kind, sent), way)

    def _read_any(self, kinds: tuple[Any, ...], sent: Raw, way: Way) -> Any:
        """Return what was sent as the first of some types that it can be read as."""
        reason = ""
        for kind in kinds:
            if kind is NoneType:
                return None
            if kind is not UnsetType:
                try:
                    return self.read(kind, sent, way)
                except UnreadableReply as error:
                    reason = error.reason
        raise UnreadableReply(reason)

    def _read_members(self, kind: type[Reply], sent: Raw, way: Way) -> Reply:
        members = _decode(dict[str, Raw], sent, way)
        found: dict[str, Any] = {}
        for field in fields(kind):
            member = members.get(field.name)
            if field.required and member is None:
                raise UnreadableReply(_reason((*way, field.name), "missing"))
            if member is not None:
                is_needed = field.required or NoneType in get_args(field.type)
                sent = _NOTHING if not is_needed and bytes(member) == b"null" else member
                found[field.name] = self.read(field.type, sent, (*way, field.name))
        return kind(**found)

    def _read_entries(self, kind: Any, sent: Raw, way: Way) -> tuple[Any, ...]:
        decode = _decoder(kind).decode
        found: list[Any] = []
        reasons: list[str] = []
        for place, entry in enumerate(_decode(list[Raw], sent, way)):
            try:
                found.append(decode(entry))
            except _UNREADABLE:
                first, *others = get_args(kind) or [kind]
                try:
                    found.append(self.read(first, entry, (*way, place)))
                except UnreadableReply as error:
                    found += [None for other in others if other is NoneType]
                    reasons.append(error.reason)
        self.lost += len(reasons)
        if reasons and not found:
            raise UnreadableReply(reasons[0])
        return tuple(found)


@cache
def _decoder(kind: Any) -> Decoder[Any]:
    return Decoder(kind, strict=False)


def _decode(kind: Any, sent: Raw, way: Way) -> Any:
    try:
        return _decoder(kind).decode(sent)
    except ValidationError as error:
        reason = str(error)
    except _UNREADABLE:  # whose text may be of what was sent
        reason = _NO_JSON
    raise UnreadableReply(_reason(way, reason))


def _quoted(kind: Any, sent: Raw) -> Raw:
    """Return a number as a text, where it may stand for one."""
    written = bytes(sent)
    is_number = written[:1].isdigit() or written[:1] == b"-"
    return Raw(b'"%b"' % written) if is_number and OR_NUMBER in getattr(kind, "__metadata__", ()) else sent


def _reason(way: Way, what: str) -> str:
    return ": ".join(filter(None, (".".join(map(str, way)), what)))
