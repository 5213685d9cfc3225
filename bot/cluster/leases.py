"""The tables of leases and of the processes that own them: a lease is the right to do what only one process may do.

Each lease is a row with its owner and a fencing token that only grows. A lease does not expire by itself: it refers to the
row of its owner, and when that is deleted, all its leases are free in the same statement. A process that was reaped can
take nothing under its old id.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NewType

from sqlalchemy import ColumnElement, Float, case, delete, false, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import ReturningInsert
from sqlalchemy.sql.functions import FunctionElement

from bot.database.engine import Database
from bot.database.tables import LEASES, PROCESSES
from bot.database.upsert import insert_into

ProcessId = NewType("ProcessId", int)
"""The random id of one run of a process."""
State = Mapping[str, Any]
"""The state that the next owner of a lease continues from, as JSON can say it."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to do one thing, as long as `fence` is the newest fencing token of that name."""

    name: str
    owner: ProcessId
    fence: int
    state: State
    """The state that the former owner has left; empty where there was none."""
    reached: int | None = None
    """The number of the last step that the former owner is known to have done beyond that state; None for none."""


class _Now(FunctionElement[float]):
    """The SQL of the time by the database's clock, which all processes share, in seconds since 1970."""

    type = Float()
    inherit_cache = True


@compiles(_Now, "sqlite")
def _by_sqlite(_element: _Now, _compiler: SQLCompiler, **_options: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(_Now, "postgresql")
def _by_postgresql(_element: _Now, _compiler: SQLCompiler, **_options: Any) -> str:
    return "extract(epoch FROM clock_timestamp())::float8"  # now() is when the transaction began


NOW: Final[ColumnElement[float]] = _Now()


class Leases:
    """The repository of leases, and of the processes that own them. All methods that write may raise CannotKeep."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def join(self, process: ProcessId, *, seconds: float | None) -> None:
        """Add a process, which counts as dead after this many seconds without a heartbeat; None: never by time alone."""
        row = insert(PROCESSES).values(id=process, until=None if seconds is None else NOW + seconds)
        await self._database.change(row)

    async def heartbeat(self, process: ProcessId, *, seconds: float) -> bool:
        """Let a process live for this many seconds from now; return False where it was reaped before."""
        lives = update(PROCESSES).where(PROCESSES.c.id == process).values(until=NOW + seconds)
        return await self._database.change(lives) > 0

    async def reap(self, gone: Collection[ProcessId] = ()) -> None:
        """Delete the processes that are `gone`, and those whose time is over: all their leases are free."""
        is_over = PROCESSES.c.id.in_(gone) | (PROCESSES.c.until < NOW)
        await self._database.change(delete(PROCESSES).where(is_over))

    async def fetch_processes(self) -> Mapping[ProcessId, bool]:
        """Return all processes that are not reaped, and whether the time of each is over."""
        is_over = func.coalesce(PROCESSES.c.until < NOW, false())
        return {
            ProcessId(row.id): row.is_over
            for row in await self._database.fetch(select(PROCESSES.c.id, is_over.label("is_over")))
        }

    async def find_owner(self, name: str) -> ProcessId | None:
        """Return the owner of a lease; None where nobody has it, or a process whose time is over."""
        lives = PROCESSES.c.until.is_(None) | (PROCESSES.c.until >= NOW)
        query = select(PROCESSES.c.id).join(LEASES, LEASES.c.owner == PROCESSES.c.id)
        return await self._database.find_value(query.where(LEASES.c.name == name, lives))

    async def acquire(self, name: str, process: ProcessId) -> Lease | None:
        """Take a lease; return None where any process has it, this one included, or where this one was reaped."""
        try:
            async with self._database.write() as connection:
                row = (await connection.execute(_taking(connection, name, process))).one_or_none()
        except IntegrityError:  # this process was reaped
            return None
        return None if row is None else Lease(name, process, row.fence, row.state or {}, row.reached)

    async def write_state(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """Store the state that the next owner continues from; return whether the lease is still held."""
        return await self._change(lease, state=state, reached=reached)

    async def release(self, lease: Lease, state: State, reached: int | None = None) -> bool:
        """Give a lease back with the state that the next owner continues from; return whether it was still held."""
        return await self._change(lease, state=state, reached=reached, owner=None)

    async def note_progress(self, reached: Sequence[tuple[Lease, int]]) -> None:
        """Store how far the owner of each lease has come beyond its state, where the lease is still held."""
        names = LEASES.c.name.in_([lease.name for lease, _ in reached])
        owners = LEASES.c.owner.in_({lease.owner for lease, _ in reached})
        fence = case({lease.name: lease.fence for lease, _ in reached}, value=LEASES.c.name)
        new = case({lease.name: number for lease, number in reached}, value=LEASES.c.name)
        held = update(LEASES).where(names, owners, LEASES.c.fence == fence)
        await self._database.change(held.values(reached=new))

    async def _change(self, lease: Lease, **values: object) -> bool:
        is_held = (
            (LEASES.c.name == lease.name) & (LEASES.c.owner == lease.owner) & (LEASES.c.fence == lease.fence)
        )
        return await self._database.change(update(LEASES).where(is_held).values(**values)) > 0


def _taking(connection: AsyncConnection, name: str, process: ProcessId) -> ReturningInsert[Any, Any, Any]:
    new = insert_into(LEASES, dialect=connection.dialect.name).values(name=name, owner=process, fence=1)
    mine = new.on_conflict_do_update(
        index_elements=[LEASES.c.name],
        set_={"owner": new.excluded.owner, "fence": LEASES.c.fence + 1},
        where=LEASES.c.owner.is_(None),
    )
    return mine.returning(LEASES.c.fence, LEASES.c.state, LEASES.c.reached)
