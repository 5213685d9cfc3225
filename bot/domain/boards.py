"""Rankings of members who let others look."""

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
    """The figure by which members are compared; always a whole number, higher is better."""

    RATING = "rating"
    """A player's rating in hundredths, which belongs to no region."""
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
"""The measures that start anew with each version of the game."""


@dataclass(frozen=True, slots=True)
class Rival:
    """One member's figure, and the moment at which it was seen."""

    member: MemberId
    name: str
    figure: int
    as_of: datetime


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """A place on a board: equal figures share a place, and the next place is skipped."""

    number: int
    """The place, from 1."""
    rival: Rival
    is_before: bool = False
    """The figure is from before the version of the game that counts now."""


class Ranking:
    """The ranking of members by plain numbers, without creating thousands of names and places for one page.

    A standing is a figure, minus `BEFORE` if it is from before the current version of the game: it was reached with new
    songs whose slot has been emptied since, and ranks below the others.
    """

    def __init__(self, standings: Mapping[MemberId, int]) -> None:
        self._standings = standings
        self._ordered = sorted(map(neg, standings.values()))

    def __len__(self) -> int:
        """Return the number of members."""
        return len(self._ordered)

    def number_of(self, standing: int) -> int:
        """Return the place of a standing, in the ranking or not: equal ones share a place, and the next is skipped."""
        return 1 + bisect_left(self._ordered, -standing)

    def members(self, start: int, count: int, name_of: Callable[[MemberId], str]) -> list[MemberId]:
        """Return `count` members from a position on; equal ones are sorted by folded name."""
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
    """Yield ordered items with their places; equal figures share a place, and the next is skipped."""
    number, before = 0, object()
    for count, each in enumerate(ordered, start=1):
        if (now := figure(each)) != before:
            number, before = count, now
        yield number, each
