"""The history of members: figures of each day, and all records, stored as differences from a full state."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, null, select, union_all, update

from bot.base.worker import run_in_worker
from bot.database.engine import Database
from bot.database.tables import EARLIER_LOOKS, SNAPSHOTS
from bot.database.upsert import upsert
from bot.domain.chronicle.packing import UnreadableState, pack
from bot.domain.chronicle.score_blocks import score_blocks
from bot.domain.chronicle.session import compare
from bot.domain.chronicle.state import LampFlags, PlayerFigures, RecordMark, RecordsState, without_old_times
from bot.domain.feed import Sitting
from bot.domain.history import ChartKey
from bot.domain.ids import MemberId, Region, UserId
from bot.domain.story import ChartLook
from bot.store.boards import hold_moment, newest_day, save_scores
from bot.store.earlier import delete_looks_beside, keep_look, seen_at
from bot.store.feed import note_sitting
from bot.store.looks import (
    Look,
    read_both,
    read_newest,
    read_older,
    read_oldest,
    read_unrated,
    states_before_them,
    states_of_days,
    to_chart_looks,
    to_figures,
    to_state,
    to_states,
)
from bot.store.parts import in_parts
from bot.store.snapshots import Snapshots, to_number

_logger = logging.getLogger(__name__)

_LARGE: Final = 8
"""How many days' writings may be as large as their whole, before there is a new one."""
_WHOLE_FOR: Final = timedelta(days=60)
"""Days refer to one full state for this long at most; it is kept as long as they are."""
_TIMES_FOR: Final = timedelta(days=30)
"""A whole has the times of plays for this long."""
_CHANGES_AT_ONCE: Final = 20
"""Looks whose changes are computed in one batch."""
_LOOKS_AT_ONCE: Final = 100
"""Looks from which one chart is read in one batch."""
_T: Final = SNAPSHOTS.c


class LookOutcome(NamedTuple):
    """News found by a look at a member's records, for feeds."""

    sitting: Sitting
    at: datetime
    due_at: datetime
    """When it is posted, unless more is found by then."""


