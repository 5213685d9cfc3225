"""Values: what `dataclasses.dataclass(frozen=True)` makes, in a third of the time, for there are two hundred of them.

That writes and compiles six methods for each class, and a frozen one takes three times as long to make. Here the methods
of all are the same, but for the one that makes a value; and it is the type checker alone that lets nobody change one.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar, dataclass_transform

T = TypeVar("T")

_COMPARED: Final = "__compared__"
_HASHED: Final = "__hashed__"


@dataclass_transform(field_specifiers=(dataclasses.field,))
def dataclass(
    *, frozen: Literal[True], slots: bool = False, kw_only: bool = False, weakref_slot: bool = False
) -> Callable[[type[T]], type[T]]:
    """Make a class one of values, which the type checker lets nobody change."""
    del frozen

    def make(plain: type[T]) -> type[T]:
        if not plain.__doc__:  # else one is written of its signature, which takes as long as all else
            plain.__doc__ = plain.__name__
        own = vars(plain)
        made = dataclasses.dataclass(
            eq=False, repr=False, slots=slots, kw_only=kw_only, weakref_slot=weakref_slot
        )(plain)
        fields = dataclasses.fields(made)  # pyright: ignore[reportArgumentType] - it has just become one
        compared = [each.name for each in fields if each.compare]
        hashed = [each.name for each in fields if (each.compare if each.hash is None else each.hash)]
        setattr(made, _COMPARED, _getter(compared))
        setattr(made, _HASHED, _getter(hashed))
        for name, method in _METHODS.items():
            if name not in own:
                setattr(made, name, method)
        return made

    return make


def _getter(names: list[str]) -> Callable[[Any], object]:
    return staticmethod(attrgetter(*names) if names else type)


def _is_equal(self: Any, other: Any) -> bool:
    if other.__class__ is not self.__class__:
        return NotImplemented
    get = self.__compared__
    return bool(get(self) == get(other))


def _hash(self: Any) -> int:
    return hash(self.__hashed__(self))


def _write(self: Any) -> str:
    shown = ", ".join(
        f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr
    )
    return f"{type(self).__qualname__}({shown})"


_METHODS: Final = {"__eq__": _is_equal, "__hash__": _hash, "__repr__": _write}
