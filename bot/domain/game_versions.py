"""Versions of the game: which formula rates a player on a day, and from which day on songs are new.

Source: the game; a version begins at 07:00 in Japan. The list of versions is data, read by `bot.wire.game_versions`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from enum import StrEnum
from typing import Final, NamedTuple

from bot.domain.ids import Region

JAPAN: Final = timezone(timedelta(hours=9))
"""Japan's time zone, which has no summer time."""
TURN_HOUR: Final = 7
"""The hour of the day, in Japan, at which a version begins on its first day."""


class Formula(StrEnum):
    """The formula of a player's rating; the values are used in version files and by `kiroku rating explain`."""

    BEST_AND_RECENT = "30+10"
    """The 30 best charts and the 10 recent plays, divided by 40."""
    BEST_AND_NEW = "30+20"
    """The 30 best charts of older songs and the 20 best of new songs, divided by 50."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameVersion:
    """One version of the game in one region."""

    name: str
    region: Region
    first_day: date
    """The day, in Japan, on which it begins at 07:00."""
    formula: Formula
    new_since: date | None
    """The first release day of songs that count as new; None in formulas without a slot of new songs."""

    @property
    def begins_at(self) -> datetime:
        """The moment at which it begins."""
        return datetime(
            self.first_day.year, self.first_day.month, self.first_day.day, TURN_HOUR, tzinfo=JAPAN
        )

    def is_new(self, released_on: date | None) -> bool:
        """Return whether a song counts as new; one without a release day counts as old."""
        return self.new_since is not None and released_on is not None and released_on >= self.new_since


@dataclass(frozen=True, slots=True)
class VersionTable:
    """All known versions, each region's in the order of their first days."""

    versions: tuple[GameVersion, ...]

    @classmethod
    def of(cls, versions: Iterable[GameVersion]) -> "VersionTable":
        """Return a table; of two versions of one region that begin on one day, the one given last stays."""
        by_day = {(version.region, version.first_day): version for version in versions}
        return cls(tuple(by_day[key] for key in sorted(by_day)))

    def find(self, region: Region, name: str | None) -> GameVersion | None:
        """Return the version with a name, if there is one."""
        return next((each for each in self.versions if (each.region, each.name) == (region, name)), None)

    def in_force(self, region: Region, day: date) -> tuple[GameVersion, ...]:
        """Return the versions that have begun by the end of a day in Japan, newest first."""
        begun = [each for each in self.versions if each.region == region and each.first_day <= day]
        return tuple(reversed(begun))

    def first_line(self, region: Region) -> date | None:
        """Return the first day of the first version that distinguishes old and new songs; None if none does."""
        days = (each.first_day for each in self.versions if each.region == region and each.new_since)
        return min(days, default=None)

    def begun_between(self, region: Region, first: datetime, last: datetime) -> tuple[GameVersion, ...]:
        """Return the versions with a slot of new songs that began between two moments, oldest first."""
        return tuple(
            each
            for each in self.versions
            if each.region == region and each.new_since and first < each.begins_at <= last
        )

    def next_after(self, region: Region, day: date) -> GameVersion | None:
        """Return the first version that begins after a day in Japan, if one is known."""
        return next((each for each in self.versions if each.region == region and each.first_day > day), None)

    def turned_since(self, played: GameVersion | None, told_on: date | None, day: date) -> GameVersion | None:
        """Return the version after the one that a profile counts by, if it has begun since the profile was updated."""
        if played is None or played.new_since is None or told_on is None:
            return None
        following = self.next_after(played.region, played.first_day)
        return following if following is not None and told_on < following.first_day <= day else None


class VersionHints(NamedTuple):
    """Evidence of the version of the game that somebody plays, apart from their rating."""

    last: GameVersion | None = None
    """The version that last explained their rating."""
    chosen: GameVersion | None = None
    """The version that they have chosen."""
    fits: Callable[[GameVersion], bool] = lambda _: True
    """Whether a version is consistent with the service's own slots."""
    told_on: date | None = None
    """The day of the profile, if it has one."""


NO_HINTS: Final = VersionHints()


def game_day(moment: datetime) -> date:
    """Return the day of the game: in Japan, from 07:00 to 07:00."""
    return (moment.astimezone(JAPAN) - timedelta(hours=TURN_HOUR)).date()
