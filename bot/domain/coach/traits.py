"""What a player does better or worse with, beside the constant: kinds of charts, and how certain that is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from operator import mul
from statistics import NormalDist, fmean
from typing import Final

from bot.domain.coach.exercises import DENSITY, ERA, TEMPO
from bot.domain.coach.regression import Regression, column_products, solve_forward, square_root

_FEWEST_RECORDS: Final = 20
"""With fewer everybody is like everybody."""
_SIZES: Final = (0.001, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0)
"""How strong the traits of a group may be, in spreads: standard deviations, tried by likelihood."""
_TURNS: Final = 2
_LEAST_VARIANCE: Final = 0.05
_LEAST_WIDTH: Final = 0.3
_LEAST_FREE: Final = 0.5
_COMMON: Final[Mapping[str, float]] = {DENSITY: -0.1, ERA: -0.1}
"""What holds of most players, in spreads a step: with more notes a mistake costs less, and young charts are kinder."""

_LEAST_SPAN: Final = 5.0
"""Of squares of a trait over all records, for anything to be said of it."""
_FEWEST_OF_TRAIT: Final = 8
_FALSE_SHARE: Final = 0.08
"""Of players without traits so many at most are told of any."""
_BELL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class TraitCoefficient:
    """What a member does with charts of one kind, beside what they do with all."""

    trait: str
    strength: float
    """By how much less they lose for a step of the trait, on the scale of losses; negative is a weakness."""
    doubt: float
    """Its standard error."""
    records: int = 0
    """How many records of charts of that kind stand behind it."""
    stands_out: bool = False
    """Whether it is certain enough to be told."""


@dataclass(frozen=True, slots=True)
class KindEffects:
    """What kinds of charts do to a player's scores, in spreads; more is worse."""

    effects: Sequence[float] = field(repr=False)
    """Of each column of a chart's kind."""
    width: float
    """How wide scores lie around what they explain, beside around what is told without them."""

    def shift(self, kind: Sequence[float]) -> float:
        """Return by how many spreads a chart of this kind is harder for the player."""
        return sum(map(mul, self.effects, kind))


def learn_effects(
    columns: Sequence[str], kinds: Sequence[Sequence[float]], places: Sequence[float], unknown: float
) -> KindEffects:
    """Return what kinds do, by where records lie among what was expected of them.

    How strong each group of traits is, the likelihood of the player's own records says. Of what is common to most
    players `unknown` is the share that statistics of all players do not tell already.
    """
    common = [_COMMON.get(column, 0.0) * unknown for column in columns]
    if len(kinds) < _FEWEST_RECORDS:
        return KindEffects(common, 1.0)
    rests = [place - sum(map(mul, common, kind)) for place, kind in zip(places, kinds, strict=True)]
    variance = max(_LEAST_VARIANCE, fmean(rest * rest for rest in rests))
    table = list(zip(*kinds, strict=True))
    products = [[each / variance for each in row] for row in column_products(table, table)]
    right = [sum(map(mul, column, rests)) / variance for column in table]
    sizes = _likeliest_sizes(_groups(columns), products, right)
    free, effects = _effects(sizes, products, right)
    left = fmean((rest - sum(map(mul, effects, kind))) ** 2 for rest, kind in zip(rests, kinds, strict=True))
    # As if no record had been looked at: what was learnt explains too much of them.
    width = sqrt(left / fmean(place * place for place in places)) / max(_LEAST_FREE, 1 - free / len(kinds))
    total = [one + other for one, other in zip(effects, common, strict=True)]
    return KindEffects(total, max(_LEAST_WIDTH, min(1.0, width)))


def _groups(columns: Sequence[str]) -> list[int]:
    """Return for each column the number of its group: note density, tempo and era by themselves, all others together."""
    alone = [DENSITY, TEMPO, ERA]
    return [alone.index(column) if column in alone else len(alone) for column in columns]


