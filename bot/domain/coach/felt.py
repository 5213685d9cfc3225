"""Difficulty as felt: as hard as which constant a chart is for players of one rating.

Each average of a chart is one look at how hard it is: the constant whose players of that rating score as much. All looks
of a chart say by how much it is harder than its constant, and whether that changes with the rating; how much they may be
believed, they say themselves, by how far they lie from each other. Whether doubts are right is measured in the worlds of
`bench_felt` alone: how hard real charts truly are, nobody knows.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain
from math import sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from bot.domain.coach.chart_features import ChartFeatures
from bot.domain.coach.evidence import (
    CHART_SPREAD,
    MAX_DISTANCE,
    TILT_SPREAD,
    USUAL_NOISE,
    ChartEvidence,
    evidence_of,
)
from bot.domain.coach.losses import log_points_lost
from bot.domain.coach.points import A_UNIT, CONSTANTS, RATINGS, all_points
from bot.domain.coach.population import PopulationModel, Reputation
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey

_PRIOR_CHARTS: Final = 30.0
"""How many charts what is usual is worth against those that are counted."""
_PRIOR_POINTS: Final = 12.0
"""How many averages it is worth that those of one chart lie as far from each other as those of all."""
_COMMON_ERROR: Final = 0.014
"""What all averages of a chart err in together, on the scale of losses: the surface is no more than near to all charts."""
_OFFSET_SHARE: Final = 0.2
"""The share of what all charts of a constant are out by that one is out by more or less: there the surface is wrong."""
_PRIOR_OFFSET: Final = 2.0
"""How many charts it is worth that those of a constant are right on average."""
_BEND_SHARE: Final = 0.8
"""The share of the usual tilt that is no straight line."""
_NEAR_TENTHS: Final = 6
"""Charts whose constants are less than this many tenths apart are held together where the surface is wrong."""
_TILTED_UNITS: Final = 2.0
"""A rating changes how hard a chart is up to this far from its constant."""
_PRIOR_ALIENS: Final = 100.0
"""One of this many charts has another's statistics, before any is counted: a guess, for nobody has seen the service do so."""
_MANY_SHARE: Final = 0.02
"""Where more charts than this share have another's statistics, players are learnt again without these."""
_FARTHEST_RATING: Final = 1.0
"""A chart's tilt is followed this far beyond its averages."""
_MIN_CHARTS_OF_TIME: Final = 50
"""Charts of which a time must know for others to be told beside."""
_TELLING_SLOPE: Final = 0.4
"""Where a unit of the constant costs less on the scale of losses, two halves of the players say too unlike things."""
_ROUNDS: Final = 3
_MIN_SHARE: Final = 0.01
"""Charts differ by no smaller share of what is usual, as variances."""
_ENDLESS_VARIANCE: Final = 1e9
_SURE_CHANCE: Final = 0.95
_LIKELY_CHANCE: Final = 0.8
_KNOWN_SHARE: Final = 0.8
"""The share of the usual distance from the constant beyond which a doubt leaves nothing known."""
_BELL: Final = NormalDist()


class _Offset(NamedTuple):
    """What harder and tilt of all charts about a constant come to."""

    harder: float
    tilt: float
    of_one: float
    """The share of the variance of one chart that their mean has: so few may truly be harder than their constants."""


class Certainty(StrEnum):
    """How certain it is that a chart is harder, or easier, than its constant says."""

    SURE = "sure"
    LIKELY = "likely"
    OPEN = "open"
    """It may be as hard as its constant says."""
    UNKNOWN = "unknown"
    """Too little is counted to say anything."""


