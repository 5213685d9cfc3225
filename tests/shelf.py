"""Where budgets stand between processes, in memory: as `bot/cluster/budget_leases.py` has them in PostgreSQL.

What holds of `LeasedLedger` is tried on both: on this one in each run, on the real one by `make postgres`.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from typing import Any

from bot.domain.errors import CannotRead
from bot.domain.kept import BudgetLease, KeptWindow


@dataclass
class Row:
    """One account, and who stands in line for it: how urgent, and since when."""

    owner: int | None = None
    fence: int = 0
    state: str | None = None
    ahead: int = 0
    line: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])


class Shelf:
    """All rows, and the processes that live."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.kept: list[KeptWindow] = []
        self.hearers: dict[int, tuple[Callable[[str, int], None], Callable[[str], None]]] = {}
        self.living: set[int] = set()
        self.numbers = count(1)

    def bury(self, process: int) -> None:
        """Take a process for dead: what it has is had by whoever asks next."""
        self.living.discard(process)


class BudgetsInMemory:
    """The shelf as one process sees it."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self.me = next(shelf.numbers)
        self.is_away = False
        """Whether the shelf says nothing to this process."""
        self.is_in_time = True
        shelf.living.add(self.me)

    def subscribe(self, requested: Callable[[str, int], None], received: Callable[[str], None]) -> None:
        self._shelf.hearers[self.me] = requested, received

    def is_valid(self, lease: BudgetLease) -> bool:
        return lease.owner == self.me and self.is_in_time

    async def acquire(self, name: str, priority: int, block: int) -> BudgetLease | None:
        self._check()
        if self.me not in self._shelf.living:
            self._begin_anew()
        row = self._shelf.rows.setdefault(name, Row())
        if row.owner not in {None, self.me} and row.owner in self._shelf.living:
            row.line[self.me] = priority, row.line.get(self.me, (0, next(self._shelf.numbers)))[1]
            self._tell(row.owner, name, priority)
            return None
        inherited = row.ahead
        row.owner, row.fence, row.ahead = self.me, row.fence + 1, row.ahead + block
        row.line.pop(self.me, None)
        state = None if row.state is None else json.loads(row.state)
        return BudgetLease(
            name=name, owner=self.me, fence=row.fence, state=state, inherited=inherited, now=monotonic()
        )

    async def write_state(self, lease: BudgetLease, state: Mapping[str, Any], block: int) -> float | None:
        self._check()
        if not self._has(lease):
            return None
        row = self._shelf.rows[lease.name]
        row.state, row.ahead = json.dumps(state), block
        return monotonic()

    async def release(self, given: Sequence[tuple[BudgetLease, Mapping[str, Any]]]) -> None:
        self._check()
        for lease, state in given:
            if not self._has(lease):
                continue
            row = self._shelf.rows[lease.name]
            row.state, row.ahead = json.dumps(state), 0
            line = [each for each in row.line if each in self._shelf.living]
            row.owner = min(line, key=lambda each: row.line[each], default=None)
            if row.owner is None:
                row.line.clear()
            else:
                del row.line[row.owner]
                self._tell(row.owner, lease.name, None)

    async def delete(self, lease: BudgetLease) -> None:
        self._check()
        if self._has(lease):
            del self._shelf.rows[lease.name]

    async def find_requested(self) -> Mapping[str, int]:
        self._check()
        return {
            name: min(priority for priority, _ in row.line.values())
            for name, row in self._shelf.rows.items()
            if row.owner == self.me and row.line
        }

    async def find_backup(self, name: str) -> Sequence[KeptWindow]:
        return [each for each in self._shelf.kept if each.account == name]

    async def reap_dead_owners(self) -> None:
        self._check()

    async def delete_stale(self) -> None:
        self._check()

    def _begin_anew(self) -> None:
        """Go on by another id, as whoever was taken for dead."""
        hearers = self._shelf.hearers.pop(self.me)
        self.me = next(self._shelf.numbers)
        self._shelf.living.add(self.me)
        self._shelf.hearers[self.me] = hearers

    def _has(self, lease: BudgetLease) -> bool:
        row = self._shelf.rows.get(lease.name)
        return row is not None and (row.owner, row.fence) == (lease.owner, lease.fence)

    def _check(self) -> None:
        if self.is_away:
            raise CannotRead

    def _tell(self, process: int, name: str, priority: int | None) -> None:
        """Tell a process, which hears of it a little later, what is wanted of it or what it has now."""
        if process not in self._shelf.hearers:
            return
        (requested, received), loop = self._shelf.hearers[process], asyncio.get_running_loop()
        if priority is None:
            loop.call_soon(received, name)
        else:
            loop.call_soon(requested, name, priority)
