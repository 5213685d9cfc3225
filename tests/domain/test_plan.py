from dataclasses import replace

import pytest
from careers import catalogue, outlooks, rating_data, record, slots
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.charts import EXPERT, ULTIMA
from bot.domain.ids import JP, JP2, Region
from bot.domain.plan import Slots, slots_of, steps, with_all_charts
from bot.domain.ranks import MAX_SCORE, ranks_of
from bot.domain.rating import song_rating
from bot.domain.scores import Record

regions = st.sampled_from([JP, JP2])
played = st.tuples(st.integers(900, 1550), st.integers(900_000, MAX_SCORE))


def slots_from(pairs: list[tuple[int, int]], places: int, region: Region) -> Slots:
    """Return slots in which the best of the plays fill the places and the rest stand outside."""
    records = [
        record(f"song {number:02}", constant, score, region=region)
        for number, (constant, score) in enumerate(pairs)
    ]
    records.sort(key=lambda each: -each.rating)
    return slots(records[:places], records[places:], region=region)


def sum_with(given_slots: Slots, changed: Record, score: int) -> int:
    """Return what the best slot adds up to when one chart is played again: by sorting everything anew."""
    assert changed.constant is not None
    ratings = [each.rating for each in (*given_slots.best, *given_slots.outside) if each is not changed]
    ratings.append(max(changed.rating, song_rating(changed.constant, score, given_slots.region)))
    return sum(sorted(ratings, reverse=True)[: len(given_slots.best)])


@given(st.lists(played, min_size=1, max_size=6), st.integers(1, 4), regions)
def test_each_step_is_worth_most_of_what_trying_every_rank_finds(
    pairs: list[tuple[int, int]], places: int, region: Region
) -> None:
    planned = slots_from(pairs, places, region)
    likely = outlooks(planned)
    expected: dict[str, float] = {}
    for each in (*planned.best, *planned.outside):
        assert each.song_id is not None
        worths = [
            (sum_with(planned, each, rank.least_score) - planned.sum)
            * likely[each.song_id, each.difficulty].next_try.chance(rank.least_score)
            for rank in ranks_of(region)
            if rank.least_score > each.score
        ]
        if max(worths, default=0) > 0:
            expected[each.title] = max(worths)
    found = steps(planned, likely)
    assert {step.record.title: step.worth for step in found} == pytest.approx(expected)
    worths = [step.worth for step in found]
    assert worths == sorted(worths, reverse=True)


def test_a_likely_rank_comes_before_one_that_gains_more_and_hardly_comes() -> None:
    level = [record(f"level {number}", 1400, 1_004_000) for number in range(10)]
    undersold = record("undersold", 1400, 985_000)
    overachieved = record("overachieved", 1500, 1_007_400)
    planned = slots([*level, undersold, overachieved], [])
    found = [step.record.title for step in steps(planned, outlooks(planned))]
    assert found[0] == "undersold"
    assert found[-1] == "overachieved"


def test_charts_not_played_and_all_others_that_can_enter_stand_outside() -> None:
    best = [record("first", 1500, 1_009_000), record("last", 1400, 1_000_000)]
    played, candidate = record("played", 1380, 990_000), record("candidate", 1390, 999_000)
    unplayed, unknown, low = (
        record("new", 1420, 0),
        record("unknown", None, 0),
        record("low", 1200, 1_009_000),
    )
    found = with_all_charts(
        slots(best, [candidate]),
        catalogue([*best, played, candidate, unplayed, unknown, low]),
        [*best, played, candidate, low, replace(unplayed, score=1_000_000, is_played=False)],
    )
    assert found.outside[:2] == (candidate, played)
    assert [(each.title, each.score, each.is_played) for each in found.outside[2:]] == [("new", 0, False)]
    empty = with_all_charts(slots(best, [], empty=1), catalogue([low]), [])
    assert [each.title for each in empty.outside] == ["low"]
    (step,) = [step for step in steps(empty, outlooks(empty)) if step.record.title == "low"]
    assert step.gain == step.rating


def test_what_nobody_would_see_is_small() -> None:
    best = [record(f"best {number}", 1500, 1_008_990) for number in range(30)]
    planned = slots(best, [record("far", 1400, 900_000)])
    for step in steps(planned, outlooks(planned)):
        assert step.is_small == (step.worth < 1)


@given(st.lists(played, min_size=1, max_size=6), st.integers(1, 4), regions)
def test_the_least_score_raises_the_average_and_one_point_less_does_not(
    pairs: list[tuple[int, int]], places: int, region: Region
) -> None:
    planned = slots_from(pairs, places, region)
    for step in steps(planned, outlooks(planned)):
        assert step.record.score < step.least <= step.score
        assert sum_with(planned, step.record, step.least) > planned.sum
        assert sum_with(planned, step.record, step.least - 1) == planned.sum
        assert sum_with(planned, step.record, step.score) == planned.sum + step.gain


def test_what_is_maxed_or_unknown_or_hopeless_is_left_out() -> None:
    best = [record("maxed", 1450, 1_009_000), record("open", 1450, 1_005_000)]
    outside = [record("hopeless", 1300, 1_000_000), record("unknown", None, 900_000), record("hope", 1400, 0)]
    planned = slots(best, outside)
    assert {step.record.title for step in steps(planned, outlooks(planned))} == {"open", "hope"}
    maxed = slots([record("maxed", 1450, 1_007_500, region=JP)], [], region=JP)
    assert steps(maxed, outlooks(maxed)) == []


def test_the_slots_are_joined_each_chart_once() -> None:
    best = record("best", 1500, 1_005_000)
    ultima = record("best", 1480, 1_000_000, difficulty=ULTIMA)
    expert = record("other", 1460, 1_000_000, difficulty=EXPERT)
    data = rating_data(
        best=[best], best_candidate=[ultima, expert], best_candidate_sss=[ultima], best_outside=[best, expert]
    )
    found = slots_of(data, JP2)
    assert (found.best, found.outside, found.empty) == ((best,), (ultima, expert), 0)


def test_while_places_are_empty_nothing_stands_outside() -> None:
    best, other = record("best", 1500, 1_005_000), record("other", 1460, 1_000_000)
    found = slots_of(rating_data(best=[best, None, None], best_outside=[other]), JP2)
    assert (found.empty, found.outside) == (2, ())
    assert [step.record.title for step in steps(found, outlooks(found))] == ["best"]


def test_no_records_at_all() -> None:
    found = slots_of(rating_data(), JP2)
    assert (found.sum, found.last, steps(found, {})) == (0, 0, [])


def test_reachable_is_the_best_chart_in_all_recent_places() -> None:
    best = [record(f"song {number}", 1400, 1_000_000) for number in range(29)]
    best.append(record("top", 1500, 1_007_500, region=JP))
    assert slots(best, [], region=JP).reachable == (29 * 1500 + 1700) // 40 + 1700 // 4
    assert slots([], []).reachable == 0
