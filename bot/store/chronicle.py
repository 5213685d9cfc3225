"""What is remembered of members: figures a day, and all records, written whole now and then."""

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import CTE, Column, ColumnElement, Row, Select, literal, select

from bot.apart import apart
from bot.domain.boards import Measure
from bot.domain.chronicle import (
    Figures,
    Lamp,
    Mark,
    State,
    Unreadable,
    compare,
    find_mark,
    pack,
    unpack,
    without_old_times,
)
from bot.domain.feed import Sitting
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId, Region, UserId
from bot.domain.numbers import Hundredths
from bot.domain.overpower import OverPower
from bot.store.engine import Database
from bot.store.feed import note_sitting
from bot.store.snapshots import Snapshots, to_average, to_number
from bot.store.tables import LINKS, SNAPSHOTS
from bot.store.upsert import upsert

_log = logging.getLogger(__name__)

_LARGE: Final = 8
"""How many days' writings may be as large as their whole, before there is a new one."""
_WHOLE_FOR: Final = timedelta(days=60)
"""For which days stand beside one whole: it stays as long as they do."""
_TIMES_FOR: Final = timedelta(days=30)
"""For which a whole has the times of plays."""
_AT_ONCE: Final = 20
"""Members whose records are read in one piece of work."""
_WHOLE: Final = SNAPSHOTS.alias("whole")
_T: Final = SNAPSHOTS.c
_FIGURES: Final[Mapping[Measure, Column[Any]]] = {
    Measure.RATING: _T.rating,
    Measure.BEST: _T.best_average,
    Measure.OVER_POWER: _T.over_power,
}


class Look(NamedTuple):
    """The figures of one day, in the units that are kept: for the thousands that a plot is made of."""

    member: MemberId
    day: date
    taken_at: datetime
    rating: Hundredths
    highest: Hundredths | None
    best_average: int | None
    """In ten-thousandths, as the one of recent plays."""
    recent_average: int | None
    over_power: OverPower | None


class Found(NamedTuple):
    """What a look has found that somebody has played for."""

    sitting: Sitting
    at: datetime
    due_at: datetime
    """When it is told, unless there is more by then."""