@dataclass(frozen=True, slots=True)
class Felt:
    """As hard as which constant a chart is for players of one rating."""

    constant: float
    """The chart's own."""
    harder: float
    doubt: float
    """A standard deviation, in units of the constant."""
    is_known: bool = True

    @property
    def felt(self) -> float:
        """The constant that it is as hard as."""
        return self.constant + self.harder

    @property
    def certainty(self) -> Certainty:
        """How certain the sign is."""
        if not self.is_known:
            return Certainty.UNKNOWN
        chance = _BELL.cdf(abs(self.harder) / max(1e-9, self.doubt))
        if chance >= _SURE_CHANCE:
            return Certainty.SURE
        return Certainty.LIKELY if chance >= _LIKELY_CHANCE else Certainty.OPEN


@dataclass(frozen=True, slots=True)
class ChartHardness:
    """How hard a chart is beside its constant, by rating."""

    harder: float
    """How much harder it is at the middle rating."""
    variance: float
    others_variance: float
    """What is not known of where others of its constant stand, beside whom it is told."""
    tilt: float
    """How much harder it is for each unit of the rating."""
    tilt_variance: float
    middle: float
    low: float
    high: float

    def reaches(self, rating: float) -> bool:
        """Return whether anybody is counted who is rated about so."""
        return self.low - _FARTHEST_RATING <= rating <= self.high + _FARTHEST_RATING

    def at(self, constant: float, rating: float, bends: float) -> Felt:
        """Return what players of a rating feel; for each unit from the middle, a tilt may bend by this much."""
        away = max(self.low - _FARTHEST_RATING, min(self.high + _FARTHEST_RATING, rating)) - self.middle
        harder = max(-MAX_DISTANCE, min(MAX_DISTANCE, self.harder + self.tilt * away))
        tilts = (self.tilt_variance + bends * bends) * away * away
        return Felt(constant, harder, sqrt(self.variance + self.others_variance + tilts))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltDifficulty:
    """How hard all charts are beside their constants."""

    surface: Sequence[Sequence[float]] = field(repr=False)
    """What is lost by rating and constant, in tenths from 0: as the population's."""
    charts: Mapping[ChartKey, ChartHardness] = field(repr=False)
    misattributed: Collection[ChartKey] = field(repr=False)
    """Whose statistics are likelier another chart's."""
    usual: float
    """How far charts usually are from their constants: a standard deviation."""
    tilts: float
    """How much that usually changes with a unit of the rating."""

    @classmethod
    def of(
        cls,
        charts: Sequence[ChartFeatures],
        summaries: Mapping[ChartKey, ChartSummary],
        population: PopulationModel,
    ) -> "FeltDifficulty":
        """Learn from the statistics, beside what all charts of their constants come to."""
        return _learnt(evidence_of(all_points(charts, summaries), population), population)

    def at(self, key: ChartKey, constant: float, rating: float, trust: float = 1.0) -> Felt:
        """Return how hard a chart is for players of a rating.

        `trust` says how far statistics hold at all: what does not hold is no easier to know than without them.
        """
        found = self.charts.get(key)
        away = max(-_TILTED_UNITS, min(_TILTED_UNITS, rating - constant))
        most = sqrt(self.usual**2 + (self.tilts * away) ** 2)
        if found is None:
            return Felt(constant, 0.0, most, is_known=False)
        felt = found.at(constant, rating, _BEND_SHARE * self.tilts)
        doubt = sqrt(trust * felt.doubt**2 + (1 - trust) * (self.usual**2 + trust * felt.harder**2))
        is_known = (
            doubt <= _KNOWN_SHARE * self.usual and found.reaches(rating) and self._tells(constant, rating)
        )
        return Felt(constant, trust * felt.harder, min(most, doubt), is_known=is_known)

    def _tells(self, constant: float, rating: float) -> bool:
        """Return whether scores of that rating say anything of how hard charts of a constant are."""
        row = self.surface[max(0, min(RATINGS - 1, int(rating * A_UNIT)))]
        at = max(1, min(CONSTANTS - 2, round(constant * A_UNIT)))
        return (row[at + 1] - row[at - 1]) * A_UNIT / 2 > _TELLING_SLOPE

    def rating_of(self, constant: float, score: int) -> float:
        """Return whose usual score one is on charts of a constant."""
        wanted, at = log_points_lost(score), min(CONSTANTS - 1, round(constant * A_UNIT))
        steps = (step for step, row in enumerate(self.surface) if row[at] <= wanted)
        return next(steps, len(self.surface) - 1) / A_UNIT


