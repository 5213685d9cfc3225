"""What to play today: a solid gain, a stretch, and something against a weakness, each drawn by lot among the best."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from random import Random
from typing import Final, NamedTuple

from bot.domain.coach import ChartFeatureSet, Coach, Prediction, TraitCoefficient
from bot.domain.entries import ChartEntry
from bot.domain.gains import RatingSlots, SlotFloors
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import Rank, ranks_of
from bot.domain.rating import song_rating

_SURE: Final = 0.5
_STRETCH: Final = (0.1, 0.4)
_LESSON: Final = (0.2, 0.9)
"""How likely the rank is that is tried for."""
_AMONG: Final = 40
"""Charts that count most once their rank is reached: among these one is drawn, or practice would be on easy ones."""
_MARKED: Final = 0.5
"""Steps of a trait from which a chart has it."""
_LOWEST: Final = Rank.A


class PracticeAim(StrEnum):
    """What a chart is practised for."""

    GAIN = "gain"
    STRETCH = "stretch"
    WEAKNESS = "weakness"


class Trait(NamedTuple):
    """One side of what charts differ in."""

    name: str
    """Of the syllabus: DENSITY, TEMPO, ERA, or a genre."""
    is_much: bool
    """Whether charts have much of it, and not little; of genres there is no little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeTarget:
    """A chart to play, and the score to try for."""

    entry: ChartEntry
    score: int
    outlook: Prediction
    trait: Trait | None = None
    """The weakness that it is against."""

    @property
    def chance(self) -> float:
        """That the next try reaches the score, 0 to 1."""
        return self.outlook.next_try.chance(self.score)


def weakness(leanings: Iterable[TraitCoefficient]) -> Trait | None:
    """Return what a member is weakest at; None where nothing is known for certain enough.

    Who is good at fast songs is not told that slow ones are a weakness: they are as usual.
    """
    sides = [
        (-each.strength / each.doubt, Trait(each.trait, is_much=True)) for each in leanings if each.stands_out
    ]
    certainty, trait = max(sides, default=(0.0, None))
    return trait if certainty > 0 else None


def drills(
    entries: Iterable[ChartEntry], found: Coach, slots: RatingSlots, seed: int
) -> Mapping[PracticeAim, PracticeTarget]:
    """Return what to play, on different songs; an aim that no chart serves is left out. The same for the same seed.

    A gain is one that raises the rating, where there is such a one.
    """
    chance = Random(seed)  # noqa: S311 - nothing secret
    open_entries = [
        _Open(entry, outlook, _ranks_above(entry))
        for entry in entries
        if entry.chart.constant is not None and (outlook := found.outlooks.get(_key(entry))) is not None
    ]
    weak = weakness(found.leanings)
    having = _having(weak, found.syllabus)
    pools = {
        PracticeAim.GAIN: _pool(open_entries, lambda each: each.last(_SURE, 1.0), slots),
        PracticeAim.STRETCH: _pool(open_entries, lambda each: each.first(*_STRETCH)),
        PracticeAim.WEAKNESS: _pool(
            [each for each in open_entries if _key(each.entry) in having], lambda each: each.last(*_LESSON)
        ),
    }
    drawn: dict[PracticeAim, PracticeTarget] = {}
    for aim, pool in pools.items():
        songs = {drill.entry.song.id for drill in drawn.values()}
        left = [drill for drill in pool if drill.entry.song.id not in songs]
        if left:
            drill = chance.choice(left)
            drawn[aim] = replace(drill, trait=weak) if aim is PracticeAim.WEAKNESS else drill
    return drawn


class _Open(NamedTuple):
    """A chart, and the scores of the ranks above its record, lowest first: the higher one is, the less likely."""

    entry: ChartEntry
    outlook: Prediction
    scores: Sequence[int]

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
        return self.outlook.next_try.chance(score)


def _pool(
    charts: Iterable[_Open], pick: Callable[[_Open], int | None], slots: RatingSlots | None = None
) -> list[PracticeTarget]:
    """Return the charts on which there is something to try for, those that count most then first.

    With slots, those that raise the rating alone, where there are any.
    """
    found: list[tuple[Hundredths, PracticeTarget]] = []
    for each in charts:
        entry, score = each.entry, pick(each)
        if score is not None:
            rating = song_rating(entry.chart.constant or Hundredths(0), score, entry.region)
            found.append((rating, PracticeTarget(entry=entry, score=score, outlook=each.outlook)))
    found.sort(key=lambda pair: (-pair[0], pair[1].entry.song.id, pair[1].entry.chart.difficulty))
    floors = slots and SlotFloors(slots)
    gains = [
        drill
        for rating, drill in found
        if floors and rating > floors.floor_for(drill.entry.song, drill.entry.chart)
    ]
    return (gains or [drill for _rating, drill in found])[:_AMONG]


def _ranks_above(entry: ChartEntry) -> Sequence[int]:
    """Return the scores of the ranks above a record, lowest first."""
    scores = _rank_scores(entry.region)
    return scores[bisect_right(scores, entry.played.score if entry.played else 0) :]


@cache
def _rank_scores(region: Region) -> Sequence[int]:
    return [rank.least_score for rank in ranks_of(region) if rank.least_score >= _LOWEST.least_score]


def _having(trait: Trait | None, syllabus: ChartFeatureSet) -> frozenset[ChartKey]:
    """Return the charts that have something."""
    if trait is None:
        return frozenset()
    at, side = syllabus.traits.index(trait.name), 1 if trait.is_much else -1
    return frozenset(each.key for each in syllabus.exercises if each.kind[at] * side >= _MARKED)


def _key(entry: ChartEntry) -> ChartKey:
    return entry.song.id, entry.chart.difficulty
