"""What the service counts of each chart, as points on the scale of losses. Source: music/stat."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.domain.coach.exercises import ChartFeatures
from bot.domain.coach.gists import ChartSummary
from bot.domain.coach.losses import log_loss
from bot.domain.history import ChartKey

A_UNIT: Final = 10
"""Steps in a unit of constants and ratings, as both are given by the service."""
CONSTANTS: Final = 20 * A_UNIT
RATINGS: Final = 20 * A_UNIT
_MOST_A_STEP: Final = 20.0
"""No average weighs more than so many players do: soon charts differ by more than chance does."""


@dataclass(frozen=True, slots=True)
class ChartPoints:
    """The statistics of one chart, on the scale of losses."""

    key: ChartKey
    constant: int
    """In tenths."""
    points: list[tuple[int, float, float]]
    """Rating in tenths, log loss, weight."""

    @classmethod
    def of(cls, exercise: ChartFeatures, gist: ChartSummary) -> "ChartPoints":
        """Return what can be learnt.

        The service does not say how many players stand behind an average. Their number is taken to be larger in the
        middle of a chart's steps than at the ends, where few stand.
        """
        steps = [(min(rating * A_UNIT // 100, RATINGS - 1), average) for rating, average in gist.steps]
        constant = min(round(exercise.constant * A_UNIT), CONSTANTS - 2)
        if not steps or not gist.players:
            return cls(exercise.key, constant, [])
        low, high = min(steps)[0], max(steps)[0]
        shares = [1 - ((2 * rating - low - high) / (high - low + 2)) ** 2 for rating, _ in steps]
        one = gist.players / sum(shares)
        return cls(
            exercise.key,
            constant,
            [
                (rating, log_loss(average), min(_MOST_A_STEP, one * share))
                for (rating, average), share in zip(steps, shares, strict=True)
            ],
        )


def all_points(
    exercises: Iterable[ChartFeatures], gists: Mapping[ChartKey, ChartSummary]
) -> Iterator[ChartPoints]:
    """Yield what can be learnt, of every chart on which anything is counted."""
    for exercise in exercises:
        gist = gists.get(exercise.key)
        if gist is not None and (known := ChartPoints.of(exercise, gist)).points:
            yield known
