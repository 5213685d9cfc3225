"""Bytes into wire models: strict where nothing else makes sense, tolerant everywhere else.

One entry that cannot be read costs that entry, not the reply: it is left out of a list, and leaves its place
empty among the places of rating data. How many were lost is told, what they held is not.
"""

import gc
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

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
    body = body.removeprefix(BYTE_ORDER_MARK)
    found = _validate(reply, body)
    if not isinstance(found, ValidationError):
        return Reading(found, 0)
    entries = _unreadable_entries(found)
    if not entries:
        raise UnreadableReply(_place(found))
    raw: object = from_json(body)
    if not _leave_out(raw, entries):
        raise UnreadableReply(_place(found))
    found = _validate(reply, raw)
    if isinstance(found, ValidationError):
        raise UnreadableReply(_place(found))
    return Reading(found, len(entries))


def find_error(body: bytes) -> ErrorDetail | None:
    """Return the error object that a body holds, or None if it holds none."""
    if len(body) > _LARGEST_ERROR or b'"error"' not in body:
        return None
    found = _validate(ErrorReply, body.removeprefix(BYTE_ORDER_MARK))
    error = None if isinstance(found, ValidationError) else found.error
    return ErrorDetail(message=error) if isinstance(error, str) else error


def _validate(reply: type[R], source: object) -> R | ValidationError:
    """Validate JSON text, or what was parsed from it; the error is returned, for a raised one keeps the content."""
    try:
        with _no_collection():
            if isinstance(source, bytes):
                return reply.model_validate_json(source)
            return reply.model_validate(source)
    except ValidationError as error:
        return error


@contextmanager
def _no_collection() -> Generator[None]:
    """Keep the garbage collector from walking thousands of new objects, none of which is garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


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
