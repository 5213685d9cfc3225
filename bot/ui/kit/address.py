"""The addresses of pages: one frozen class for each route, and the encoding of its values in a component's id.

    @route("best")
    class BestAddress(ListAddress):
        slot: SlotName

An id consists of kind, mark, asker and values, separated by colons. The mark is two characters computed from the
names and types of the route's fields, so that an id from before a change of them is recognised as old.

Addresses are frozen only for the type checker: real frozen classes would double the startup time, as there are many.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    NamedTuple,
    TypeVar,
    dataclass_transform,
    get_args,
    get_type_hints,
)

from typing_extensions import override

from bot.domain.errors import TooOld
from bot.domain.ids import MemberId, UserName
from bot.domain.members import Cut
from bot.features.shared.subjects import Subject

MAX_CUSTOM_ID: Final = 100
"""The limit of a component's id, and of a menu option's value. Source: Discord's documentation."""

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE: Final = len(_DIGITS)
_MARK_CHARACTERS: Final = 2
"""The length of the mark that says which fields a route has."""
_MAX_PAGE_CHARACTERS: Final = 3
"""The most characters of a page number, up to 46,655: no list reaches more."""
_ID_LIMIT: Final = 2**63
"""The first number above all ids that Discord gives and a database can store."""
_MAX_PREFIX_CHARACTERS: Final = len("pick@2:")
_WRITTEN_ATTRIBUTE: Final = "_written"
"""The attribute that caches an address's encoding, which each button needs twice: for `fits`, and for its id."""
_ESCAPES: Final[Mapping[str, str]] = {"%": "%0", ":": "%1"}
_SPECIAL: Final = re.compile("[%:]")


@dataclass(
    frozen=TYPE_CHECKING, kw_only=True, unsafe_hash=True
)  # no slots: a class cannot inherit them from two bases
class Address:
    """The data needed to make a page again; every route adds its own fields."""

    KIND: ClassVar[str] = ""
    """The name of the route in a component's id."""
    CHANGES: ClassVar[bool] = False
    """Whether making the page changes something, so that it must not be made twice for one press."""
    asker: MemberId
    """The member who asked; nobody else can turn the page."""

    @property
    def fits(self) -> bool:
        """Whether the address fits into a component's id, for any page number."""
        return _MAX_PREFIX_CHARACTERS + len(encode(self)) <= MAX_CUSTOM_ID


@dataclass(frozen=TYPE_CHECKING, kw_only=True, unsafe_hash=True)
class ListAddress(Address):
    """The address of one page of a list."""

    number: int = 0
    """The page number, from 0."""

    @property
    @override
    def fits(self) -> bool:
        grows_by = _MAX_PAGE_CHARACTERS - len(_to_digits(self.number))
        return _MAX_PREFIX_CHARACTERS + len(encode(self)) + grows_by <= MAX_CUSTOM_ID


@dataclass(frozen=TYPE_CHECKING, kw_only=True, unsafe_hash=True)
class SubjectAddress(Address):
    """The address of a page about somebody."""

    subject: Subject


@dataclass(frozen=TYPE_CHECKING, kw_only=True, unsafe_hash=True)
class PictureAddress(Address):
    """The address of a page with a picture."""

    cut: Cut | None = None
    """The cut of the picture; None for the asker's setting."""


A = TypeVar("A", bound=Address)


class _Value(NamedTuple):
    """How one field's value is written and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


class _Route(NamedTuple):
    address: type[Address]
    mark: str
    values: Mapping[str, _Value]
    """The values by field name, in the order of the fields."""


_routes: Final[dict[str, _Route]] = {}


@dataclass_transform(kw_only_default=True, frozen_default=True)
def route(kind: str) -> Callable[[type[A]], type[A]]:
    """Register a class as the address of a kind of pages. Raises: TypeError for a type that no id can carry."""

    def make(plain: type[A]) -> type[A]:
        plain.KIND = kind
        made = dataclass(frozen=TYPE_CHECKING, kw_only=True, unsafe_hash=True)(plain)
        types = get_type_hints(made)
        hints = {each.name: types[each.name] for each in fields(made)}
        told = ",".join(f"{name}:{_name_of(hint)}" for name, hint in hints.items())
        mark = _to_digits(int.from_bytes(hashlib.blake2b(told.encode(), digest_size=8).digest()))[
            -_MARK_CHARACTERS:
        ]
        _routes[kind] = _Route(made, mark, {name: _value_of(hint) for name, hint in hints.items()})
        return made

    return make


def encode(address: Address) -> str:
    """Return the encoding of an address for a component's id, cached; `fits` says whether it is short enough."""
    kept: dict[str, Any] = vars(address)
    text: str | None = kept.get(_WRITTEN_ATTRIBUTE)
    if text is None:
        found = _routes[address.KIND]
        values = [each.write(kept[name]) for name, each in found.values.items()]
        text = kept[_WRITTEN_ATTRIBUTE] = ":".join([address.KIND, found.mark, *values])
    return text


