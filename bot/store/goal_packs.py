"""The packs of goals that members have taken, and those that servers have pinned."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import delete, func, select

from bot.database.engine import Database, hold
from bot.database.tables import GOAL_PACKS, GOALS, LINKS, PINNED_PACKS
from bot.database.upsert import insert_into, upsert
from bot.domain.errors import NotLinked
from bot.domain.ids import GuildId, MemberId
from bot.store.questions import key_of


class KeptPack(NamedTuple):
    """A stored pack."""

    code: str
    """The code of the pack, computed from its text alone."""
    text: str


class NewGoal(NamedTuple):
    """A goal of a pack, with its state when the pack was taken."""

    text: str
    start: int
    is_reached: bool


class KeptGoalPacks:
    """The repository of packs. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def fetch(self, member: MemberId) -> list[KeptPack]:
        """Return the packs that a member has taken, the first one first."""
        query = select(GOAL_PACKS).where(GOAL_PACKS.c.member_id == member)
        rows = await self._database.fetch(query.order_by(GOAL_PACKS.c.taken_at, GOAL_PACKS.c.code))
        return [KeptPack(row.code, row.text) for row in rows]

    async def take(
        self, member: MemberId, text: str, goals: Sequence[NewGoal], at: datetime, *, most: int
    ) -> bool:
        """Save a linked member's pack with its goals in one transaction; return whether there was room. Raises: NotLinked."""
        code = key_of(text)
        # Locks the link: a concurrent erasure waits or is already done, and another pack waits too.
        locked = select(LINKS.c.member_id).where(LINKS.c.member_id == member).with_for_update()
        others = (GOAL_PACKS.c.member_id == member, GOAL_PACKS.c.code != code)
        async with self._database.write() as connection:
            if (await connection.execute(locked)).first() is None:
                raise NotLinked
            if (await connection.execute(select(func.count()).where(*others))).scalar_one() >= most:
                return False
            had = select(GOALS.c.code).where(GOALS.c.member_id == member)
            known = {*(await connection.execute(had)).scalars()}
            added = [new for goal in goals if (new := key_of(goal.text)) not in known]
            row = {"member_id": member, "code": code, "text": text, "taken_at": at, "added": added}
            insert = insert_into(GOAL_PACKS, dialect=connection.dialect.name)
            await connection.execute(insert.on_conflict_do_nothing(), row)
            rows = [
                {
                    "member_id": member,
                    "code": key_of(goal.text),
                    "text": goal.text,
                    "set_at": at,
                    "start": goal.start,
                    "reached_at": at if goal.is_reached else None,
                }
                for goal in goals
            ]
            insert = insert_into(GOALS, dialect=connection.dialect.name)
            await connection.execute(insert.on_conflict_do_nothing(), rows)
        return True

    async def delete(self, member: MemberId, code: str, *, kept: Collection[str]) -> None:
        """Delete a pack and the goals that it added, except those with a code in `kept`."""
        pack = (GOAL_PACKS.c.member_id == member, GOAL_PACKS.c.code == code)
        async with self._database.write() as connection:
            gone = delete(GOAL_PACKS).where(*pack).returning(GOAL_PACKS.c.added)
            added = (await connection.execute(gone)).scalar_one_or_none() or ()
            codes = [each for each in added if each not in kept]
            theirs = (GOALS.c.member_id == member, GOALS.c.code.in_(codes))
            await connection.execute(delete(GOALS).where(*theirs))

    async def fetch_pinned(self, guild: GuildId) -> list[KeptPack]:
        """Return a server's pinned packs."""
        query = select(PINNED_PACKS).where(PINNED_PACKS.c.guild_id == guild).order_by(PINNED_PACKS.c.code)
        return [KeptPack(row.code, row.text) for row in await self._database.fetch(query)]

    async def pin(self, guild: GuildId, text: str, *, most: int) -> bool:
        """Pin a pack in a server; return whether there is room."""
        code = key_of(text)
        others = (PINNED_PACKS.c.guild_id == guild, PINNED_PACKS.c.code != code)
        async with self._database.write() as connection:
            await hold(connection, f"pinned:{guild}")  # a concurrent pin waits
            if (await connection.execute(select(func.count()).where(*others))).scalar_one() >= most:
                return False
            await upsert(connection, PINNED_PACKS, {"guild_id": guild, "code": code, "text": text})
        return True

    async def unpin(self, guild: GuildId, code: str) -> bool:
        """Unpin a pack; return whether it was pinned."""
        pack = (PINNED_PACKS.c.guild_id == guild, PINNED_PACKS.c.code == code)
        return await self._database.change(delete(PINNED_PACKS).where(*pack)) > 0
