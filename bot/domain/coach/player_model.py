"""The expected scores of one member on every chart, and the probability of any score."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from math import inf, sqrt
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

from bot.domain.coach.anchor import anchor_rating, are_of_many
from bot.domain.coach.chart_features import ChartFeatures, ChartFeatureSet
from bot.domain.coach.curve import CurvePoint, CurvePrior, OwnCurve, fit_curve
from bot.domain.coach.known_plays import KnownPlays
from bot.domain.coach.losses import log_points_lost
from bot.domain.coach.population import PopulationModel
from bot.domain.coach.prediction import MIN_SHARE, Chances, Prediction
from bot.domain.coach.predictions import Predictions, ScoreRows
from bot.domain.coach.reliability import PlayedChart, reliability_of
from bot.domain.coach.score_table import SCORES, TENTHS, Observation, score_table
from bot.domain.coach.top import RatingTop
from bot.domain.coach.traits import KindEffects, TraitCoefficient, claim_traits, common_effects, learn_effects
from bot.domain.coach.usual import usual_spread
from bot.domain.game_rating import BEST_PLACES
from bot.domain.history import ChartKey
from bot.domain.ids import Region
from bot.domain.numbers import Hundredths
from bot.domain.ranks import MAX_SCORE, next_goal
from bot.domain.rating import least_score, song_rating
from bot.domain.scores import Record

_WALK_A_UNIT: Final = 0.45
_KNOWN_WALK_A_UNIT: Final = 0.25
"""The standard deviation of curves from their expectation, for each unit of the constant; less if statistics are
known."""
_KNOWN_TIMES: Final = 12.0
"""The factor on the number of records that the curve is worth, if there are statistics for every chart."""
_OWN_SHARE: Final = 0.1
"""The share of a record's deviation that is attributed to the chart for this member; the rest is chance."""
_MAX_OWN_SPREADS: Final = 1.5
"""The limit of a record's deviation in spreads: anything beyond was dropped, or a gift."""
USUAL_FIRST_TRY: Final = 0.68
"""The usual distance of a try below the final record, in spreads: .60 if charts are tried a few times, .75 if
favourites are played up to fifty times; records alone do not tell which."""
_FEW_SHARE: Final = 0.12
"""The share by which tries are closer if no records are known. It holds in the simulated worlds of `bench_coach`; for
real players it is unknown, because nobody has seen their tries."""
_FEW_RECORDS: Final = 20.0
"""The number of records that halves that share."""
FIRST_TRY_PRIOR: Final = 15.0
"""The number of first scores that the prior is worth, against seen ones."""
_PERFECT_SCORE: Final = 1_009_500
"""The usual score above which a first score says little: it is about as perfect as the final record."""
_OLD_YEARS: Final = 3.0
"""The age in years at which a record has half the weight for today's scores."""
_RISE_PRIOR: Final = 6.0
"""The weight of the prior that a player has not improved or declined, in squares of years."""
_MAX_RISE_SPREADS: Final = 1.0
"""The limit of the improvement in spreads, over the whole time of the records."""
_BEST_ONLY: Final = range(20, 51)
"""The numbers of records that may be only the best ones, if a service provides no others."""
_EARNED_MARGIN: Final = 0.05
"""The amount by which a rating may exceed that of the thirty best known records and still match them."""
_TURNED_SHARE: Final = 0.75
"""The share of the best records' rating below which a rating is taken to be that of an emptied slot after a new
version."""
_BELL: Final = NormalDist()


class FirstTries(NamedTuple):
    """The distance of first scores below final records, in spreads."""

    seen: int
    total: float

    def beside(self, usual: float) -> float:
        """Return the expected distance of a try, given others' as `usual`."""
        return (usual * FIRST_TRY_PRIOR + self.total) / (FIRST_TRY_PRIOR + self.seen)


