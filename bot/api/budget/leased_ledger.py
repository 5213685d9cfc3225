"""The budgets of those accounts whose lease this process has; they travel to whichever process asks for them.

Held is decided here, in memory, as by one process alone; what others must count with, should this process be lost, was
written before. A lease is given back after some quiet, or to the next one as soon as another process asks.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from types import TracebackType
from typing import Any, Final, Protocol, Self, TypeVar

from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import ASSUMED_LIMITS, AccountKey, Budget, BudgetLeft, Granted, Permit, Priority
from bot.api.budget.shared_state import ClockOffset, SharedState
from bot.api.budget.unwritten import UNWRITTEN_REQUESTS_MAX, UnwrittenSpendBound
from bot.base.clock import SteadyClock
from bot.domain.errors import CannotRead, NotYet
from bot.domain.ids import UserId
from bot.domain.kept import BudgetLease, KeptWindow
from bot.wire.versions import Version

T = TypeVar("T")

logger = logging.getLogger(__name__)

_IDLE_RELEASE_SECONDS: Final = 5.0
"""Seconds after which a lease is given back that nobody asked for."""
_MIN_HOLD_SECONDS: Final = 0.02
"""Seconds that a lease stays at least, for all who wait for it here."""
_HANDOVER_GRACE_SECONDS: Final = 0.5
"""Seconds in which replies to what is under way may come before the lease goes to another process."""
_REACQUIRE_INTERVAL_SECONDS: Final = 0.25
"""Seconds after which whoever stands in line asks again: that it is their turn may not have been heard."""
_REQUEST_CHECK_SECONDS: Final = 1.0
"""Seconds between looks at who stands in line for what is held here, which may not have been heard either."""
_MIN_ACQUIRE_SECONDS: Final = 0.5
"""Seconds that anybody waits for a lease, however impatient: it is had in a few milliseconds."""
_RETRY_AFTER_SECONDS: Final = 2.0
"""Seconds after which whoever waited for a lease in vain may ask again."""
_DELETE_STALE_SECONDS: Final = 3600.0


class BudgetLeaseStore(Protocol):
    """Where budgets are that this process does not hold. Everything here that waits may raise CannotRead."""

    def subscribe(self, wanted: Callable[[str, int], None], had: Callable[[str], None]) -> None:
        """Call `wanted` where another process wants a lease of this one, so urgently, and `had` where one was handed over.

        Neither can be relied upon: what is told may be lost.
        """
        ...

    def is_valid(self, lease: BudgetLease) -> bool:
        """Return whether a lease that was neither given back nor lost is still good."""
        ...

    async def acquire(self, name: str, priority: int, block: int) -> BudgetLease | None:
        """Take a lease and count a block as spent; where another process has it, stand in its line."""
        ...

    async def write_state(self, lease: BudgetLease, state: SharedState, block: int) -> float | None:
        """Write what is known, and count a block as spent beyond it.

        Returns when that was, by the clock that all share; None where the lease was lost.
        """
        ...

    async def release(self, given: Sequence[tuple[BudgetLease, SharedState]]) -> None:
        """Give leases back, as far as they are still held, and leave word; each goes to the first in its line."""
        ...

    async def delete(self, lease: BudgetLease) -> None:
        """Take away what says nothing any more."""
        ...

    async def find_requested(self) -> Mapping[str, int]:
        """Return which leases of this process others stand in line for, and how urgent the most urgent of them is."""
        ...

    async def find_backup(self, name: str) -> Sequence[KeptWindow]:
        """Return what was kept of an account while one process alone served."""
        ...

    async def reap_dead_owners(self) -> None:
        """Free what those had who are gone."""
        ...

    async def delete_stale(self) -> None:
        """Drop what is of no use any more."""
        ...


class _HeldLease:
    """An account whose lease is here."""

    __slots__ = ("bounds", "is_leaving", "lease", "moved", "shift", "since", "taken_at", "used_at", "writing")

    def __init__(self, lease: BudgetLease, now: float, shift: ClockOffset, since: int) -> None:
        self.lease = lease
        self.taken_at = self.used_at = now
        self.shift = shift
        """From our seconds to the database's."""
        self.since = since
        """The newest serial before: what was granted with it or an older one, was so under another lease."""
        self.bounds = {version: UnwrittenSpendBound() for version in ASSUMED_LIMITS}
        self.is_leaving = False
        self.moved = asyncio.Event()
        """Set by any change while it is leaving."""
        self.writing = asyncio.Lock()


