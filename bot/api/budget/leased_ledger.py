"""The ledger of a process that shares its budgets with others: each account is decided by the process that has its lease.

An account whose lease is here is decided in memory, as by one process alone. What others must count as spent, should this
process be lost, was stored before: the state, and a block of requests that may be sent beyond it. A lease is given back
once it is not used for a while, or to the next process as soon as that asks for it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Coroutine
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, Self, TypeVar

from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import ASSUMED_LIMITS, AccountKey, Budget, BudgetLeft, Granted, Permit, Priority
from bot.api.budget.ledger import BudgetLeaseStore
from bot.api.budget.shared_state import ClockOffset, SharedState
from bot.api.budget.unwritten import MAX_UNWRITTEN_REQUESTS, UnwrittenSpendBound
from bot.base.clock import SteadyClock
from bot.domain.errors import CannotRead, NotYet
from bot.domain.ids import UserId
from bot.domain.kept import BudgetLease, KeptWindow
from bot.wire.versions import Version

T = TypeVar("T")

logger = logging.getLogger(__name__)

_IDLE_RELEASE_SECONDS: Final = 5.0
"""A lease that was not used for this many seconds is given back."""
_MIN_HOLD_SECONDS: Final = 0.02
"""A lease stays here for this many seconds at least, for all who wait for it here."""
_HANDOVER_GRACE_SECONDS: Final = 0.5
"""Replies to requests in flight are awaited for this many seconds before a lease is handed over."""
_REACQUIRE_INTERVAL_SECONDS: Final = 0.25
"""A process that queues for a lease asks again after this many seconds: a notification may be lost."""
_REQUEST_CHECK_SECONDS: Final = 1.0
"""How often it is checked who queues for the leases held here, for a notification may be lost."""
_MIN_ACQUIRE_SECONDS: Final = 0.5
"""A caller waits for a lease for at least this many seconds, whatever its deadline: it mostly comes in a few milliseconds."""
_RETRY_AFTER_SECONDS: Final = 2.0
"""A caller that has waited for a lease in vain is told to ask again after this many seconds."""
_DELETE_STALE_SECONDS: Final = 3600.0


class _HeldLease:
    """A lease that this process has."""

    def __init__(self, lease: BudgetLease, now: float, offset: ClockOffset, since: int) -> None:
        self.lease = lease
        self.taken_at = self.used_at = now
        self.offset = offset
        """How far the database's clock is ahead of ours."""
        self.since_serial = since
        """The newest serial when it was taken: permits with that or an older one were granted under another lease."""
        self.bounds = {version: UnwrittenSpendBound() for version in ASSUMED_LIMITS}
        self.is_leaving = False
        self.changed = asyncio.Event()
        """Set when a request ends while the lease is about to be handed over."""
        self.writing = asyncio.Lock()


class _Acquisition:
    """The task that takes a lease, shared by all who wait for it here."""

    task: asyncio.Task[None]

    def __init__(self, priority: Priority) -> None:
        self.priority = priority
        """The priority of the most urgent of them."""
        self.retry = asyncio.Event()
        """Set when it may help to ask again at once."""


