"""The shortest way to a best average: the fewest charts to raise, and little to raise on each.

The places of the best slot that are given up are always its lowest ones. With the lowest `p` places in play,
exactly `p` charts are raised among those places and the charts outside, and any of the other places on top of
that: two independent choices, each a knapsack over the ranks of its charts.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.numbers import Hundredths
from bot.domain.plan import ChartKey, OpenChart, Slots, Step, chart_key, goals, open_charts, step_to
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score, song_rating

Trail: TypeAlias = "tuple[ChartKey, Hundredths, Trail] | None"
"""Charts and the ratings to raise them to, the last chosen first."""

_Row: TypeAlias = dict[int, tuple[int, Trail]]
"""By gain: the fewest points that it takes, and how."""

_Raised: TypeAlias = dict[ChartKey, Hundredths]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Charts to raise, all of them, and what comes of it."""

    steps: tuple[Step, ...]
    """The fewest points first; empty where the target is reached already."""
    sum: int
    """Of the ratings in the best slot afterwards, in hundredths."""


def greatest_sum(slots: Slots) -> int:
    """Return the sum of the best slot when every chart of the slots earns all it can, in hundredths."""
    charts = {chart_key(chart.record): chart for chart in open_charts(slots)}
    raised = {key: _most(chart, slots) for key, chart in charts.items()}
    return _sum(slots, raised)


def shortest_route(slots: Slots, target: int) -> Route | None:
    """Return how the best slot's sum comes to `target` hundredths or more, or None if it cannot.

    No way has fewer steps. Among those, one that takes the fewest points in whole ranks is chosen, and then each
    step is lowered, or moved to another chart, as long as that saves points.
    """
    if slots.sum >= target:
        return Route(steps=(), sum=slots.sum)
    charts = {chart_key(chart.record): chart for chart in open_charts(slots)}
    search = _Search(slots, charts, target - slots.sum)
    count = search.fewest()
    if count is None:
        return None
    raised = _lowered(slots, charts, search.cheapest(count), target)
    found = [_step(charts[key], rating, slots) for key, rating in raised.items()]
    ordered = sorted(found, key=lambda step: (step.missing, step.record.title))
    return Route(steps=tuple(ordered), sum=_sum(slots, raised))


class _Search:
    """One question: which charts, and to which ranks."""

    def __init__(self, slots: Slots, charts: Mapping[ChartKey, OpenChart], wanted: int) -> None:
        self._wanted = wanted
        places = sorted(slots.best, key=lambda record: record.rating)
        self._places = [charts.get(chart_key(record)) for record in places]
        """The best slot, lowest first; None where the chart cannot be raised."""
        self._outside = [chart for chart in charts.values() if not chart.is_in_best]
        self._region = slots.region
        self._last = slots.last
        self._given_up = [record.rating - slots.last for record in places]

    def fewest(self) -> int | None:
        """Return the least number of charts that is enough."""
        for count in range(1, len(self._places) + 1):
            if any(self._greatest(count, given_up) >= self._wanted for given_up in range(count + 1)):
                return count
        return None

    def _greatest(self, count: int, given_up: int) -> int:
        """Return the most that `count` charts gain with the lowest places in play; below 0 where too few are."""
        low = [*self._outside, *(chart for chart in self._places[:given_up] if chart)]
        inside = sorted((self._most_gain(chart, self._last) for chart in low), reverse=True)
        if len([gain for gain in inside if gain > 0]) < given_up:
            return -1
        high = [chart for chart in self._places[given_up:] if chart]
        above = sorted((self._most_gain(chart, chart.floor) for chart in high), reverse=True)
        entered = sum(inside[:given_up]) - sum(self._given_up[:given_up])
        return entered + sum(above[: count - given_up])

    def _most_gain(self, chart: OpenChart, base: Hundredths) -> int:
        ratings = [rating for _score, rating in goals(chart, self._region)]
        return max(ratings, default=base) - base

    def cheapest(self, count: int) -> _Raised:
        """Return the ranks that are enough with `count` charts and take the fewest points."""
        limit = self._wanted + sum(self._given_up[:count])
        entering = self._entering(count, limit)
        raising = self._raising(count, limit)
        found: list[tuple[int, _Raised]] = []
        for given_up in range(count + 1):
            wanted = self._wanted + sum(self._given_up[:given_up])
            pair = _cheapest_pair(entering[given_up], raising[given_up], wanted)
            if pair is not None:
                found.append(pair)
        return min(found, key=lambda pair: pair[0])[1]

    def _entering(self, count: int, limit: int) -> list[_Row]:
        """Return for each number of places in play the ways to raise just as many charts into them."""
        rows: list[_Row] = [{0: (0, None)}, *({} for _ in range(count))]
        for chart in self._outside:
            _add(rows, chart, self._options(chart, self._last), limit)
        found = [rows[0]]
        for given_up, chart in enumerate(self._places[:count], start=1):
            if chart:
                _add(rows, chart, self._options(chart, self._last), limit)
            found.append(dict(rows[given_up]))
        return found

    def _raising(self, count: int, limit: int) -> list[_Row]:
        """Return for each number of places in play the ways to raise the rest of the charts above them."""
        rows: list[_Row] = [{0: (0, None)}, *({} for _ in range(count))]
        found: dict[int, _Row] = {}
        for given_up in range(len(self._places), -1, -1):
            chart = self._places[given_up] if given_up < len(self._places) else None
            if chart:
                _add(rows, chart, self._options(chart, chart.floor), limit)
            if given_up <= count:
                found[given_up] = dict(rows[count - given_up])
        return [found[given_up] for given_up in range(count + 1)]

    def _options(self, chart: OpenChart, base: Hundredths) -> list[tuple[int, int, Hundredths]]:
        """Return a chart's ranks as gain over `base`, points and rating."""
        return [
            (rating - base, score - chart.record.score, rating)
            for score, rating in goals(chart, self._region)
        ]


