"""How many members' ratings are explained by the versions of the game that are known."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.domain.numbers import Hundredths

_STANDS_FOR: Final = timedelta(days=1)
"""What came of working a rating out need not be kept again for this long: a census goes over a week."""
_MIN_MEMBERS: Final = 3
"""Members at least, so that their ratings say something of the versions."""


class RatingCheck(NamedTuple):
    """What came of working a member's rating out last."""

    version: str | None
    """The name of the version that explained it last; None where none has."""
    difference: Hundredths
    """How much more the profile says than the records come to; 0 where a version explains it."""
    at: datetime

    def stands_for(self, newer: "RatingCheck") -> bool:
        """Return whether a newer one says the same, and not so much later that it has to be kept."""
        is_same = self.difference == newer.difference and newer.version in {None, self.version}
        # Either way: a clock that was ahead once must not keep every later check away.
        return is_same and abs(newer.at - self.at) < _STANDS_FOR


class RatingCensus(NamedTuple):
    """Of how many members the rating is explained, or lies above or below what their records come to."""

    explained: int
    above: int
    below: int

    @property
    def is_outdated(self) -> bool:
        """Whether over half differ in one direction: then the versions are not what they are taken for."""
        members = sum(self)
        return members >= _MIN_MEMBERS and 2 * max(self.above, self.below) > members
