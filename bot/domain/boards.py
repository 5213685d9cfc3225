"""Who stands where among those who let others look."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from bot.domain.ids import MemberId

T = TypeVar("T")


class Measure(StrEnum):
    """What members are compared by; each figure is a whole number, the more the better."""

    RATING = "rating"
    """In hundredths; a player's, of no region."""
    BEST = "best"
    """The average of the best slot, in ten-thousandths."""
    NEW = "new"
    """The average of the slot of new songs, in ten-thousandths."""
    OVER_POWER = "overpower"
    """In thousandths."""
    SCORE = "score"
    """On one chart."""


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
    """From 1."""
    rival: Rival


def place_among(rival: Rival, others: Iterable[Rival]) -> BoardPlace:
    """Return where somebody stands among others, whether or not they are one of them."""
    return BoardPlace(1 + sum(other.figure > rival.figure for other in others), rival)


def places_of(rivals: Iterable[Rival]) -> list[BoardPlace]:
    """Return everybody's place, the first on top; of equal ones by name."""
    ordered = sorted(rivals, key=lambda each: (-each.figure, each.name.casefold(), each.member))
    return [BoardPlace(number, rival) for number, rival in placed(ordered, lambda rival: rival.figure)]


def placed(ordered: Iterable[T], figure: Callable[[T], int]) -> Iterator[tuple[int, T]]:
    """Yield each of some that are ordered by a figure with its place; equal figures share one, the next is left out."""
    number, before = 0, None
    for count, each in enumerate(ordered, start=1):
        if (now := figure(each)) != before:
            number, before = count, now
        yield number, each
