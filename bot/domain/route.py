"""The likeliest way to a best average: a few charts, and how far to raise each, so that one try each is enough.

The places of the best slot that are given up are always its lowest ones. With the lowest `p` places in play,
exactly `p` charts are raised among those places and the charts outside, and some of the other places on top of
that: two independent choices, each a knapsack over the ratings of its charts. What is packed is the gain, and what
it costs is the logarithm of the chance, for those of one try each multiply.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import nlargest, nsmallest
from itertools import accumulate, chain
from math import ceil, inf, log, prod, sqrt
from operator import add
from typing import Final, NamedTuple, TypeAlias

from bot.domain.charts import Difficulty
from bot.domain.coach import Prediction
from bot.domain.ids import SongId
from bot.domain.numbers import Hundredths
from bot.domain.plan import ChartKey, OpenChart, PlanStep, Slots, chart_key, open_charts, step_to
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score, song_rating

EXACT: Final = Hundredths(1)
"""The unit in which no way goes unseen."""
MOST_STEPS: Final = 8
LEAST_CHANCE: Final = 0.01
"""Of a whole way: what comes true more seldom is out of reach."""
_DEAREST: Final = -log(LEAST_CHANCE)
_PRICES: Final = (5, 10, 20, 40, 80, 160)
"""Hundredths, for a way that is less likely by a factor of e."""
_MOST_LOOKS: Final = 60_000
"""Ratings of charts whose chance is asked for."""
_MOST_WORK: Final = 10_000_000
"""Costs that are compared: about a second's work."""
_PER_CHART: Final = 4
"""What keeping the costs of one more chart is worth beside comparing them."""

_Costs: TypeAlias = Sequence[float]
"""By the least gain, in hundredths: what it costs; infinity where it cannot be had."""
_Options: TypeAlias = "dict[ChartKey, list[_Option]]"
"""Charts, and what may be reached on each, the least first."""
_Raised: TypeAlias = dict[ChartKey, Hundredths]
"""Charts, and the ratings to raise them to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanRoute:
    """Charts to raise, all of them, and what comes of it."""

    steps: tuple[PlanStep, ...]
    """The likeliest first; empty where the target is reached already, or nothing is likely to be gained."""
    sum: int
    """Of the ratings in the best slot afterwards, in hundredths; below the target where that is out of reach."""
    chance: float
    """That one try on each is enough."""
    unit: Hundredths
    """In what steps of a song rating it was looked for: of more than one hundredth, a likelier way may exist."""


def likeliest_route(
    slots: Slots,
    outlooks: Mapping[tuple[SongId, Difficulty], Prediction],
    target: int,
    most: int = MOST_STEPS,
) -> PlanRoute:
    """Return how the best slot's sum is likeliest to come to `target` hundredths by so many charts at most.

    Where no way is likely enough, the one that leads furthest of those that are.
    """
    if slots.sum >= target:
        return PlanRoute(steps=(), sum=slots.sum, chance=1.0, unit=EXACT)
    search = _Search(slots, outlooks, most, target - slots.sum)
    raised = search.find()
    steps = [search.step(key, rating) for key, rating in raised.items()]
    return PlanRoute(
        steps=tuple(sorted(steps, key=lambda step: (-(step.chance or 0.0), step.record.title))),
        sum=_sum(slots, raised),
        chance=prod(step.chance or 0.0 for step in steps),
        unit=search.unit,
    )


class _Option(NamedTuple):
    """One rating of a chart."""

    gain: int
    """Over what the chart's place earns without it, in units, rounded down."""
    cost: float
    """The logarithm of its chance, the less likely the higher."""
    rating: Hundredths