class _Acquisition:
    """A lease that is being taken, for all who wait for it here."""

    task: asyncio.Task[None]

    def __init__(self, priority: Priority) -> None:
        self.priority = priority
        """Of the most urgent of them."""
        self.told = asyncio.Event()
        """Set where asking again may help."""


class LeasedLedger:
    """Some of the budgets that processes share."""

    def __init__(self, budgets: BudgetRegistry, clock: SteadyClock, shared: BudgetLeaseStore) -> None:
        self.counts = Counter[str]()
        """Leases taken, handed over because another process asked, waited for while another had them, lost to one."""
        self._budgets = budgets
        self._clock = clock
        self._shared = shared
        self._leases: dict[AccountKey, _HeldLease] = {}
        self._acquiring: dict[AccountKey, _Acquisition] = {}
        self._handing_over: dict[AccountKey, asyncio.Task[None]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._look_at = self._prune_at = 0.0

    async def __aenter__(self) -> Self:
        self._shared.subscribe(self._on_lease_requested, self._on_lease_received)
        self._looking = asyncio.create_task(self._check_regularly())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ending = {taking.task for taking in self._acquiring.values()}
        ending |= {self._looking} if self._looking else set()
        for task in ending:
            task.cancel()
        if ending or self._handing_over:
            await asyncio.wait({*ending, *self._handing_over.values()})
        if self._leases:
            await self._release(list(self._leases))

    @property
    def leases_held(self) -> int:
        """How many accounts have their lease here."""
        return len(self._leases)

    async def acquire_lease(self, name: AccountKey, priority: Priority, deadline: float) -> None:
        """Have an account's lease, until something else is awaited. Raises: NotYet, CannotRead."""
        while True:
            row = self._budgets.account_of(name)
            held = self._leases.get(row)
            if held is not None and self._is_open(held):
                return
            await self._wait_for(row, priority, deadline)

    async def update_budget(self, name: AccountKey, version: Version, decide: Callable[[Budget], T]) -> T:
        """Let `decide` change a budget; before something is sent that goes beyond the block, write it. Raises: CannotRead."""
        now = self._clock.monotonic()
        budget = self._budgets.get(name, version, now)
        held = self._leases.get(self._budgets.account_of(name))
        if held is None:  # nobody sends: a place is given up
            return decide(budget)
        window, bound = budget.window, held.bounds[version]
        window.refresh(now)
        bound.raise_floor(window.certainly_left)
        decision = decide(budget)
        held.used_at = now
        if isinstance(decision, Granted) and bound.is_exceeded(window.certainly_left):
            await self._write_before_sending(held, budget)
        return decision

    async def record_outcome(self, ticket: Permit, change: Callable[[Budget], T]) -> T:
        """Let a reply change a budget; what it says once the lease has passed on, whoever has it hears from the next."""
        held = self._find_held(ticket)
        if held is None:
            return change(Budget(ticket.account, ticket.version))
        held.used_at = now = self._clock.monotonic()
        settled = change(self._budgets.get(ticket.account, ticket.version, now))
        if held.is_leaving:
            held.moved.set()
        return settled

    def may_send(self, ticket: Permit) -> bool:
        """Return whether the lease is still good under which a request was granted."""
        held = self._find_held(ticket)
        return held is not None and self._shared.is_valid(held.lease)

    def requests_left(self, name: AccountKey, version: Version) -> BudgetLeft:
        """Return what may still be sent, as far as is known here."""
        return self._budgets.requests_left(name, version, self._clock.monotonic(), self._clock.origin())

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the account's own name, as far as it is known."""
        return self._budgets.account_of(name)

    async def link_token(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose token it is: what was sent with it counts for the account."""
        account = key_of_account(user_id)
        now = self._clock.monotonic()
        if self._budgets.account_of(token) == account:
            return
        if token in self._leases:
            # The token's lease may pass on meanwhile, for nobody keeps one while waiting for another; whoever has it
            # then hears itself whose it is.
            with suppress(NotYet, CannotRead):
                await self.acquire_lease(account, Priority.PERSON, now + _MIN_ACQUIRE_SECONDS)
        of_token, of_account = self._leases.pop(token, None), self._leases.get(account)
        for budget in (*self._budgets.get_all(token), *self._budgets.get_all(account)):
            budget.abandon_in_flight(now)
        self._budgets.link_token(token, user_id, now)
        if of_token is None or of_account is None:
            return
        of_account.since = self._budgets.serials.last
        with suppress(CannotRead):
            await self._write(account, of_account)
            await self._shared.delete(of_token.lease)

    async def forget_account(self, user_id: UserId) -> None:
        """Keep nothing of an account; its count goes on, for the service counts on as well."""
        row = key_of_account(user_id)
        if row in self._leases and row not in self._handing_over:
            await asyncio.wait({self._start_handing_over([row], self._release([row]))})

    def _is_open(self, held: _HeldLease) -> bool:
        """Return whether who waits here may be granted something."""
        if held.is_leaving and self._clock.monotonic() >= held.taken_at + _MIN_HOLD_SECONDS:
            return False
        return self._shared.is_valid(held.lease)

    def _find_held(self, ticket: Permit) -> _HeldLease | None:
        held = self._leases.get(self._budgets.account_of(ticket.account))
        return held if held is not None and ticket.sent.serial > held.since else None

    def _is_under_way(self, row: AccountKey) -> bool:
        return any(budget.window.in_flight for budget in self._budgets.get_all(row))

    async def _wait_for(self, row: AccountKey, priority: Priority, deadline: float) -> None:
        taking = self._acquiring.get(row) or self._start_taking(row, priority)
        if priority < taking.priority:
            taking.priority = priority
            taking.told.set()
        seconds = max(_MIN_ACQUIRE_SECONDS, deadline - self._clock.monotonic())
        done, _ = await asyncio.wait({taking.task}, timeout=seconds)
        if not done:
            raise NotYet(self._clock.now() + timedelta(seconds=_RETRY_AFTER_SECONDS))
        taking.task.result()

    def _start_taking(self, row: AccountKey, priority: Priority) -> _Acquisition:
        def end(task: asyncio.Task[None]) -> None:
            del self._acquiring[row]
            if not task.cancelled():
                task.exception()  # seen: whoever waited may be gone

        taking = self._acquiring[row] = _Acquisition(priority)
        taking.task = asyncio.create_task(self._acquire(row, taking))
        taking.task.add_done_callback(end)
        return taking

    async def _acquire(self, row: AccountKey, taking: _Acquisition) -> None:
        if row in self._handing_over:
            await asyncio.wait({self._handing_over[row]})
        self._drop_lost(row)
        has_waited = False
        while True:
            taking.told.clear()
            before = self._clock.monotonic()
            lease = await self._shared.acquire(row, taking.priority, UNWRITTEN_REQUESTS_MAX)
            if lease is not None:
                break
            self.counts["waited"] += not has_waited
            has_waited = True
            with suppress(TimeoutError):
                async with asyncio.timeout(_REACQUIRE_INTERVAL_SECONDS):
                    await taking.told.wait()
        self.counts["taken"] += 1
        now = self._clock.monotonic()
        shift = ClockOffset(lease.now - now, lease.now - before)
        kept = () if lease.state is not None else await self._shared.find_backup(row)
        self._leases[row] = self._restore(row, lease, shift, kept)

    def _restore(
        self, row: AccountKey, lease: BudgetLease, shift: ClockOffset, kept: Collection[KeptWindow]
    ) -> _HeldLease:
        """Go on from what others have left."""
        now = self._clock.monotonic()
        state = lease.state or {}
        for version in ASSUMED_LIMITS:
            if version in state:
                self._budgets.get(row, version, now).restore_shared_state(now, state[version], shift.inverse)
            if lease.inherited:
                self._budgets.get(row, version, now).count_unseen_requests(now, lease.inherited)
        for each in kept:
            self._budgets.restore_backup(each, now, self._clock.origin())
        return _HeldLease(lease, now, shift, self._budgets.serials.last)

    def _drop_lost(self, row: AccountKey) -> None:
        """Have a lease no longer that another process may have."""
        if self._leases.pop(row, None) is not None:
            self.counts["lost"] += 1
            for budget in self._budgets.get_all(row):
                budget.abandon_in_flight(self._clock.monotonic())

    async def _write_before_sending(self, held: _HeldLease, budget: Budget) -> None:
        """Write what goes beyond the block; afterwards it may be sent, if the lease was not lost."""
        row = AccountKey(held.lease.name)
        try:
            async with held.writing:
                if self._leases.get(row) is held and held.bounds[budget.version].is_exceeded(
                    budget.window.certainly_left
                ):
                    await self._write(row, held)
        except (asyncio.CancelledError, CannotRead):  # nobody sends it
            budget.return_unsent(self._clock.monotonic())
            raise

    async def _write(self, row: AccountKey, held: _HeldLease) -> None:
        before = self._clock.monotonic()
        state = self._state(row, held)
        sure = [
            (held.bounds[each.version], held.bounds[each.version].floor, each.window.certainly_left)
            for each in self._budgets.get_all(row)
        ]
        written_at = await self._shared.write_state(held.lease, state, UNWRITTEN_REQUESTS_MAX)
        if written_at is None:
            if self._leases.get(row) is held:
                self._drop_lost(row)
            return
        held.shift = ClockOffset(written_at - self._clock.monotonic(), written_at - before)
        for bound, floor, each in sure:
            bound.reset_after_write(each, floor)

    def _state(self, row: AccountKey, held: _HeldLease) -> SharedState:
        now = self._clock.monotonic()
        return {each.version: each.to_shared_state(now, held.shift) for each in self._budgets.get_all(row)}

    def _on_lease_received(self, name: str) -> None:
        """Use a lease that is this process's by now; where nobody waits for it any more, it is given back after a while."""
        row = AccountKey(name)
        if (taking := self._acquiring.get(row)) is not None:
            taking.told.set()
        elif row not in self._leases and row not in self._handing_over:
            self._start_taking(row, Priority.PREFETCH)

    def _on_lease_requested(self, name: str, priority: int) -> None:
        """Give a lease to another process, unless somebody waits here who is more urgent than whoever does there."""
        row = AccountKey(name)
        held = self._leases.get(row)
        if held is None:
            self._on_lease_received(name)  # it is ours all the same, for it could not be given back
            return
        waiting = (each.has_more_urgent_waiters(Priority(priority)) for each in self._budgets.get_all(row))
        if held.is_leaving or any(waiting):
            return
        held.is_leaving = True
        self._start_handing_over([row], self._hand_over(row, held))

    async def _hand_over(self, row: AccountKey, held: _HeldLease) -> None:
        await asyncio.sleep(held.taken_at + _MIN_HOLD_SECONDS - self._clock.monotonic())
        until = self._clock.monotonic() + _HANDOVER_GRACE_SECONDS
        while self._is_under_way(row) and (seconds := until - self._clock.monotonic()) > 0:
            held.moved.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await held.moved.wait()
        if self._leases.get(row) is held:
            self.counts["handed_over"] += 1
            await self._release([row])

    def _start_handing_over(
        self, rows: Collection[AccountKey], parting: Coroutine[Any, Any, None]
    ) -> asyncio.Task[None]:
        """Have whoever wants one of these back wait until it is given."""

        def end(_task: asyncio.Task[None]) -> None:
            for row in rows:
                del self._handing_over[row]

        task = asyncio.create_task(parting)
        self._handing_over.update(dict.fromkeys(rows, task))
        task.add_done_callback(end)
        return task

    async def _release(self, rows: Collection[AccountKey]) -> None:
        now = self._clock.monotonic()
        given: list[tuple[BudgetLease, SharedState]] = []
        for row in rows:
            held = self._leases.pop(row)
            given.append((held.lease, self._state(row, held)))
            for budget in self._budgets.get_all(row):
                budget.abandon_in_flight(now)
        with suppress(CannotRead):  # then whoever goes on counts with the block
            await self._shared.release(given)

    async def _check_regularly(self) -> None:
        while True:
            await asyncio.sleep(_REACQUIRE_INTERVAL_SECONDS if self._acquiring else _REQUEST_CHECK_SECONDS)
            try:
                await self._check()
            except CannotRead:
                logger.debug("nobody can be asked who wants a lease")  # the store has told why, once
            except Exception:
                logger.exception("the leases of budgets were not looked after")

    async def _check(self) -> None:
        now = self._clock.monotonic()
        if self._acquiring:
            await self._shared.reap_dead_owners()
        quiet = [
            row
            for row, held in self._leases.items()
            if now - held.used_at >= _IDLE_RELEASE_SECONDS
            and row not in self._handing_over
            and not self._is_under_way(row)
        ]
        if quiet:
            self._start_handing_over(quiet, self._release(quiet))
        if now >= self._look_at:
            self._look_at = now + _REQUEST_CHECK_SECONDS
            for row, priority in (await self._shared.find_requested()).items():
                self._on_lease_requested(row, priority)
        if now >= self._prune_at:
            self._prune_at = now + _DELETE_STALE_SECONDS
            await self._shared.delete_stale()
