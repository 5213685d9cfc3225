"""Bytes into wire models: strict where nothing else makes sense, tolerant everywhere else.

What a member may be is said by its type. One entry that cannot be read costs that entry, not the reply: it is left out
of a list, and leaves its place empty among the places of a rating. How many were lost is told, what they held is not.
"""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Generic, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from bot.domain.errors import UnreadableReply
from bot.wire.replies import ErrorDetail, ErrorReply

R = TypeVar("R", bound=BaseModel)
Path = tuple[int | str, ...]

BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_NOT_JSON: Final = "no JSON"
_PLACES: Final = "entries"
"""The one list whose positions mean something. Source: specification, "Rating data"."""
_MAX_VALUES: Final = 500_000
"""One reply has no more values, by its commas; the largest known one has 36,000. Each costs far more memory than the
bytes that it is sent in."""
_MAX_ERROR_BYTES: Final = 16_384
"""No error object is longer, and a list of records is not searched for one."""
_PIECE_BYTES: Final = 32 * 1024
"""A long list is read in such pieces, each of which pydantic is through with in half a millisecond: meanwhile no other
thread goes on."""
_LIST_START: Final = re.compile(rb'\s*(?:\{\s*"(\w+)"\s*:\s*)?\[')
"""How a reply begins that is a list, or an object whose first member is one."""
_BETWEEN_ENTRIES: Final = re.compile(rb"(?<=\})\s*,\s*(?=\{)")


@dataclass(frozen=True, slots=True)
class Reading(Generic[R]):
    """A reply, and how many of its entries could not be read."""

    reply: R
    lost: int


class _Piece(NamedTuple, Generic[R]):
    """What was read of some entries of a reply, or of a whole reply."""

    reply: R
    reasons: Sequence[str] = ()
    """Why entries were left out, one for each."""
    is_emptied: bool = False
    """Whether a list had entries, of which none could be read."""


def read_reply(kind: type[R], body: bytes) -> Reading[R]:
    """Read the body of a reply.

    Raises: UnreadableReply if it is not JSON, or not of the shape that the specification promises.
    """
    body = body.removeprefix(BYTE_ORDER_MARK)
    if body.count(b",") > _MAX_VALUES:
        reason = f"more than {_MAX_VALUES} values"
        raise UnreadableReply(reason)
    start = _LIST_START.match(body)
    name = "root" if start is None or start[1] is None else start[1].decode()
    if start is None or len(body) <= _PIECE_BYTES or kind.model_fields.keys() != {name}:
        return _joined(name, [_read_piece(kind, body)])
    return _joined(name, _read_pieces(kind, body, start))


def read_value(kind: type[R], value: object) -> Reading[R]:
    """Read what JSON said as Python's own values, which is changed: entries that cannot be read are taken out.

    Raises: UnreadableReply if it is not of the shape that the specification promises.
    """
    return _joined("", [_read_tolerantly(kind, value)])


def find_error(body: bytes) -> ErrorDetail | None:
    """Return the error object that a body holds, or None if it holds none."""
    if len(body) > _MAX_ERROR_BYTES or b'"error"' not in body:
        return None
    with suppress(UnreadableReply):
        error = read_reply(ErrorReply, body).reply.error
        return ErrorDetail(message=error) if isinstance(error, str) else error
    return None


def _read_pieces(kind: type[R], body: bytes, start: re.Match[bytes]) -> Sequence[_Piece[R]]:
    """Read a long list as several short replies of the same kind, each small enough to hold up nobody.

    It is cut where an entry seems to end. That it does is proved by the piece being JSON: a cut inside a text or
    a list within the list leaves something open. Then the piece is made longer.
    """
    head, tail = start.group(), b"]" if start[1] is None else b"]}"
    pieces: list[_Piece[R]] = []
    begin, size = start.end(), _PIECE_BYTES
    while (cut := _BETWEEN_ENTRIES.search(body, begin + size)) is not None:
        try:
            pieces.append(_read_piece(kind, head + body[begin : cut.start()] + tail))
        except UnreadableReply as error:
            if error.reason != _NOT_JSON:
                raise
            size *= 2
        else:
            begin, size = cut.end(), _PIECE_BYTES
    pieces.append(_read_piece(kind, head + body[begin:]))
    return pieces


def _joined(name: str, pieces: Sequence[_Piece[R]]) -> Reading[R]:
    """Return one reply of several whose only member has this name. Raises: UnreadableReply where nothing is left."""
    reasons = [reason for piece in pieces for reason in piece.reasons]
    if all(piece.is_emptied for piece in pieces):
        raise UnreadableReply(reasons[0])
    reply = pieces[0].reply
    if len(pieces) > 1:
        entries = tuple(chain.from_iterable(getattr(piece.reply, name) for piece in pieces))
        reply = reply.model_copy(update={name: entries})
    return Reading(reply, len(reasons))


def _read_piece(kind: type[R], body: bytes) -> _Piece[R]:
    with suppress(ValidationError):
        return _Piece(kind.model_validate_json(body))
    return _read_tolerantly(kind, _parse(body))


def _parse(body: bytes) -> object:
    """Return what JSON says. Raises: UnreadableReply, without the error that keeps the content."""
    with suppress(ValueError):
        return from_json(body, allow_inf_nan=False)
    with suppress(ValueError, RecursionError):
        # Python's own parser knows NaN, and takes half a character, which nobody else would take from us.
        value = json.loads(body.decode(errors="replace"), parse_constant=lambda _name: None)
        return from_json(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    raise UnreadableReply(_NOT_JSON)


def _read_tolerantly(kind: type[R], value: object) -> _Piece[R]:
    """Read without the entries that cannot be read. Raises: UnreadableReply."""
    found = _validate(kind, value)
    if not isinstance(found, ValidationError):
        return _Piece(found)
    reasons: dict[Path, str] = {}
    for path, message in _faults(found):
        entry = _entry_path(path)
        if not entry:
            raise UnreadableReply(_reason(path, message))
        reasons.setdefault(entry, _reason(path, message))
    is_emptied = _leave_out(value, reasons)
    found = _validate(kind, value)
    if isinstance(found, ValidationError):
        raise UnreadableReply(_reason(*_faults(found)[0]))
    return _Piece(found, tuple(reasons.values()), is_emptied)


def _validate(kind: type[R], value: object) -> R | ValidationError:
    """Return the error, where there is one: a raised one keeps the content."""
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        return error


def _faults(error: ValidationError) -> list[tuple[Path, str]]:
    """Return where what is wrong, and nothing of what was sent."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    return [(detail["loc"], detail["msg"]) for detail in details]


def _reason(path: Path, message: str) -> str:
    return ": ".join(filter(None, (".".join(map(str, path)), message)))


def _entry_path(path: Path) -> Path:
    """Return the path of the list entry that a fault lies in; empty where it lies in none."""
    index = max((position for position, part in enumerate(path) if isinstance(part, int)), default=-1)
    return path[: index + 1]


def _leave_out(value: object, entries: Iterable[Path]) -> bool:
    """Take entries out of their lists, the last first; return whether that leaves a list with nothing in it."""
    is_emptied = False
    for *way, index in sorted(entries, reverse=True):
        holder: Any = value
        for part in way:
            holder = holder[part]
        if way and way[-1] == _PLACES:
            holder[index] = None
        else:
            del holder[index]
            is_emptied = is_emptied or not holder
    return is_emptied
