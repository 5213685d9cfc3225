"""How many tries a rating takes, and what an evening gains: the steps of a climb, simulated many times.

The result predicted for the next try varies for three reasons: the model may be wrong about the player, or wrong about
a chart, and tries differ. The first two stay the same from try to try: a chart that somebody cannot play stays so, and
waiting for luck does not help.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, sqrt
from random import Random
from statistics import fmean, quantiles
from typing import Final, NamedTuple

from bot.domain.climb import (
    MAX_CLIMB_STEPS,
    ClimbStep,
    StepChoice,
    TargetMeasure,
    climb_steps,
    highest_sum,
    sum_of,
)
from bot.domain.coach.prediction import Chances, Prediction
from bot.domain.entries import ChartEntry
from bot.domain.gains import RatingSlots, SlotTally, to_thousandths
from bot.domain.game_rating import BEST_PLACES, constants_of
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.rating import song_rating

MAX_CLIMB_TRIES: Final = 1_000
"""The most tries of one run: a player who needs more has to improve first."""
EVENING_TRIES: Final = 10
_RUNS: Final = 200
_PLAYER_VARIANCE: Final = 0.06
"""The share of the variance of tries that is the model's error about the player: the same in a whole run."""
_CHART_VARIANCE: Final = 0.3
"""The share that is the model's error about the chart: the same at every try on it."""
_MORE_THAN_ENOUGH_TIMES: Final = 1.3
"""The gain of a climb's steps, relative to what is missing, if there are enough: some charts will never succeed."""
_USUAL_STEPS: Final = 20
"""The number of steps beyond which only necessary steps are listed."""


class TriesNeeded(NamedTuple):
    """The number of tries to reach a target, over all charts of a climb, one on each in turn."""

    half: int | None
    """The tries that suffice in one case of two; None if more than `MAX_CLIMB_TRIES`."""
    nine_in_ten: int | None


