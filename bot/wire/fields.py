"""Tolerant field types: what the service may write in place of what it promises.

A member that can be done without becomes None when it is missing, null or of another type: one odd member
must not cost a record. A member without which the record says nothing stays required.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import chain
from typing import Annotated, Final, TypeVar, cast

from pydantic import (
    AwareDatetime,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
)
from pydantic_core import CoreSchema, core_schema

E = TypeVar("E")

_PIECE: Final = 200
"""Entries that pydantic is through with in half a millisecond."""
_LARGEST: Final = 2**63 - 1
"""What a database's integer column holds."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FAR: Final = datetime(2200, 1, 1, tzinfo=UTC)
"""Beyond it lies nonsense, and arithmetic with time zones could overflow."""


@dataclass(frozen=True, slots=True)
class OrElse:
    """Marks a member that becomes `fallback` when what came cannot be read."""

    fallback: object = None

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_default_schema(handler(source), default=self.fallback, on_error="default")


def _empty_if_null(value: object) -> object:
    return [] if value is None else value


NULL_IS_EMPTY: Final = BeforeValidator(_empty_if_null)
"""Marks a list that may come as null where there is nothing to list."""


def pieces(entries: Sequence[E]) -> Iterator[Sequence[E]]:
    """Yield some entries of a list at a time, at least once: pydantic lets no other thread go on while it is called."""
    return (entries[start : start + _PIECE] for start in range(0, len(entries) or 1, _PIECE))


def _by_pieces(entries: object, read: ValidatorFunctionWrapHandler) -> object:
    if isinstance(entries, list):
        with suppress(ValidationError):  # it would tell places in a piece
            return tuple(chain.from_iterable(map(read, pieces(cast("list[object]", entries)))))
    return read(entries)


Entries = Annotated[tuple[E, ...], WrapValidator(_by_pieces)]
"""A list that may be long, read piece by piece."""

Text = Annotated[str, Field(coerce_numbers_to_str=True)]
"""A title of digits alone may come as a number."""

Whole = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
"""An integer; also 12.0 and "12"."""

Number = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
"""A level, constant or rating; also "14.7"."""

MaybeText = Annotated[Text | None, OrElse()]
MaybeWhole = Annotated[Whole | None, OrElse()]
MaybeNumber = Annotated[Number | None, OrElse()]

Flag = Annotated[bool | None, OrElse()]
"""true and false, 1 and 0, as numbers or strings; None where the service does not say."""

Moment = Annotated[Annotated[AwareDatetime, Field(gt=_EPOCH, lt=_FAR)] | None, OrElse()]
"""An aware datetime from "+0900" or "+09:00"; None for Unix time 0, and for a time without an offset."""

AnyDay = Annotated[date, Field(gt=_EPOCH.date())]

Day = Annotated[AnyDay | None, OrElse()]
"""A date written YYYY-MM-DD; None for the day of Unix time 0."""


def _with_dashes(value: object) -> object:
    return value.replace("/", "-") if isinstance(value, str) else value


SlashedDay = Annotated[AnyDay | None, BeforeValidator(_with_dashes), OrElse()]
"""A date written YYYY/MM/DD, as version 1.0 does; dashes are taken too."""
