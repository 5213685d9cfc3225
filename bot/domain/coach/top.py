"""Scores that would raise a rating: on the next constant, they correspond to the scores of the same value.

Source: the game's formula for ratings. The player's rating shows how high their single ratings go.
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
"""The distance below the rating above which values of scores are rare for players with that rating."""
_HIGH_CONSTANT: Final = Hundredths(2000)
"""A constant so high that every score's addition is visible."""
_TENTH: Final = 10
_MIN_RECORDS: Final = 10
"""The least records on charts that could give as much: with fewer, a missed score may still come."""


class RatingTop:
    """The scores that would raise a player's rating, by row of a table of constants, with counterparts in other rows."""

    def __init__(
        self,
        scores: Sequence[int],
        region: Region,
        harder: Sequence[float],
        known: Sequence[tuple[float, float]] = (),
    ) -> None:
        """Prepare the given scores, rising; `harder` is the constant minus the player's rating, by row.

        `known` are the constants of their records and the values of these, both minus the rating.
        """
        self._scores = tuple(scores)
        self._region = region
        self._harder = harder
        self._added = [more / 100 for more in _added(self._scores, region)]
        self._begins = [bisect_left(self._added, -_BELOW_UNITS - each) for each in harder]
        self._able = sorted(each for each, _ in known)
        self._best = max((worth for _, worth in known), default=inf)

    def held_down(self, row: int, chances: Sequence[float]) -> list[float]:
        """Return the probability of each score of a row, with limits for scores above all records.

        A value above that of any record was missed on every chart that can give it: it is as rare as one more success
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
        """Return values by score of the row `away` tenths of the constant below, converted for this row."""
        begins = self._begins[row]
        if not away or begins == len(self._scores):
            return values
        sources = _sources(self._scores, self._region, away)
        seen = [values[at] + way * (values[at + 1] - values[at]) for at, way in sources[begins:]]
        return [*values[:begins], *seen]


@cache
def _added(scores: tuple[int, ...], region: Region) -> tuple[int, ...]:
    """Return the addition of each score to a constant, in hundredths."""
    return tuple(song_rating(_HIGH_CONSTANT, score, region) - _HIGH_CONSTANT for score in scores)


@cache
def _sources(scores: tuple[int, ...], region: Region, away: int) -> list[tuple[int, float]]:
    """Return, for each score, the position of the score of the same value `away` tenths below.

    A value that no score has there is as rare as the highest rating; above that, only the score itself counts.
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
