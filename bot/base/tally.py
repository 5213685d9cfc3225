"""Counts outcomes and durations: plain numbers, which bot/program/metrics.py reads on request."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Final

BOUNDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0)
"""The bucket bounds of durations in seconds; Discord waits for three, a person for ten."""


@dataclass(slots=True)
class Timed:
    """The durations under one set of labels."""

    parts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    """The counts per bucket: up to each bound and above the one before; the last is above all bounds."""
    seconds: float = 0.0
    """The sum of all durations."""

    @property
    def below(self) -> Sequence[int]:
        """The cumulative counts up to each bound; the last is the total."""
        return list(accumulate(self.parts))


class TimedTally:
    """Counts under labels, of which there must be few: never a member, a server, a token or a title."""

    def __init__(self, *labels: str) -> None:
        self.labels: Final = labels
        self._timed: defaultdict[tuple[str, ...], Timed] = defaultdict(Timed)

    def add(self, seconds: float, *values: str) -> None:
        """Add a duration, under a value for each label."""
        timed = self._timed[values]
        timed.parts[bisect_left(BOUNDS, seconds)] += 1
        timed.seconds += seconds

    def __iter__(self) -> Iterator[tuple[tuple[str, ...], Timed]]:
        """Iterate over the counts by label values."""
        return iter(list(self._timed.items()))