class Chronicle:
    """The repository of states."""

    def __init__(self, database: Database, snapshots: Snapshots) -> None:
        self._database = database
        self._snapshots = snapshots

    async def save(
        self,
        state: RecordsState,
        found: LookOutcome | None = None,
        *,
        account: UserId,
        before: RecordsState | None = None,
        is_patient: bool = False,
    ) -> bool:
        """Save a state if the member still has the account linked; earlier states stay as they are.

        `before` is the state that it was compared with: if another one was saved since, save nothing and return False.
        News `found` are queued for feeds in the same transaction. `is_patient` waits longer for other writers.
        """
        member, region, day = state.member, state.region, state.day
        row = await self._database.find(newest_day(member, region))
        if row is not None and row.taken_at > state.taken_at:
            return before is None
        if before is not None and (row is None or row.taken_at != before.taken_at):
            return False
        written, blocks = await run_in_worker(lambda: (_packed(state, row), score_blocks(state.marks)))
        async with self._snapshots.writing(member, account=account, is_patient=is_patient) as connection:
            if connection is None:
                return True
            if await hold_moment(connection, member, region) != (row and row.taken_at):
                return False
            await keep_look(connection, member, region, day, seen_at < state.taken_at)
            if written.is_anew:
                await delete_looks_beside(connection, member, region, day)
            await upsert(connection, SNAPSHOTS, _to_row(state, written))
            await save_scores(connection, member, region, blocks)
            if found is not None:
                await note_sitting(connection, found.sitting, due_at=found.due_at, now=found.at)
        return True

    async def fetch(
        self, member: MemberId, region: Region, *, until: datetime | None = None, most: int
    ) -> Sequence[RecordsState]:
        """Return the newest readable states up to a moment, the newest first."""
        async with self._database.read() as connection:
            rows = await read_newest(connection, member, region, until=until, most=most)
            older = await read_older(connection, rows)
        return await run_in_worker(to_states, rows, older)

    async def find(
        self, member: MemberId, region: Region, *, until: datetime | None = None
    ) -> RecordsState | None:
        """Return the newest state, or the newest up to a moment."""
        return next(iter(await self.fetch(member, region, until=until, most=1)), None)

    async def find_figures(self, member: MemberId, region: Region) -> tuple[PlayerFigures, datetime] | None:
        """Return the figures of the newest state and when it was taken, without unpacking its records."""
        row = await self._database.find(newest_day(member, region))
        return None if row is None else (to_figures(row), row.taken_at)

    async def find_beginning(self, member: MemberId, region: Region) -> datetime | None:
        """Return when the first stored state was taken, without unpacking its records."""
        async with self._database.read() as connection:
            rows = await read_oldest(connection, member, region, after=None, most=1)
        return rows[0].taken_at if rows else None

    async def find_next(
        self, member: MemberId, region: Region, *, after: datetime | None = None
    ) -> RecordsState | None:
        """Return the first stored state, or the first after a moment."""
        async with self._database.read() as connection:
            rows = await read_oldest(connection, member, region, after=after, most=1)
            older = await read_older(connection, rows)
        return next(iter(await run_in_worker(to_states, rows, older)), None)

    async def fetch_next(
        self, member: MemberId, region: Region, *, after: datetime | None, most: int
    ) -> Sequence[RecordsState]:
        """Return the readable states after a moment, the oldest first."""
        async with self._database.read() as connection:
            rows = await read_oldest(connection, member, region, after=after, most=most)
        return await run_in_worker(_states, rows)

    async def fetch_unrated(
        self, member: MemberId, region: Region, *, since: date, after: datetime | None, most: int
    ) -> Sequence[RecordsState]:
        """Return states since a day whose slot of new songs was not computed yet, the oldest first.

        `after` skips those up to a moment; fewer than `most` are the last ones. Raises: CannotRead.
        """
        async with self._database.read() as connection:
            rows = await read_unrated(connection, member, region, since=since, after=after, most=most)
        return await run_in_worker(_states, rows)

    async def save_averages(
        self, member: MemberId, region: Region, averages: Mapping[datetime, tuple[Decimal, Decimal]]
    ) -> None:
        """Save the averages of the slots of older and of new songs, by the moments of their states. Raises: CannotKeep."""
        theirs = (_T.member_id == member, _T.region == region)
        looks = (EARLIER_LOOKS.c.member_id == member, EARLIER_LOOKS.c.region == region)
        async with self._database.write() as connection:
            for taken_at, (best, new) in averages.items():
                values = {"best_average": to_number(best), "new_average": to_number(new)}
                await connection.execute(update(SNAPSHOTS).where(*theirs, seen_at == taken_at).values(values))
                await connection.execute(
                    update(EARLIER_LOOKS).where(*looks, EARLIER_LOOKS.c.taken_at == taken_at).values(values)
                )

    async def fetch_chart(self, member: MemberId, region: Region, chart: ChartKey) -> Sequence[ChartLook]:
        """Return one chart as each readable look at a member saw it, the oldest first."""
        looks: list[ChartLook] = []
        after: datetime | None = None
        while True:
            async with self._database.read() as connection:
                rows = await read_oldest(connection, member, region, after=after, most=_LOOKS_AT_ONCE)
            if not rows:
                return looks
            after = rows[-1].taken_at
            looks += await run_in_worker(to_chart_looks, chart, rows)

    async def fetch_looks(
        self, members: Collection[MemberId], region: Region | None, *, first: date, last: date
    ) -> Sequence[Look]:
        """Return the figures of these members between two days (UTC+9), oldest first; without a region, of all regions."""
        names = [{"member": "member_id"}.get(name, name) for name in Look._fields]
        looks: list[Look] = []
        for some in in_parts(members):
            either = [
                select(*(table.c.get(name, null().label(name)) for name in names))
                .where(table.c.member_id.in_(some), table.c.day.between(first, last))
                .where(*(() if region is None else (table.c.region == region,)))
                for table in (SNAPSHOTS, EARLIER_LOOKS)
            ]
            query = union_all(*either).order_by("member_id", "taken_at")
            looks += [Look(*row) for row in await self._database.fetch(query)]
        return looks

    async def fetch_changes(
        self, member: MemberId
    ) -> Mapping[tuple[Region, datetime], Sequence[Mapping[str, object]]]:
        """Return the changes of a member's records by look, as plain values: all stored data, each item once."""
        queries = (
            states_of_days().where(_T.member_id == member),
            states_before_them().where(EARLIER_LOOKS.c.member_id == member),
        )
        async with self._database.read() as connection:
            rows = await read_both(connection, *queries)
        rows.sort(key=lambda row: row.region)
        told: dict[tuple[Region, datetime], Sequence[Mapping[str, object]]] = {}
        before: RecordsState | None = None
        for start in range(0, len(rows), _CHANGES_AT_ONCE):
            before = await run_in_worker(_tell, rows[start : start + _CHANGES_AT_ONCE], before, told)
        return told


