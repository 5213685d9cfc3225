"""An answer of the service, and the key that says who asked what."""

from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from bot.domain.age import Age, oldest
from bot.domain.ids import UserId, UserName
from bot.domain.players import Target

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

Revalidate: TypeAlias = Callable[[Age], Awaitable[datetime | None]]
"""Returns the moment up to which an answer of some age is known to be current; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """What the service said, and when; if it cannot be asked now, its last known answer."""

    value: T_co
    age: Age
    _made: dict[Callable[[Any], object], object] = field(
        default_factory=dict[Callable[[Any], object], object], repr=False, compare=False
    )

    def made_by(self, make: Callable[[T_co], T]) -> T:
        """Return the result of a function of the value, computed once and kept as long as the answer."""
        if make not in self._made:
            self._made[make] = make(self.value)
        return cast("T", self._made[make])

    def turned(self, make: Callable[[T_co], T]) -> "Answer[T]":
        """Return this answer with its value converted by a function; repeated calls return the same object."""
        if make not in self._made:
            self._made[make] = Answer(make(self.value), self.age)
        return cast("Answer[T]", self._made[make])

    def beside(self, other: "Answer[T]") -> "Answer[tuple[T_co, T]]":
        """Combine two answers into one, which is as old as the older of them."""
        return Answer((self.value, other.value), oldest(self.age, other.age))


class Key(NamedTuple):
    """What was asked, and for whom: nobody gets an answer from what somebody else was allowed to see."""

    account: Hashable
    """The asker's account, or None for what is the same for everyone."""
    question: tuple[object, ...]

    def concerns(self, account: UserId, is_name: Callable[[UserName], bool] | None) -> bool:
        """Return whether an account asked this, or is what it asks about, by id or by name."""
        if self.account == account:
            return True
        targets = [part for part in self.question if isinstance(part, Target)]
        return any(
            target.user_id == account
            or (target.user_name is not None and is_name is not None and is_name(target.user_name))
            for target in targets
        )
