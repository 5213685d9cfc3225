"""Least squares shrunk towards zero (ridge regression), for a few columns and thousands of rows.

This is our own code because a library for it would be half as large as everything else that is installed.
"""

from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import Final

_MIN_PIVOT: Final = 1e-9
"""The least pivot: it prevents a division by zero if a column is a sum of others; the pull limits its effect."""


class Regression:
    """The coefficients that explain `values` best, with a prior around zero."""

    def __init__(
        self,
        rows: Sequence[Sequence[float]],
        values: Sequence[float],
        weights: Sequence[float],
        pulls: Sequence[float],
    ) -> None:
        """Fit values by their rows. Each column has a pull, which is worth that many rows of one with the value zero."""
        columns = list(zip(*rows, strict=True)) or [()] * len(pulls)
        weighted = [tuple(map(mul, column, weights)) for column in columns]
        products = column_products(columns, weighted)
        for at, pull in enumerate(pulls):
            products[at][at] += pull
        self._root = cholesky(products)
        solved = solve_forward(self._root, [sum(map(mul, column, values)) for column in weighted])
        self.coefficients = self._backward(solved)

    def explain(self, row: Sequence[float]) -> float:
        """Return the expected value of a row."""
        return sum(map(mul, self.coefficients, row))

    def leverage(self, row: Sequence[float]) -> float:
        """Return the variance of `explain(row)`, as a multiple of the variance of one value of weight 1."""
        return sum(part * part for part in solve_forward(self._root, row))

    def _backward(self, right: list[float]) -> list[float]:
        found = right.copy()
        for at in reversed(range(len(found))):
            found[at] /= self._root[at][at]
            for before in range(at):
                found[before] -= self._root[at][before] * found[at]
        return found


def column_products(
    columns: Sequence[Sequence[float]], weighted: Sequence[Sequence[float]]
) -> list[list[float]]:
    """Return the lower triangle of all products of a column with a weighted one."""
    return [
        [sum(map(mul, one, other), 0.0) for other in columns[: at + 1]] for at, one in enumerate(weighted)
    ]


def solve_forward(root: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a lower triangular system of equations."""
    found: list[float] = []
    for row, value in zip(root, right, strict=True):
        found.append((value - sum(map(mul, row, found))) / row[-1])
    return found


def cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Return the lower triangular Cholesky factor of a symmetric matrix, given by its lower triangle."""
    root: list[list[float]] = []
    for at, given in enumerate(matrix):
        row: list[float] = []
        for value, above in zip(given[:at], root, strict=True):
            row.append((value - sum(map(mul, row, above))) / above[-1])
        row.append(sqrt(max(given[at] - sum(part * part for part in row), _MIN_PIVOT)))
        root.append(row)
    return root
