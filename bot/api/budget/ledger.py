"""What holds the budgets of all accounts, and where a ledger keeps what must outlive this process.

All changes of a budget go through a ledger: one process decides alone (`LocalLedger`), or, of several, the one that
has the budget's lease (`LeasedLedger`).
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeVar

from bot.api.budget.budget import AccountKey, Budget, BudgetLeft, Permit, Priority
from bot.api.budget.shared_state import SharedState
from bot.domain.ids import UserId
from bot.domain.kept import BudgetLease, KeptWindow
from bot.wire.versions import Version

T = TypeVar("T")


class BudgetLedger(Protocol):
    """Holds the budgets of all accounts; every change of a budget goes through it."""

    counts: Counter[str]
    """The number of leases since the start that were taken, handed_over, waited for and lost."""

    @property
    def leases_held(self) -> int:
        """The number of accounts whose lease this process has; 0 where there are no leases."""
        ...

    async def acquire_lease(self, name: AccountKey, priority: Priority, deadline: float) -> None:
        """Make this process the one that decides about an account; the caller may rely on it until its next await.

        Waits until `deadline` on the monotonic clock at most. Raises: NotYet, CannotRead.
        """
        ...

    async def update_budget(self, name: AccountKey, version: Version, decide: Callable[[Budget], T]) -> T:
        """Let `decide` change a budget, store that where it has to be, and return what was decided.

        A caller that is cancelled meanwhile is granted nothing: the permit is taken back. Raises: CannotRead.
        """
        ...

    async def record_outcome(self, permit: Permit, change: Callable[[Budget], T]) -> T:
        """Let `change` record the outcome of a request in its budget; return what `change` returns."""
        ...

    def may_send(self, permit: Permit) -> bool:
        """Return whether a permit is still good, so that its request may be sent."""
        ...

    def requests_left(self, name: AccountKey, version: Version) -> BudgetLeft:
        """Return how many requests may still be sent, as far as this process knows."""
        ...

    async def link_token(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose account a token is: what was sent with the token counts for the account from now on."""
        ...

    async def release_account(self, user_id: UserId) -> None:
        """Delete the stored copies of an account, or give its lease back; its budget stays, because the service keeps counting."""
        ...

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the key of the account that a token belongs to, where that is known; otherwise the key itself."""
        ...


class WindowBackup(Protocol):
    """Stores copies of budgets that a later process restores, for a process that shares them with no other."""

    async def load(self) -> Sequence[KeptWindow]:
        """Return all copies, the last used last."""
        ...

    async def store(self, windows: Sequence[KeptWindow], *, gone: Collection[str] = ()) -> None:
        """Store these copies in place of those of the same accounts and versions; delete those of the accounts `gone`."""
        ...


class BudgetLeaseStore(Protocol):
    """Stores the budgets that several processes share, and leases each to one of them. All async methods may raise CannotRead."""

    def subscribe(self, requested: Callable[[str, int], None], received: Callable[[str], None]) -> None:
        """Call `requested` with the key and priority of another process that wants a lease held here, `received` with one handed over.

        Neither can be relied upon: a notification may be lost.
        """
        ...

    def is_valid(self, lease: BudgetLease) -> bool:
        """Return whether this process still counts as alive under the id with which it took a lease."""
        ...

    async def acquire(self, name: str, priority: int, block: int) -> BudgetLease | None:
        """Take a lease, with a block of requests counted as spent; where another process has it, join its queue and return None."""
        ...

    async def write_state(self, lease: BudgetLease, state: SharedState, block: int) -> float | None:
        """Store the state of a budget, with a block of requests counted as spent beyond it.

        Returns the moment of writing, by the shared clock; None if the lease was lost.
        """
        ...

    async def release(self, given: Sequence[tuple[BudgetLease, SharedState]]) -> None:
        """Give leases back with the states to continue from; each goes to the first in its queue."""
        ...

    async def delete(self, lease: BudgetLease) -> None:
        """Delete the row of a lease that is of no use any more."""
        ...

    async def find_requested(self) -> Mapping[str, int]:
        """Return which leases of this process others queue for, with the priority of the most urgent of them."""
        ...

    async def find_backup(self, name: str) -> Sequence[KeptWindow]:
        """Return the copies of an account's budgets from when one process alone served."""
        ...

    async def reap_dead_owners(self) -> None:
        """Free the leases of processes that are gone."""
        ...

    async def delete_stale(self) -> None:
        """Delete rows that nobody has used for a long time."""
        ...
