"""Reads states: the last look at each day, and the earlier looks."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Integer,
    Row,
    Select,
    bindparam,
    case,
    func,
    literal,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.tables import EARLIER_LOOKS, SNAPSHOTS
from bot.domain.chronicle.packing import UnreadableState, find_mark, unpack
from bot.domain.chronicle.state import PlayerFigures, RecordMark, RecordsState, with_peaks
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId, Region
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.domain.story import ChartLook
from bot.store.earlier import is_whole, seen_at
from bot.store.snapshots import to_average

_logger = logging.getLogger(__name__)

_FOLDED_DAYS: Final = 10
"""Days of a version without peaks in which peaks are looked for."""
_WHOLE: Final = SNAPSHOTS.alias("whole")
_BESIDE: Final = func.coalesce(_WHOLE.c.whole, _WHOLE.c.records)
_DAY: Final = SNAPSHOTS.c
_LOOK: Final = EARLIER_LOOKS.c
_MEMBER: Final = bindparam("member", type_=_DAY.member_id.type)
_REGION: Final = bindparam("region", type_=_DAY.region.type)
_MOMENT: Final = bindparam("moment", type_=_DAY.taken_at.type)
_MAX_LOOKS: Final = bindparam("most", type_=Integer())
_FIGURES: Final = (
    "rating", "highest", "best_average", "new_average", "over_power", "whole_day", "records_at"
)  # fmt: skip


def states_of_days() -> Select[Any]:
    """Return the query for the last looks at days, each with the full state that it refers to."""
    return (
        select(
            _DAY.member_id,
            _DAY.region,
            _DAY.day,
            seen_at.label("taken_at"),
            *(_DAY[name] for name in _FIGURES),
            _DAY.records,
            case((is_whole, None), else_=_BESIDE).label("whole"),
            literal(0).label("place"),
        )
        .join(_WHOLE, _is_whole_of(_DAY))
        .where(_DAY.whole_day.is_not(None))
    )


def states_before_them() -> Select[Any]:
    """Return the query for the earlier looks, with the same columns."""
    return select(
        _LOOK.member_id,
        _LOOK.region,
        _LOOK.day,
        _LOOK.taken_at,
        *(_LOOK[name] for name in _FIGURES),
        func.coalesce(_LOOK.records, _BESIDE).label("records"),
        case((_LOOK.records.is_(None), None), else_=_BESIDE).label("whole"),
        literal(1).label("place"),
    ).join(_WHOLE, _is_whole_of(_LOOK))


class Look(NamedTuple):
    """The figures of one look in stored units, light enough for the thousands in a plot."""

    member: MemberId
    day: date
    taken_at: datetime
    rating: Hundredths
    highest: Hundredths | None
    best_average: int | None
    """The average in ten-thousandths, as all averages."""
    new_average: int | None
    recent_average: int | None
    over_power: OverPower | None


async def read_newest(
    connection: AsyncConnection, member: MemberId, region: Region, *, until: datetime | None, most: int
) -> list[Row[Any]]:
    """Return the newest states up to a moment, the newest first."""
    asked = {"member": member, "region": region, "most": most, "moment": until}
    rows = await _read(connection, _newest(is_bounded=until is not None), asked)
    return rows[::-1][:most]


async def read_oldest(
    connection: AsyncConnection, member: MemberId, region: Region, *, after: datetime | None, most: int
) -> list[Row[Any]]:
    """Return the oldest states after a moment, the oldest first."""
    asked = {"member": member, "region": region, "most": most, "moment": after}
    return (await _read(connection, _oldest(is_bounded=after is not None), asked))[:most]


@cache
def _newest(*, is_bounded: bool) -> CompoundSelect[Any]:
    days, looks = _of_member()
    if is_bounded:
        days, looks = days.where(seen_at <= _MOMENT), looks.where(_LOOK.taken_at <= _MOMENT)
    return _both(
        days.order_by(_DAY.day.desc()).limit(_MAX_LOOKS),
        looks.order_by(_LOOK.taken_at.desc()).limit(_MAX_LOOKS),
    )


@cache
def _oldest(*, is_bounded: bool) -> CompoundSelect[Any]:
    days, looks = _of_member()
    if is_bounded:
        days, looks = days.where(seen_at > _MOMENT), looks.where(_LOOK.taken_at > _MOMENT)
    return _both(days.order_by(_DAY.day).limit(_MAX_LOOKS), looks.order_by(_LOOK.taken_at).limit(_MAX_LOOKS))


def _of_member() -> tuple[Select[Any], Select[Any]]:
    """Return both queries for one member, built once: building them takes longer than running them."""
    return (
        states_of_days().where(_DAY.member_id == _MEMBER, _DAY.region == _REGION),
        states_before_them().where(_LOOK.member_id == _MEMBER, _LOOK.region == _REGION),
    )


async def read_unrated(
    connection: AsyncConnection,
    member: MemberId,
    region: Region,
    *,
    since: date,
    after: datetime | None,
    most: int,
) -> list[Row[Any]]:
    """Return states since a day whose slot of new songs was not computed yet, the oldest first."""
    days = states_of_days().where(
        _DAY.member_id == member, _DAY.region == region, _DAY.day >= since, _DAY.new_average.is_(None)
    )
    looks = states_before_them().where(
        _LOOK.member_id == member, _LOOK.region == region, _LOOK.day >= since, _LOOK.new_average.is_(None)
    )
    if after is not None:
        days, looks = days.where(seen_at > after), looks.where(_LOOK.taken_at > after)
    rows = await read_both(
        connection, days.order_by(_DAY.day).limit(most), looks.order_by(_LOOK.taken_at).limit(most)
    )
    return rows[:most]


async def read_older(connection: AsyncConnection, rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """Return older states in which to look for peaks that `rows`, the newest first, lack; none if they have all."""
    if not rows or rows[-1].records_at is not None:
        return []
    last = rows[-1]
    older = await read_newest(
        connection, last.member_id, last.region, until=last.taken_at, most=_FOLDED_DAYS + 1
    )
    return older[1:]


def to_states(rows: Sequence[Row[Any]], older: Sequence[Row[Any]] = ()) -> list[RecordsState]:
    """Return the readable states of rows; `rows`, `older` and the result have the newest first.

    Each state knows the best seen before it, as far as the `older` rows tell.
    """
    before: RecordsState | None = None
    states: list[RecordsState] = []
    opened: dict[bytes, list[tuple[ChartKey, RecordMark]]] = {}
    for place, row in reversed([*enumerate((*rows, *older))]):
        state = to_state(row, opened)
        if state is None:
            continue
        if before is not None and state.stands_for_day:
            state = with_peaks(state, [before])
        before = state
        if place < len(rows):
            states.append(state)
    return states[::-1]


def to_state(
    row: Row[Any], opened: dict[bytes, list[tuple[ChartKey, RecordMark]]] | None = None
) -> RecordsState | None:
    """Return the state of a row; None if it cannot be read. `opened` is as for `unpack`."""
    try:
        marks = unpack(row.records, row.whole, opened)
    except UnreadableState:
        _logger.warning("a day of somebody's records cannot be read")
        return None
    return RecordsState(
        member=MemberId(row.member_id),
        region=Region(row.region),
        taken_at=row.taken_at,
        figures=to_figures(row),
        marks=marks,
        stands_for_day=row.records_at is None,
    )


def to_chart_looks(chart: ChartKey, rows: Sequence[Row[Any]]) -> list[ChartLook]:
    """Return one chart as seen by each readable look."""
    looks: list[ChartLook] = []
    for row in rows:
        with suppress(UnreadableState):
            looks.append(ChartLook(row.taken_at, find_mark(chart, row.records, row.whole)))
    return looks


def _is_whole_of(table: Any) -> ColumnElement[bool]:
    theirs = (_WHOLE.c.member_id == table.member_id) & (_WHOLE.c.region == table.region)
    return theirs & (_WHOLE.c.day == table.whole_day)


async def read_both(connection: AsyncConnection, *queries: Select[Any]) -> list[Row[Any]]:
    """Return the rows of both queries, oldest first; of one moment, only the unchanged one."""
    return await _read(connection, _both(*queries))


def _both(*queries: Select[Any]) -> CompoundSelect[Any]:
    return union_all(*(select(query.subquery()) for query in queries)).order_by("taken_at", "place")


async def _read(
    connection: AsyncConnection, both: CompoundSelect[Any], asked: Mapping[str, object] | None = None
) -> list[Row[Any]]:
    rows = (await connection.execute(both, asked)).all()
    return list({row.taken_at: row for row in rows}.values())


def to_figures(row: Row[Any]) -> PlayerFigures:
    """Return the figures of a row."""
    return PlayerFigures(
        rating=Hundredths(row.rating),
        highest=None if row.highest is None else Hundredths(row.highest),
        best_average=to_average(row.best_average),
        new_average=to_average(row.new_average),
        over_power=None if row.over_power is None else OverPower(row.over_power),
    )
