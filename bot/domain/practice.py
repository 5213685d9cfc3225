"""What to play today: a solid gain, a stretch, and something against a weakness, each drawn by lot among the best."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache, cached_property
from heapq import heappush, heappushpop
from random import Random
from typing import Final, NamedTuple

from bot.domain.coach.chart_features import ChartFeatureSet
from bot.domain.coach.player_model import PlayerModel
from bot.domain.coach.prediction import Prediction
from bot.domain.coach.traits import TraitCoefficient
from bot.domain.entries import ChartEntry
from bot.domain.gains import RatingSlots, SlotFloors
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank, ranks_of
from bot.domain.rating import MAX_ADDED_HUNDREDTHS, song_rating

_SURE_CHANCE: Final = 0.5
_STRETCH: Final = (0.1, 0.4)
_LESSON: Final = (0.2, 0.9)
"""The range of likelihood of the rank to try for."""
_POOL_CHARTS: Final = 40
"""The number of charts to draw from, those that count most at their rank: otherwise practice would be on easy ones."""
_MARKED_STEPS: Final = 0.5
"""The least steps of a trait for a chart to have it."""
_LOWEST: Final = Rank.A


class PracticeAim(StrEnum):
    """What a chart is practised for."""

    GAIN = "gain"
    STRETCH = "stretch"
    WEAKNESS = "weakness"


class Trait(NamedTuple):
    """One side of a property in which charts differ."""

    name: str
    """The trait's name among the features: DENSITY, TEMPO, ERA, or a genre."""
    is_much: bool
    """Whether charts have much of it, or little; genres have only much."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTarget:
    """A chart to play, and the score to try for."""

    entry: ChartEntry
    score: int
    prediction: Prediction
    trait: Trait | None = None
    """The weakness that it addresses."""

    @property
    def chance(self) -> float:
        """The chance that the next try reaches the score, 0 to 1."""
        return self.prediction.next_try.chance(self.score)


def weakness(coefficients: Iterable[TraitCoefficient]) -> Trait | None:
    """Return a member's greatest weakness; None if none is certain enough.

    To be good at fast songs does not make slow ones a weakness: those are as usual.
    """
    sides = [
        (-each.strength / each.doubt, Trait(each.trait, is_much=True))
        for each in coefficients
        if each.stands_out
    ]
    certainty, trait = max(sides, default=(0.0, None))
    return trait if certainty > 0 else None


@dataclass(frozen=True, slots=True)
class PracticePools:
    """The charts that serve each aim best, from which one is drawn."""

    by_aim: Mapping[PracticeAim, Sequence[PracticeTarget]]
    weak: Trait | None

    def draw(self, seed: int) -> Mapping[PracticeAim, PracticeTarget]:
        """Return what to play, on different songs; an aim that no chart serves is left out. The same for the same seed.

        Seeds that follow one another go through each of the pools once before a chart comes again.
        """
        drawn: dict[PracticeAim, PracticeTarget] = {}
        for aim, pool in self.by_aim.items():
            songs = {drill.entry.song.id for drill in drawn.values()}
            drill = next(
                (each for each in _in_turn(pool, aim, seed) if each.entry.song.id not in songs), None
            )
            if drill is not None:
                drawn[aim] = replace(drill, trait=self.weak) if aim is PracticeAim.WEAKNESS else drill
        return drawn


def _in_turn(pool: Sequence[PracticeTarget], aim: PracticeAim, seed: int) -> Sequence[PracticeTarget]:
    """Return a pool in an order drawn by lot, from the place on whose turn it is."""
    if not pool:
        return pool
    rounds, place = divmod(seed, len(pool))
    order = Random(f"{aim} {rounds}").sample(pool, len(pool))  # noqa: S311 - nothing secret
    return [*order[place:], *order[:place]]


def find_pools(entries: Iterable[ChartEntry], found: PlayerModel, slots: RatingSlots) -> PracticePools:
    """Return what may be drawn. A gain is one that raises the rating, where there is such a one."""
    charts = [
        _Open(entry, found.predictions)
        for entry in entries
        if entry.chart.constant is not None and entry.key in found.predictions
    ]
    charts.sort(key=lambda each: -each.constant)
    weak, floors = weakness(found.coefficients), SlotFloors(slots)
    having = _having(weak, found.features)

    def gain(each: _Open) -> int | None:
        return each.last(_SURE_CHANCE, 1.0)

    pools = {
        PracticeAim.GAIN: _pool(charts, gain, floors) or _pool(charts, gain),
        PracticeAim.STRETCH: _pool(charts, lambda each: each.first(*_STRETCH)),
        PracticeAim.WEAKNESS: _pool(
            (each for each in charts if each.entry.key in having), lambda each: each.last(*_LESSON)
        ),
    }
    return PracticePools(pools, weak)


class _Open:
    """A chart, and the scores of the ranks above its record: the higher one is, the less likely."""

    def __init__(self, entry: ChartEntry, predictions: Mapping[ChartKey, Prediction]) -> None:
        self.entry = entry
        self.constant = entry.chart.constant or Hundredths(0)
        self._predictions = predictions
        self._chances: dict[int, float] = {}

    @cached_property
    def prediction(self) -> Prediction:
        """What is expected on it: few are asked for."""
        return self._predictions[self.entry.key]

    @cached_property
    def scores(self) -> Sequence[int]:
        """Lowest first."""
        scores = _rank_scores(self.entry.region)
        return scores[bisect_right(scores, self.entry.played.score if self.entry.played else 0) :]

    def first(self, least: float, most: float) -> int | None:
        """Return the lowest of them that is so likely."""
        at = bisect_left(self.scores, -most, key=lambda score: -self._chance(score))
        return self._at(at, least, most)

    def last(self, least: float, most: float) -> int | None:
        """Return the highest of them that is so likely."""
        at = bisect_right(self.scores, -least, key=lambda score: -self._chance(score)) - 1
        return self._at(at, least, most)

    def _at(self, at: int, least: float, most: float) -> int | None:
        is_there = 0 <= at < len(self.scores) and least <= self._chance(self.scores[at]) <= most
        return self.scores[at] if is_there else None

    def _chance(self, score: int) -> float:
        if score not in self._chances:  # which several pools ask for
            self._chances[score] = self.prediction.next_try.chance(score)
        return self._chances[score]


def _pool(
    charts: Iterable[_Open], pick: Callable[[_Open], int | None], floors: SlotFloors | None = None
) -> list[PracticeTarget]:
    """Return the charts on which there is something to try for, those that count most then first.

    Of charts that are given with the highest constant first; with floors, of those that raise the rating then.
    """
    found: list[tuple[Hundredths, PracticeTarget]] = []
    highest: list[int] = []
    for each in charts:
        if len(highest) == _POOL_CHARTS and each.constant + MAX_ADDED_HUNDREDTHS < highest[0]:
            break  # no other can count for as much
        entry = each.entry
        if floors is not None and not floors.is_open(entry.song, entry.chart, entry.region):
            continue
        if (score := pick(each)) is None:
            continue
        rating = song_rating(each.constant, score, entry.region)
        if floors is None or rating > floors.floor_for(entry.song, entry.chart):
            found.append((rating, PracticeTarget(entry=entry, score=score, prediction=each.prediction)))
            (heappush if len(highest) < _POOL_CHARTS else heappushpop)(highest, rating)
    found.sort(key=lambda pair: (-pair[0], *pair[1].entry.key))
    return [drill for _rating, drill in found[:_POOL_CHARTS]]


@cache
def _rank_scores(region: Region) -> Sequence[int]:
    return [rank.least_score for rank in ranks_of(region) if rank.least_score >= _LOWEST.least_score]


def _having(trait: Trait | None, features: ChartFeatureSet) -> frozenset[ChartKey]:
    """Return the charts that have something."""
    if trait is None:
        return frozenset()
    at, side = features.traits.index(trait.name), 1 if trait.is_much else -1
    return frozenset(each.key for each in features.charts if each.kind[at] * side >= _MARKED_STEPS)
