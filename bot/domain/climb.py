"""What to play for a rating: the charts on which a try gains most, each counted after those before it.

A try is worth its average gain over all possible scores. `bot.domain.tries` simulates how many tries a rating takes.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from heapq import heapify, heappop, heappush, nlargest
from typing import Final, NamedTuple

from bot.domain.charts import WORLDS_END
from bot.domain.coach.prediction import Chances, Prediction
from bot.domain.entries import ChartEntry
from bot.domain.gains import PlayEffect, RatedPlay, RatingSlots, SlotFloors, count_play, gains_of
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, ranks_of
from bot.domain.rating import ratings_within, song_rating

MAX_CLIMB_STEPS: Final = 60
MIN_CLIMB_STEPS: Final = 10
"""The number of steps listed if there are enough, even if fewer may do: if one chart fails, another may not."""
_MIN_CHANCE: Final = 0.02
"""The least chance of a step: anything less likely is no plan."""
_MIN_WORTH: Final = 0.01
"""The least average gain of a try, in hundredths of a single rating; less would not be visible."""
_SCORES: Final = (
    *range(975_000, 1_000_000, 5_000),
    *range(1_000_000, 1_007_000, 1_000),
    1_008_000,
    1_008_500,
)
"""Scores considered beside the borders of ranks: the rating rises between them too."""
_HIGH_CONSTANT: Final = Hundredths(2000)
"""A constant so high that every considered score counts."""
_UNPLAYED_IN_A_ROW: Final = 2
"""The most unplayed charts in a row: nobody knows whether the player likes them."""
_MIN_SHARE: Final = 0.25
"""A played chart is put between unplayed ones if it is worth at least this part of the best waiting one: while places are
empty, played ones may be worth next to nothing."""


class TargetMeasure(StrEnum):
    """The figure that a target is for."""

    BEST_AVERAGE = "best"
    RATING = "rating"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbStep:
    """A score to reach on a chart."""

    entry: ChartEntry
    score: int
    chance: float
    """The chance that the next try reaches it, 0 to 1."""
    effect: PlayEffect = field(repr=False)
    """Its effect on the rating after the steps before it."""

    @property
    def key(self) -> ChartKey:
        """Which chart it is."""
        return self.entry.key


class StepChoice(NamedTuple):
    """Which charts steps are chosen from, and how many."""

    wanted: Callable[[ChartEntry], bool] = lambda _entry: True
    weights: Mapping[ChartKey, float] = {}
    """Weights below one, by chart, for charts that were tried lately in vain."""
    fewest: int = MIN_CLIMB_STEPS
    most: int = MAX_CLIMB_STEPS


class _Goal(NamedTuple):
    """A score that a chart may be raised to."""

    score: int
    rating: Hundredths
    chance: float


class _Candidate:
    """A chart that may raise the rating."""

    def __init__(
        self, entry: ChartEntry, tries: Chances, slots: RatingSlots, floor: int, weight: float
    ) -> None:
        self.entry = entry
        self.key = entry.key
        self.is_new = slots.is_new(entry.song)
        self.goals = _goals(entry, tries, floor)
        self._weight = weight
        self._floor = floor

    def worth(self, floor: int) -> float:
        """Return the average gain of a try, if `floor` is the rating to pass."""
        total, below = 0.0, max(floor, self._floor)
        for goal in self.goals:
            if goal.rating > below:
                total += (goal.rating - below) * goal.chance
                below = goal.rating
        return total * self._weight

    def best_goal(self, floor: int) -> _Goal | None:
        """Return the score by which a try gains most."""
        floor = max(floor, self._floor)
        worth, goal = max(
            (((goal.rating - floor) * goal.chance, goal) for goal in self.goals), default=(0.0, None)
        )
        return goal if worth > 0 else None


def _goals(entry: ChartEntry, tries: Chances, floor: int) -> list[_Goal]:
    """Return the goals that may be reached on a chart with their chances, lowest first."""
    constant, region = entry.chart.constant or Hundredths(0), entry.region
    scores, added = _scores(region)
    found: list[_Goal] = []
    # Scores that add nothing to a constant are seldom of use: others are found by what they add.
    first = bisect_right(added, floor - constant) if floor >= constant else 0
    for score in scores[first:]:
        rating = song_rating(constant, score, region)
        if rating > floor:
            chance = tries.chance(score)
            if chance < _MIN_CHANCE:
                break
            found.append(_Goal(score, rating, chance))
    return found


@cache
def _scores(region: Region) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the scores considered, and what each adds to a high constant."""
    scores = tuple(sorted({*_SCORES, *(rank.least_score for rank in ranks_of(region))}))
    return scores, tuple(song_rating(_HIGH_CONSTANT, score, region) - _HIGH_CONSTANT for score in scores)