class _Written(NamedTuple):
    """The stored form of a state."""

    whole_day: date
    """The day of the full state that it refers to; its own day if it is the full state."""
    records: bytes
    whole: bytes | None = None
    """The day's full state, if the records differ from it and are of the same day."""
    is_anew: bool = False
    """Whether it replaces an unreadable full state of the same day."""


def _to_row(state: RecordsState, written: _Written) -> dict[str, object]:
    """Return the row of a state, without unknown figures, for which the day's stay."""
    figures = {
        "highest": state.figures.highest,
        "best_average": to_number(state.figures.best_average),
        "new_average": to_number(state.figures.new_average),
        "over_power": state.figures.over_power,
    }
    return {
        "member_id": state.member,
        "region": state.region,
        "day": state.day,
        "taken_at": state.taken_at,
        "rating": state.figures.rating,
        "whole_day": written.whole_day,
        "records": written.records,
        "records_at": state.taken_at,
        "whole": written.whole,
        **{name: value for name, value in figures.items() if value is not None},
    }


def _packed(state: RecordsState, newest: Row[Any] | None) -> _Written:
    """Return the stored form of a state: as a difference from the newest full state, or as a full state itself."""
    day = state.day
    if newest is not None and newest.whole_day <= day <= newest.whole_day + _WHOLE_FOR:
        whole = newest.whole or newest.records
        is_days_own = newest.whole_day == day
        try:
            records = pack(state.marks, whole)
        except UnreadableState:
            return _Written(day, pack(state.marks), is_anew=is_days_own)
        if is_days_own:  # earlier looks at the day refer to it
            return _Written(day, records, whole)
        if len(records) * _LARGE <= len(whole):
            return _Written(newest.whole_day, records)
    return _Written(day, pack(without_old_times(state.marks, state.taken_at - _TIMES_FOR)))


def _states(rows: Sequence[Row[Any]]) -> list[RecordsState]:
    opened: dict[bytes, list[tuple[ChartKey, RecordMark]]] = {}
    return [state for row in rows if (state := to_state(row, opened)) is not None]


def _tell(
    rows: Sequence[Row[Any]],
    before: RecordsState | None,
    told: dict[tuple[Region, datetime], Sequence[Mapping[str, object]]],
) -> RecordsState | None:
    """Add the changes of each of these looks; return the last state."""
    for state in _states(rows):
        if before is None or before.region != state.region:
            before = replace(state, marks={})
        told[state.region, state.taken_at] = [
            {
                "song": change.chart[0],
                "difficulty": change.chart[1],
                "score": change.after.score,
                "lamps": LampFlags(change.after.lamps).name,
                "constant": change.after.constant,
                "played_at": None if change.after.moment is None else change.after.moment.isoformat(),
            }
            for change in compare(before, state).changes
            if change.after is not None
        ]
        before = state
    return before