def learn(
    charts: Sequence[ChartFeatures],
    summaries: Mapping[ChartKey, ChartSummary],
    earlier: Mapping[ChartKey, ChartSummary] | None = None,
) -> tuple[PopulationModel, FeltDifficulty]:
    """Return what statistics tell of players, and of charts, which are as hard in both.

    `earlier` were gathered before a version's turn, which took two fifths of the ratings of those who no longer play:
    how hard charts are is told beside others of the same time, and of players tells the time that knows more charts.
    Where statistics are likelier another chart's, a chart is as hard as its constant says.
    """
    times = sorted((summaries, earlier or {}), key=len, reverse=True)
    (population, difficulty), *others = (
        _learn(charts, each) for at, each in enumerate(times) if not at or len(each) >= _MIN_CHARTS_OF_TIME
    )
    for _, other in others:
        difficulty = replace(difficulty, charts={**other.charts, **difficulty.charts})
    counted = chain(population.reputations, *(other.reputations for other, _ in others))
    unknown = dict.fromkeys(counted, Reputation(0.0, difficulty.usual))
    found = {key: Reputation(each.harder, sqrt(each.variance)) for key, each in difficulty.charts.items()}
    return replace(population, reputations=unknown | found), difficulty


def _learn(
    charts: Sequence[ChartFeatures], summaries: Mapping[ChartKey, ChartSummary]
) -> tuple[PopulationModel, FeltDifficulty]:
    population = PopulationModel.of(charts, summaries) if summaries else PopulationModel.unknown()
    difficulty = FeltDifficulty.of(charts, summaries, population)
    if len(difficulty.misattributed) > _MANY_SHARE * len(population.reputations):
        # What others' statistics bent is no measure of any chart, nor of which are others'.
        population = PopulationModel.of(charts, summaries, difficulty.misattributed)
        difficulty = FeltDifficulty.of(charts, summaries, population)
    return population, difficulty


def _learnt(looks: Sequence[ChartEvidence], population: PopulationModel) -> FeltDifficulty:
    free = sum(max(0, each.count - 2) for each in looks)
    noise = (USUAL_NOISE * _PRIOR_CHARTS + sum(each.rest for each in looks)) / (_PRIOR_CHARTS + free)
    noises = [
        (noise * _PRIOR_POINTS + each.rest) / (_PRIOR_POINTS + max(0, each.count - 2)) for each in looks
    ]
    differ, tilts = CHART_SPREAD**2, TILT_SPREAD**2
    kept = [*zip(looks, noises, strict=True)]
    found: dict[ChartKey, ChartHardness] = {}
    for _ in range(_ROUNDS):
        offsets = _offsets([each for each, _ in kept])
        found = {
            each.key: _hardness(each, noise, offset, differ, tilts)
            for (each, noise), offset in zip(kept, offsets, strict=True)
        }
        misattributed = (1 + len(looks) - len(kept)) / (_PRIOR_ALIENS + len(looks))
        most = max(differ, CHART_SPREAD**2)
        kept = [
            one
            for one, offset in zip(kept, offsets, strict=True)
            if _is_own(one[0].harder - offset.harder, most + _error(*one, offset), misattributed)
        ]
        own = [found[each.key] for each, _ in kept]
        differ = _refined(CHART_SPREAD**2, differ, [(each.harder, each.variance) for each in own])
        tilts = _refined(TILT_SPREAD**2, tilts, [(each.tilt, each.tilt_variance) for each in own])
    return FeltDifficulty(
        surface=population.surface,
        charts={each.key: found[each.key] for each, _ in kept},
        misattributed={each.key for each in looks} - {each.key for each, _ in kept},
        usual=sqrt(differ),
        tilts=sqrt(tilts),
    )


