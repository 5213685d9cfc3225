from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.coach.monotone import falling_isotonic_fit

_VALUES = st.lists(st.tuples(st.floats(-10, 10), st.floats(0.1, 5)), max_size=30)


@given(_VALUES)
def test_it_never_rises_and_keeps_the_weighted_mean(pairs: list[tuple[float, float]]) -> None:
    values, weights = [value for value, _ in pairs], [weight for _, weight in pairs]
    fit = falling_isotonic_fit(values, weights)
    assert len(fit) == len(values)
    assert all(one >= other for one, other in pairwise(fit))
    totals = (sum(map(float.__mul__, each, weights)) for each in (fit, values))
    assert abs(next(totals) - next(totals)) < 1e-6


def test_what_falls_stays_and_what_rises_meets_in_the_middle() -> None:
    assert falling_isotonic_fit([3, 2, 1], [1, 1, 1]) == [3, 2, 1]
    assert falling_isotonic_fit([1, 4], [1, 2]) == [3, 3]
