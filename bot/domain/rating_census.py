"""How many members' ratings are explained by the versions of the game that are known."""

from typing import Final, NamedTuple

_LEAST_MEMBERS: Final = 3
"""Members at least, so that their ratings say something of the versions."""


class RatingCensus(NamedTuple):
    """Of how many members the rating is explained, or lies above or below what their records come to."""

    explained: int
    above: int
    below: int

    @property
    def is_outdated(self) -> bool:
        """Whether over half differ in one direction: then the versions are not what they are taken for."""
        members = sum(self)
        return members >= _LEAST_MEMBERS and 2 * max(self.above, self.below) > members
