"""Scores that would raise a rating: as seen from the next constant they are those that earn as much.

Source: the game's formula for ratings. How high somebody's single ratings go, their own rating says.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Final

from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating

_BELOW_UNITS: Final = 0.2
"""A score from this far below a rating on is one that few reach who have it."""
_HIGH_CONSTANT: Final = Hundredths(2000)
"""Any from which all that scores add can be told."""
_TENTH: Final = 10
_MIN_RECORDS: Final = 10
"""Records on charts that could give as much: missed on fewer, a score may come yet."""


class RatingTop:
    """Where that begins for one player, by row of a table of constants, and what is as rare there as in other rows."""

    def __init__(
        self,
        scores: Sequence[int],
        region: Region,
        harder: Sequence[float],
        known: Sequence[tuple[float, float]] = (),
    ) -> None:
        """Look at some scores, rising; `harder` is the constant minus the player's rating, by row.

        `known` are the constants of their records and what these are worth, both minus the rating.
        """
        self._scores = tuple(scores)
        self._region = region
        self._harder = harder
        self._added = [more / 100 for more in _added(self._scores, region)]
        self._begins = [bisect_left(self._added, -_BELOW_UNITS - each) for each in harder]
        self._able = sorted(each for each, _ in known)
        self._best = max((worth for _, worth in known), default=inf)

    def held_down(self, row: int, chances: Sequence[float]) -> list[float]:
        """Return how likely each score of a row is, no likelier than before the records there are looked at.

        What is worth more than any record was missed on every chart that can give as much: it is as rare as one more
        among these.
        """
        harder, added = self._harder[row], self._added
        rare = bisect_right(added, self._best - harder)
        rest = zip(chances[rare:], added[rare:], strict=True)
        return [*chances[:rare], *(min(each, self._share_worth(harder + more)) for each, more in rest)]

    def _share_worth(self, worth: float) -> float:
        able = len(self._able) - bisect_left(self._able, worth - self._added[-1])
        return 1.0 if worth <= self._best or able < _MIN_RECORDS else 1 / (1 + able)

    def as_seen_from(self, row: int, away: int, values: Sequence[float]) -> Sequence[float]:
        """Return what is known by score of the row `away` tenths of the constant below, as it holds for this row."""
        begins = self._begins[row]
        if not away or begins == len(self._scores):
            return values
        sources = _sources(self._scores, self._region, away)
        seen = [values[at] + way * (values[at + 1] - values[at]) for at, way in sources[begins:]]
        return [*values[:begins], *seen]


@cache
def _added(scores: tuple[int, ...], region: Region) -> tuple[int, ...]:
    """Return what each score adds to a constant, in hundredths."""
    return tuple(song_rating(_HIGH_CONSTANT, score, region) - _HIGH_CONSTANT for score in scores)


@cache
def _sources(scores: tuple[int, ...], region: Region, away: int) -> list[tuple[int, float]]:
    """Return for each score the place of that which earns as much `away` tenths below.

    What no score earns there is as rare as the highest rating is; beyond that, only the score itself is told apart.
    """
    added = _added(scores, region)
    last = len(scores) - 2
    highest = added.index(added[-1])
    found: list[tuple[int, float]] = []
    for at, more in enumerate(added):
        wanted = more + away * _TENTH
        if at > highest or wanted >= added[-1]:
            place = max(at, highest)
            found.append((place - 1, 1.0) if place > last else (place, 0.0))
            continue
        below = max(0, bisect_right(added, wanted) - 1)
        step = max(1, added[below + 1] - added[below])
        found.append((below, max(0.0, (wanted - added[below]) / step)))
    return found
