"""Who stands where among those who let others look."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import itemgetter
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


def place_among(rival: Rival, others: Iterable[Rival], begun: datetime | None = None) -> BoardPlace:
    """Return where somebody stands among others, whether or not they are one of them; as `places_of`."""
    own = _standing(rival, begun)
    ahead = sum(_standing(other, begun) < own for other in others)
    return BoardPlace(1 + ahead, rival, is_before=own[0])


def places_of(rivals: Iterable[Rival], begun: datetime | None = None) -> list[BoardPlace]:
    """Return everybody's place, the first on top; of equal ones by name.

    Figures from before a moment at which a version of the game has `begun` stand below the others: they were reached
    with places of new songs that are empty since.
    """
    ordered = sorted((_standing(each, begun), each.name.casefold(), each.member, each) for each in rivals)
    return [
        BoardPlace(number, rival, is_before=standing[0])
        for number, (standing, _, _, rival) in placed(ordered, itemgetter(0))
    ]


def _standing(rival: Rival, begun: datetime | None) -> tuple[bool, int]:
    return begun is not None and rival.as_of < begun, -rival.figure


def placed(ordered: Iterable[T], figure: Callable[[T], object]) -> Iterator[tuple[int, T]]:
    """Yield each of some that are ordered by a figure with its place; equal figures share one, the next is left out."""
    number, before = 0, object()
    for count, each in enumerate(ordered, start=1):
        if (now := figure(each)) != before:
            number, before = count, now
        yield number, each
