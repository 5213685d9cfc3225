"""What one member is expected to score on every chart, and how likely any score is."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log, sqrt
from statistics import NormalDist, fmean
from typing import Final

from bot.domain.coach.crowd import USUAL_SPREAD, PopulationModel
from bot.domain.coach.exercises import ChartFeatureSet
from bot.domain.coach.footing import prior_rating_of
from bot.domain.coach.losses import log_loss, score_at
from bot.domain.coach.regression import Regression
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.ranks import MAX_SCORE, next_goal
from bot.domain.scores import Record

_OFFSET: Final = 0.5
_OFFSET_UNKNOWN: Final = 1.0
"""The same where nothing is known of all players: the usual surface is a guess."""
_LEVEL_SLOPE: Final = 0.2
_LEVEL_BEND: Final = 0.1
_TRAIT: Final = 0.1
"""How far a member usually lies from all, altogether and by what charts are like: standard deviations."""

_OWN_PLAYS: Final = 0.2
"""Of what a record lies from its expectation, the part that the chart will keep for this member; chance had the rest."""
_PRIOR_RECORDS: Final = 30.0
"""How many records the usual spread is worth against the member's own."""
_PRIOR_TILT: Final = 100.0
_OUTLIER: Final = 2.5
"""Spreads beyond which a record weighs less: a dropped play, or a perfect one, is no measure of the rest."""
_CUT: Final = 3.5
_MOST_TILT: Final = 0.15
_ROUNDS: Final = 2
"""Of weighing outliers less."""
_MOST_LEVERAGE: Final = 0.5
_BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a member is expected to score on one chart."""

    log_loss: float
    spread: float
    habits: "_Habits" = field(repr=False)

    @property
    def score(self) -> int:
        """What they reach as often as not, in points."""
        return score_at(self.log_loss + self.spread * self.habits.middle)

    def chance(self, least: int) -> float:
        """Return how likely a score of at least so many points is, 0 to 1."""
        if not 0 < least <= MAX_SCORE:
            return float(least <= 0)
        return self.habits.share_below((log_loss(least - 0.5) - self.log_loss) / self.spread)


@dataclass(frozen=True, slots=True)
class TraitCoefficient:
    """What a member does with charts of one kind, beside what they do with all."""

    trait: str
    strength: float
    """By how much less they lose for a step of the trait, on the scale of losses; negative is a weakness."""
    doubt: float
    """Its standard deviation."""

    @property
    def stands_out(self) -> bool:
        """Whether it is larger than its doubt."""
        return abs(self.strength) > self.doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class Coach:
    """The outlooks of one member."""

    outlooks: Mapping[ChartKey, Prediction] = field(repr=False)
    """Of every chart with a known constant, played or not."""
    offset: float
    """What the member loses beside others of their rating, on the scale of losses; less is better."""
    leanings: tuple[TraitCoefficient, ...]
    """By trait, in the syllabus' order."""
    syllabus: ChartFeatureSet = field(repr=False)
    counted: int
    """Of how many charts it is known what all players score; of none, the records speak alone."""

    def find_outlook(self, record: Record) -> Prediction | None:
        """Return what is expected on the chart of a record; None where it has no known constant."""
        return None if record.song_id is None else self.outlooks.get((record.song_id, record.difficulty))

    def next_chances(self, records: Iterable[Record], region: Region) -> dict[ChartKey, float]:
        """Return that of all charts of which it can be told."""
        found = {(record.song_id, record.difficulty): record for record in records}
        return {
            key: chance
            for key in self.outlooks
            if (record := found.get(key)) and (chance := self.find_next_chance(record, region)) is not None
        }

    def find_next_chance(self, record: Record, region: Region) -> float | None:
        """Return how likely one try comes to the next rank, or to the maximum.

        None where nothing was played, nothing is left to reach, or the chart has no known constant.
        """
        outlook = self.find_outlook(record)
        goal = next_goal(record.score, region)
        return None if outlook is None or goal is None or not record.is_played else outlook.chance(goal)


def coach(
    syllabus: ChartFeatureSet, crowd: PopulationModel, rating: float, scores: Mapping[ChartKey, int]
) -> Coach:
    """Return what a member of this rating and these records will score.

    Others of their rating are the beginning, or of the one that fits where they have few records; what the records
    differ from that is explained by an offset, by how far charts lie from the rating, and by their kind, all drawn
    towards none. What is left is the member's spread.
    """
    exercises = syllabus.exercises
    footing = prior_rating_of(syllabus, crowd, rating, scores)
    crowds = crowd.expect(exercises, footing)
    # An average of scores lies below what is scored as often as not.
    expected = [each.log_loss - USUAL_SPREAD**2 / 2 for each in crowds]
    rows = [(1.0, *_by_level(exercise.constant - footing), *exercise.kind) for exercise in exercises]
    played = [at for at, exercise in enumerate(exercises) if exercise.key in scores]
    differences = [log_loss(scores[exercises[at].key]) - expected[at] for at in played]
    offset = _OFFSET if crowd.reputations else _OFFSET_UNKNOWN
    usual = (offset, _LEVEL_SLOPE, _LEVEL_BEND, *[_TRAIT] * len(syllabus.traits))
    found, rests = _explained([rows[at] for at in played], differences, usual)
    means = [level + found.explain(row) for level, row in zip(expected, rows, strict=True)]
    habits = _Habits.of([means[at] for at in played], rests)
    for at, rest in zip(played, rests, strict=True):
        means[at] += _OWN_PLAYS * max(-_OUTLIER * USUAL_SPREAD, min(_OUTLIER * USUAL_SPREAD, rest))
    doubts = _doubts(found, rows)
    return Coach(
        outlooks={
            exercise.key: Prediction(mean, sqrt(habits.spread(mean) ** 2 + doubt**2 + own), habits)
            for exercise, mean, doubt, own in zip(
                exercises, means, (each.doubt for each in crowds), doubts, strict=True
            )
        },
        offset=found.coefficients[0],
        leanings=tuple(
            TraitCoefficient(trait, -value, USUAL_SPREAD * sqrt(found.leverage(_unit(at, len(usual)))))
            for at, (trait, value) in enumerate(
                zip(syllabus.traits, found.coefficients[-len(syllabus.traits) :], strict=True),
                len(usual) - len(syllabus.traits),
            )
        ),
        syllabus=syllabus,
        counted=len(crowd.reputations),
    )


