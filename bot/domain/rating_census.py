"""How many members' ratings the known versions of the game explain."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.domain.numbers import Hundredths

_STANDS_FOR: Final = timedelta(days=1)
"""An unchanged rating check is not stored again for this long: a census covers a week."""
_MIN_MEMBERS: Final = 3
"""The least number of members from which a conclusion about versions is drawn."""


class RatingCheck(NamedTuple):
    """The last comparison of a member's rating with their records."""

    version: str | None
    """The name of the version that last explained it; None if none did."""
    difference: Hundredths
    """The profile's rating minus the one computed from records; 0 if a version explains it."""
    at: datetime

    def stands_for(self, newer: "RatingCheck") -> bool:
        """Return whether a newer check is equal, and too soon after this one to be stored."""
        is_same = self.difference == newer.difference and newer.version in {None, self.version}
        # In both directions: a clock that was once ahead must not block every later check.
        return is_same and abs(newer.at - self.at) < _STANDS_FOR


class RatingCensus(NamedTuple):
    """The numbers of members whose rating is explained, or above or below the one computed from records."""

    explained: int
    above: int
    below: int

    @property
    def is_outdated(self) -> bool:
        """Whether over half differ in one direction, so that a version is probably missing."""
        members = sum(self)
        return members >= _MIN_MEMBERS and 2 * max(self.above, self.below) > members