def decode(text: str) -> Address:
    """Return the address that an id carries. Raises: TooOld for a text that `encode` would not produce today."""
    kind, *rest = text.split(":")
    found = _routes.get(kind)
    if found is None or len(rest) != 1 + len(found.values):
        raise TooOld
    try:
        values = {
            name: each.read(part) for (name, each), part in zip(found.values.items(), rest[1:], strict=True)
        }
        address = found.address(**values)
    except ValueError:
        raise TooOld from None
    if encode(address) != text:
        raise TooOld
    return address


def _to_digits(number: int) -> str:
    """Return a whole number in base 36: Discord's ids take 13 characters instead of 19."""
    rest, digits = abs(number), ""
    while rest or not digits:
        rest, last = divmod(rest, _BASE)
        digits = _DIGITS[last] + digits
    return f"-{digits}" if number < 0 else digits


def _to_number(text: str) -> int:
    return int(text, _BASE)


def _to_member(text: str) -> MemberId:
    number = _to_number(text)
    if not 0 < number < _ID_LIMIT:
        raise ValueError(text)
    return MemberId(number)


def _escape(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text) if _SPECIAL.search(text) else text


def _unescape(text: str) -> str:
    return text.replace("%1", ":").replace("%0", "%")


def _write_subject(subject: Subject) -> str:
    """Return "m…" for a member asked for in a server, "d…" for one elsewhere, "u…" for a player, "" for the asker."""
    if subject.member is not None:
        return f"{'m' if subject.shares_server else 'd'}{_to_digits(subject.member)}"
    return f"u{_escape(subject.player)}" if subject.player else ""


def _read_subject(text: str) -> Subject:
    match text[:1]:
        case "":
            return Subject()
        case "u":
            return Subject(player=UserName(_unescape(text[1:])))
        case kind:  # any other letter is rejected, as `encode` does not reproduce it
            return Subject(member=_to_member(text[1:]), shares_server=kind == "m")


def _write_flag(value: bool) -> str:  # noqa: FBT001 - a field's value
    return "1" if value else ""


def _write_members(members: tuple[MemberId, ...]) -> str:
    return ".".join(map(_to_digits, members))


def _read_members(text: str) -> tuple[MemberId, ...]:
    return tuple(map(_to_member, text.split("."))) if text else ()


def _write_day(day: date) -> str:
    return _to_digits(day.toordinal())


def _read_day(text: str) -> date:
    number = _to_number(text)
    if not 0 < number <= date.max.toordinal():
        raise ValueError(text)
    return date.fromordinal(number)


_VALUES: Final[Mapping[object, _Value]] = {
    bool: _Value(_write_flag, bool),
    int: _Value(_to_digits, _to_number),
    MemberId: _Value(_to_digits, _to_member),
    tuple[MemberId, ...]: _Value(_write_members, _read_members),
    date: _Value(_write_day, _read_day),
    str: _Value(_escape, _unescape),
    Subject: _Value(_write_subject, _read_subject),
}


def _value_of(hint: Any) -> _Value:
    plain = _plain(hint)
    known = _VALUES.get(hint) or _VALUES.get(plain)
    if known is not None:
        return known
    if isinstance(plain, type) and issubclass(plain, StrEnum):
        return _Value(_escape, plain)
    inner = [each for each in get_args(plain) if each is not type(None)]
    if len(inner) == 1 and inner[0] is not str:  # an empty text would be read as None; ids are never empty
        return _optional(_value_of(inner[0]))
    message = f"no id of a component can carry {hint}"
    raise TypeError(message)


def _optional(value: _Value) -> _Value:
    def write_if_any(given: object) -> str:
        return "" if given is None else value.write(given)

    def read_if_any(text: str) -> object:
        return value.read(text) if text else None

    return _Value(write_if_any, read_if_any)


def _plain(hint: Any) -> Any:
    """Return the type that a NewType stands for."""
    return getattr(hint, "__supertype__", hint)


def _name_of(hint: Any) -> str:
    """Return a type's name without its module: moving a class does not invalidate buttons."""
    return str(getattr(hint, "__name__", None) or "|".join(map(_name_of, get_args(hint))))