class Chronicle:
    """The repository of states."""

    def __init__(self, database: Database, snapshots: Snapshots) -> None:
        self._database = database
        self._snapshots = snapshots

    async def save(
        self, state: State, found: Found | None = None, *, account: UserId, is_patient: bool = False
    ) -> None:
        """Keep a state in place of any of the same day, while the member has the account linked.

        What was `found` then is to be told in feeds, in the same step. Where nobody waits for it, it `is_patient` with
        other writers.
        """
        member, region = state.member, state.region
        newest = self._newest(member, region, state.day, most=1)
        async with self._database.read() as connection:
            row = (await connection.execute(newest)).first()
        whole_day, records = await apart(_packed, state, row)
        figures = {
            "highest": state.figures.highest,
            "best_average": to_number(state.figures.best_average),
            "over_power": state.figures.over_power,
        }
        values = {
            "member_id": member,
            "region": region,
            "day": state.day,
            "taken_at": state.taken_at,
            "rating": state.figures.rating,
            "whole_day": whole_day,
            "records": records,
            **{name: value for name, value in figures.items() if value is not None},
        }
        async with self._snapshots.writing(member, account=account, is_patient=is_patient) as connection:
            if connection is not None:
                await upsert(connection, SNAPSHOTS, values)
                if found is not None:
                    await note_sitting(connection, found.sitting, due_at=found.due_at, now=found.at)

    async def fetch(self, member: MemberId, region: Region, *, until: date, most: int) -> Sequence[State]:
        """Return the newest states of a day or before, the newest first, but for those that cannot be read."""
        async with self._database.read() as connection:
            rows = (await connection.execute(self._newest(member, region, until, most=most))).all()
        return await apart(_to_states, rows)

    async def find(self, member: MemberId, region: Region, *, until: date) -> State | None:
        """Return the newest state of a day or before."""
        return next(iter(await self.fetch(member, region, until=until, most=1)), None)

    async def find_first(self, member: MemberId, region: Region) -> State | None:
        """Return the oldest state that is kept."""
        query = _states().where(*_of(member, region)).order_by(_T.day).limit(1)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return next(iter(await apart(_to_states, rows)), None)

    async def fetch_newest(self, members: Collection[MemberId], region: Region) -> Mapping[MemberId, State]:
        """Return the newest state of each of these members who has one, by one query."""
        rows = await self._fetch_newest(members, region)
        some = (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))
        states = [state for each in some for state in await apart(_to_states, each)]
        return {state.member: state for state in states}

    async def fetch_scores(
        self, chart: ChartKey, members: Collection[MemberId], region: Region
    ) -> Mapping[MemberId, tuple[Mark, datetime]]:
        """Return the records of these members on one chart, each with the moment as of which it is known; one query."""
        rows = await self._fetch_newest(members, region)
        some = (rows[start : start + _AT_ONCE] for start in range(0, len(rows), _AT_ONCE))
        return dict([mark for each in some for mark in await apart(_to_marks, chart, each)])

    async def fetch_looks(
        self, members: Collection[MemberId], region: Region | None, *, first: date, last: date
    ) -> Sequence[Look]:
        """Return the figures of these members between two days, oldest first; with no region, of each one."""
        columns = (_T.rating, _T.highest, _T.best_average, _T.recent_average, _T.over_power)
        query = (
            select(_T.member_id, _T.day, _T.taken_at, *columns)
            .where(_T.member_id.in_(members), _T.day.between(first, last))
            .order_by(_T.member_id, _T.day)
        )
        if region is not None:
            query = query.where(_T.region == region)
        async with self._database.read() as connection:
            return [Look(*row) for row in await connection.execute(query)]

    async def fetch_figures(
        self, measure: Measure, members: Collection[MemberId], region: Region
    ) -> Mapping[MemberId, tuple[int, datetime]]:
        """Return these members' newest figures, each with the moment as of which it is known; one query.

        A rating is no region's: each stands in that of which its member's commands are.
        """
        figure = _FIGURES[measure]
        last = _last_days(figure, members, LINKS.c.region if measure is Measure.RATING else literal(region))
        query = select(_T.member_id, figure.label("figure"), _T.taken_at).join(last, _is_of(last))
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        return {MemberId(row.member_id): (row.figure, row.taken_at) for row in rows}

    async def _fetch_newest(self, members: Collection[MemberId], region: Region) -> Sequence[Row[Any]]:
        last = _last_days(_T.whole_day, members, literal(region))
        async with self._database.read() as connection:
            return (await connection.execute(_states().join(last, _is_of(last)))).all()

    async def fetch_changes(
        self, member: MemberId
    ) -> Mapping[tuple[Region, date], Sequence[Mapping[str, object]]]:
        """Return what of a member's records each day has changed, in words: all that is kept of them, once."""
        query = _states().where(_T.member_id == member).order_by(_T.region, _T.day)
        async with self._database.read() as connection:
            rows = (await connection.execute(query)).all()
        told: dict[tuple[Region, date], Sequence[Mapping[str, object]]] = {}
        before: State | None = None
        for start in range(0, len(rows), _AT_ONCE):
            before = await apart(_tell, rows[start : start + _AT_ONCE], before, told)
        return told

    def _newest(self, member: MemberId, region: Region, until: date, *, most: int) -> Select[Any]:
        return _states().where(*_of(member, region), _T.day <= until).order_by(_T.day.desc()).limit(most)


