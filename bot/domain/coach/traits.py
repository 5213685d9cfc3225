"""A player's strengths and weaknesses by kind of chart, beyond the constant, and how certain they are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from operator import mul
from statistics import NormalDist, fmean
from typing import Final

from bot.domain.coach.chart_features import DENSITY, ERA, TEMPO
from bot.domain.coach.regression import cholesky, column_products, solve_forward

_MIN_RECORDS: Final = 20
"""The least records to learn a player's own effects from."""
_SIZES: Final = (0.001, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0)
"""The candidates for the strength of a group of traits: standard deviations in spreads, chosen by likelihood."""
_TURNS: Final = 2
_MIN_VARIANCE: Final = 0.05
_MIN_WIDTH: Final = 0.3
_MIN_FREE: Final = 0.5
_COMMON: Final[Mapping[str, float]] = {DENSITY: -0.1, ERA: -0.1}
"""The common effects on most players, in spreads a step: with more notes a mistake costs less, and recent charts are
easier."""

_MIN_SPAN: Final = 5.0
"""The least sum of squares of a trait over all records for which anything is claimed."""
_NOTHING: Final = 1e-9
_MIN_TRAIT_RECORDS: Final = 8
_FALSE_SHARE: Final = 0.06
"""The highest share of players without traits for whom one is claimed."""
_BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class TraitCoefficient:
    """A member's result on charts of one kind, relative to all charts."""

    trait: str
    strength: float
    """The decrease of loss for a step of the trait, on the scale of losses; negative is a weakness."""
    doubt: float
    """The standard error."""
    records: int = 0
    """The number of records on charts of that kind."""
    stands_out: bool = False
    """Whether it is certain enough to be shown."""


@dataclass(frozen=True, slots=True)
class KindEffects:
    """The effects of kinds of charts on a player's scores, in spreads; more is worse."""

    effects: Sequence[float] = field(repr=False)
    """The effect of each column of a chart's kind."""
    width: float
    """The ratio of the scatter of scores with these effects to that without them."""

    def shift(self, kind: Sequence[float]) -> float:
        """Return the number of spreads by which a chart of this kind is harder for the player."""
        return sum(map(mul, self.effects, kind))


def common_effects(columns: Sequence[str], unknown: float) -> KindEffects:
    """Return the effects of kinds on most players; `unknown` is the share that statistics do not explain already."""
    return KindEffects([_COMMON.get(column, 0.0) * unknown for column in columns], 1.0)


def learn_effects(
    columns: Sequence[str], kinds: Sequence[Sequence[float]], quantiles: Sequence[float], common: KindEffects
) -> KindEffects:
    """Return the effects of kinds, from the quantiles of records within their expectation.

    The strength of each group of traits, beyond the common effects, is chosen by the likelihood of the player's own
    records.
    """
    if len(kinds) < _MIN_RECORDS:
        return common
    rests = [quantile - common.shift(kind) for quantile, kind in zip(quantiles, kinds, strict=True)]
    variance = max(_MIN_VARIANCE, fmean([rest * rest for rest in rests]))
    table = list(zip(*kinds, strict=True))
    products = [[each / variance for each in row] for row in column_products(table, table)]
    right = [sum(map(mul, column, rests)) / variance for column in table]
    sizes = _likeliest_sizes(_groups(columns), products, right)
    free, effects = _effects(sizes, products, right)
    total = [one + other for one, other in zip(effects, common.effects, strict=True)]
    usual = fmean([quantile * quantile for quantile in quantiles])
    if not usual:  # every record is exactly as expected: kinds have nothing to explain
        return KindEffects(total, 1.0)
    left = fmean(
        [(rest - sum(map(mul, effects, kind))) ** 2 for rest, kind in zip(rests, kinds, strict=True)]
    )
    # Corrected for overfitting: the effects were learnt from the same records.
    width = sqrt(left / usual) / max(_MIN_FREE, 1 - free / len(kinds))
    return KindEffects(total, max(_MIN_WIDTH, min(1.0, width)))


def _groups(columns: Sequence[str]) -> list[int]:
    """Return the group number of each column: density, tempo and era are groups of their own, all others are one."""
    alone = [DENSITY, TEMPO, ERA]
    return [alone.index(column) if column in alone else len(alone) for column in columns]


def _likeliest_sizes(
    groups: Sequence[int], products: Sequence[Sequence[float]], right: Sequence[float]
) -> list[float]:
    best = dict.fromkeys(groups, _SIZES[0])
    evidence: dict[tuple[float, ...], float] = {}
    for _ in range(_TURNS):
        for group in best:
            tried = [{**best, group: size} for size in _SIZES]
            for sizes in tried:
                if (key := tuple(sizes.values())) not in evidence:
                    evidence[key] = _evidence(sizes, groups, products, right)
            best = max(tried, key=lambda sizes: evidence[tuple(sizes.values())])
    return [best[group] for group in groups]


