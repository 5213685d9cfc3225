from collections.abc import Iterator
from itertools import combinations, product

from careers import record, slots
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.plan import OpenChart, Slots, chart_key, open_charts
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score, song_rating
from bot.domain.route import greatest_sum, shortest_route

played = st.tuples(st.integers(1400, 1412), st.integers(1_008_000, 1_009_200))
rough = st.tuples(st.integers(1300, 1500), st.integers(960_000, MAX_SCORE))
small_cases = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def slots_from(pairs: list[tuple[int, int]], places: int) -> Slots:
    records = [record(f"song {number:02}", constant, score) for number, (constant, score) in enumerate(pairs)]
    records.sort(key=lambda each: -each.rating)
    return slots(records[:places], records[places:])


def raises(chart: OpenChart) -> list[tuple[int, int]]:
    """Return every rating that a chart can still earn, with the points that it takes."""
    most = song_rating(chart.constant, MAX_SCORE, JP2)
    scores = {
        rating: least_score(chart.constant, Hundredths(rating), JP2) or 0
        for rating in range(chart.record.rating + 1, most + 1)
    }
    return [(rating, score - chart.record.score) for rating, score in scores.items()]


def ways(planned: Slots, count: int) -> Iterator[tuple[int, int]]:
    """Yield what every way to raise `count` charts comes to: the sum of the slot, and the points it takes."""
    charts = list(open_charts(planned))
    for chosen in combinations(charts, count):
        keys = {chart_key(chart.record) for chart in chosen}
        rest = [each.rating for each in (*planned.best, *planned.outside) if chart_key(each) not in keys]
        for picked in product(*(raises(chart) for chart in chosen)):
            ratings = sorted([*rest, *(rating for rating, _points in picked)], reverse=True)
            yield sum(ratings[: len(planned.best)]), sum(points for _rating, points in picked)


def brute_force(planned: Slots, target: int) -> tuple[int, int] | None:
    """Return the fewest charts, and the fewest points with so many; None where nothing is enough."""
    for count in range(len(planned.best) + len(planned.outside) + 1):
        points = [points for total, points in ways(planned, count) if total >= target]
        if points:
            return count, min(points)
    return None


@given(st.lists(played, min_size=1, max_size=4), st.integers(1, 3), st.integers(1, 40))
@small_cases
def test_no_way_has_fewer_steps_and_none_with_so_many_takes_fewer_points(
    pairs: list[tuple[int, int]], places: int, wanted: int
) -> None:
    planned = slots_from(pairs, places)
    target = planned.sum + wanted
    expected = brute_force(planned, target)
    route = shortest_route(planned, target)
    if route is None or expected is None:
        assert route is expected is None
        return
    count, points = expected
    assert len(route.steps) == count
    assert sum(step.missing for step in route.steps) == points
    assert route.sum >= target


def played_through(planned: Slots, scores: dict[object, int]) -> int:
    """Return the slot's sum once every score has been played: by sorting everything anew."""
    ratings = [
        max(each.rating, song_rating(each.constant or Hundredths(0), scores.get(each.song_id, 0), JP2))
        for each in (*planned.best, *planned.outside)
    ]
    return sum(sorted(ratings, reverse=True)[: len(planned.best)])


@given(st.lists(rough, min_size=1, max_size=12), st.integers(1, 6), st.integers(1, 1500))
def test_a_route_leads_to_the_target_and_no_step_of_it_is_too_high(
    pairs: list[tuple[int, int]], places: int, wanted: int
) -> None:
    planned = slots_from(pairs, places)
    target = planned.sum + wanted
    route = shortest_route(planned, target)
    assert (route is None) == (greatest_sum(planned) < target)
    if route is None:
        return
    scores: dict[object, int] = {step.record.song_id: step.score for step in route.steps}
    assert len(scores) == len(route.steps)
    assert played_through(planned, scores) == route.sum >= target
    for step in route.steps:
        lower = {**scores, step.record.song_id: step.score - 1}
        assert played_through(planned, lower) < target


def test_a_target_that_is_reached_needs_no_step() -> None:
    planned = slots([record("a", 1400, 1_000_000)], [])
    route = shortest_route(planned, planned.sum)
    assert route is not None
    assert route.steps == ()


def test_what_the_slots_cannot_reach() -> None:
    planned = slots([record("a", 1400, 1_000_000), record("b", 1400, 1_009_000)], [record("c", 1399, 0)])
    assert greatest_sum(planned) == 2 * 1615
    assert shortest_route(planned, 2 * 1615) is not None
    assert shortest_route(planned, 2 * 1615 + 1) is None
    assert shortest_route(slots([], []), 1) is None


def test_a_full_account_is_planned_in_a_moment() -> None:
    best = [record(f"best {number}", 1490 - number * 2, 1_006_000 + number * 7) for number in range(30)]
    outside = [record(f"out {number}", 1460 + number, 1_000_000 - number * 900) for number in range(40)]
    planned = slots(best, outside)
    for share in (1, 5, 20, 50, 80, 99):
        route = shortest_route(planned, planned.sum + (greatest_sum(planned) - planned.sum) * share // 100)
        assert route is not None
        assert 1 <= len(route.steps) <= 30
