"""Bytes into wire models: strict where nothing else makes sense, tolerant everywhere else.

One entry that cannot be read costs that entry, not the reply: it is left out of a list, and leaves its place
empty among the places of rating data. How many were lost is told, what they held is not.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

import orjson
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from bot.domain.errors import UnreadableReply
from bot.wire.replies import ErrorDetail, ErrorReply

R = TypeVar("R", bound=BaseModel)
Path = tuple[int | str, ...]

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_PLACES: Final = "entries"
"""The one list whose positions mean something. Source: specification, "Rating data"."""
_LARGEST_ERROR: Final = 16_384
"""Bytes; no error object is longer, and a list of records is not searched for one."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[R]):
    """A reply, and how many of its entries could not be read."""

    reply: R
    lost: int


def read_reply(reply: type[R], body: bytes) -> Reading[R]:
    """Read the body of a reply.

    Raises: UnreadableReply if it is not JSON, or not of the shape that the specification promises.
    """
    raw = _parse(body.removeprefix(BYTE_ORDER_MARK))
    found = _validate(reply, raw)
    if not isinstance(found, ValidationError):
        return Reading(found, 0)
    entries = _unreadable_entries(found)
    if not entries or not _leave_out(raw, entries):
        raise UnreadableReply(_place(found))
    found = _validate(reply, raw)
    if isinstance(found, ValidationError):
        raise UnreadableReply(_place(found))
    return Reading(found, len(entries))


def find_error(body: bytes) -> ErrorDetail | None:
    """Return the error object that a body holds, or None if it holds none."""
    if len(body) > _LARGEST_ERROR or b'"error"' not in body:
        return None
    with suppress(UnreadableReply):
        error = read_reply(ErrorReply, body).reply.error
        return ErrorDetail(message=error) if isinstance(error, str) else error
    return None


def _parse(body: bytes) -> object:
    """Return what JSON text says. Raises: UnreadableReply, without the error that keeps the content."""
    for parse in (orjson.loads, from_json):  # the second knows NaN, which costs a member alone
        with suppress(ValueError):
            return parse(body)
    message = "whole reply: json_invalid"
    raise UnreadableReply(message)


def _validate(reply: type[R], raw: object) -> R | ValidationError:
    """Validate what was parsed; the error is returned, for a raised one keeps the content."""
    try:
        return reply.model_validate(raw)
    except ValidationError as error:
        return error


def _places(error: ValidationError) -> list[tuple[Path, str]]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return [(detail["loc"], detail["type"]) for detail in details]


def _place(error: ValidationError) -> str:
    path, kind = _places(error)[0]
    return f"{'.'.join(map(str, path)) or 'whole reply'}: {kind}"


def _unreadable_entries(error: ValidationError) -> set[Path]:
    """Return the paths of the list entries that are at fault; none if the fault is not in lists alone."""
    entries: set[Path] = set()
    for path, _ in _places(error):
        index = max((position for position, part in enumerate(path) if isinstance(part, int)), default=None)
        if index is None:
            return set()
        entries.add(path[: index + 1])
    return entries


def _leave_out(raw: object, entries: Iterable[Path]) -> bool:
    """Take the entries out of `raw`; return False if that leaves a list with nothing in it."""
    emptied = False
    for *way, index in sorted(entries, reverse=True):
        holder = _follow(raw, way)
        position = cast("int", index)
        if way and way[-1] == _PLACES:
            holder[position] = None
        else:
            del holder[position]
            emptied = emptied or not holder
    return not emptied


def _follow(raw: object, way: list[int | str]) -> list[object]:
    for part in way:
        raw = (
            cast("dict[str, object]", raw)[part] if isinstance(part, str) else cast("list[object]", raw)[part]
        )
    return cast("list[object]", raw)
