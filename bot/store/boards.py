"""The data of boards: newest figures and scores of thousands of members, without unpacking records."""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import CTE, Column, ColumnElement, Row, Select, case, literal, literal_column, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.base.worker import run_in_worker
from bot.database.engine import Database, hold
from bot.database.tables import LINKS, SCORE_BLOCKS, SIGHTINGS, SNAPSHOTS
from bot.database.upsert import upsert
from bot.domain.boards import BEFORE, Measure
from bot.domain.chronicle.packing import UnreadableState, find_mark
from bot.domain.chronicle.score_blocks import block_of, find_scores, score_blocks
from bot.domain.history import ChartKey
from bot.domain.ids import GuildId, MemberId, Region
from bot.store.earlier import seen_at
from bot.store.looks import states_of_days, to_state
from bot.store.parts import in_parts
from bot.store.sightings import IS_SHOWN
from bot.store.snapshots import Snapshots

_MEMBERS_AT_ONCE: Final = 200
"""Members per query: ten thousand would block the event loop."""
_ROWS_AT_ONCE: Final = 2_000
"""Rows read at once: a megabyte or two of scores."""
_T: Final = SNAPSHOTS.c
_FIGURES: Final[Mapping[Measure, Column[Any]]] = {
    Measure.RATING: _T.rating,
    Measure.BEST: _T.best_average,
    Measure.NEW: _T.new_average,
    Measure.OVER_POWER: _T.over_power,
}


class Whose(NamedTuple):
    """Whose figures are wanted: those of members seen in a server who let others look, or of one member in any case."""

    guild: GuildId | None = None
    member: MemberId | None = None


class BoardFigures:
    """The repository of the figures by which members are compared."""

    def __init__(self, database: Database, snapshots: Snapshots) -> None:
        self._database = database
        self._snapshots = snapshots

    async def fetch_figures(
        self, measure: Measure, members: Collection[MemberId], region: Region
    ) -> Mapping[MemberId, tuple[int, datetime]]:
        """Return these members' newest figures, each with the moment as of which it is known.

        A rating belongs to no region: each is stored under the region that its member has chosen.
        """
        figure = _FIGURES[measure]
        theirs: ColumnElement[str] = LINKS.c.region if measure is Measure.RATING else literal(str(region))
        found: dict[MemberId, tuple[int, datetime]] = {}
        for some in in_parts(members, _MEMBERS_AT_ONCE):
            last = _last_days(figure, some, theirs)
            query = select(_T.member_id, figure.label("figure"), _T.taken_at).join(last, _is_of(last))
            rows = await self._database.fetch(query)
            found.update((MemberId(member), (number, taken_at)) for member, number, taken_at in rows)
        return found

    async def fetch_standings(
        self, measure: Measure, whose: Whose, region: Region, begun: datetime | None
    ) -> dict[MemberId, int]:
        """Return newest figures, minus `BEFORE` if they are older than `begun`; regions as in `fetch_figures`."""
        figure = _FIGURES[measure]
        standing: ColumnElement[Any] = figure
        if begun is not None:
            below = figure - literal_column(str(BEFORE))
            standing = case((_T.taken_at < begun, below), else_=figure)
        theirs = LINKS.c.region if measure is Measure.RATING else literal(str(region))
        newest = (
            select(standing)
            .where(_T.member_id == LINKS.c.member_id, _T.region == theirs, figure.is_not(None))
            .order_by(_T.day.desc())
            .limit(1)
            .scalar_subquery()
        )
        found: dict[MemberId, int] = {}
        async for rows in self._read(_of(whose).add_columns(newest)):
            found.update((member, number) for member, number in rows if number is not None)
        return found

    async def fetch_scores(
        self, chart: ChartKey, whose: Whose, region: Region
    ) -> tuple[dict[MemberId, int], Sequence[MemberId]]:
        """Return scores on one chart, and the members whose scores are only in packed records, which are slow to read."""
        blocks = SCORE_BLOCKS.c
        is_theirs = blocks.member_id == LINKS.c.member_id
        known = (
            select(_T.day)
            .where(_T.member_id == LINKS.c.member_id, _T.region == region, _T.whole_day.is_not(None))
            .exists()
        )
        query = (
            _of(whose)
            .add_columns(blocks.scores, case((blocks.scores.is_(None), known), else_=False))
            .outerjoin(
                SCORE_BLOCKS, is_theirs & (blocks.region == region) & (blocks.block == block_of(chart))
            )
        )
        found: dict[MemberId, int] = {}
        unwritten: list[MemberId] = []
        async for rows in self._read(query):
            found.update(find_scores(chart, ((member, block) for member, block, _ in rows if block)))
            unwritten += (member for member, _, is_unwritten in rows if is_unwritten)
        for some in in_parts(unwritten, _MEMBERS_AT_ONCE):  # all of them take a hundred megabytes
            last = _last_days(_T.whole_day, some, literal(region))
            rows = await self._database.fetch(states_of_days().join(last, _is_of(last)))
            found.update(await run_in_worker(_unpacked, chart, rows))
        return found, unwritten

    async def fetch_moments(
        self, members: Collection[MemberId], region: Region
    ) -> Mapping[MemberId, datetime]:
        """Return the moments at which these members' scores were seen."""
        found: dict[MemberId, datetime] = {}
        for some in in_parts(members, _MEMBERS_AT_ONCE):
            last = _last_days(_T.whole_day, some, literal(region))
            query = select(_T.member_id, seen_at).join(last, _is_of(last))
            found.update((MemberId(member), at) for member, at in await self._database.fetch(query))
        return found

    async def backfill_scores(self, member: MemberId, region: Region) -> None:
        """Write the score blocks of a member whose newest records are older than blocks. Raises: CannotKeep."""
        row = await self._database.find(newest_day(member, region))
        if row is None:
            return
        blocks = await run_in_worker(_blocks_of, row)
        async with self._snapshots.writing(member, account=None, is_patient=True) as connection:
            # If newer records were saved meanwhile, their scores are written already.
            if connection and await hold_moment(connection, member, region) == row.taken_at:
                await save_scores(connection, member, region, blocks)

    async def _read(self, query: Select[Any]) -> AsyncIterator[Sequence[Any]]:
        """Yield the rows of a query in batches."""
        after = None
        while True:
            part = query if after is None else query.where(SIGHTINGS.c.member_id > after)
            rows = await self._database.fetch(part)
            yield rows
            if len(rows) < _ROWS_AT_ONCE:
                return
            after = rows[-1][0]