def learn_first_try(known: Collection[FirstTries]) -> float:
    """Return the mean distance of first scores below final records over members, each with limited weight."""
    counts = [min(FIRST_TRY_PRIOR, each.seen) for each in known]
    total = sum(count * each.total / max(1, each.seen) for count, each in zip(counts, known, strict=True))
    return (USUAL_FIRST_TRY * FIRST_TRY_PRIOR + total) / (FIRST_TRY_PRIOR + sum(counts))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerModel:
    """The expected scores of one member, and their basis."""

    predictions: Mapping[ChartKey, Prediction] = field(repr=False)
    """The predictions for every chart with a known constant, played or not; empty if `is_all_maximum`."""
    offset: float
    """The member's loss relative to others of their rating, on the scale of losses; less is better."""
    learn_coefficients: Callable[[], tuple[TraitCoefficient, ...]] = field(repr=False)
    """Learns `coefficients`, once: most callers do not need them."""
    features: ChartFeatureSet = field(repr=False)
    counted: int
    """The number of charts with statistics; with none, only the records count."""
    first_tries: FirstTries
    """The distance of the member's own first scores below their records."""
    level: float = 0.0
    """The rating, or what the records show if the rating is that of an emptied slot after a new version."""
    borne_out: float = 0.0
    """The degree to which the member's records confirm the statistics, 0 to 1."""
    is_all_maximum: bool = False
    """Whether all records are maximum scores, which do not show the player's limit."""

    @property
    def coefficients(self) -> tuple[TraitCoefficient, ...]:
        """The coefficients by trait, in the order of `features`."""
        return self.learn_coefficients()

    @property
    def weight(self) -> int:
        """The size in bytes, without what all members share."""
        return self.predictions.weight if isinstance(self.predictions, Predictions) else 0

    def find_prediction(self, record: Record) -> Prediction | None:
        """Return the prediction for a record's chart; None if its constant is unknown."""
        return None if record.song_id is None else self.predictions.get((record.song_id, record.difficulty))

    def find_next_chance(self, record: Record, region: Region) -> float | None:
        """Return the probability that the next try reaches the next rank, or the maximum.

        None if the chart was not played, nothing is left to reach, or its constant is unknown.
        """
        prediction = self.find_prediction(record)
        goal = next_goal(record.score, region)
        if prediction is None or goal is None or not record.is_played:
            return None
        return prediction.next_try.chance(goal)


def fit_player(
    features: ChartFeatureSet,
    population: PopulationModel,
    rating: float,
    known: KnownPlays | Mapping[ChartKey, int],
    usual_first_try: float = USUAL_FIRST_TRY,
) -> PlayerModel:
    """Return the model of a member with this rating and these records.

    Their own curve comes first, shrunk towards that of their rating if little is known; then their records near each
    constant, and their results by kind of chart. A try is usually `usual_first_try` spreads below the final record.
    """
    plays = known if isinstance(known, KnownPlays) else KnownPlays(scores=known)
    found = _PlayerFit(features, population, rating, plays).fit(usual_first_try)
    return replace(found, predictions={}) if found.is_all_maximum else found


