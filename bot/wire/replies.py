"""What replies have in common, and the reply that says no."""

from functools import lru_cache
from typing import TypeVar, dataclass_transform, get_args

from msgspec import Struct, StructMeta, field
from msgspec.structs import force_setattr
from typing_extensions import get_original_bases

from bot.domain.numbers import Hundredths
from bot.wire.fields import MOST_HUNDREDTHS, MaybeText, MaybeWhole, bounded, known

E = TypeVar("E")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _ReplyMeta(StructMeta):
    """Tells the type checker that what is frozen hands that on."""


class Reply(Struct, metaclass=_ReplyMeta, frozen=True, gc=False):
    """A JSON object of the service; members that the specification does not name are ignored.

    The garbage collector walks none: there are thousands, and nothing in them leads back.
    """


def forget_unknown(reply: Reply, member: str) -> None:
    """Have None in place of a day or moment that stands for none, in a reply that has just been read."""
    when = getattr(reply, member)
    if when is not None and known(when) is None:
        force_setattr(reply, member, None)


class Array(tuple[E, ...]):
    """A JSON array of the service."""

    __slots__ = ()

    @classmethod
    def entry(cls) -> type[E]:
        """Return what its entries are."""
        (base,) = get_original_bases(cls)
        return get_args(base)[0]


class ErrorDetail(Reply):
    """Why the service says no. Source: specification, "Errors"."""

    code: MaybeWhole = None
    """Equal to the HTTP status, says the specification; an error can come under status 200 all the same."""
    message: MaybeText = None
    additional_message: MaybeText = None
    """What was wrong, where the service says so."""


class ErrorReply(Reply):
    """The body of every refusal."""

    error: ErrorDetail | str | None
    """Some proxies write a plain sentence here."""


@lru_cache(maxsize=4096)  # thousands of records have few different ones
def hundredths(number: float | None) -> Hundredths:
    """Return a rating, level or constant in hundredths, held to their range; 0 where the service sent none."""
    return Hundredths(bounded(round(number * 100), MOST_HUNDREDTHS)) if number else Hundredths(0)


@lru_cache(maxsize=4096)  # as above
def known_constant(number: float | None) -> Hundredths | None:
    """Return a chart constant; None where it is not known.

    Source: the real service's behaviour: `is_const_unknown` is not reliable, a constant above 0 is.
    """
    return hundredths(number) if number and number > 0 else None