def _states() -> Select[Any]:
    """Return the query of states, each with the records beside which its own are written."""
    beside = (
        (_WHOLE.c.member_id == _T.member_id) & (_WHOLE.c.region == _T.region) & (_WHOLE.c.day == _T.whole_day)
    )
    columns = [column for column in SNAPSHOTS.c if column is not _T.scores]
    return (
        select(*columns, _WHOLE.c.records.label("whole"))
        .join(_WHOLE, beside)
        .where(_T.whole_day.is_not(None))
    )


def _last_days(known: Column[Any], members: Collection[MemberId], region: ColumnElement[str]) -> CTE:
    """Return of each of these members the last day of which something is known, found by one step into the index."""
    day = (
        select(_T.day)
        .where(_T.member_id == LINKS.c.member_id, _T.region == region, known.is_not(None))
        .order_by(_T.day.desc())
        .limit(1)
        .scalar_subquery()
    )
    found = select(LINKS.c.member_id, region.label("region"), day.label("day"))
    # Kept from being merged into what it is joined with, where it would be looked up for every day of everybody.
    return found.where(LINKS.c.member_id.in_(members)).cte("last").prefix_with("MATERIALIZED")


def _is_of(last: CTE) -> ColumnElement[bool]:
    return (_T.member_id == last.c.member_id) & (_T.region == last.c.region) & (_T.day == last.c.day)


def _of(member: MemberId, region: Region) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return (_T.member_id == member, _T.region == region)


def _packed(state: State, newest: Row[Any] | None) -> tuple[date, bytes]:
    """Return beside which day's records a state is written, its own where it is whole, and as what."""
    day = state.day
    if newest is not None and newest.whole_day < day <= newest.whole_day + _WHOLE_FOR:
        try:
            records = pack(state.marks, newest.whole)
        except Unreadable:
            return day, pack(state.marks)
        if len(records) * _LARGE <= len(newest.whole):
            return newest.whole_day, records
    return day, pack(without_old_times(state.marks, state.taken_at - _TIMES_FOR))


def _to_states(rows: Sequence[Row[Any]]) -> list[State]:
    states: list[State] = []
    for row in rows:
        try:
            marks = unpack(row.records, None if row.day == row.whole_day else row.whole)
        except Unreadable:
            _log.warning("a day of somebody's records cannot be read")
            continue
        states.append(
            State(
                member=MemberId(row.member_id),
                region=Region(row.region),
                taken_at=row.taken_at,
                figures=_to_figures(row),
                marks=marks,
            )
        )
    return states


def _to_marks(chart: ChartKey, rows: Sequence[Row[Any]]) -> list[tuple[MemberId, tuple[Mark, datetime]]]:
    marks: list[tuple[MemberId, tuple[Mark, datetime]]] = []
    for row in rows:
        with suppress(Unreadable):
            mark = find_mark(chart, row.records, None if row.day == row.whole_day else row.whole)
            if mark is not None and not mark.is_gone:
                marks.append((MemberId(row.member_id), (mark, row.taken_at)))
    return marks


def _tell(
    rows: Sequence[Row[Any]],
    before: State | None,
    told: dict[tuple[Region, date], Sequence[Mapping[str, object]]],
) -> State | None:
    """Add what each of these days has changed; return the last state."""
    for state in _to_states(rows):
        if before is None or before.region != state.region:
            before = replace(state, marks={})
        told[state.region, state.day] = [
            {
                "song": change.chart[0],
                "difficulty": change.chart[1],
                "score": change.after.score,
                "lamps": Lamp(change.after.lamps).name,
                "constant": change.after.constant,
                "played_at": None if change.after.moment is None else change.after.moment.isoformat(),
            }
            for change in compare(before, state).changes
            if change.after is not None
        ]
        before = state
    return before


def _to_figures(row: Row[Any]) -> Figures:
    return Figures(
        rating=Hundredths(row.rating),
        highest=None if row.highest is None else Hundredths(row.highest),
        best_average=to_average(row.best_average),
        over_power=None if row.over_power is None else OverPower(row.over_power),
    )