class LeasedLedger:
    """Decides about the budgets of those accounts whose lease this process has, and takes leases as they are needed."""

    def __init__(self, budgets: BudgetRegistry, clock: SteadyClock, shared: BudgetLeaseStore) -> None:
        self.counts = Counter[str]()
        """The number of leases since the start that were taken, handed_over, waited for and lost."""
        self._budgets = budgets
        self._clock = clock
        self._shared = shared
        self._leases: dict[AccountKey, _HeldLease] = {}
        self._acquiring: dict[AccountKey, _Acquisition] = {}
        self._handing_over: dict[AccountKey, asyncio.Task[None]] = {}
        self._checker: asyncio.Task[None] | None = None
        self._check_requests_at = self._delete_stale_at = 0.0

    async def __aenter__(self) -> Self:
        self._shared.subscribe(self._on_lease_requested, self._on_lease_received)
        self._checker = asyncio.create_task(self._check_regularly())
        return self

    async def __aexit__(self, *_: object) -> None:
        ending = {acquisition.task for acquisition in self._acquiring.values()}
        ending |= {self._checker} if self._checker else set()
        for task in ending:
            task.cancel()
        if ending or self._handing_over:
            await asyncio.wait({*ending, *self._handing_over.values()})
        if self._leases:
            await self._release(list(self._leases))

    @property
    def leases_held(self) -> int:
        """The number of accounts whose lease this process has."""
        return len(self._leases)

    async def acquire_lease(self, name: AccountKey, priority: Priority, deadline: float) -> None:
        """Take the lease of an account, if it is not here; the caller may rely on it until its next await. Raises: NotYet, CannotRead."""
        while True:
            account = self._budgets.account_of(name)
            held = self._leases.get(account)
            if held is not None and self._is_open(held):
                return
            await self._wait_for(account, priority, deadline)

    async def update_budget(self, name: AccountKey, version: Version, decide: Callable[[Budget], T]) -> T:
        """Let `decide` change a budget; where a request goes beyond the block, store the state first. Raises: CannotRead."""
        now = self._clock.monotonic()
        budget = self._budgets.get(name, version, now)
        held = self._leases.get(self._budgets.account_of(name))
        if held is None:  # no request is sent: only a place in the queue is given up
            return decide(budget)
        window, bound = budget.window, held.bounds[version]
        window.refresh(now)
        bound.raise_floor(window.certainly_left)
        decision = decide(budget)
        held.used_at = now
        if isinstance(decision, Granted) and bound.is_exceeded(window.certainly_left):
            await self._write_before_sending(held, budget)
        return decision

    async def record_outcome(self, permit: Permit, change: Callable[[Budget], T]) -> T:
        """Let `change` record the outcome of a request, in a budget that is thrown away if its lease is not here any more."""
        held = self._find_held(permit)
        if held is None:
            return change(Budget(permit.account, permit.version))
        held.used_at = now = self._clock.monotonic()
        settled = change(self._budgets.get(permit.account, permit.version, now))
        if held.is_leaving:
            held.changed.set()
        return settled

    def may_send(self, permit: Permit) -> bool:
        """Return whether the lease is still good under which a permit was granted."""
        held = self._find_held(permit)
        return held is not None and self._shared.is_valid(held.lease)

    def requests_left(self, name: AccountKey, version: Version) -> BudgetLeft:
        """Return how many requests may still be sent, as far as this process knows."""
        return self._budgets.requests_left(name, version, self._clock.monotonic(), self._clock.origin())

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the key of the account that a token belongs to, where that is known; otherwise the key itself."""
        return self._budgets.account_of(name)

    async def link_token(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose account a token is: what was sent with the token counts for the account from now on."""
        account = key_of_account(user_id)
        now = self._clock.monotonic()
        if self._budgets.account_of(token) == account:
            return
        if token in self._leases:
            # Nobody keeps a lease while waiting for another, so the token's lease may pass on meanwhile; the process that
            # has it then learns by itself whose token it is.
            with suppress(NotYet, CannotRead):
                await self.acquire_lease(account, Priority.PERSON, now + _MIN_ACQUIRE_SECONDS)
        of_token, of_account = self._leases.pop(token, None), self._leases.get(account)
        for budget in (*self._budgets.get_all(token), *self._budgets.get_all(account)):
            budget.abandon_in_flight(now)
        self._budgets.link_token(token, user_id, now)
        if of_token is None or of_account is None:
            return
        of_account.since_serial = self._budgets.serials.last
        with suppress(CannotRead):
            await self._write(account, of_account)
            await self._shared.delete(of_token.lease)

    async def release_account(self, user_id: UserId) -> None:
        """Give the lease of an account back; its budget goes on in the database, for the service counts on as well."""
        account = key_of_account(user_id)
        if account in self._leases and account not in self._handing_over:
            await asyncio.wait({self._start_handing_over([account], self._release([account]))})

    def _is_open(self, held: _HeldLease) -> bool:
        """Return whether requests may be granted under a lease."""
        if held.is_leaving and self._clock.monotonic() >= held.taken_at + _MIN_HOLD_SECONDS:
            return False
        return self._shared.is_valid(held.lease)

    def _find_held(self, permit: Permit) -> _HeldLease | None:
        held = self._leases.get(self._budgets.account_of(permit.account))
        return held if held is not None and permit.sent.serial > held.since_serial else None

    def _is_under_way(self, account: AccountKey) -> bool:
        return any(budget.window.in_flight for budget in self._budgets.get_all(account))

    async def _wait_for(self, account: AccountKey, priority: Priority, deadline: float) -> None:
        acquisition = self._acquiring.get(account) or self._start_acquiring(account, priority)
        if priority < acquisition.priority:
            acquisition.priority = priority
            acquisition.retry.set()
        seconds = max(_MIN_ACQUIRE_SECONDS, deadline - self._clock.monotonic())
        done, _ = await asyncio.wait({acquisition.task}, timeout=seconds)
        if not done:
            raise NotYet(self._clock.now() + timedelta(seconds=_RETRY_AFTER_SECONDS))
        acquisition.task.result()

    def _start_acquiring(self, account: AccountKey, priority: Priority) -> _Acquisition:
        def end(task: asyncio.Task[None]) -> None:
            del self._acquiring[account]
            if not task.cancelled():
                task.exception()  # retrieve it: nobody may be waiting any more

        acquisition = self._acquiring[account] = _Acquisition(priority)
        acquisition.task = asyncio.create_task(self._acquire(account, acquisition))
        acquisition.task.add_done_callback(end)
        return acquisition

    async def _acquire(self, account: AccountKey, acquisition: _Acquisition) -> None:
        if account in self._handing_over:
            await asyncio.wait({self._handing_over[account]})
        self._drop_lost(account)
        has_waited = False
        while True:
            acquisition.retry.clear()
            before = self._clock.monotonic()
            lease = await self._shared.acquire(account, acquisition.priority, MAX_UNWRITTEN_REQUESTS)
            if lease is not None:
                break
            self.counts["waited"] += not has_waited
            has_waited = True
            with suppress(TimeoutError):
                async with asyncio.timeout(_REACQUIRE_INTERVAL_SECONDS):
                    await acquisition.retry.wait()
        self.counts["taken"] += 1
        now = self._clock.monotonic()
        offset = ClockOffset(lease.now - now, lease.now - before)
        kept = () if lease.state is not None else await self._shared.find_backup(account)
        self._leases[account] = self._restore(account, lease, offset, kept)

    def _restore(
        self, account: AccountKey, lease: BudgetLease, offset: ClockOffset, kept: Collection[KeptWindow]
    ) -> _HeldLease:
        """Continue from the state that came with a lease."""
        now = self._clock.monotonic()
        state = lease.state or {}
        for version in ASSUMED_LIMITS:
            if version in state:
                self._budgets.get(account, version, now).restore_shared_state(
                    now, state[version], offset.inverse
                )
            if lease.inherited:
                self._budgets.get(account, version, now).count_unseen_requests(now, lease.inherited)
        for each in kept:
            self._budgets.restore_backup(each, now, self._clock.origin())
        return _HeldLease(lease, now, offset, self._budgets.serials.last)

    def _drop_lost(self, account: AccountKey) -> None:
        """Drop a lease that another process may have by now."""
        if self._leases.pop(account, None) is not None:
            self.counts["lost"] += 1
            for budget in self._budgets.get_all(account):
                budget.abandon_in_flight(self._clock.monotonic())

    async def _write_before_sending(self, held: _HeldLease, budget: Budget) -> None:
        """Store the state before a request that goes beyond the block; it may be sent after, if the lease was not lost."""
        account = AccountKey(held.lease.name)
        try:
            async with held.writing:
                if self._leases.get(account) is held and held.bounds[budget.version].is_exceeded(
                    budget.window.certainly_left
                ):
                    await self._write(account, held)
        except (asyncio.CancelledError, CannotRead):  # nobody sends it
            budget.return_unsent(self._clock.monotonic())
            raise

    async def _write(self, account: AccountKey, held: _HeldLease) -> None:
        before = self._clock.monotonic()
        state = self._state(account, held)
        written = [
            (held.bounds[each.version], held.bounds[each.version].floor, each.window.certainly_left)
            for each in self._budgets.get_all(account)
        ]
        written_at = await self._shared.write_state(held.lease, state, MAX_UNWRITTEN_REQUESTS)
        if written_at is None:
            if self._leases.get(account) is held:
                self._drop_lost(account)
            return
        held.offset = ClockOffset(written_at - self._clock.monotonic(), written_at - before)
        for bound, floor, each in written:
            bound.reset_after_write(each, floor)

    def _state(self, account: AccountKey, held: _HeldLease) -> SharedState:
        now = self._clock.monotonic()
        return {
            each.version: each.to_shared_state(now, held.offset) for each in self._budgets.get_all(account)
        }

    def _on_lease_received(self, name: str) -> None:
        """Take a lease that was handed to this process; where nobody waits for it any more, it is given back after a while."""
        account = AccountKey(name)
        if (acquisition := self._acquiring.get(account)) is not None:
            acquisition.retry.set()
        elif account not in self._leases and account not in self._handing_over:
            self._start_acquiring(account, Priority.PREFETCH)

    def _on_lease_requested(self, name: str, priority: int) -> None:
        """Hand a lease over to another process, unless somebody more urgent waits here."""
        account = AccountKey(name)
        held = self._leases.get(account)
        if held is None:
            self._on_lease_received(name)  # it is still ours, because it could not be given back
            return
        waiting = (
            each.has_more_urgent_waiters(Priority(priority)) for each in self._budgets.get_all(account)
        )
        if held.is_leaving or any(waiting):
            return
        held.is_leaving = True
        self._start_handing_over([account], self._hand_over(account, held))

    async def _hand_over(self, account: AccountKey, held: _HeldLease) -> None:
        await asyncio.sleep(held.taken_at + _MIN_HOLD_SECONDS - self._clock.monotonic())
        until = self._clock.monotonic() + _HANDOVER_GRACE_SECONDS
        while self._is_under_way(account) and (seconds := until - self._clock.monotonic()) > 0:
            held.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await held.changed.wait()
        if self._leases.get(account) is held:
            self.counts["handed_over"] += 1
            await self._release([account])

    def _start_handing_over(
        self, accounts: Collection[AccountKey], parting: Coroutine[Any, Any, None]
    ) -> asyncio.Task[None]:
        """Run the task that hands leases over; a caller who wants one of them back waits until it is done."""

        def end(_task: asyncio.Task[None]) -> None:
            for account in accounts:
                del self._handing_over[account]

        task = asyncio.create_task(parting)
        self._handing_over.update(dict.fromkeys(accounts, task))
        task.add_done_callback(end)
        return task

    async def _release(self, accounts: Collection[AccountKey]) -> None:
        now = self._clock.monotonic()
        given: list[tuple[BudgetLease, SharedState]] = []
        for account in accounts:
            held = self._leases.pop(account)
            given.append((held.lease, self._state(account, held)))
            for budget in self._budgets.get_all(account):
                budget.abandon_in_flight(now)
        with suppress(CannotRead):  # the next owner then counts the block as spent
            await self._shared.release(given)

    async def _check_regularly(self) -> None:
        while True:
            await asyncio.sleep(_REACQUIRE_INTERVAL_SECONDS if self._acquiring else _REQUEST_CHECK_SECONDS)
            try:
                await self._check()
            except CannotRead:
                logger.debug("nobody can be asked who wants a lease")  # the store has logged why, once
            except Exception:
                logger.exception("the leases of budgets were not renewed")

    async def _check(self) -> None:
        now = self._clock.monotonic()
        if self._acquiring:
            await self._shared.reap_dead_owners()
        quiet = [
            account
            for account, held in self._leases.items()
            if now - held.used_at >= _IDLE_RELEASE_SECONDS
            and account not in self._handing_over
            and not self._is_under_way(account)
        ]
        if quiet:
            self._start_handing_over(quiet, self._release(quiet))
        if now >= self._check_requests_at:
            self._check_requests_at = now + _REQUEST_CHECK_SECONDS
            for account, priority in (await self._shared.find_requested()).items():
                self._on_lease_requested(account, priority)
        if now >= self._delete_stale_at:
            self._delete_stale_at = now + _DELETE_STALE_SECONDS
            await self._shared.delete_stale()
