"""The way to a rating: which charts to play in which order, and how many tries it takes.

Each step is what a try gains most by, after the steps before it. How many tries that takes is counted by playing it out:
a chart that somebody cannot play stays one that they cannot, and what is scored beyond a step's goal counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, nlargest
from itertools import pairwise
from math import ceil, sqrt
from random import Random
from statistics import quantiles
from typing import Final, NamedTuple

from bot.domain.charts import WORLDS_END, Catalogue, Chart, Song
from bot.domain.coach import Chances, Prediction
from bot.domain.gains import PlayEffect, RatedPlay, RatingSlots, count_play, gains_of
from bot.domain.game_rating import BEST_PLACES, NEW_PLACES
from bot.domain.history import ChartKey
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, ranks_of
from bot.domain.rating import song_rating

MAX_CLIMB_STEPS: Final = 60
_LEAST_CHANCE: Final = 0.02
"""Of a step: what comes true more seldom is no plan."""
_BETWEEN_BORDERS: Final = 3
"""Scores that are looked at between two ranks."""
_RUNS: Final = 200
MAX_CLIMB_TRIES: Final = 2_000
"""Of one run: who needs more needs a better plan first."""
_OF_CHART: Final = 0.35
"""Which part of how tries vary is the chart's, the same at every try: a variance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClimbStep:
    """A score to reach on a chart."""

    song: Song
    chart: Chart
    score: int
    chance: float
    """That the next try reaches it, 0 to 1."""
    effect: PlayEffect = field(repr=False)
    """What it does to the rating after the steps before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TriesNeeded:
    """How many tries it takes to the rating, over all charts."""

    half: int | None
    """In one case of two; None where that is more than `MAX_CLIMB_TRIES`."""
    nine_in_ten: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """A way to a rating."""

    target: Hundredths
    highest: Hundredths
    """The rating with the best score on every chart."""
    steps: tuple[ClimbStep, ...]
    """In order; they may end before the target where nothing is likely to gain more."""
    after: Hundredths
    """The rating after all steps."""
    tries: TriesNeeded

    @property
    def is_reachable(self) -> bool:
        """Whether there are scores that make the target."""
        return self.target <= self.highest


class _Goal(NamedTuple):
    """A score that a chart may be raised to."""

    score: int
    rating: Hundredths
    chance: float


class _Candidate:
    """A chart that may raise the rating."""

    def __init__(self, song: Song, chart: Chart, floor: int, tries: Chances, slots: RatingSlots) -> None:
        self.song = song
        self.chart = chart
        self.key: ChartKey = song.id, chart.difficulty
        self.is_new = slots.is_new(song)
        self.tries = tries
        self.floor = floor
        """The rating beyond which it gains."""
        self.goals: list[_Goal] = []

    def look(self, scores: Sequence[int], catalogue: Catalogue) -> None:
        """Find what may be reached on the chart, and how likely that is."""
        constant = self.chart.constant or Hundredths(0)
        for score in scores:
            rating = song_rating(constant, score, catalogue.region)
            if rating > self.floor:
                chance = self.tries.chance(score)
                if chance < _LEAST_CHANCE:
                    break
                self.goals.append(_Goal(score, rating, chance))

    def best_goal(self, floor: int) -> tuple[float, _Goal | None]:
        """Return what a try gains on average, and by which score that is most."""
        worths = (((goal.rating - max(floor, self.floor)) * goal.chance, goal) for goal in self.goals)
        return max(worths, key=lambda pair: pair[0], default=(0.0, None))


def climb_to(
    slots: RatingSlots,
    rating: Hundredths,
    catalogue: Catalogue,
    outlooks: Mapping[ChartKey, Prediction],
    target: Hundredths,
) -> Climb:
    """Return the way from a profile's rating to a target, over the charts of a catalogue.

    Where the slots do not explain the rating, what is missing to the target is counted from the profile's.
    """
    sum_now = slots.sum if slots.rating == rating else rating * slots.places
    missing = target * slots.places - sum_now
    steps, after = _steps(slots, catalogue, outlooks, missing)
    return Climb(
        target=target,
        highest=_highest(slots, rating, catalogue),
        steps=tuple(steps),
        after=Hundredths((sum_now + after.sum - slots.sum) // slots.places),
        tries=_tries(slots, steps, outlooks, catalogue, missing),
    )


def _steps(
    slots: RatingSlots, catalogue: Catalogue, outlooks: Mapping[ChartKey, Prediction], missing: int
) -> tuple[list[ClimbStep], RatingSlots]:
    """Return what a try gains most by, again and again until nothing is missing, and the slots afterwards."""
    candidates = list(_candidates(slots, catalogue, outlooks))
    order = [(-worth, at) for at, each in enumerate(candidates) if (worth := each.best_goal(0)[0]) > 0]
    heapify(order)
    chosen: list[tuple[_Candidate, _Goal, RatedPlay]] = []
    before, begun = slots, slots.sum
    while order and len(chosen) < MAX_CLIMB_STEPS and slots.sum - begun < missing:
        _, at = heappop(order)
        each = candidates[at]
        worth, goal = each.best_goal(slots.floor_for(each.key, is_new=each.is_new))
        # The steps before may have raised what is to be passed: what is worth less now stands back.
        if goal is None or worth <= 0:
            continue
        if order and worth < -order[0][0]:
            heappush(order, (-worth, at))
            continue
        play = RatedPlay(goal.rating, goal.score, each.key, each.is_new)
        slots, _ = count_play(slots, play)
        chosen.append((each, goal, play))
    effects = gains_of(before, [play for _, _, play in chosen])
    return [
        ClimbStep(song=each.song, chart=each.chart, score=goal.score, chance=goal.chance, effect=effect)
        for (each, goal, _), effect in zip(chosen, effects, strict=True)
    ], slots


def _candidates(
    slots: RatingSlots, catalogue: Catalogue, outlooks: Mapping[ChartKey, Prediction]
) -> Iterator[_Candidate]:
    scores = _scores(catalogue)
    standing = {place.key: place.rating for place in (*slots.best, *slots.new)}
    lowest = {is_new: _lowest(slots, is_new=is_new) for is_new in (False, True)}
    for song in catalogue.songs:
        for chart in song.charts:
            key = song.id, chart.difficulty
            outlook = outlooks.get(key)
            if outlook is None or chart.constant is None or chart.difficulty == WORLDS_END:
                continue
            floor = standing.get(key, lowest[slots.is_new(song)])
            if song_rating(chart.constant, MAX_SCORE, catalogue.region) > floor:
                candidate = _Candidate(song, chart, floor, outlook.next_try, slots)
                candidate.look(scores, catalogue)
                yield candidate


def _lowest(slots: RatingSlots, *, is_new: bool) -> int:
    """Return the rating beyond which a chart enters a slot."""
    slot = slots.places_of(is_new=is_new)
    return slot[-1].rating if len(slot) >= (NEW_PLACES if is_new else BEST_PLACES) else 0


def _scores(catalogue: Catalogue) -> list[int]:
    """Return the borders of ranks, rising, and some scores between them: a rating rises there too."""
    borders = sorted(rank.least_score for rank in ranks_of(catalogue.region))
    found = {*borders}
    for low, high in pairwise(borders):
        found |= {low + (high - low) * step // (_BETWEEN_BORDERS + 1) for step in range(_BETWEEN_BORDERS + 1)}
    return sorted(found)


def _highest(slots: RatingSlots, rating: Hundredths, catalogue: Catalogue) -> Hundredths:
    """Return the rating with the best score on every chart; the older formula's recent plays would be the best one."""
    caps: dict[bool, list[int]] = {False: [], True: []}
    for song in catalogue.songs:
        for chart in song.charts:
            if chart.constant is not None and chart.difficulty != WORLDS_END:
                cap = song_rating(chart.constant, MAX_SCORE, catalogue.region)
                caps[slots.is_new(song)].append(cap)
    best, new = nlargest(BEST_PLACES, caps[False]), nlargest(NEW_PLACES, caps[True])
    recent = slots.places - BEST_PLACES
    highest = sum(best) + (max(best, default=0) * recent if slots.version is None else sum(new))
    return max(rating, Hundredths(highest // slots.places))


class _Chart(NamedTuple):
    """A chart that is tried until its step is reached."""

    step: ClimbStep
    tries: Chances
    least_luck: float
    """That a try gains anything."""
    step_luck: float
    """That it reaches the step."""


def _tries(
    slots: RatingSlots,
    steps: Sequence[ClimbStep],
    outlooks: Mapping[ChartKey, Prediction],
    catalogue: Catalogue,
    missing: int,
) -> TriesNeeded:
    """Play the steps out, one try on each in turn, and return how many tries it took."""
    if missing <= 0:
        return TriesNeeded(half=0, nine_in_ten=0)
    if sum(step.effect.sum_gain for step in steps) < missing:
        return TriesNeeded(half=None, nine_in_ten=None)
    charts = [_chart(slots, step, outlooks[step.effect.play.key].next_try, catalogue) for step in steps]
    luck = Random(len(steps))  # noqa: S311 - the same is said again
    taken = [_play_out(slots, charts, missing, luck, catalogue) for _ in range(_RUNS)]
    tenths = quantiles(taken, n=10, method="inclusive")
    half, nine_in_ten = (None if tries > MAX_CLIMB_TRIES else ceil(tries) for tries in (tenths[4], tenths[8]))
    return TriesNeeded(half=half, nine_in_ten=nine_in_ten)


def _chart(slots: RatingSlots, step: ClimbStep, tries: Chances, catalogue: Catalogue) -> _Chart:
    least = slots.least_score_for(step.song, step.chart, catalogue.region) or step.score
    return _Chart(step, tries, tries.luck_for(min(least, step.score)), tries.luck_for(step.score))


def _play_out(
    slots: RatingSlots, charts: Sequence[_Chart], missing: int, luck: Random, catalogue: Catalogue
) -> int:
    begun, tries = slots.sum, 0
    left = [(chart, luck.gauss(0, sqrt(_OF_CHART))) for chart in charts]
    while left and tries <= MAX_CLIMB_TRIES:
        still: list[tuple[_Chart, float]] = []
        for chart, own in left:
            tries += 1
            found = own + luck.gauss(0, sqrt(1 - _OF_CHART))
            if found >= chart.least_luck:
                score = chart.tries.score_by(found)
                play = slots.play_on(chart.step.song, chart.step.chart, score, catalogue.region)
                if play is not None:
                    slots, _ = count_play(slots, play)
                if slots.sum - begun >= missing:
                    return tries
            if found < chart.step_luck:
                still.append((chart, own))
        left = still
    return tries if not left else MAX_CLIMB_TRIES + 1