async def save_scores(
    connection: AsyncConnection, member: MemberId, region: Region, blocks: Sequence[bytes]
) -> None:
    """Save all score blocks of a member's newest records."""
    rows = [
        {"region": region, "block": number, "member_id": member, "scores": scores}
        for number, scores in enumerate(blocks)
    ]
    await upsert(connection, SCORE_BLOCKS, *rows)


async def hold_moment(connection: AsyncConnection, member: MemberId, region: Region) -> datetime | None:
    """Return the moment of a member's newest records, and lock them until the transaction ends."""
    await hold(connection, f"chronicle:{member}")
    moment = newest_day(member, region).with_only_columns(seen_at)
    return (await connection.execute(moment)).scalar()


def newest_day(member: MemberId, region: Region) -> Select[Any]:
    """Return the query for the last day with a member's records."""
    return (
        states_of_days().where(_T.member_id == member, _T.region == region).order_by(_T.day.desc()).limit(1)
    )


def _of(whose: Whose) -> Select[Any]:
    """Return the query for the wanted members."""
    members = select(LINKS.c.member_id)
    if whose.guild is None:
        return members.select_from(LINKS).where(LINKS.c.member_id == whose.member)
    seen = (SIGHTINGS.c.guild_id == whose.guild) & (SIGHTINGS.c.member_id == LINKS.c.member_id)
    ordered = members.join_from(SIGHTINGS, LINKS, seen).where(IS_SHOWN).order_by(SIGHTINGS.c.member_id)
    return ordered.limit(_ROWS_AT_ONCE)


def _unpacked(chart: ChartKey, rows: Sequence[Row[Any]]) -> dict[MemberId, int]:
    found: dict[MemberId, int] = {}
    for row in rows:
        with suppress(UnreadableState):
            mark = find_mark(chart, row.records, row.whole)
            if mark is not None and not mark.is_gone:
                found[MemberId(row.member_id)] = mark.score
    return found


def _blocks_of(row: Row[Any]) -> list[bytes]:
    state = to_state(row)
    return score_blocks({} if state is None else state.marks)


def _last_days(known: Column[Any], members: Collection[MemberId], region: ColumnElement[str]) -> CTE:
    """Return the last day with a value for each of these members, found by one index step each."""
    day = (
        select(_T.day)
        .where(_T.member_id == LINKS.c.member_id, _T.region == region, known.is_not(None))
        .order_by(_T.day.desc())
        .limit(1)
        .scalar_subquery()
    )
    found = select(LINKS.c.member_id, region.label("region"), day.label("day"))
    # MATERIALIZED keeps it from being merged into the outer query, where it would run for every day of everybody.
    return found.where(LINKS.c.member_id.in_(members)).cte("last").prefix_with("MATERIALIZED")


def _is_of(last: CTE) -> ColumnElement[bool]:
    return (_T.member_id == last.c.member_id) & (_T.region == last.c.region) & (_T.day == last.c.day)
