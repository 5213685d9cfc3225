"""What replies have in common, and the reply that says no."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, RootModel

from bot.domain.numbers import Hundredths
from bot.wire.fields import MAX_HUNDREDTHS, NONE_IF_ODD, MaybeText, MaybeWhole, bounded

E = TypeVar("E")

# What is written below a member is its description. A model is made ready when a reply of its kind comes: few of them do.
_CONFIG = ConfigDict(frozen=True, use_attribute_docstrings=True, defer_build=True)


class Reply(BaseModel):
    """A JSON object of the service; members that the specification does not name are ignored."""

    model_config = _CONFIG


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