class _PlayerFit:
    """Fits the model of one member, step by step."""

    def __init__(
        self, features: ChartFeatureSet, population: PopulationModel, rating: float, known: KnownPlays
    ) -> None:
        self._features = features
        self._population = population
        self._known = known
        self._positions = sorted(features.positions[key] for key in known.scores if key in features.positions)
        """The indexes of played charts in `features`; all that is known of them is in the same order."""
        self._played = [features.charts[at] for at in self._positions]
        self._scores = [known.scores[each.key] for each in self._played]
        self._losses = [*map(log_points_lost, self._scores)]
        self._worths = [_worth(features, *each) for each in zip(self._played, self._scores, strict=True)]
        losses = [(each.constant, loss) for each, loss in zip(self._played, self._losses, strict=True)]
        self._anchor = anchor_rating(rating, self._worths, losses)
        self._level = rating if rating > self._anchor * _TURNED_SHARE else self._anchor
        self._least_worth = _least_worth(rating, self._worths)
        self._reliability = reliability_of(
            population, self._anchor, [*map(self._as_played, self._played, self._losses)]
        )
        self._constants = features.constants
        """The difficulty of each chart for the member, as a constant."""
        if hardness := self._reliability.hardness:
            self._constants = constants = array("d", features.constants)
            for key, found in population.reputations.items():
                if (at := features.positions.get(key)) is not None:
                    constants[at] = max(0.0, constants[at] + hardness * found.harder)
        self._lowest = int(min(self._constants, default=0.0) * TENTHS)
        self._rows = int(max(self._constants, default=0.0) * TENTHS) - self._lowest + 2
        self._played_rows = [round(self._constants[at] * TENTHS) - self._lowest for at in self._positions]
        self._weights = [*map(self._weight, self._played)]
        self._harder_by_row = [(self._lowest + row) / TENTHS - self._anchor for row in range(self._rows)]
        self._counted = len(population.reputations.keys() & features.positions.keys())
        self._certainty = self._reliability.trust * self._counted / max(1, len(features.charts))

    def fit(self, usual_first_try: float) -> PlayerModel:
        """Return the fitted model."""
        columns = self._features.columns
        common = common_effects(columns, 1 - self._certainty)
        shifts = [common.shift(each.kind) for each in self._played]
        curve = self._curve(shifts)
        observations = [] if self._least_worth else self._observations(shifts)
        known = [
            (each.constant - self._anchor, worth - self._anchor)
            for each, worth in zip(self._played, self._worths, strict=True)
        ]
        top = RatingTop(SCORES, self._features.region, self._harder_by_row, known)
        table = score_table(curve, observations, top, 1 + (_KNOWN_TIMES - 1) * self._certainty)
        kinds = [each.kind for each in self._played] if observations else []
        effects = learn_effects(columns, kinds, table.own, common)
        rows = ScoreRows(table.quantiles, self._lowest)
        first = self._first_tries(rows, effects)
        usual = usual_first_try * (1 - _FEW_SHARE * _FEW_RECORDS / (_FEW_RECORDS + len(self._positions)))
        below = max(0.0, first.beside(usual)) * _share_of_luck(curve)
        later = max(0.0, below - self._rise(table.own))
        return PlayerModel(
            predictions=Predictions(
                features=self._features,
                rows=rows,
                constants=self._constants,
                scores=self._all_scores(),
                own=self._own_shifts(table.own or self._own(rows), effects),
                effects=effects,
                later=later,
            ),
            offset=self._offset(curve),
            learn_coefficients=cache(
                partial(
                    _learn_coefficients, self._features, self._spread(curve), kinds, array("d", table.own)
                )
            ),
            features=self._features,
            counted=self._counted,
            first_tries=first,
            level=self._level,
            borne_out=self._reliability.borne_out,
            is_all_maximum=min(self._scores, default=0) == MAX_SCORE,
        )

    def _all_scores(self) -> Sequence[int]:
        """Return the score on each chart; 0 if unplayed."""
        scores = array("i", bytes(4 * len(self._constants)))
        for at, score in zip(self._positions, self._scores, strict=True):
            scores[at] = score
        return scores

    def _own_shifts(self, quantiles: Sequence[float], effects: KindEffects) -> Sequence[float]:
        """Return how many spreads harder for the member than its kind suggests each chart is, from played ones."""
        own = array("d", bytes(8 * len(self._constants)))
        for at, each, quantile in zip(self._positions, self._played, quantiles, strict=True):
            rest = quantile - effects.shift(each.kind)
            own[at] = _OWN_SHARE * max(-_MAX_OWN_SPREADS, min(_MAX_OWN_SPREADS, rest))
        return own

    def _as_played(self, each: ChartFeatures, loss: float) -> PlayedChart:
        return PlayedChart(each.constant, self._harder(each), loss)

    def _harder(self, each: ChartFeatures) -> float:
        found = self._population.reputations.get(each.key)
        return found.harder if found else 0.0

    def _weight(self, each: ChartFeatures) -> float:
        return 1 / (1 + (self._known.ages.get(each.key, 0.0) / _OLD_YEARS) ** 2)

    def _curve(self, shifts: Sequence[float]) -> OwnCurve:
        harder = self._harder_by_row
        rows = range(self._lowest, self._lowest + self._rows)
        trust = self._reliability.trust
        times = 1 + trust * (self._population.spread_ratio - 1)
        walk = trust * _KNOWN_WALK_A_UNIT + (1 - trust) * _WALK_A_UNIT
        prior = CurvePrior(
            harder=harder,
            losses=[self._reliability.losses[min(row, len(self._reliability.losses) - 1)] for row in rows],
            spreads=[times * usual_spread(each) for each in harder],
            walk=walk,
            cliff_walk=trust * _KNOWN_WALK_A_UNIT + (1 - trust) * 2 * _WALK_A_UNIT,
        )
        limits = map(self._limit, self._played)
        return fit_curve(
            prior, [*map(CurvePoint, self._played_rows, self._losses, self._weights, limits, shifts)]
        )

    def _limit(self, each: ChartFeatures) -> float:
        """Return the log loss from which on a record of the chart would be unknown."""
        if not self._least_worth:
            return inf
        constant = Hundredths(round(each.constant * 100))
        least = least_score(constant, self._least_worth, self._features.region)
        return inf if least is None else log_points_lost(least - 0.5)

    def _observations(self, shifts: Sequence[float]) -> list[Observation]:
        reached = (bisect_right(SCORES, score) for score in self._scores)
        return [*map(Observation, self._played_rows, reached, self._weights, shifts)]

    def _own(self, rows: ScoreRows) -> list[float]:
        """Return the quantiles of records, given their charts' constants; more is worse."""
        played = zip(self._positions, self._scores, strict=True)
        chances = (Chances(rows.at(self._constants[at]), 0.0).chance(score) for at, score in played)
        return [_BELL.inv_cdf(max(MIN_SHARE, min(1 - MIN_SHARE, each))) for each in chances]

    def _first_tries(self, rows: ScoreRows, effects: KindEffects) -> FirstTries:
        """Return the distance of the member's own first scores below their records."""
        quantiles: list[float] = []
        for key, score in self._known.first_scores.items():
            at = self._features.positions.get(key)
            if at is not None:
                shift = effects.shift(self._features.charts[at].kind)
                chances = Chances(rows.at(self._constants[at]), shift)
                if chances.score < _PERFECT_SCORE:
                    quantiles.append(_BELL.inv_cdf(max(0.001, min(0.999, chances.chance(score)))))
        return FirstTries(len(quantiles), sum(quantiles))

    def _rise(self, quantiles: Sequence[float]) -> float:
        """Return the member's improvement since the middle of their records' time, in spreads."""
        dated = [
            (self._known.ages[each.key], quantile, weight)
            for each, quantile, weight in zip(self._played, quantiles, self._weights, strict=False)
            if each.key in self._known.ages
        ]
        if not dated:
            return 0.0
        total = sum(weight for _, _, weight in dated)
        middle = sum(age * weight for age, _, weight in dated) / total
        product = sum((age - middle) * quantile for age, quantile, _ in dated)
        span = sum((age - middle) ** 2 for age, _, _ in dated)
        rise = product / (span + _RISE_PRIOR) * (middle - min(age for age, _, _ in dated))
        return max(-_MAX_RISE_SPREADS, min(_MAX_RISE_SPREADS, rise))

    def _offset(self, curve: OwnCurve) -> float:
        """Return the member's loss relative to others of their rating."""
        expected = self._population.losses_at(self._level) if self._counted else self._reliability.losses
        return (
            fmean(
                [
                    curve.losses[row] - expected[min(len(expected) - 1, row + self._lowest)]
                    for row in self._played_rows
                ]
            )
            if self._played
            else 0.0
        )

    def _spread(self, curve: OwnCurve) -> float:
        return fmean([curve.spreads[row] for row in self._played_rows]) if self._played else 1.0