def _evidence(
    by_group: Mapping[int, float],
    groups: Sequence[int],
    products: Sequence[Sequence[float]],
    right: Sequence[float],
) -> float:
    """Return the log likelihood of the records for given strengths of traits, with a penalty for large ones."""
    sizes = [by_group[group] for group in groups]
    root = cholesky(_scaled(sizes, products))
    explained = solve_forward(root, list(map(mul, sizes, right)))
    return (
        sum(part * part for part in explained) / 2
        - sum(log(row[-1]) for row in root)
        - sum(by_group.values())
    )


def _scaled(sizes: Sequence[float], products: Sequence[Sequence[float]]) -> list[list[float]]:
    return [
        [
            one * value * other + (1.0 if at == row else 0.0)
            for at, (value, other) in enumerate(zip(values, sizes, strict=False))
        ]
        for row, (one, values) in enumerate(zip(sizes, products, strict=True))
    ]


def _effects(
    sizes: Sequence[float], products: Sequence[Sequence[float]], right: Sequence[float]
) -> tuple[float, list[float]]:
    """Return the effective number of learnt effects, and the effects."""
    root = cholesky(_scaled(sizes, products))
    solved = solve_forward(root, list(map(mul, sizes, right)))
    effects = list(solved)
    for at in reversed(range(len(effects))):
        effects[at] /= root[at][at]
        for before in range(at):
            effects[before] -= root[at][before] * effects[at]
    units = ([float(place == at) for place in range(len(sizes))] for at in range(len(sizes)))
    kept = sum(sum(part * part for part in solve_forward(root, unit)) for unit in units)
    return len(sizes) - kept, list(map(mul, sizes, effects))


def claim_traits(
    traits: Sequence[str], controls: int, kinds: Sequence[Sequence[float]], quantiles: Sequence[float]
) -> list[tuple[str, float, float, int, bool]]:
    """Return each trait with its effect in spreads, its standard error, its number of records, and whether to show it.

    Traits are claimed one after another, clearest first, each adjusted for those claimed before and for the last
    `controls` columns of a kind, which are never shown: so one weakness is not shown under several names.
    """
    table = list(zip(*kinds, strict=True)) or [()] * (len(traits) + controls)
    counts = [sum(map(bool, column)) for column in table[: len(traits)]]
    rest: Sequence[float] = quantiles
    left: dict[int, Sequence[float]] = {
        at: table[at] for at, count in enumerate(counts) if count >= _MIN_TRAIT_RECORDS
    }
    tested = len(left)
    for column in _orthogonal([[1.0] * len(quantiles), *table[len(traits) :]]):
        rest = _without(rest, column)
        left = {at: _without(each, column) for at, each in left.items()}
    found: dict[int, tuple[float, float]] = {}
    claimed: set[int] = set()
    while left:
        contrasts = {at: each for at, column in left.items() if (each := _contrast(column, rest)) is not None}
        found |= contrasts
        odds = {at: _chance_of_none(traits[at], *each) for at, each in contrasts.items()}
        clearest = min(odds, key=lambda at: odds[at], default=None)
        if clearest is None or odds[clearest] > _FALSE_SHARE * (len(claimed) + 1) / tested:
            break
        claimed.add(clearest)
        column = left.pop(clearest)
        rest = _without(rest, column)
        left = {at: _without(each, column) for at, each in left.items()}
    return [(trait, *found.get(at, (0.0, 0.0)), counts[at], at in claimed) for at, trait in enumerate(traits)]


def _orthogonal(columns: Iterable[Sequence[float]]) -> list[Sequence[float]]:
    """Return columns with the same span that are orthogonal to each other."""
    found: list[Sequence[float]] = []
    for column in columns:
        rest = column
        for each in found:
            rest = _without(rest, each)
        if sum(map(mul, rest, rest)) > _MIN_SPAN:
            found.append(rest)
    return found


def _without(values: Sequence[float], column: Sequence[float]) -> list[float]:
    """Return the part of values that a column does not explain."""
    part = sum(map(mul, values, column)) / max(_NOTHING, sum(map(mul, column, column)))
    return [value - part * step for value, step in zip(values, column, strict=True)]


def _contrast(column: Sequence[float], rest: Sequence[float]) -> tuple[float, float] | None:
    """Return the effect of a trait and its standard error; None if too little is known."""
    span = sum(map(mul, column, column))
    if span < _MIN_SPAN:
        return None
    effect = sum(map(mul, column, rest)) / span
    left = [value - effect * step for value, step in zip(rest, column, strict=True)]
    robust = sqrt(sum((step * value) ** 2 for step, value in zip(column, left, strict=True))) / span
    usual = sqrt(fmean([value * value for value in left]) / span)
    return effect, max(robust, usual)


def _chance_of_none(trait: str, effect: float, error: float) -> float:
    """Return the probability of an effect this strong for a player who has it no more than most."""
    common = _COMMON.get(trait, 0.0)
    beyond = max(min(common, 0.0) - effect, effect - max(common, 0.0), 0.0)
    return 2 * _BELL.cdf(-beyond / error) if error else 1.0
