"""Members' figures over time, by days in the viewer's time zone."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final, NamedTuple, Self

from bot.domain.errors import BotError
from bot.domain.ids import MemberId

_MAX_GAP: Final = timedelta(days=30)
"""The longest gap between two looks that a line connects."""


class BadSpan(BotError):
    """The first day requested is after the last."""

    def __init__(self) -> None:
        super().__init__("the first day is after the last")


@dataclass(frozen=True, slots=True)
class DaySpan:
    """The requested days."""

    first: date | None = None
    """The first day; None means from the first known one."""
    last: date | None = None

    def __post_init__(self) -> None:
        """Raise BadSpan if the span is empty."""
        if self.first is not None and self.last is not None and self.first > self.last:
            raise BadSpan

    @classmethod
    def of_last(cls, days: int, today: date) -> Self:
        """Return the last `days` days, of which `today` is one."""
        return cls(date.fromordinal(max(1, today.toordinal() - days + 1)))

    @property
    def in_any_zone(self) -> tuple[date, date]:
        """The first and the last day, extended by a day on either side: days of two time zones differ by up to that."""
        first, last = (self.first or date.min).toordinal(), (self.last or date.max).toordinal()
        return date.fromordinal(max(first - 1, 1)), date.fromordinal(min(last + 1, date.max.toordinal()))

    def __contains__(self, day: date) -> bool:
        """Return whether a day is in the span."""
        return (self.first or date.min) <= day <= (self.last or date.max)


class Point(NamedTuple):
    """The last look at a day, in the viewer's time zone."""

    moment: datetime
    figure: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One member's figure, oldest first."""

    member: MemberId
    points: tuple[Point, ...]

    def since(self, moment: datetime) -> "Curve":
        """Return the points since a moment, or the last one if there are none."""
        points = tuple(point for point in self.points if point.moment >= moment)
        return Curve(self.member, points or self.points[-1:])

    @property
    def change(self) -> int:
        """The change from the first point to the last; there are at least two."""
        return self.points[-1].figure - self.points[0].figure

    @property
    def highest(self) -> Point:
        """The first of the highest points."""
        return max(self.points, key=lambda point: point.figure)

    @property
    def runs(self) -> list[list[Point]]:
        """The points, split where the gap between two looks is too long."""
        runs: list[list[Point]] = []
        for point in self.points:
            if not runs or point.moment - runs[-1][-1].moment > _MAX_GAP:
                runs.append([])
            runs[-1].append(point)
        return runs


def curve_of(
    member: MemberId, looks: Iterable[tuple[datetime, int | None]], span: DaySpan, zone: tzinfo
) -> Curve:
    """Return a figure over a span of days, from the last look at each day that has it."""
    by_day: dict[date, Point] = {}
    for moment, figure in sorted(look for look in looks if look[1] is not None):
        local = moment.astimezone(zone)
        if figure is not None and local.date() in span:
            by_day[local.date()] = Point(local, figure)
    return Curve(member, tuple(by_day.values()))
