"""Counting what came of something, and how long it took: plain numbers, which bot/program/metrics.py reads when it is asked."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

BOUNDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""Seconds at which what was timed is parted; Discord waits for three, a person for ten."""


@dataclass(slots=True)
class Timed:
    """How long everything took that bears the same labels."""

    parts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    """How many took no longer than each bound and longer than the one before; the last longer than all."""
    seconds: float = 0.0
    """The sum of all that were measured."""

    @property
    def below(self) -> Sequence[int]:
        """How many took no longer than each bound; the last is how many there were."""
        return list(accumulate(self.parts))


class TimedTally:
    """Counts under labels, of which there must be few: never a member, a server, a token or a title."""

    def __init__(self, *labels: str) -> None:
        self.labels: Final = labels
        self._timed: defaultdict[tuple[str, ...], Timed] = defaultdict(Timed)

    def add(self, seconds: float, *values: str) -> None:
        """Count something that took this long, under a value for each label."""
        timed = self._timed[values]
        timed.parts[bisect_left(BOUNDS, seconds)] += 1
        timed.seconds += seconds

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], Timed]]:
        """Return what was counted, by the values of the labels."""
        return iter(list(self._timed.items()))