def climb_steps(
    slots: RatingSlots,
    entries: Iterable[ChartEntry],
    predictions: Mapping[ChartKey, Prediction],
    choice: StepChoice,
    is_there: Callable[[RatingSlots], bool],
) -> list[ClimbStep]:
    """Return the steps by which tries gain most, one after another, until the slots reach the target."""
    candidates = list(_candidates(slots, entries, predictions, choice))
    order = [(-worth, at) for at, each in enumerate(candidates) if (worth := each.worth(0)) > _MIN_WORTH]
    heapify(order)
    aside: list[tuple[float, int]] = []
    chosen: list[tuple[_Candidate, _Goal]] = []
    plays: list[RatedPlay] = []
    before, unplayed = slots, 0
    while (order or aside) and len(chosen) < choice.most:
        if len(chosen) >= choice.fewest and is_there(slots):
            break
        is_turn_of_known = bool(order)
        _, at = heappop(order) if order else aside.pop(0)
        each = candidates[at]
        floor = slots.floor_for(each.key, is_new=each.is_new)
        worth, goal = each.worth(floor), each.best_goal(floor)
        # Earlier steps may have raised the rating to be passed: candidates that are worth less now are postponed.
        if goal is None or worth <= _MIN_WORTH:
            continue
        if order and worth < -order[0][0]:
            heappush(order, (-worth, at))
            continue
        if is_turn_of_known and each.entry.played is None and unplayed >= _UNPLAYED_IN_A_ROW:
            aside.append((-worth, at))
            continue
        if each.entry.played and aside:
            best_waiting = -aside[0][0]
            for waiting in aside:
                heappush(order, waiting)
            aside.clear()
            if worth < _MIN_SHARE * best_waiting:
                heappush(order, (-worth, at))
                unplayed = 0  # waiting charts come next, as if a played one had come between
                continue
        unplayed = 0 if each.entry.played else unplayed + 1
        play = RatedPlay(goal.rating, goal.score, each.key, each.is_new)
        slots, _ = count_play(slots, play)
        chosen.append((each, goal))
        plays.append(play)
    return [
        ClimbStep(entry=each.entry, score=goal.score, chance=goal.chance, effect=effect)
        for (each, goal), effect in zip(chosen, gains_of(before, plays), strict=True)
    ]


def _candidates(
    slots: RatingSlots,
    entries: Iterable[ChartEntry],
    predictions: Mapping[ChartKey, Prediction],
    choice: StepChoice,
) -> Iterator[_Candidate]:
    floors = SlotFloors(slots)
    for entry in entries:
        song, chart = entry.song, entry.chart
        if not _is_rated(entry) or not floors.is_open(song, chart, entry.region) or not choice.wanted(entry):
            continue
        key = song.id, chart.difficulty
        if (prediction := predictions.get(key)) is not None:
            floor, weight = floors.floor_for(song, chart), choice.weights.get(key, 1.0)
            yield _Candidate(entry, prediction.next_try, slots, floor, weight)


def _is_rated(entry: ChartEntry) -> bool:
    return entry.chart.constant is not None and entry.chart.difficulty != WORLDS_END


def highest_sum(
    slots: RatingSlots, entries: Iterable[ChartEntry], aim: TargetMeasure = TargetMeasure.RATING
) -> int:
    """Return the target's sum with the best score on every chart; an unknown constant counts as the lowest of its level.

    In the older formula, the recent plays are all on the best chart.
    """
    every: dict[bool, list[int]] = {False: [], True: []}
    for entry in entries:
        if entry.chart.difficulty != WORLDS_END:
            every[slots.is_new(entry.song)].append(ratings_within(entry.chart, MAX_SCORE, entry.region)[0])
    best = nlargest(BEST_PLACES, every[False])
    if aim is TargetMeasure.BEST_AVERAGE:
        return sum(best)
    if slots.version is None:
        return sum(best) + max(best, default=0) * (slots.places - BEST_PLACES)
    return sum(best) + sum(nlargest(NEW_PLACES, every[True]))


def sum_of(slots: RatingSlots, aim: TargetMeasure) -> int:
    """Return the sum of the slots that a target is for, in hundredths."""
    return sum(place.rating for place in slots.best) if aim is TargetMeasure.BEST_AVERAGE else slots.sum
