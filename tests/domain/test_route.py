from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from math import prod
from random import Random
from time import thread_time

import pytest
from careers import outlooks, record, slots
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from players import Arcade

from bot.domain import route as routes
from bot.domain.charts import Catalogue
from bot.domain.coach import Prediction
from bot.domain.history import ChartKey
from bot.domain.ids import JP2
from bot.domain.numbers import Hundredths
from bot.domain.plan import OpenChart, Slots, chart_key, open_charts, with_all_charts
from bot.domain.ranks import MAX_SCORE
from bot.domain.rating import least_score, song_rating
from bot.domain.route import EXACT, LEAST_CHANCE, PlanRoute, likeliest_route

played = st.tuples(st.integers(1400, 1450), st.integers(1_006_000, 1_009_200))
rough = st.tuples(st.integers(1300, 1500), st.integers(960_000, MAX_SCORE))
small_cases = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


def slots_from(pairs: list[tuple[int, int]], places: int) -> Slots:
    records = [record(f"song {number:02}", constant, score) for number, (constant, score) in enumerate(pairs)]
    records.sort(key=lambda each: -each.rating)
    return slots(records[:places], records[places:])


def chance_of(found: Mapping[ChartKey, Prediction], chart: OpenChart, score: int) -> float:
    song = chart.record.song_id
    assert song is not None
    return found[song, chart.record.difficulty].next_try.chance(score)


def raises(chart: OpenChart, found: Mapping[ChartKey, Prediction]) -> list[tuple[int, float]]:
    """Return every rating that a chart can still earn, with its chance."""
    most = song_rating(chart.constant, MAX_SCORE, JP2)
    scores = {
        rating: max(least_score(chart.constant, Hundredths(rating), JP2) or 0, chart.record.score + 1)
        for rating in range(chart.record.rating + 1, most + 1)
    }
    return [(rating, chance_of(found, chart, score)) for rating, score in scores.items()]


def ways(planned: Slots, found: Mapping[ChartKey, Prediction], most: int) -> Iterator[tuple[int, float]]:
    """Yield what every way to raise so many charts at most comes to: the sum of the slot, and the chance."""
    charts = list(open_charts(planned))
    for chosen in (each for count in range(most + 1) for each in combinations(charts, count)):
        keys = {chart_key(chart.record) for chart in chosen}
        rest = [each.rating for each in (*planned.best, *planned.outside) if chart_key(each) not in keys]
        for picked in product(*(raises(chart, found) for chart in chosen)):
            ratings = sorted([*rest, *(rating for rating, _chance in picked)], reverse=True)
            yield sum(ratings[: len(planned.best)]), prod(chance for _rating, chance in picked)


@pytest.mark.parametrize("examples", [60, pytest.param(150, marks=pytest.mark.heavy)])
def test_no_way_is_likelier_and_where_none_is_likely_enough_none_leads_further(examples: int) -> None:
    @given(st.lists(played, min_size=1, max_size=5), st.integers(1, 3), st.integers(1, 2), st.integers(1, 80))
    @settings(small_cases, max_examples=examples, database=None, derandomize=examples < 150)
    def check(pairs: list[tuple[int, int]], places: int, most: int, wanted: int) -> None:
        check_that_none_is_likelier(pairs, places, most, wanted)

    check()


def check_that_none_is_likelier(pairs: list[tuple[int, int]], places: int, most: int, wanted: int) -> None:
    planned = slots_from(pairs, places)
    found = outlooks(planned)
    all_ways = [way for way in ways(planned, found, most) if way[1] >= LEAST_CHANCE]
    target = planned.sum + wanted
    route = likeliest_route(planned, found, target, most)
    furthest = min(target, max(total for total, _chance in all_ways))
    assert route.unit == 1
    assert min(route.sum, target) == furthest
    assert route.chance == pytest.approx(max(chance for total, chance in all_ways if total >= furthest))


@pytest.mark.parametrize("wanted", [1, 5])
def test_one_chart_alone_leads_to_what_it_can_gain(wanted: int) -> None:
    planned = slots_from([(1420, 1_006_000)], 1)
    route = likeliest_route(planned, outlooks(planned), planned.sum + wanted)
    assert (route.sum, len(route.steps)) == (planned.sum + wanted, 1)


@pytest.mark.parametrize("examples", [4, pytest.param(25, marks=pytest.mark.heavy)])
def test_a_route_leads_to_what_it_says(examples: int) -> None:
    @given(st.lists(rough, min_size=1, max_size=15), st.integers(1, 10), st.integers(1, 600))
    @settings(max_examples=examples, database=None)
    def check(pairs: list[tuple[int, int]], places: int, wanted: int) -> None:
        check_that_it_leads_there(pairs, places, wanted)

    check()


