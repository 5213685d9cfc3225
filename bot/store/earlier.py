"""What the earlier looks at a day have found: kept when a later one takes their place, and deleted before days are."""

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
"""As of when the records of a day are known: its figures may have been seen later, beside the slots."""
is_whole = (_DAY.day == _DAY.whole_day) & _DAY.whole.is_(None)
"""Whether what stands as the records of a day is the whole itself."""


async def keep_look(
    connection: AsyncConnection, member: MemberId, region: Region, day: date, *conditions: ColumnElement[bool]
) -> None:
    """Keep what is known of a day's records before something takes its place."""
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
    """Write down as of when a day's records are known, before its figures are of another moment."""
    theirs = (_DAY.member_id == member, _DAY.region == region, _DAY.day == day)
    known = (_DAY.whole_day.is_not(None), _DAY.records_at.is_(None))
    await connection.execute(update(SNAPSHOTS).where(*theirs, *known).values(records_at=_DAY.taken_at))


async def delete_looks_beside(
    connection: AsyncConnection, member: MemberId, region: Region, whole_day: date
) -> None:
    """Delete what was written beside a whole that is there no more."""
    theirs = (_LOOK.member_id == member, _LOOK.region == region)
    await connection.execute(delete(EARLIER_LOOKS).where(*theirs, _LOOK.whole_day == whole_day))


async def delete_old_looks(
    connection: AsyncConnection, members: Collection[MemberId], *, before: date, first_before: date
) -> None:
    """Delete the earlier looks at days before one; each member's first, from which all is counted, later."""
    first = EARLIER_LOOKS.alias("first")
    is_first = _LOOK.taken_at == (
        select(func.min(first.c.taken_at))
        .where(first.c.member_id == _LOOK.member_id, first.c.region == _LOOK.region)
        .scalar_subquery()
    )
    old = (_LOOK.member_id.in_(members), _LOOK.day < before)
    await connection.execute(delete(EARLIER_LOOKS).where(*old, ~is_first | (_LOOK.day < first_before)))
