"""Felt difficulty: the constant that matches a chart's real difficulty for players of one rating.

Each average of a chart is one measurement of its difficulty: the constant on which players of that rating score as
much. All measurements of a chart together show how much harder it is than its constant, and whether that changes with
the rating; their scatter shows how reliable they are. The standard errors can be verified only in the simulated worlds
of `bench_felt`, because nobody knows the true difficulty of real charts.
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
    TILT_SPREAD,
    USUAL_NOISE,
    ChartEvidence,
    evidence_of,
)
from bot.domain.coach.losses import log_points_lost
from bot.domain.coach.points import A_UNIT, CONSTANTS, RATINGS, all_points
from bot.domain.coach.population import MAX_DISTANCE, PopulationModel, Reputation
from bot.domain.coach.summaries import ChartSummary
from bot.domain.history import ChartKey

_PRIOR_CHARTS: Final = 30.0
"""The number of charts that the usual values are worth, against those with statistics."""
_PRIOR_POINTS: Final = 12.0
"""The number of averages that the scatter of all charts is worth, against that of one chart."""
_COMMON_ERROR: Final = 0.014
"""The common error of all averages of a chart, on the scale of losses: the surface is only an approximation for any
chart."""
_OFFSET_SHARE: Final = 0.2
"""The share of the common offset of a constant's charts by which a single chart's may differ: the surface is wrong
there."""
_PRIOR_OFFSET: Final = 2.0
"""The weight, in charts, of the assumption that constants are right on average."""
_BEND_SHARE: Final = 0.8
"""The share of the usual tilt that may be nonlinear."""
_NEAR_TENTHS: Final = 6
"""Charts whose constants differ by less than this many tenths are pooled to correct the surface."""
_TILTED_UNITS: Final = 2.0
"""The greatest distance of a rating from the constant up to which it changes the difficulty."""
_PRIOR_ALIENS: Final = 100.0
"""The prior rate of charts with another's statistics, one of this many: a guess, as the service was never seen to do
so."""
_MANY_SHARE: Final = 0.02
"""The share of charts with another's statistics above which the population is learnt again without these."""
_FARTHEST_RATING: Final = 1.0
"""How far beyond its averages a chart's tilt is extrapolated."""
_MIN_CHARTS_OF_TIME: Final = 50
"""The least charts of a period for which its difficulties are used."""
_TELLING_SLOPE: Final = 0.4
"""The least loss for a unit of the constant, on the scale of losses, at which difficulty is known: below it, two halves
of the players contradict each other too much."""
_ROUNDS: Final = 3
_MIN_SHARE: Final = 0.01
"""The least variance between charts, as a share of the usual one."""
_ENDLESS_VARIANCE: Final = 1e9
_SURE_CHANCE: Final = 0.95
_LIKELY_CHANCE: Final = 0.8
_KNOWN_SHARE: Final = 0.8
"""The share of the usual distance from the constant above which a standard error means that nothing is known."""
_BELL: Final = NormalDist()


class _Offset(NamedTuple):
    """The common offset of `harder` and `tilt` of all charts around a constant."""

    harder: float
    tilt: float
    of_one: float
    """The variance of their mean, relative to that of one chart: so few may truly be harder than their constants."""


class Certainty(StrEnum):
    """The certainty that a chart is harder, or easier, than its constant says."""

    SURE = "sure"
    LIKELY = "likely"
    OPEN = "open"
    """It may be exactly as hard as its constant says."""
    UNKNOWN = "unknown"
    """There is too little evidence."""


@dataclass(frozen=True, slots=True)
class Felt:
    """The felt difficulty of a chart for players of one rating."""

    constant: float
    """The chart's own constant."""
    harder: float
    doubt: float
    """The standard error, in units of the constant."""
    is_known: bool = True

    @property
    def felt(self) -> float:
        """The felt difficulty as a constant."""
        return self.constant + self.harder

    @property
    def certainty(self) -> Certainty:
        """The certainty of the sign."""
        if not self.is_known:
            return Certainty.UNKNOWN
        chance = _BELL.cdf(abs(self.harder) / max(1e-9, self.doubt))
        if chance >= _SURE_CHANCE:
            return Certainty.SURE
        return Certainty.LIKELY if chance >= _LIKELY_CHANCE else Certainty.OPEN


@dataclass(frozen=True, slots=True)
class ChartHardness:
    """The difficulty of a chart relative to its constant, by rating."""

    harder: float
    """How much harder it is than its constant at the middle rating."""
    variance: float
    others_variance: float
    """The variance of the common offset of its constant's charts, against which it is measured."""
    tilt: float
    """The change of `harder` with a unit of the rating."""
    tilt_variance: float
    middle: float
    low: float
    high: float

    def reaches(self, rating: float) -> bool:
        """Return whether there are statistics of players near a rating."""
        return self.low - _FARTHEST_RATING <= rating <= self.high + _FARTHEST_RATING

    def at(self, constant: float, rating: float, bends: float) -> Felt:
        """Return the felt difficulty at a rating; `bends` is the spread of its bend for each unit from the middle."""
        away = max(self.low - _FARTHEST_RATING, min(self.high + _FARTHEST_RATING, rating)) - self.middle
        harder = max(-MAX_DISTANCE, min(MAX_DISTANCE, self.harder + self.tilt * away))
        tilts = (self.tilt_variance + bends * bends) * away * away
        return Felt(constant, harder, sqrt(self.variance + self.others_variance + tilts))


