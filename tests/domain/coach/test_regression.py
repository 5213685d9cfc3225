"""Least squares drawn towards zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.coach.regression import Regression

NUMBERS = st.integers(-1000, 1000).map(lambda number: number / 100)
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=12)


@given(ROWS, st.floats(0.5, 5))
def test_no_step_away_from_the_coefficients_costs_less(rows: list[tuple[float, ...]], pull: float) -> None:
    values = [row[3] for row in rows]
    weights = [1 + (at % 3) for at in range(len(rows))]
    found = Regression([row[:3] for row in rows], values, weights, [pull] * 3).coefficients

    def cost(coefficients: list[float]) -> float:
        return pull * sum(each * each for each in coefficients) + sum(
            weight * (value - sum(one * other for one, other in zip(coefficients, row, strict=False))) ** 2
            for row, value, weight in zip(rows, values, weights, strict=True)
        )

    for at in range(3):
        for step in (-0.01, 0.01):
            moved = [*found]
            moved[at] += step
            assert cost(moved) >= cost(found) - 1e-6


def test_what_no_row_says_is_zero() -> None:
    assert Regression([], [], [], [1.0, 1.0]).coefficients == [0, 0]


def test_the_more_rows_say_the_same_the_less_is_in_doubt() -> None:
    few, many = (Regression([(1.0,)] * rows, [3.0] * rows, [1.0] * rows, [2.0]) for rows in (2, 98))
    assert few.leverage((1.0,)) == pytest.approx(1 / 4)
    assert many.leverage((1.0,)) == pytest.approx(1 / 100)
    assert few.explain((1.0,)) == pytest.approx(1.5)
    assert many.explain((1.0,)) == pytest.approx(2.94)