class _Pack:
    """Which charts of some are raised, and how far, for the least that each gain costs; a chart is added at a time."""

    def __init__(self, most: int, limit: int, *, is_exact: bool) -> None:
        """Raise none of none; `is_exact` where just so many charts are to be raised, and no fewer."""
        nothing = [0.0, *[inf] * limit]
        never = [inf] * (limit + 1)
        self._states: list[list[_Costs]] = [[nothing, *[never if is_exact else nothing] * most]]
        """After each chart: the costs by how many are raised."""
        self._added: list[tuple[ChartKey, Sequence[_Option]]] = []

    @property
    def charts(self) -> int:
        """How many there are to choose from."""
        return len(self._added)

    def costs(self, charts: int, raised: int) -> _Costs:
        """Return what each gain costs by so many of the first charts."""
        return self._states[charts][raised]

    def add(self, key: ChartKey, options: Sequence[_Option]) -> None:
        """Let the chart be raised too."""
        before = self._states[-1]
        self._states.append([before[0], *map(_with, before[1:], before, [options] * (len(before) - 1))])
        self._added.append((key, options))

    def read(self, charts: int, raised: int, gain: int) -> _Raised:
        """Return which of the first charts are raised, and how far."""
        found: _Raised = {}
        for at in range(charts, 0, -1):
            cost = self._states[at][raised][gain]
            if cost != self._states[at - 1][raised][gain]:
                key, options = self._added[at - 1]
                fewer = self._states[at - 1][raised - 1]
                option = next(each for each in options if fewer[max(0, gain - each.gain)] + each.cost == cost)
                found[key] = option.rating
                raised, gain = raised - 1, max(0, gain - option.gain)
        return found


def _with(costs: _Costs, fewer: _Costs, options: Iterable[_Option]) -> _Costs:
    """Return what each gain costs where one more chart may be raised, to one of its ratings."""
    for option in options:
        gain = min(option.gain, len(fewer) - 1)
        more = option.cost
        shifted = chain([fewer[0]] * gain, fewer)
        costs = [
            cost if cost < (other := rest + more) else other
            for cost, rest in zip(costs, shifted, strict=False)
        ]
    return costs


def _furthest(charts: Sequence[Sequence[_Option]], most: int, unit: int) -> int:
    """Return what no likely way gains more than: at any price of likelihood, the dearest way and the best bargains."""
    return min(
        int(price * _DEAREST + sum(nlargest(most, (_bargain(options, price) for options in charts))))
        for price in (hundredths / unit for hundredths in _PRICES)
    )


def _bargain(options: Iterable[_Option], price: float) -> float:
    return max(0.0, *(each.gain - price * each.cost for each in options), 0.0)


class _Split(NamedTuple):
    """How a gain is come by."""

    cost: float
    given_up: int
    """Places."""
    entering: int
    """What those gain that are raised in their stead."""
    raising: int
    """What those above gain."""


