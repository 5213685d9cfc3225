"""The earlier looks at a day: saved when a later look replaces them, and deleted sooner than days are."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import ColumnElement, case, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.tables import EARLIER_LOOKS, SNAPSHOTS
from bot.database.upsert import insert_into
from bot.domain.ids import MemberId, Region

_DAY = SNAPSHOTS.c
_LOOK = EARLIER_LOOKS.c
seen_at = func.coalesce(_DAY.records_at, _DAY.taken_at)
"""The moment at which the records of a day were seen: its figures may be newer, from a look at the slots."""
is_whole = (_DAY.day == _DAY.whole_day) & _DAY.whole.is_(None)
"""Whether the records of a day are a full state."""


async def keep_look(
    connection: AsyncConnection, member: MemberId, region: Region, day: date, *conditions: ColumnElement[bool]
) -> None:
    """Save a day's records as an earlier look before they are replaced."""
    theirs = (_DAY.member_id == member, _DAY.region == region, _DAY.day == day)
    found = select(
        _DAY.member_id,
        _DAY.region,
        seen_at,
        _DAY.day,
        _DAY.rating,
        _DAY.highest,
        _DAY.best_average,
        _DAY.over_power,
        _DAY.whole_day,
        case((is_whole, None), else_=_DAY.records),
        _DAY.records_at,
        _DAY.new_average,
    ).where(*theirs, _DAY.whole_day.is_not(None), *conditions)
    insert = insert_into(EARLIER_LOOKS, dialect=connection.dialect.name)
    names = [column.name for column in EARLIER_LOOKS.c]
    await connection.execute(
        insert.from_select(names, found).on_conflict_do_nothing(
            index_elements=EARLIER_LOOKS.primary_key.columns
        )
    )


async def note_seen_at(connection: AsyncConnection, member: MemberId, region: Region, day: date) -> None:
    """Store the moment of a day's records, before its figures get another moment."""
    theirs = (_DAY.member_id == member, _DAY.region == region, _DAY.day == day)
    known = (_DAY.whole_day.is_not(None), _DAY.records_at.is_(None))
    await connection.execute(update(SNAPSHOTS).where(*theirs, *known).values(records_at=_DAY.taken_at))


async def delete_looks_beside(
    connection: AsyncConnection, member: MemberId, region: Region, whole_day: date
) -> None:
    """Delete looks that refer to a full state that is gone."""
    theirs = (_LOOK.member_id == member, _LOOK.region == region)
    await connection.execute(delete(EARLIER_LOOKS).where(*theirs, _LOOK.whole_day == whole_day))


async def delete_old_looks(
    connection: AsyncConnection, members: Collection[MemberId], *, before: date, first_before: date
) -> None:
    """Delete earlier looks before a day; each member's first look, the baseline, has a later limit."""
    first = EARLIER_LOOKS.alias("first")
    is_first = _LOOK.taken_at == (
        select(func.min(first.c.taken_at))
        .where(first.c.member_id == _LOOK.member_id, first.c.region == _LOOK.region)
        .scalar_subquery()
    )
    old = (_LOOK.member_id.in_(members), _LOOK.day < before)
    await connection.execute(delete(EARLIER_LOOKS).where(*old, ~is_first | (_LOOK.day < first_before)))