def _by_level(harder: float) -> tuple[float, float]:
    """Return what an offset may change with: how far a chart's constant lies above the rating."""
    return harder / 2, (harder / 3) ** 2


def _explained(
    rows: Sequence[tuple[float, ...]], differences: Sequence[float], usual: Sequence[float]
) -> tuple[Regression, list[float]]:
    """Return what explains the differences, and what each record would differ by had it not been looked at."""
    pulls = [(USUAL_SPREAD / each) ** 2 for each in usual]
    weights = [1.0] * len(rows)
    found, rests = _fit(rows, differences, weights, pulls)
    for _ in range(_ROUNDS):
        limit = _OUTLIER * _size(rests)
        weights = [min(1.0, limit / abs(rest)) if rest else 1.0 for rest in rests]
        found, rests = _fit(rows, differences, weights, pulls)
    return found, [
        rest / (1 - min(_MOST_LEVERAGE, weight * found.leverage(row)))
        for rest, weight, row in zip(rests, weights, rows, strict=True)
    ]


def _fit(
    rows: Sequence[tuple[float, ...]],
    differences: Sequence[float],
    weights: Sequence[float],
    pulls: Sequence[float],
) -> tuple[Regression, list[float]]:
    found = Regression(rows, differences, weights, pulls)
    return found, [value - found.explain(row) for value, row in zip(differences, rows, strict=True)]


def _size(rests: Sequence[float]) -> float:
    """Return the spread of what is left, drawn to the usual one; a few that lie far out are cut short."""
    spread = USUAL_SPREAD
    for _ in range(2):
        cut = (_CUT * spread) ** 2
        squares = sum(min(rest * rest, cut) for rest in rests)
        spread = sqrt((squares + _PRIOR_RECORDS * USUAL_SPREAD**2) / (len(rests) + _PRIOR_RECORDS))
    return spread


@dataclass(frozen=True, slots=True, kw_only=True)
class _Habits:
    """How a member's scores lie around what is expected."""

    size: float
    tilt: float
    """By which part the spread grows with each unit of the scale of losses."""
    center: float
    rests: Sequence[float] = field(repr=False)
    """In spreads, least first."""
    middle: float
    """Where as many lie below as above, in spreads."""

    @classmethod
    def of(cls, means: Sequence[float], rests: Sequence[float]) -> "_Habits":
        center = fmean(means) if means else 0.0
        size = _size(rests)
        sizes = [log(abs(rest) / size + 0.1) for rest in rests]
        middle_size = fmean(sizes) if sizes else 0.0
        leaning = sum((mean - center) * (each - middle_size) for mean, each in zip(means, sizes, strict=True))
        lever = sum((mean - center) ** 2 for mean in means) + _PRIOR_TILT
        tilt = max(-_MOST_TILT, min(_MOST_TILT, leaning / lever))
        plain = cls(size=size, tilt=tilt, center=center, rests=(), middle=0.0)
        scaled = [rest / plain.spread(mean) for mean, rest in zip(means, rests, strict=True)]
        again = _size([rest * USUAL_SPREAD for rest in scaled]) / USUAL_SPREAD
        own = cls(
            size=size * again,
            tilt=tilt,
            center=center,
            rests=sorted(rest / again for rest in scaled),
            middle=0.0,
        )
        low, high = -1.0, 1.0
        for _ in range(12):
            middle = (low + high) / 2
            low, high = (low, middle) if own.share_below(middle) > 0.5 else (middle, high)  # noqa: PLR2004 - half
        return cls(size=own.size, tilt=tilt, center=center, rests=own.rests, middle=low)

    def spread(self, mean: float) -> float:
        """Return the spread of scores whose expectation lies here."""
        return self.size * exp(self.tilt * max(-3.0, min(3.0, mean - self.center)))

    def share_below(self, place: float) -> float:
        """Return which share of scores loses less, in spreads: the member's own, and a bell as prior."""
        own = bisect_right(self.rests, place)
        return (own + _PRIOR_RECORDS * _BELL.cdf(place)) / (len(self.rests) + _PRIOR_RECORDS)


def _doubts(found: Regression, rows: Sequence[tuple[float, ...]]) -> list[float]:
    """Return the variance of each expectation by what is not known of the member; by their level alone."""
    known: dict[tuple[float, ...], float] = {}
    doubts: list[float] = []
    for row in rows:
        level = row[:3]
        doubt = known.get(level)
        if doubt is None:
            doubt = known[level] = USUAL_SPREAD**2 * found.leverage((*level, *[0.0] * (len(row) - 3)))
        doubts.append(doubt)
    return doubts


def _unit(at: int, length: int) -> list[float]:
    return [float(place == at) for place in range(length)]