class _Search:
    """One question: which charts, and how far."""

    def __init__(
        self, slots: Slots, outlooks: Mapping[tuple[SongId, Difficulty], Prediction], most: int, wanted: int
    ) -> None:
        self._slots = slots
        self._most = min(most, len(slots.best))
        self._charts = {chart_key(chart.record): chart for chart in open_charts(slots)}
        self._outlooks = outlooks
        places = sorted(slots.best, key=lambda record: record.rating)
        self._places = [chart_key(record) for record in places]
        """The best slot, lowest first."""
        self._lost = list(
            accumulate((record.rating - slots.last for record in places[: self._most]), initial=0)
        )
        """What the lowest places lose, by how many are in play, in hundredths."""
        self._least_score = cache(least_score)
        self.unit = EXACT
        while (options := self._look(wanted)) is None:
            pass
        outside, given_up, inside = options
        self._entering = _Pack(self._most, self._limit, is_exact=True)
        for key, each in outside.items():
            self._entering.add(key, each)
        self._outside = self._entering.charts
        for key, each in given_up.items():
            self._entering.add(key, each)
        self._raising = _Pack(self._most, self._limit, is_exact=False)
        for key in reversed(self._places):
            self._raising.add(key, inside[key])

    def _look(self, wanted: int) -> tuple[_Options, _Options, _Options] | None:
        """Return what may be reached outside, in the places that may be given up, and in all places.

        None where that is too much to look through in such units; the next look is in larger ones.
        """
        self._wanted = -(-wanted // self.unit)
        self._given_up = [-(-lost // self.unit) for lost in self._lost]
        self._limit = self._wanted + self._given_up[-1]
        self._looks = 0
        last = self._slots.last
        outside = {key: last for key, chart in self._charts.items() if not chart.is_in_best}
        given_up = dict.fromkeys(self._places[: self._most], last)
        inside = {
            key: self._charts[key].floor if key in self._charts else last for key in reversed(self._places)
        }
        found: list[_Options] = []
        for number, bases in enumerate((inside, given_up, outside)):
            found.append({})
            for at, (key, base) in enumerate(bases.items()):
                found[number][key] = self._options(key, base)
                if self._looks > _MOST_LOOKS:
                    # As much more as there are charts left to look at.
                    self.unit = Hundredths(self.unit * max(2, len(bases) // (at + 1)))
                    return None
        inside_options, given_up_options, all_outside = found
        outside_options = self._worthwhile(all_outside)
        charts = [*outside_options.values(), *inside_options.values()]
        self._wanted = min(self._wanted, _furthest(charts, self._most, self.unit))
        self._limit = self._wanted + self._given_up[-1]
        work = self._most * self._limit * sum(_PER_CHART + len(each) for each in charts)
        if work > _MOST_WORK:
            self.unit = Hundredths(self.unit * ceil(sqrt(work / _MOST_WORK)))
            return None
        return outside_options, given_up_options, inside_options

    def _options(self, key: ChartKey, base: Hundredths) -> list[_Option]:
        """Return what may be reached on a chart that earns more than `base`, the least first."""
        chart, options = self._charts.get(key), list[_Option]()
        if chart is None:
            return options
        above = max(base, chart.record.rating) + 1
        first = base + -(-(above - base) // self.unit) * self.unit
        most = song_rating(chart.constant, MAX_SCORE, self._slots.region)
        # What gains more than is needed at all is only less likely.
        ratings = range(first, min(most, max(first, base + self._limit * self.unit)) + 1, self.unit)
        for rating in map(Hundredths, ratings[: _MOST_LOOKS + 1 - self._looks]):
            self._looks += 1
            chance = self._chance(key, self._score(chart, rating))
            if chance < LEAST_CHANCE:
                break
            options.append(_Option((rating - base) // self.unit, -log(chance), rating))
        return options

    def _score(self, chart: OpenChart, rating: Hundredths) -> int:
        least = self._least_score(chart.constant, rating, self._slots.region)
        return max(least or 0, chart.record.score + 1)

    def _chance(self, key: ChartKey, score: int) -> float:
        song, difficulty = key
        outlook = None if song is None else self._outlooks.get((song, difficulty))
        return 0.0 if outlook is None else outlook.next_try.chance(score)

    def _worthwhile(self, options: _Options) -> _Options:
        """Leave out what so many other charts gain as likely that one of them is always free."""
        costs = defaultdict[int, list[float]](list)
        for each in chain.from_iterable(options.values()):
            costs[each.gain].append(each.cost)
        dearest = {gain: nsmallest(self._most, each)[-1] for gain, each in costs.items()}
        kept = {
            key: [each for each in theirs if each.cost <= dearest[each.gain]]
            for key, theirs in options.items()
        }
        return {key: theirs for key, theirs in kept.items() if theirs}

    def find(self) -> _Raised:
        """Return the likeliest way to what is wanted, or to as much of it as is likely enough."""
        furthest = (
            bisect_right(range(self._wanted + 1), _DEAREST, key=lambda gain: self._split(gain).cost) - 1
        )
        _, given_up, entering, raising = self._split(furthest)
        return {
            **self._entering.read(self._outside + given_up, given_up, entering),
            **self._raising.read(len(self._places) - given_up, self._most - given_up, raising),
        }

    def _split(self, gain: int) -> _Split:
        """Return how many places to give up, and what to gain in them and above, for the least that it costs."""
        return min(self._splits(gain))

    def _splits(self, gain: int) -> Iterator[_Split]:
        for given_up, lost in enumerate(self._given_up):
            needed = gain + lost
            entering = self._entering.costs(self._outside + given_up, given_up)[: needed + 1]
            raising = self._raising.costs(len(self._places) - given_up, self._most - given_up)[: needed + 1]
            costs = [*map(add, entering, reversed(raising))]
            cheapest = min(costs)
            yield _Split(cheapest, given_up, costs.index(cheapest), needed - costs.index(cheapest))

    def step(self, key: ChartKey, rating: Hundredths) -> PlanStep:
        """Return what is to be scored on a chart."""
        chart = self._charts[key]
        score = self._score(chart, rating)
        return replace(step_to(chart, score, self._slots.region), chance=self._chance(key, score))


def _sum(slots: Slots, raised: Mapping[ChartKey, Hundredths]) -> int:
    """Return the sum of the best slot with some charts raised."""
    records = {chart_key(record): record.rating for record in (*slots.best, *slots.outside)}
    return sum(nlargest(len(slots.best), (raised.get(key, rating) for key, rating in records.items())))
