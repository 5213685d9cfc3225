"""What replies have in common, and the reply that says no."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from inspect import cleandoc, getsource
from itertools import pairwise
from textwrap import dedent
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler, RootModel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from typing_extensions import override

from bot.domain.numbers import Hundredths
from bot.wire.fields import MAX_HUNDREDTHS, NONE_IF_ODD, MaybeText, MaybeWhole, bounded

E = TypeVar("E")

# A model is made ready when a reply of its kind comes: few of them do.
_CONFIG = ConfigDict(frozen=True, defer_build=True)


class Reply(BaseModel):
    """A JSON object of the service; members that the specification does not name are ignored."""

    model_config = _CONFIG

    @classmethod
    @override
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Have what is written below a member as its description: read when somebody asks, not at each start."""
        schema = handler(core_schema)
        members = handler.resolve_ref_schema(schema).get("properties", {})
        for model in cls.__mro__[: cls.__mro__.index(Reply)]:
            for name, text in _written_below(model):
                members[name].setdefault("description", text)
        return schema


class Array(RootModel[tuple[E, ...]]):
    """A JSON array of the service: to be counted, indexed and walked through."""

    model_config = _CONFIG

    def __len__(self) -> int:
        return len(self.root)

    def __getitem__(self, index: int) -> E:
        return self.root[index]

    def __iter__(self) -> Iterator[E]:  # pyright: ignore[reportIncompatibleMethodOverride]  # an object's walks its members
        return iter(self.root)


class ErrorDetail(Reply):
    """Why the service says no. Source: specification, "Errors"."""

    code: MaybeWhole = None
    """Equal to the HTTP status, says the specification; an error can come under status 200 all the same."""
    message: MaybeText = None
    additional_message: MaybeText = None
    """What was wrong, where the service says so."""


class ErrorReply(Reply):
    """The body of every refusal."""

    error: Annotated[ErrorDetail | str | None, NONE_IF_ODD]
    """Some proxies write a plain sentence here."""


def _written_below(model: type) -> Iterator[tuple[str, str]]:
    """Yield each member of a model's own below which something is written, and that."""
    (defined,) = ast.parse(dedent(getsource(model))).body
    body: list[ast.stmt] = getattr(defined, "body", [])
    for member, text in pairwise(body):
        match member, text:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield name, cleandoc(words)
            case _:
                pass


@lru_cache(maxsize=4096)  # thousands of records have few different ones
def hundredths(number: float | None) -> Hundredths:
    """Return a rating, level or constant in hundredths, held to their range; 0 where the service sent none."""
    return Hundredths(bounded(round(number * 100), MAX_HUNDREDTHS)) if number else Hundredths(0)


@lru_cache(maxsize=4096)  # as above
def known_constant(number: float | None) -> Hundredths | None:
    """Return a chart constant; None where it is not known.

    Source: the real service's behaviour: `is_const_unknown` is not reliable, a constant above 0 is.
    """
    return hundredths(number) if number and number > 0 else None