def _likeliest_sizes(
    groups: Sequence[int], products: Sequence[Sequence[float]], right: Sequence[float]
) -> list[float]:
    best = dict.fromkeys(groups, _SIZES[0])
    for _ in range(_TURNS):
        for group in best:
            tried = [({**best, group: size}) for size in _SIZES]
            best = max(tried, key=lambda sizes: _evidence(sizes, groups, products, right))
    return [best[group] for group in groups]


def _evidence(
    by_group: Mapping[int, float],
    groups: Sequence[int],
    products: Sequence[Sequence[float]],
    right: Sequence[float],
) -> float:
    """Return how likely the records are if traits are so strong: a logarithm, large effects being rare."""
    sizes = [by_group[group] for group in groups]
    root = square_root(_scaled(sizes, products))
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
    """Return how many effects were in effect learnt, and the effects."""
    root = square_root(_scaled(sizes, products))
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
    traits: Sequence[str], controls: int, kinds: Sequence[Sequence[float]], places: Sequence[float]
) -> list[tuple[str, float, float, int, bool]]:
    """Return each trait with its effect in spreads, its standard error, the records behind it, and whether to tell it.

    Traits are claimed one after another, the clearest first, each beside those claimed before it and beside the last
    `controls` columns of a kind, which are told of nobody: so one weakness is not told by several names.
    """
    columns = [list(column) for column in zip(*kinds, strict=True)] or [
        [] for _ in range(len(traits) + controls)
    ]
    held = columns[len(traits) :]
    usable = {
        at: trait
        for at, trait in enumerate(traits)
        if sum(value != 0 for value in columns[at]) >= _FEWEST_OF_TRAIT
    }
    claimed: dict[int, tuple[float, float]] = {}
    tested = {at: each for at in usable if (each := _contrast(columns[at], held, places)) is not None}
    while left := {at: each for at, each in tested.items() if at not in claimed}:
        at, (effect, error) = min(left.items(), key=lambda pair: _chance_of_none(traits[pair[0]], *pair[1]))
        limit = _FALSE_SHARE * (len(claimed) + 1) / len(usable)
        if _chance_of_none(traits[at], effect, error) > limit:
            break
        claimed[at] = effect, error
        held = [*held, columns[at]]
        again = {each: _contrast(columns[each], held, places) for each in left if each != at}
        tested = {**claimed, **{each: found for each, found in again.items() if found is not None}}
    return [
        (trait, *claimed.get(at, tested.get(at, (0.0, 0.0))), sum(map(bool, columns[at])), at in claimed)
        for at, trait in enumerate(traits)
    ]


def _contrast(
    column: Sequence[float], held: Sequence[Sequence[float]], places: Sequence[float]
) -> tuple[float, float] | None:
    """Return the effect of a trait beside what others explain, and its standard error; None where too little is known."""
    others = [[1.0, *row] for row in zip(*held, strict=True)] if held else [[1.0]] * len(places)
    weights, pulls = [1.0] * len(places), [1e-6] * (len(held) + 1)
    own = Regression(others, column, weights, pulls)
    rest = [value - own.explain(row) for value, row in zip(column, others, strict=True)]
    span = sum(value * value for value in rest)
    if span < _LEAST_SPAN:
        return None
    base = Regression(others, places, weights, pulls)
    wanting = [place - base.explain(row) for place, row in zip(places, others, strict=True)]
    effect = sum(map(mul, rest, wanting)) / span
    left = [value - effect * step for value, step in zip(wanting, rest, strict=True)]
    robust = sqrt(sum((step * value) ** 2 for step, value in zip(rest, left, strict=True))) / span
    usual = sqrt(fmean(value * value for value in left) / span)
    return effect, max(robust, usual)


def _chance_of_none(trait: str, effect: float, error: float) -> float:
    """Return how likely so strong an effect is of a player who has it no more than most have."""
    common = _COMMON.get(trait, 0.0)
    beyond = max(min(common, 0.0) - effect, effect - max(common, 0.0), 0.0)
    return 2 * _BELL.cdf(-beyond / error) if error else 1.0
