"""What the service answered, and to which question of whom."""

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
"""Returns as of when an answer of some age is known to be what the service would send; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T_co]):
    """What the service said, and when; the last known answer, where it could not be asked now."""

    value: T_co
    age: Age
    _made: dict[Callable[[Any], object], object] = field(
        default_factory=dict[Callable[[Any], object], object], repr=False, compare=False
    )

    def made_by(self, make: Callable[[T_co], T]) -> T:
        """Return what a function makes of the value: once, and kept as long as the answer is."""
        if make not in self._made:
            self._made[make] = make(self.value)
        return cast("T", self._made[make])

    def turned(self, make: Callable[[T_co], T]) -> "Answer[T]":
        """Return the answer with what a function makes of its value: the same answer each time."""
        if make not in self._made:
            self._made[make] = Answer(make(self.value), self.age)
        return cast("Answer[T]", self._made[make])

    def beside(self, other: "Answer[T]") -> "Answer[tuple[T_co, T]]":
        """Return two answers as one, as old as the older."""
        return Answer((self.value, other.value), oldest(self.age, other.age))


class Key(NamedTuple):
    """What was asked, and on whose behalf: nobody is answered from what another was allowed to see."""

    account: Hashable
    """The asker's account, or None for what is the same for everyone."""
    question: tuple[object, ...]

    def concerns(self, account: UserId, is_name: Callable[[UserName], bool] | None) -> bool:
        """Return whether it was asked for an account, or about it, be it by its name."""
        if self.account == account:
            return True
        targets = [part for part in self.question if isinstance(part, Target)]
        return any(
            target.user_id == account
            or (target.user_name is not None and is_name is not None and is_name(target.user_name))
            for target in targets
        )
