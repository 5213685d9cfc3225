"""The charts that pass a filter, in rows, as players tick them off."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final, TypeAlias

from bot.domain.charts import difficulty_order
from bot.domain.entries import ChartEntry
from bot.domain.numbers import Hundredths

MAX_TABLE_CHARTS: Final = 400
"""The most charts of one picture."""


@dataclass(frozen=True, slots=True)
class CompletionRow:
    """The charts of one constant."""

    constant: Hundredths | None
    """None if it is unknown: the row is then for a level, which is 0 for World's End."""
    is_estimated: bool
    is_hosts: bool
    level: Hundredths
    entries: tuple[ChartEntry, ...]


def completion_rows(entries: Iterable[ChartEntry], *, by_felt: bool = False) -> tuple[CompletionRow, ...]:
    """Return charts by constant, highest first; estimated, the host's and unknown constants have separate rows below.

    `by_felt`: group by the constant that the charts feel like.
    """
    row_of, place_of = (_felt_row, _felt_place) if by_felt else (_row, _place)
    placed = sorted(entries, key=lambda entry: place_of(entry, row_of(entry)))
    return tuple(CompletionRow(*row, tuple(found)) for row, found in groupby(placed, key=row_of))


_RowKey: TypeAlias = tuple[Hundredths | None, bool, bool, Hundredths]


def _felt_row(entry: ChartEntry) -> _RowKey:
    if entry.felt is None:
        return None, True, False, entry.chart.level
    return entry.felt, False, False, Hundredths(0)


def _row(entry: ChartEntry) -> _RowKey:
    chart = entry.chart
    if chart.constant is None:
        return None, True, False, chart.level
    return chart.constant, chart.is_estimated, chart.is_hosts, Hundredths(0)


def _place(entry: ChartEntry, row: _RowKey) -> tuple[int, bool, bool, bool, str, int]:
    constant, is_estimated, is_hosts, level = row
    order = difficulty_order(entry.chart.difficulty)
    return -(constant or level), constant is None, is_estimated, is_hosts, entry.song.title, order


def _felt_place(entry: ChartEntry, row: _RowKey) -> tuple[bool, int, bool, bool, bool, str, int]:
    """Return the sort key of a chart; charts of unknown felt difficulty come last, whatever their level."""
    return row[0] is None, *_place(entry, row)
