"""Cutting a list into pages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One page of a list."""

    number: int
    """From 0."""
    count: int
    """Pages in all; 1 for an empty list."""
    start: int
    stop: int
    """The list's items from `start` up to, not including, `stop`."""


def part_of(length: int, size: int, number: int) -> Part:
    """Return page `number`, or the nearest there is."""
    count = max(1, -(-length // size))
    number = min(max(number, 0), count - 1)
    return Part(number, count, number * size, min(length, (number + 1) * size))
