"""Who stands where among those who let others look."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import neg
from typing import Final, TypeVar

from bot.domain.ids import MemberId

T = TypeVar("T")


class Measure(StrEnum):
    """What members are compared by; each figure is a whole number, the more the better."""

    RATING = "rating"
    """A player's rating in hundredths, which is of no region."""
    BEST = "best"
    """The average of the best slot, in ten-thousandths."""
    NEW = "new"
    """The average of the slot of new songs, in ten-thousandths."""
    OVER_POWER = "overpower"
    """The over power in thousandths."""
    SCORE = "score"
    """The score on one chart."""


BEFORE: Final = 2**40
"""More than any figure."""
TURNING: Final = frozenset({Measure.RATING, Measure.NEW})
"""What starts anew with each version of the game."""


@dataclass(frozen=True, slots=True)
class Rival:
    """One member's figure, and as of when it is known."""

    member: MemberId
    name: str
    figure: int
    as_of: datetime


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """Where somebody stands: equal figures share a place, and the next one is left out."""

    number: int
    """The place, from 1."""
    rival: Rival
    is_before: bool = False
    """The figure is from before the version of the game that counts now."""


class Ranking:
    """Where members stand among each other, by plain numbers: thousands of names and places are not made for one page.

    A standing is a figure, less `BEFORE` where it is from before the version of the game that counts now: it was reached
    with places of new songs that are empty since, and stands below the others.
    """

    def __init__(self, standings: Mapping[MemberId, int]) -> None:
        self._standings = standings
        self._ordered = sorted(map(neg, standings.values()))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._ordered)

    def number_of(self, standing: int) -> int:
        """Return the place of somebody, whether or not they are one of them: equal ones share one, the next is left out."""
        return 1 + bisect_left(self._ordered, -standing)

    def members(self, start: int, count: int, name_of: Callable[[MemberId], str]) -> list[MemberId]:
        """Return `count` members from a place in the order on; of equal ones by name, however it is written."""
        shown = self._ordered[start : start + count]
        if not shown:
            return []
        first, last = -shown[0], -shown[-1]
        near = sorted(
            (-standing, name_of(member).casefold(), member)
            for member, standing in self._standings.items()
            if last <= standing <= first
        )
        before = start + 1 - self.number_of(first)
        return [member for _, _, member in near[before : before + count]]


def place_of(number: int, member: MemberId, name: str, standing: int, as_of: datetime) -> BoardPlace:
    """Return a place by a standing."""
    is_before = standing < 0
    return BoardPlace(number, Rival(member, name, standing + BEFORE * is_before, as_of), is_before=is_before)


def placed(ordered: Iterable[T], figure: Callable[[T], object]) -> Iterator[tuple[int, T]]:
    """Yield each of some that are ordered by a figure with its place; equal figures share one, the next is left out."""
    number, before = 0, object()
    for count, each in enumerate(ordered, start=1):
        if (now := figure(each)) != before:
            number, before = count, now
        yield number, each
