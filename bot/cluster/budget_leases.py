"""The table of budgets that several processes share: each row is leased to one of them. Only PostgreSQL has several.

What an owner may spend beyond the state in a row is stored before it is spent. So a row is sufficient whatever happens to
its owner, and can be leased again as soon as the owner counts as dead. A process that wants a lease held by another joins
the queue in its row; an owner who gives the lease back hands it to the most urgent one. Each statement is a transaction
of its own, as in `Database.read`.
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
"""Whether the owner is dead: a process whose row is gone never comes back under that id."""


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
        THEN pg_notify('{CHANNEL}', concat(:prefix, 'want ', owner, ' ', (:priority)::int, ' ', name)) END
    """,
    name=String(),
    me=BigInteger(),
    block=Integer(),
    priority=Integer(),
    prefix=String(),
).columns(state=JSON())
_WRITE: Final = _statement(
    f"""
    UPDATE budgets SET state = (:state)::json, ahead = :block, used_at = {_NOW}
    WHERE name = :name AND owner = :me AND fence = :fence RETURNING {_NOW}
    """,
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
        THEN pg_notify('{CHANNEL}', concat(:prefix, 'have ', b.owner, ' 0 ', b.name)) END
    """,
    prefix=String(),
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
    """,
    kept=Float(),
    unlinked=Float(),
)

_TOPIC: Final = "budget"
_HEARTBEAT_WAIT_SECONDS: Final = 1.0
"""A process that stood still waits this many seconds until the others have heard that it lives."""
_KEPT_SECONDS: Final = 86_400.0
"""An unused row stays for this many seconds, longer than any window: what was learned stays useful for a while."""
_UNLINKED_SECONDS: Final = 1800.0
"""The row of an account that nobody has linked stays for this many seconds, longer than any window too."""


class SharedBudgetLeases:
    """Leases the budgets of accounts to this process, stores their states, and gives them back. All async methods may raise CannotRead."""

    def __init__(self, database: Database, member: ClusterMember, bus: InvalidationBus) -> None:
        self._database = database
        self._member = member
        self._bus = bus

    def subscribe(self, requested: Callable[[str, int], None], received: Callable[[str], None]) -> None:
        """Call `requested` with the key and priority of another process that wants a lease held here, `received` with one handed over.

        Neither can be relied upon: a notification may be lost.
        """

        def take(text: str) -> None:
            what, owner, priority, name = text.split(" ")
            if int(owner) == self._member.me:
                requested(name, int(priority)) if what == "want" else received(name)

        self._bus.subscribe(_TOPIC, take)

    def is_valid(self, lease: BudgetLease) -> bool:
        """Return whether this process still counts as alive under the id with which it took a lease."""
        return self._member.me == lease.owner and self._member.is_within_ttl

    async def acquire(self, name: str, priority: int, block: int) -> BudgetLease | None:
        """Take a lease, with a block of requests counted as spent; where a living process has it, join its queue and return None."""
        if not self._member.is_within_ttl:
            try:
                async with asyncio.timeout(_HEARTBEAT_WAIT_SECONDS):
                    await self._member.until_alive()
            except TimeoutError:
                raise CannotRead from None
        me, prefix = self._member.me, self._bus.message_prefix(_TOPIC)
        asked = await self._ask(_TAKE, name=name, me=me, priority=priority, block=block, prefix=prefix)
        row = asked.one()
        if row.owner != me:
            return None
        return BudgetLease(
            name=name, owner=me, fence=row.fence, state=row.state, inherited=row.inherited, now=row.now
        )

    async def write_state(self, lease: BudgetLease, state: Mapping[str, Any], block: int) -> float | None:
        """Store the state of a budget, with a block of requests counted as spent beyond it.

        Returns when that was, by the database's clock; None where the lease was lost.
        """
        written = await self._ask(_WRITE, **_held(lease), block=block, state=json.dumps(state))
        return written.scalar_one_or_none()

    async def release(self, given: Sequence[tuple[BudgetLease, Mapping[str, Any]]]) -> None:
        """Give leases back with the states to continue from; each goes to the first in its queue."""
        await self._ask(
            _GIVE,
            names=[lease.name for lease, _ in given],
            owners=[lease.owner for lease, _ in given],
            fences=[lease.fence for lease, _ in given],
            states=[json.dumps(state) for _, state in given],
            prefix=self._bus.message_prefix(_TOPIC),
        )

    async def delete(self, lease: BudgetLease) -> None:
        """Delete the row of a lease that is of no use any more."""
        await self._ask(_DROP, **_held(lease))

    async def find_requested(self) -> Mapping[str, int]:
        """Return which leases of this process others queue for, with the priority of the most urgent of them."""
        found = await self._ask(_WANTED, me=self._member.me)
        return {row.name: row.priority for row in found}

    async def find_backup(self, name: str) -> Sequence[KeptWindow]:
        """Return the copies of an account's budgets from when a single process served."""
        query = select(KEPT_WINDOWS).where(KEPT_WINDOWS.c.account == name)
        return [to_window(row) for row in await self._database.fetch(query)]

    async def reap_dead_owners(self) -> None:
        """Free the leases of processes that are gone."""
        with suppress(CannotKeep):
            await self._member.reap_dead()

    async def delete_stale(self) -> None:
        """Delete the rows that nobody has used for long."""
        await self._ask(_PRUNE, kept=_KEPT_SECONDS, unlinked=_UNLINKED_SECONDS)

    async def _ask(self, statement: Executable, **values: object) -> CursorResult[Any]:
        async with self._database.read() as connection:
            return await connection.execute(statement, values)


def _held(lease: BudgetLease) -> dict[str, object]:
    return {"name": lease.name, "me": lease.owner, "fence": lease.fence}