class ClimbTarget(NamedTuple):
    """The value to be reached, and its measure."""

    value: Hundredths
    aim: TargetMeasure = TargetMeasure.RATING


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """A series of steps to a target."""

    target: ClimbTarget
    now: int
    """The current sum of the target's measure, in hundredths, over as many places as `places` says."""
    places: int
    highest: Hundredths
    """The value with the best score on every chart."""
    steps: tuple[ClimbStep, ...]
    """The steps in order, perhaps more than needed; they may end before the target if no other is likely to gain."""
    tries: TriesNeeded

    @property
    def is_possible(self) -> bool:
        """Whether any scores reach the target."""
        return self.target.value <= self.highest

    @property
    def missing(self) -> int:
        """The amount that the sum lacks, in hundredths."""
        return max(0, self.target.value * self.places - self.now)

    @property
    def is_reached(self) -> bool:
        """Whether the target is reached already."""
        return not self.missing

    @property
    def after(self) -> Hundredths:
        """The value after all steps, floored."""
        gained = sum(step.effect.sum_gain for step in self.steps)
        return Hundredths((self.now + gained) // self.places)

    @property
    def is_cut_short(self) -> bool:
        """Whether there may be more steps than are listed, as if many places are empty."""
        return len(self.steps) >= MAX_CLIMB_STEPS

    @property
    def leads_there(self) -> bool:
        """Whether all steps together reach the target."""
        return self.after >= self.target.value


class EveningGain(NamedTuple):
    """The gain of one try on each of some charts, in thousandths of the rating."""

    tries: int
    usual: int
    """The average gain."""
    low: int
    """The gain that one evening of four stays below."""
    high: int
    """The gain that one evening of four exceeds."""


def climb_to(
    slots: RatingSlots,
    rating: Hundredths,
    entries: Sequence[ChartEntry],
    predictions: Mapping[ChartKey, Prediction],
    target: ClimbTarget,
    choice: StepChoice | None = None,
) -> Climb:
    """Return the climb from a profile's rating, or from the best average, to a target.

    If the slots do not explain the rating, the missing amount is counted from the profile's rating.
    """
    aim = target.aim
    is_of_best = aim is TargetMeasure.BEST_AVERAGE
    places = BEST_PLACES if is_of_best else slots.places
    own = sum_of(slots, aim)
    now = own if is_of_best or slots.rating == rating else rating * places
    missing = max(0, target.value * places - now)
    choice = choice or StepChoice()
    if is_of_best:
        choice = choice._replace(wanted=_of_older_songs(slots, choice.wanted))
    steps: list[ClimbStep] = []
    if missing:

        def is_there(after: RatingSlots) -> bool:
            return sum_of(after, aim) - own >= missing * _MORE_THAN_ENOUGH_TIMES

        steps = _without_spares(climb_steps(slots, entries, predictions, choice, is_there), missing)
    return Climb(
        target=target,
        now=now,
        places=places,
        highest=Hundredths(max(now, highest_sum(slots, entries, aim)) // places),
        steps=tuple(steps),
        tries=_count_tries(slots, steps, predictions, missing),
    )


def _without_spares(steps: list[ClimbStep], missing: int) -> list[ClimbStep]:
    """Return the steps without the unneeded ones at the end of a long climb."""
    sums = accumulate(step.effect.sum_gain for step in steps)
    needed = next((place for place, total in enumerate(sums, 1) if total >= missing), len(steps))
    return steps[: max(needed, _USUAL_STEPS)]


def _of_older_songs(slots: RatingSlots, wanted: Callable[[ChartEntry], bool]) -> Callable[[ChartEntry], bool]:
    return lambda entry: not slots.is_new(entry.song) and wanted(entry)


class _Chart(NamedTuple):
    """A chart that is tried until its step is reached."""

    step: ClimbStep
    is_new: bool
    constant: Hundredths
    tries: Chances
    least_luck: float
    """The luck at which a try gains anything."""
    step_luck: float
    """The luck at which it reaches the step."""

    @classmethod
    def of(cls, slots: RatingSlots, step: ClimbStep, predictions: Mapping[ChartKey, Prediction]) -> "_Chart":
        """Return the chart of a step, prepared for simulation."""
        tries, entry = predictions[step.key].next_try, step.entry
        least = slots.least_score_for(entry.song, entry.chart, entry.region) or step.score
        constant, _ = constants_of(entry.chart.constant, entry.chart.level)
        lucks = tries.luck_for(min(least, step.score)), tries.luck_for(step.score)
        return cls(step, slots.is_new(entry.song), constant, tries, *lucks)

    def play(self, tally: SlotTally, luck: float) -> None:
        """Count a try with this much luck."""
        if luck >= self.least_luck:
            rating = song_rating(self.constant, self.tries.score_by(luck), self.step.entry.region)
            tally.count(self.step.key, rating, is_new=self.is_new)


def _count_tries(
    slots: RatingSlots, steps: Sequence[ClimbStep], predictions: Mapping[ChartKey, Prediction], missing: int
) -> TriesNeeded:
    """Simulate the steps, one try on each in turn, and return how many tries it took."""
    if missing <= 0:
        return TriesNeeded(half=0, nine_in_ten=0)
    if sum(step.effect.sum_gain for step in steps) < missing:
        return TriesNeeded(half=None, nine_in_ten=None)
    charts = [_Chart.of(slots, step, predictions) for step in steps]
    luck = Random(len(steps))  # noqa: S311 - the same steps give the same result
    taken = [_tries_of_run(slots, charts, missing, luck) for _ in range(_RUNS)]
    tenths = quantiles(taken, n=10, method="inclusive")
    half, nine_in_ten = (None if tries > MAX_CLIMB_TRIES else ceil(tries) for tries in (tenths[4], tenths[8]))
    return TriesNeeded(half=half, nine_in_ten=nine_in_ten)


def _tries_of_run(slots: RatingSlots, charts: Sequence[_Chart], missing: int, luck: Random) -> int:
    tally, tries = SlotTally(slots), 0
    left = _begin_run(charts, luck)
    while left and tries <= MAX_CLIMB_TRIES:
        still: list[tuple[_Chart, float]] = []
        for chart, lasting in left:
            tries += 1
            found = lasting + luck.gauss(0, _TRY_SPREAD)
            chart.play(tally, found)
            if tally.gained >= missing:
                return tries
            if found < chart.step_luck:
                still.append((chart, lasting))
        left = still
    return tries if not left else MAX_CLIMB_TRIES + 1


_TRY_SPREAD: Final = sqrt(1 - _PLAYER_VARIANCE - _CHART_VARIANCE)


def _begin_run(charts: Sequence[_Chart], luck: Random) -> list[tuple[_Chart, float]]:
    """Return the charts with the luck that stays the same in a run."""
    of_player = luck.gauss(0, sqrt(_PLAYER_VARIANCE))
    return [(chart, luck.gauss(of_player, sqrt(_CHART_VARIANCE))) for chart in charts]


def evening_gain(
    slots: RatingSlots, steps: Sequence[ClimbStep], predictions: Mapping[ChartKey, Prediction]
) -> EveningGain:
    """Return the gain of one try on each of the first steps."""
    charts = [_Chart.of(slots, step, predictions) for step in steps[:EVENING_TRIES]]
    luck = Random(len(charts))  # noqa: S311 - the same charts give the same result
    gains = [_gain_of_run(slots, charts, luck) for _ in range(_RUNS)]
    low, _, high = quantiles(gains, n=4, method="inclusive")
    found = (to_thousandths(round(each), slots.places) for each in (fmean(gains), low, high))
    return EveningGain(len(charts), *found)


def _gain_of_run(slots: RatingSlots, charts: Sequence[_Chart], luck: Random) -> int:
    tally = SlotTally(slots)
    for chart, lasting in _begin_run(charts, luck):
        chart.play(tally, lasting + luck.gauss(0, _TRY_SPREAD))
    return tally.gained