def _add(rows: list[_Row], chart: OpenChart, options: list[tuple[int, int, Hundredths]], limit: int) -> None:
    """Let every way that leaves the chart out also take it, at each of its ranks."""
    key = chart_key(chart.record)
    for taken in range(len(rows) - 1, 0, -1):
        row = rows[taken]
        for gain, (points, trail) in rows[taken - 1].items():
            for more, cost, rating in options:
                reached = min(limit, gain + more)
                if reached not in row or points + cost < row[reached][0]:
                    row[reached] = (points + cost, (key, rating, trail))
        rows[taken] = _without_waste(row)


def _without_waste(row: _Row) -> _Row:
    """Leave out what gains less for as many points or more."""
    kept: _Row = {}
    least: int | None = None
    for gain in sorted(row, reverse=True):
        if least is None or row[gain][0] < least:
            least = row[gain][0]
            kept[gain] = row[gain]
    return kept


def _cheapest_pair(one: _Row, other: _Row, wanted: int) -> tuple[int, _Raised] | None:
    gains = sorted(other)  # the more a way gains, the more points it takes: nothing else was kept
    best: tuple[int, Trail, Trail] | None = None
    for gain, (points, trail) in one.items():
        place = bisect_left(gains, wanted - gain)
        if place < len(gains):
            more, further = other[gains[place]]
            if best is None or points + more < best[0]:
                best = points + more, trail, further
    return None if best is None else (best[0], {**_read(best[1]), **_read(best[2])})


def _read(trail: Trail) -> _Raised:
    raised: _Raised = {}
    while trail is not None:
        key, rating, trail = trail
        raised[key] = rating
    return raised


def _lowered(slots: Slots, charts: Mapping[ChartKey, OpenChart], raised: _Raised, target: int) -> _Raised:
    """Lower each step to what the others leave to it, on whichever chart that takes the fewest points."""
    is_settled = False
    while not is_settled:
        is_settled = True
        for key in list(raised):
            others = {other: rating for other, rating in raised.items() if other != key}
            now = _points(charts[key], raised[key], slots)
            points, chosen, rating = min(
                _choices(slots, charts, others, target), key=lambda choice: choice[0]
            )
            if now is None or points < now:
                raised = {**others, chosen: rating}
                is_settled = False
    return raised


def _choices(
    slots: Slots, charts: Mapping[ChartKey, OpenChart], others: _Raised, target: int
) -> Iterable[tuple[int, ChartKey, Hundredths]]:
    """Yield the charts that can do the rest alone, with the points it takes and the rating to reach."""
    for key, chart in charts.items():
        if key in others:
            continue
        rating = Hundredths(target - _sum(slots, others, without=key))
        points = _points(chart, rating, slots)
        if points is not None:
            yield points, key, rating


def _points(chart: OpenChart, rating: Hundredths, slots: Slots) -> int | None:
    score = least_score(chart.constant, rating, slots.region)
    return None if score is None or rating <= chart.record.rating else max(1, score - chart.record.score)


def _most(chart: OpenChart, slots: Slots) -> Hundredths:
    return max(chart.record.rating, song_rating(chart.constant, MAX_SCORE, slots.region))


def _sum(slots: Slots, raised: Mapping[ChartKey, Hundredths], *, without: ChartKey | None = None) -> int:
    """Return the sum of the best slot with some charts raised; one of its places is kept for a chart `without`."""
    records = {chart_key(record): record.rating for record in (*slots.best, *slots.outside)}
    ratings = sorted(
        (raised.get(key, rating) for key, rating in records.items() if key != without), reverse=True
    )
    return sum(ratings[: len(slots.best) - (without is not None)])


def _step(chart: OpenChart, rating: Hundredths, slots: Slots) -> Step:
    score = least_score(chart.constant, rating, slots.region)
    return step_to(chart, max(score or 0, chart.record.score + 1), slots.region)
