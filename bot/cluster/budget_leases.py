"""Budgets that travel: a row each, which one process at a time decides about; only PostgreSQL has several.

What an owner may spend beyond the state of a row is written before it is spent. So a row says enough whatever becomes of
its owner, and may be taken as soon as that is taken for dead. Who wants a row that somebody has stands in its line, and
whoever gives it back hands it to the most urgent one. Each statement is a transaction by itself, as in `Database.read`.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    JSON,
    BigInteger,
    CursorResult,
    Executable,
    Float,
    Integer,
    String,
    TextClause,
    bindparam,
    select,
    text,
)

from bot.cluster.invalidation import CHANNEL, InvalidationBus
from bot.cluster.member import ClusterMember
from bot.database.engine import Database
from bot.database.tables import KEPT_WINDOWS
from bot.database.windows import to_window
from bot.domain.errors import CannotKeep, CannotRead
from bot.domain.kept import BudgetLease, KeptWindow

_NOW: Final = "extract(epoch FROM clock_timestamp())::float8"
_IS_DEAD: Final = "NOT EXISTS (SELECT FROM processes AS p WHERE p.id = b.owner)"
"""A process whose row is gone stays dead: nothing can be in its name again."""


def _statement(sql: str, **types: Any) -> TextClause:
    return text(sql).bindparams(*(bindparam(name, type_=kind) for name, kind in types.items()))


_TAKE: Final = _statement(
    f"""
    INSERT INTO budgets AS b (name, owner, fence, ahead, line, used_at)
    VALUES (:name, :me, 1, :block, '{{}}', {_NOW})
    ON CONFLICT (name) DO UPDATE SET (owner, fence, ahead, line, used_at) = (
        SELECT CASE WHEN is_free THEN :me ELSE b.owner END, b.fence + is_free::int,
            b.ahead + is_free::int * :block,
            (CASE WHEN is_free THEN old - mine
                ELSE old || jsonb_build_object(mine,
                    jsonb_build_array(:priority, coalesce(old -> mine -> 1, to_jsonb({_NOW})))) END)::json,
            {_NOW}
        FROM (SELECT b.owner IS NULL OR b.owner = :me OR {_IS_DEAD} AS is_free, (:me)::text AS mine,
            b.line::jsonb AS old) AS found)
    RETURNING owner, fence, state, ahead - :block AS inherited, {_NOW} AS now, CASE WHEN owner <> :me
        THEN pg_notify('{CHANNEL}', concat(:told, 'want ', owner, ' ', (:priority)::int, ' ', name)) END
    """,  # noqa: S608 - constants of this module
    name=String(),
    me=BigInteger(),
    block=Integer(),
    priority=Integer(),
    told=String(),
).columns(state=JSON())
_WRITE: Final = _statement(
    f"""
    UPDATE budgets SET state = (:state)::json, ahead = :block, used_at = {_NOW}
    WHERE name = :name AND owner = :me AND fence = :fence RETURNING {_NOW}
    """,  # noqa: S608
    name=String(),
    me=BigInteger(),
    fence=BigInteger(),
    block=Integer(),
    state=String(),
)
_GIVE: Final = _statement(
    f"""
    UPDATE budgets AS b SET state = given.state::json, ahead = 0, used_at = {_NOW}, (owner, line) = (
        SELECT next, CASE WHEN next IS NULL THEN '{{}}' ELSE (b.line::jsonb - next::text)::json END
        FROM (SELECT (SELECT p.id FROM jsonb_each(b.line::jsonb) AS w JOIN processes AS p ON p.id::text = w.key
            ORDER BY w.value LIMIT 1) AS next) AS found)
    FROM unnest(:names, :owners, :fences, :states) AS given (name, owner, fence, state)
    WHERE b.name = given.name AND b.owner = given.owner AND b.fence = given.fence
    RETURNING CASE WHEN b.owner IS NOT NULL
        THEN pg_notify('{CHANNEL}', concat(:told, 'have ', b.owner, ' 0 ', b.name)) END
    """,  # noqa: S608
    told=String(),
    names=ARRAY(String()),
    owners=ARRAY(BigInteger()),
    fences=ARRAY(BigInteger()),
    states=ARRAY(String()),
)
_DROP: Final = _statement(
    "DELETE FROM budgets WHERE name = :name AND owner = :me AND fence = :fence",
    name=String(),
    me=BigInteger(),
    fence=BigInteger(),
)
_WANTED: Final = _statement(
    """
    SELECT name, (SELECT min((value ->> 0)::int) FROM json_each(line)) AS priority FROM budgets
    WHERE owner = :me AND line::text <> '{}'
    """,
    me=BigInteger(),
)
_PRUNE: Final = _statement(
    f"""
    DELETE FROM budgets AS b WHERE (owner IS NULL OR {_IS_DEAD}) AND (used_at < {_NOW} - :kept
        OR name LIKE 'account:%' AND used_at < {_NOW} - :unlinked
        AND NOT EXISTS (SELECT FROM links WHERE name = 'account:' || user_id))
    """,  # noqa: S608
    kept=Float(),
    unlinked=Float(),
)

_TOPIC: Final = "budget"
_HEARD_SECONDS: Final = 1.0
"""For a process to be heard again, after it stood still."""
_KEPT_SECONDS: Final = 86_400.0
"""Longer than any window: what was learned is of use for a while."""
_UNLINKED_SECONDS: Final = 1800.0
"""How long the rows of accounts stay that nobody has linked: longer than any window too."""


class SharedBudgetLeases:
    """The repository of budgets, as one process sees it. Everything here that waits may raise CannotRead."""

    def __init__(self, database: Database, presence: ClusterMember, news: InvalidationBus) -> None:
        self._database = database
        self._presence = presence
        self._news = news

    def subscribe(self, wanted: Callable[[str, int], None], had: Callable[[str], None]) -> None:
        """Call `wanted` where another process wants a lease of this one, so urgently, and `had` where one was handed over.

        Neither can be relied upon: what is told may be lost.
        """

        def take(text: str) -> None:
            what, owner, priority, name = text.split(" ")
            if int(owner) == self._presence.me:
                wanted(name, int(priority)) if what == "want" else had(name)

        self._news.subscribe(_TOPIC, take)

    def is_valid(self, lease: BudgetLease) -> bool:
        """Return whether a lease that was neither given back nor lost is still good."""
        return self._presence.me == lease.owner and self._presence.is_within_ttl

    async def acquire(self, name: str, priority: int, block: int) -> BudgetLease | None:
        """Take a row and count a block as spent; where somebody has it who lives, stand in its line."""
        if not self._presence.is_within_ttl:
            try:
                async with asyncio.timeout(_HEARD_SECONDS):
                    await self._presence.until_alive()
            except TimeoutError:
                raise CannotRead from None
        me, told = self._presence.me, self._news.message_prefix(_TOPIC)
        asked = await self._ask(_TAKE, name=name, me=me, priority=priority, block=block, told=told)
        row = asked.one()
        if row.owner != me:
            return None
        return BudgetLease(
            name=name, owner=me, fence=row.fence, state=row.state, inherited=row.inherited, now=row.now
        )

    async def write_state(self, lease: BudgetLease, state: Mapping[str, Any], block: int) -> float | None:
        """Write what is known, and count a block as spent beyond it.

        Returns when that was, by the database's clock; None where the lease was lost.
        """
        written = await self._ask(_WRITE, **_held(lease), block=block, state=json.dumps(state))
        return written.scalar_one_or_none()

    async def release(self, given: Sequence[tuple[BudgetLease, Mapping[str, Any]]]) -> None:
        """Give leases back, as far as they are still held, and leave word; each goes to the first in its line."""
        await self._ask(
            _GIVE,
            names=[lease.name for lease, _ in given],
            owners=[lease.owner for lease, _ in given],
            fences=[lease.fence for lease, _ in given],
            states=[json.dumps(state) for _, state in given],
            told=self._news.message_prefix(_TOPIC),
        )

    async def delete(self, lease: BudgetLease) -> None:
        """Take a row away that says nothing any more."""
        await self._ask(_DROP, **_held(lease))

    async def find_requested(self) -> Mapping[str, int]:
        """Return which rows of this process others stand in line for, and how urgent the most urgent of them is."""
        found = await self._ask(_WANTED, me=self._presence.me)
        return {row.name: row.priority for row in found}

    async def find_backup(self, name: str) -> Sequence[KeptWindow]:
        """Return what was kept of an account while one process alone served."""
        query = select(KEPT_WINDOWS).where(KEPT_WINDOWS.c.account == name)
        async with self._database.read() as connection:
            return [to_window(row) for row in await connection.execute(query)]

    async def reap_dead_owners(self) -> None:
        """Free what those had who are gone."""
        with suppress(CannotKeep):
            await self._presence.reap_dead()

    async def delete_stale(self) -> None:
        """Drop what is of no use any more."""
        await self._ask(_PRUNE, kept=_KEPT_SECONDS, unlinked=_UNLINKED_SECONDS)

    async def _ask(self, statement: Executable, **values: object) -> CursorResult[Any]:
        async with self._database.read() as connection:
            return await connection.execute(statement, values)


def _held(lease: BudgetLease) -> dict[str, object]:
    return {"name": lease.name, "me": lease.owner, "fence": lease.fence}