@dataclass(frozen=True, slots=True, kw_only=True)
class FeltDifficulty:
    """The difficulty of all charts relative to their constants."""

    surface: Sequence[Sequence[float]] = field(repr=False)
    """The log losses by rating and constant, in tenths from 0, as in the population model."""
    charts: Mapping[ChartKey, ChartHardness] = field(repr=False)
    misattributed: Collection[ChartKey] = field(repr=False)
    """Charts whose statistics are probably another chart's."""
    usual: float
    """The standard deviation of charts' difficulty from their constants."""
    tilts: float
    """The standard deviation of the change of that with a unit of the rating."""

    @classmethod
    def of(
        cls,
        charts: Sequence[ChartFeatures],
        summaries: Mapping[ChartKey, ChartSummary],
        population: PopulationModel,
    ) -> "FeltDifficulty":
        """Learn from the statistics, relative to all charts around the same constant."""
        return _learnt(evidence_of(all_points(charts, summaries), population), population)

    def at(self, key: ChartKey, constant: float, rating: float, trust: float = 1.0) -> Felt:
        """Return the felt difficulty of a chart for players of a rating.

        `trust` is how far statistics hold at all: without it, difficulty is as uncertain as without statistics.
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
        """Return whether scores at a rating say anything of difficulty at a constant."""
        row = self.surface[max(0, min(RATINGS - 1, int(rating * A_UNIT)))]
        at = max(1, min(CONSTANTS - 2, round(constant * A_UNIT)))
        return (row[at + 1] - row[at - 1]) * A_UNIT / 2 > _TELLING_SLOPE

    def rating_of(self, constant: float, score: int) -> float:
        """Return the rating whose usual score on charts of a constant is `score`."""
        wanted, at = log_points_lost(score), min(CONSTANTS - 1, round(constant * A_UNIT))
        steps = (step for step, row in enumerate(self.surface) if row[at] <= wanted)
        return next(steps, len(self.surface) - 1) / A_UNIT


def learn(
    charts: Sequence[ChartFeatures],
    summaries: Mapping[ChartKey, ChartSummary],
    earlier: Mapping[ChartKey, ChartSummary] | None = None,
) -> tuple[PopulationModel, FeltDifficulty]:
    """Return the models of players and of charts from the statistics; charts have the same difficulty in both.

    `earlier` statistics date from before a new version, which took two fifths of the ratings of players who stopped:
    difficulty is measured against other charts of the same period, and the period with more charts determines the
    population. If a chart's statistics are probably another's, its constant counts as its difficulty.
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
        # A surface bent by others' statistics is no measure of charts, nor of which statistics are others'.
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
    """Return the variance between charts, given each value and its variance, and the variance assumed `before`.

    Little is learnt from uncertain values: they say no more than the assumption. The prior weighs less the less charts
    differ, because it would contradict small differences the more strongly the smaller they are.
    """
    weight = _PRIOR_CHARTS * min(1.0, before / prior) ** 2
    total = weight * prior
    for value, variance in known:
        share = 1 - variance / before
        total += value * value - before * share * (1 - share)
        weight += share * share
    return max(_MIN_SHARE * prior, total / weight)


def _is_own(away: float, variance: float, misattributed: float) -> bool:
    """Return whether statistics are probably the chart's own and not another's, which would be anywhere in the limit."""
    return (1 - misattributed) * NormalDist(0.0, sqrt(variance)).pdf(away) * 2 * MAX_DISTANCE >= misattributed


def _error(each: ChartEvidence, noise: float, offset: _Offset) -> float:
    return noise / each.weight + _COMMON_ERROR**2 / each.steepness + (_OFFSET_SHARE * offset.harder) ** 2


def _hardness(
    each: ChartEvidence, noise: float, offset: _Offset, differ: float, tilts: float
) -> ChartHardness:
    """Return the difficulty from the evidence, shrunk towards the constant if there is little."""
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
    """Return, for each chart, the common offset of all charts around its constant: constants are right on average."""
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
    """Return the sum of weights, and that of weighted values."""
    listed = [*values]
    return sum(weight for weight, _ in listed), sum(weight * value for weight, value in listed)


def _mean_of(sums: Iterable[tuple[float, tuple[float, float]]]) -> float:
    """Return the mean of values from weighted sums, shrunk towards zero."""
    listed = [*sums]
    weight = sum(way * each for way, (each, _) in listed)
    return sum(way * each for way, (_, each) in listed) / (weight + _PRIOR_OFFSET)