def _learn_coefficients(
    features: ChartFeatureSet, spread: float, kinds: Sequence[Sequence[float]], quantiles: Sequence[float]
) -> tuple[TraitCoefficient, ...]:
    traits = features.traits
    controls = len(features.columns) - len(traits)
    return tuple(
        TraitCoefficient(trait, -effect * spread, error * spread, records, stands_out)
        for trait, effect, error, records, stands_out in claim_traits(traits, controls, kinds, quantiles)
    )


def _share_of_luck(curve: OwnCurve) -> float:
    """Return the share of the predicted variation that is variation between tries; uncertainty of the curve is not."""
    return fmean(
        [
            spread / sqrt(spread * spread + doubt * doubt)
            for spread, doubt in zip(curve.spreads, curve.doubts, strict=True)
        ]
    )


def _worth(features: ChartFeatureSet, each: ChartFeatures, score: int) -> float:
    return song_rating(Hundredths(round(each.constant * 100)), score, features.region) / 100


def _least_worth(rating: float, worths: Sequence[float]) -> Hundredths:
    """Return the lowest rating of the records if they appear to be the best of many; 0 if they are all."""
    if len(worths) not in _BEST_ONLY:
        return Hundredths(0)
    best = sorted(worths, reverse=True)
    is_best = rating <= fmean(best[:BEST_PLACES]) + _EARNED_MARGIN and are_of_many(best)
    return Hundredths(round(100 * best[-1])) if is_best else Hundredths(0)
