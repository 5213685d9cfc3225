"""What was measured, and whether it is as good as it has to be."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Row:
    """A figure of some rounds, and its goal."""

    name: str
    rounds: Sequence[float]
    goal: float | None
    unit: str
    is_floor: bool = False
    """The more, the better."""
    beside: float | None = None
    """The same of the bare bot."""

    @property
    def figure(self) -> float:
        return median(self.rounds)

    @property
    def is_met(self) -> bool:
        if self.goal is None:
            return True
        return self.figure >= self.goal if self.is_floor else self.figure <= self.goal

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "figure": self.figure, "is_met": self.is_met}

    def cells(self) -> tuple[str, str, str, str, str]:
        sign = ">=" if self.is_floor else "<="
        return (
            self.name,
            f"{_short(self.figure)} {self.unit}",
            f"{_short(min(self.rounds))} to {_short(max(self.rounds))}",
            "" if self.beside is None else _short(self.beside),
            ""
            if self.goal is None
            else f"{'met   ' if self.is_met else 'MISSED'} {sign} {_short(self.goal)}",
        )


def _short(figure: float) -> str:
    return f"{figure:.3g}" if abs(figure) < 1000 else f"{figure:,.0f}"


def print_table(rows: Iterable[Row]) -> None:
    cells = [("", "median", "rounds", "bare", "goal"), *(row.cells() for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(5)]
    print()
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print(flush=True)
