"""Values, beside what Python's own dataclasses make of the same."""

import dataclasses
from collections.abc import Callable
from copy import copy
from dataclasses import field, replace
from typing import Any

import pytest

from bot.value import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ours:
    name: str
    aside: str = field(default="", repr=False, compare=False)
    many: tuple[int, ...] = field(default=(), hash=False)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class _Theirs:
    name: str
    aside: str = field(default="", repr=False, compare=False)
    many: tuple[int, ...] = field(default=(), hash=False)


@dataclass(frozen=True)
class _Single:
    number: int


@dataclass(frozen=True)
class _Nothing:
    pass


@dataclass(frozen=True, slots=True)
class _OwnText:
    number: int

    def __repr__(self) -> str:
        return "secret"


@pytest.mark.parametrize("kind", [_Ours, _Theirs])
def test_they_are_equal_hashed_and_written_alike(kind: Callable[..., Any]) -> None:
    one = kind(name="a", aside="b", many=(1,))
    assert one == kind(name="a", many=(1,))
    assert one != kind(name="a", many=(2,))
    assert hash(one) == hash(kind(name="a", many=(2,)))
    assert one not in {kind(name="b", many=(1,)), "a", None}
    assert repr(one) == f"{kind.__name__}(name='a', many=(1,))"
    assert copy(one).aside == "b"
    assert replace(one, name="c") == kind(name="c", many=(1,))
    assert not hasattr(one, "__dict__")


def test_values_of_two_classes_are_never_equal() -> None:
    assert _Ours(name="a") != _Theirs(name="a")
    assert _Single(1) != 1
    assert _Nothing() == _Nothing()
    assert len({_Single(1), _Single(1), _Single(2), _Nothing(), _Nothing()}) == 3


def test_what_a_class_says_itself_stands() -> None:
    assert repr(_OwnText(1)) == "secret"


def test_nothing_is_compiled_for_a_class_but_what_makes_a_value() -> None:
    of_all = [vars(kind) for kind in (_Ours, _Single, _Nothing)]
    for name in ("__eq__", "__hash__"):
        assert len({each[name] for each in of_all}) == 1
    assert "__setattr__" not in vars(_Ours)