def check_that_it_leads_there(pairs: list[tuple[int, int]], places: int, wanted: int) -> None:
    planned = slots_from(pairs, places)
    found = outlooks(planned)
    route = likeliest_route(planned, found, planned.sum + wanted)
    scores = {step.record.song_id: step.score for step in route.steps}
    assert len(scores) == len(route.steps) <= 8
    ratings = sorted(
        (
            max(each.rating, song_rating(each.constant or Hundredths(0), scores.get(each.song_id, 0), JP2))
            for each in (*planned.best, *planned.outside)
        ),
        reverse=True,
    )
    assert sum(ratings[: len(planned.best)]) == route.sum
    assert route.chance == pytest.approx(prod(step.chance or 0.0 for step in route.steps))
    assert all(step.score > step.record.score for step in route.steps)
    assert route.chance >= LEAST_CHANCE * 0.999


def test_a_target_that_is_reached_needs_no_step() -> None:
    planned = slots([record("a", 1400, 1_000_000)], [])
    route = likeliest_route(planned, outlooks(planned), planned.sum)
    assert (route.steps, route.sum, route.chance) == ((), planned.sum, 1.0)


def test_where_nothing_can_be_gained_nothing_is_promised() -> None:
    for planned in (slots([record("a", 1400, MAX_SCORE)], [record("b", None, 0)]), slots([], [])):
        route = likeliest_route(planned, outlooks(planned), planned.sum + 1)
        assert (route.steps, route.sum, route.chance) == ((), planned.sum, 1.0)


def newcomer(catalogue: Catalogue, constants: Sequence[int]) -> Slots:
    """Return thirty easy records, beside which nearly every chart of the catalogue helps."""
    best = [record(f"best {at}", constant, 960_000) for at, constant in enumerate(constants)]
    return with_all_charts(slots(best, []), catalogue, ())


def real_sum(planned: Slots, route: PlanRoute) -> int:
    scores = {(step.record.song_id, step.record.difficulty): step.score for step in route.steps}
    ratings = (
        max(each.rating, song_rating(each.constant or Hundredths(0), scores.get(chart_key(each), 0), JP2))
        for each in (*planned.best, *planned.outside)
    )
    return sum(sorted(ratings, reverse=True)[: len(planned.best)])


@pytest.mark.parametrize(("most_looks", "unit"), [(60, 1), (59, 2), (30, 6)])
def test_who_may_look_less_looks_in_larger_steps(
    most_looks: int, unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of six charts has five ratings that help, looked at where it stays and where it is given up."""
    monkeypatch.setattr(routes, "_MOST_LOOKS", most_looks)
    planned = slots_from([(1420, 1_006_000)] * 6, 6)
    assert likeliest_route(planned, outlooks(planned), planned.sum + 5).unit == unit


@pytest.mark.parametrize("wanted", [30, 300, 1_000_000])
def test_where_thousands_of_charts_help_the_search_has_an_end(wanted: int) -> None:
    """Without one it takes half a minute: so much more than the bound that the machine does not matter."""
    planned = newcomer(Arcade(3, songs=1600).catalogue, range(300, 600, 10))
    expected = outlooks(planned, 5.0)
    began = thread_time()
    route = likeliest_route(planned, expected, planned.sum + wanted)
    assert thread_time() - began < 5
    assert route.unit > EXACT
    assert route.steps
    assert real_sum(planned, route) == route.sum
    assert route.sum >= planned.sum + wanted or wanted == 1_000_000
    assert route.chance >= LEAST_CHANCE


def test_numbers_that_no_game_has_do_not_keep_the_search_going() -> None:
    catalogue, chance = Arcade(3, songs=400).catalogue, Random(5)  # noqa: S311 - a test
    odd = Catalogue.of(
        JP2,
        (
            replace(
                song,
                charts=tuple(
                    replace(chart, constant=Hundredths(chance.choice([1, 99_999, 2_000_000])))
                    if chance.random() < 0.05
                    else chart
                    for chart in song.charts
                ),
            )
            for song in catalogue.songs
        ),
    )
    planned = newcomer(odd, [*range(300, 570, 10), 1, 99_999, 2_000_000])
    expected = outlooks(planned, 5.0)
    began = thread_time()
    route = likeliest_route(planned, expected, planned.sum + 1_000_000)
    assert thread_time() - began < 5
    # One point is more than one hundredth on such a chart.
    assert real_sum(planned, route) >= route.sum


def test_who_has_played_much_is_told_the_likeliest_way_of_all() -> None:
    best = [record(f"best {number}", 1490 - number * 2, 1_006_000 + number * 7) for number in range(30)]
    wide = with_all_charts(slots(best, []), Arcade(3, songs=300).catalogue, ())
    assert likeliest_route(wide, outlooks(wide, 15.5), wide.sum + 40).unit == EXACT


def test_every_chart_of_a_catalogue_may_be_on_the_way() -> None:
    arcade = Arcade(3, songs=300)
    best = [record(f"best {number}", 1490 - number * 2, 1_006_000 + number * 7) for number in range(30)]
    planned = slots(best, [])
    wide = with_all_charts(planned, arcade.catalogue, ())
    for wanted in (1, 30, 200, 3000):
        route = likeliest_route(wide, outlooks(wide, 15.5), wide.sum + wanted)
        assert 1 <= len(route.steps) <= 8
        assert (route.sum >= wide.sum + wanted) or wanted == 3000
