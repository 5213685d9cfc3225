"""How fast a rating grows, by the looks at it, and when it will have grown by an amount."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeVar

Figure = TypeVar("Figure", bound=int)

_PACE_WINDOW: Final = timedelta(days=90)
_MIN_WINDOW: Final = timedelta(days=14)
"""The shortest time from which a pace is computed."""
_CHAPTER_FALL: Final = 0.1
"""A fall by this share comes from a new version of the game, not from plays: earlier looks do not count."""
_WEEK: Final = timedelta(days=7)
MAX_WEEKS: Final = 520
"""The longest prediction in weeks."""


class Pace(NamedTuple):
    """How fast a figure has grown."""

    days: int
    """The number of days over which it was seen."""
    gained: int
    """The gain over those days, in the figure's unit; negative if it fell."""

    @property
    def in_four_weeks(self) -> float:
        """The gain per four weeks."""
        return self.gained * 28 / self.days

    def weeks_to(self, missing: float) -> int | None:
        """Return the weeks until `missing` more is gained; None if never, or too late to predict."""
        if self.gained <= 0:
            return None
        weeks = -(-missing * self.days // (self.gained * 7))
        return int(weeks) if weeks <= MAX_WEEKS else None


def chapter_of(looks: Iterable[tuple[datetime, Figure]]) -> list[tuple[datetime, Figure]]:
    """Return the looks at a figure since its last fall by a tenth, oldest first."""
    chapter: list[tuple[datetime, Figure]] = []
    for moment, figure in looks:
        if chapter and figure < chapter[-1][1] * (1 - _CHAPTER_FALL):
            chapter.clear()
        chapter.append((moment, figure))
    return chapter


def pace_of(looks: Iterable[tuple[datetime, int]]) -> Pace | None:
    """Return how fast a figure grew lately, from looks at it, oldest first; None if there are too few."""
    chapter = chapter_of(looks)
    if not chapter:
        return None
    last, now = chapter[-1]
    first, then = next(each for each in chapter if last - each[0] <= _PACE_WINDOW)
    if last - first < _MIN_WINDOW:
        return None
    return Pace((last - first).days, now - then)


def day_after(at: datetime, weeks: int) -> datetime:
    """Return the moment this many weeks later."""
    return at + weeks * _WEEK
