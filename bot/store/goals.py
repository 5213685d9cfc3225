"""The goals that members have set themselves."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Row, delete, func, select, update

from bot.database.engine import Database
from bot.database.tables import GOALS, LINKS
from bot.database.upsert import insert_into
from bot.domain.errors import NotLinked
from bot.domain.ids import MemberId
from bot.store.parts import in_parts
from bot.store.questions import key_of

_MAX_START: Final = 2**31 - 1
"""The largest value of the column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptGoal:
    """A stored goal."""

    code: str
    """The code of the goal, computed from its text alone."""
    text: str
    set_at: datetime
    """The moment of the first look at it."""
    start: int | None
    """Its progress then, as `GoalProgress` counts; None if that was not stored."""
    reached_at: datetime | None
    """The moment at which it was first seen as reached; equals `set_at` if it was reached from the beginning."""


class KeptGoals:
    """The repository of goals. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch(self, member: MemberId) -> list[KeptGoal]:
        """Return a member's goals, the one set first first."""
        query = select(GOALS).where(GOALS.c.member_id == member).order_by(GOALS.c.set_at, GOALS.c.code)
        return [_kept(row) for row in await self._database.fetch(query)]

    async def fetch_reached(
        self, members: Collection[MemberId], since: datetime
    ) -> dict[MemberId, list[KeptGoal]]:
        """Return the goals that members reached after a moment, in order; not those reached from the beginning."""
        table = GOALS.c
        reached = select(GOALS).where(table.reached_at > since, table.reached_at > table.set_at)
        ordered = reached.order_by(table.reached_at, table.code)
        found: dict[MemberId, list[KeptGoal]] = {}
        for some in in_parts(members):
            for row in await self._database.fetch(ordered.where(table.member_id.in_(some))):
                found.setdefault(MemberId(row.member_id), []).append(_kept(row))
        return found

    async def add(
        self, member: MemberId, text: str, set_at: datetime, *, start: int, is_reached: bool, most: int
    ) -> bool:
        """Save a linked member's goal; an existing one stays as it is. Return whether there was room.

        Raises: NotLinked, also if the link is erased meanwhile.
        """
        code = key_of(text)
        row = {
            "member_id": member,
            "code": code,
            "text": text,
            "set_at": set_at,
            "start": min(start, _MAX_START),
            "reached_at": set_at if is_reached else None,
        }
        # Locks the link: a concurrent erasure waits or is already done, and another goal waits too.
        locked = select(LINKS.c.member_id).where(LINKS.c.member_id == member).with_for_update()
        others = select(func.count()).where(GOALS.c.member_id == member, GOALS.c.code != code)
        async with self._database.write() as connection:
            if (await connection.execute(locked)).first() is None:
                raise NotLinked
            if (await connection.execute(others)).scalar_one() >= most:
                return False
            insert = insert_into(GOALS, dialect=connection.dialect.name)
            await connection.execute(insert.on_conflict_do_nothing(), row)
        return True

    async def delete(self, member: MemberId, code: str) -> None:
        """Delete a goal."""
        await self._database.change(delete(GOALS).where(GOALS.c.member_id == member, GOALS.c.code == code))

    async def note_reached(self, member: MemberId, codes: Collection[str], at: datetime) -> None:
        """Store when goals were first seen as reached: only once, whoever else sees it later or at the same time."""
        seen = (
            update(GOALS)
            .where(GOALS.c.member_id == member, GOALS.c.code.in_(codes))
            .where(GOALS.c.reached_at.is_(None), GOALS.c.set_at < at)
            .values(reached_at=at)
        )
        await self._database.change(seen)


def _kept(row: Row[Any]) -> KeptGoal:
    return KeptGoal(
        code=row.code, text=row.text, set_at=row.set_at, start=row.start, reached_at=row.reached_at
    )
