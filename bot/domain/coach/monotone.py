"""Isotonic regression: the least squares fit that never rises (pool adjacent violators)."""

from collections.abc import Iterable


def falling_isotonic_fit(values: Iterable[float], weights: Iterable[float]) -> list[float]:
    """Return the values, changed as little as possible by weight, so that none is above its predecessor."""
    levels: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        level, total, count = value, weight, 1
        while levels and levels[-1][0] < level:
            before, before_total, before_count = levels.pop()
            level = (level * total + before * before_total) / (total + before_total)
            total += before_total
            count += before_count
        levels.append((level, total, count))
    return [level for level, _, count in levels for _ in range(count)]