def _refined(prior: float, before: float, known: Iterable[tuple[float, float]]) -> float:
    """Return the variance that charts have, by what is known of each and its variance, if they had one `before`.

    Of whom little is known little is learnt: they say no more than was taken for usual. What is usual weighs less the less
    charts differ, as it speaks against small differences the louder the smaller they are.
    """
    weight = _PRIOR_CHARTS * min(1.0, before / prior) ** 2
    total = weight * prior
    for value, variance in known:
        share = 1 - variance / before
        total += value * value - before * share * (1 - share)
        weight += share * share
    return max(_MIN_SHARE * prior, total / weight)


def _is_own(away: float, variance: float, misattributed: float) -> bool:
    """Return whether statistics are likelier the chart's own than another's, which lie anywhere in reach."""
    return (1 - misattributed) * NormalDist(0.0, sqrt(variance)).pdf(away) * 2 * MAX_DISTANCE >= misattributed


def _error(each: ChartEvidence, noise: float, offset: _Offset) -> float:
    return noise / each.weight + _COMMON_ERROR**2 / each.steepness + (_OFFSET_SHARE * offset.harder) ** 2


def _hardness(
    each: ChartEvidence, noise: float, offset: _Offset, differ: float, tilts: float
) -> ChartHardness:
    """Return what looks say, drawn towards the constant by how little they say."""
    error = _error(each, noise, offset)
    tilt_error = (noise / each.rating_squares if each.rating_squares else _ENDLESS_VARIANCE) + (
        _OFFSET_SHARE * offset.tilt
    ) ** 2
    return ChartHardness(
        harder=(each.harder - offset.harder) * differ / (differ + error),
        variance=differ * error / (differ + error),
        others_variance=differ * offset.of_one * (differ / (differ + error)) ** 2,
        tilt=(each.tilt - offset.tilt) * tilts / (tilts + tilt_error),
        tilt_variance=tilts * tilt_error / (tilts + tilt_error),
        middle=each.middle,
        low=each.low,
        high=each.high,
    )


def _offsets(looks: Sequence[ChartEvidence]) -> list[_Offset]:
    """Return for each chart what harder and tilt of all about its constant come to: constants are right on average."""
    by_constant: dict[int, list[ChartEvidence]] = defaultdict(list)
    for each in looks:
        by_constant[round(each.constant * A_UNIT)].append(each)
    sums = {
        at: (_sum_of(each.said for each in here), _sum_of(each.leant for each in here))
        for at, here in by_constant.items()
    }
    found: dict[int, _Offset] = {}
    for at in sums:
        near = [
            (1 - abs(other - at) / _NEAR_TENTHS, sums[other])
            for other in sums
            if abs(other - at) < _NEAR_TENTHS
        ]
        harder, tilt = (_mean_of((way, both[which]) for way, both in near) for which in (0, 1))
        weights = [(way, said) for way, ((said, _), _) in near]
        square = sum(way * way * said for way, said in weights)
        of_one = square / (sum(way * said for way, said in weights) + _PRIOR_OFFSET) ** 2
        found[at] = _Offset(harder, tilt, of_one)
    return [found[round(each.constant * A_UNIT)] for each in looks]


def _sum_of(values: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Return the sum of weights, and of weighted values."""
    listed = [*values]
    return sum(weight for weight, _ in listed), sum(weight * value for weight, value in listed)


def _mean_of(sums: Iterable[tuple[float, tuple[float, float]]]) -> float:
    """Return the mean of values by their weighted sums, drawn towards zero."""
    listed = [*sums]
    weight = sum(way * each for way, (each, _) in listed)
    return sum(way * each for way, (_, each) in listed) / (weight + _PRIOR_OFFSET)
