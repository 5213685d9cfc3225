"""Who holds the budgets: changes go through one narrow door, behind which they could as well be in a database."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Final, Protocol, Self, TypeVar

from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import AccountKey, Budget, BudgetLeft, Granted, Permit, Priority
from bot.base.clock import SteadyClock
from bot.domain.errors import CannotKeep
from bot.domain.ids import UserId
from bot.domain.kept import KeptWindow
from bot.wire.versions import Version

T = TypeVar("T")

logger = logging.getLogger(__name__)

_SAVE_INTERVAL_SECONDS: Final = 1.0
"""Seconds; a copy that is a little old does no harm while much is left."""


class BudgetLedger(Protocol):
    """Holds the budgets of all accounts."""

    counts: Counter[str]
    """What became of the leases of accounts, since the start: taken, handed_over, waited, lost."""

    @property
    def leases_held(self) -> int:
        """How many accounts have their lease here; 0 where nobody else could have one."""
        ...

    async def acquire_lease(self, name: AccountKey, priority: Priority, deadline: float) -> None:
        """Be the one who decides about an account, until something else is awaited.

        Waits until a deadline on the monotonic clock. Raises: NotYet, CannotRead.
        """
        ...

    async def update_budget(self, name: AccountKey, version: Version, decide: Callable[[Budget], T]) -> T:
        """Load a budget, let `decide` change it, and store it, all under a lock; return what it decided.

        Whoever is cancelled meanwhile is granted nothing: what was decided is taken back. Raises: CannotRead.
        """
        ...

    async def record_outcome(self, ticket: Permit, change: Callable[[Budget], T]) -> T:
        """Let what became of a request change its budget; return what that says."""
        ...

    def may_send(self, ticket: Permit) -> bool:
        """Return whether the request may still be sent that was granted."""
        ...

    def requests_left(self, name: AccountKey, version: Version) -> BudgetLeft:
        """Return what may still be sent, as far as is known here."""
        ...

    async def link_token(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose token it is."""
        ...

    async def forget_account(self, user_id: UserId) -> None:
        """Leave no copy of an account's windows; its count goes on."""
        ...

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the account's own name, as far as it is known."""
        ...


class WindowBackup(Protocol):
    """Where windows and learned spacing survive a restart."""

    async def load(self) -> Sequence[KeptWindow]:
        """Return all that is kept, the last used last."""
        ...

    async def store(self, windows: Sequence[KeptWindow], *, gone: Collection[str] = ()) -> None:
        """Keep these in place of what was kept of the same accounts and versions; drop the accounts `gone`."""
        ...


class LocalLedger:
    """The budgets of this process alone, with a copy elsewhere.

    The lock is the event loop: nothing else runs between load and store. The copy is written every second, and
    before a request is sent where so little is left that each one matters.
    """

    def __init__(self, budgets: BudgetRegistry, clock: SteadyClock, copy: WindowBackup | None = None) -> None:
        self.counts = Counter[str]()
        self._budgets = budgets
        self._clock = clock
        self._copy = copy
        self._changed: dict[tuple[AccountKey, Version], Budget] = {}
        self._gone: set[AccountKey] = set()
        """Tokens whose account is known by now."""
        self._saving = asyncio.Lock()
        self._saver: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._copy is not None:
            for kept in await self._copy.load():
                self._budgets.restore_backup(kept, self._clock.monotonic(), self._clock.origin())
            self._saver = asyncio.create_task(self._save_regularly())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        saver, self._saver = self._saver, None
        if saver is not None:
            saver.cancel()
            with suppress(asyncio.CancelledError):
                await saver
        await self.save()

    @property
    def leases_held(self) -> int:
        """No account has a lease."""
        return 0

    async def acquire_lease(self, name: AccountKey, priority: Priority, deadline: float) -> None:
        """Nobody else decides."""

    async def update_budget(self, name: AccountKey, version: Version, decide: Callable[[Budget], T]) -> T:
        """Let `decide` change a budget; return what it decided."""
        budget = self._budgets.get(name, version, self._clock.monotonic())
        decision = decide(budget)
        if self._copy is not None:
            self._changed[self._budgets.account_of(name), version] = budget
            if isinstance(decision, Granted) and budget.is_scarce():
                await self._save_before_sending(decision.permit)
        return decision

    async def record_outcome(self, ticket: Permit, change: Callable[[Budget], T]) -> T:
        """Let what became of a request change its budget; return what that says."""
        return await self.update_budget(ticket.account, ticket.version, change)

    def may_send(self, ticket: Permit) -> bool:  # noqa: ARG002 - nobody else decides
        """Return whether the request may still be sent that was granted."""
        return True

    async def save(self) -> None:
        """Write what has changed to the copy; a copy that cannot be written costs nobody an answer."""
        if self._copy is None:
            return
        async with self._saving:
            changed, self._changed = self._changed, {}
            gone, self._gone = self._gone, set()
            if not changed and not gone:
                return
            now, origin = self._clock.monotonic(), self._clock.origin()
            is_stored = False
            try:
                await self._copy.store([each.to_backup(now, origin) for each in changed.values()], gone=gone)
                is_stored = True
            except CannotKeep:
                logger.debug("the copy of the budgets waits")  # the store has told why, once
            except Exception:
                logger.exception("the copy of the budgets could not be written")
            finally:
                if not is_stored:  # be it that who waited for it has given up
                    self._changed = changed | self._changed
                    self._gone |= gone

    async def forget_account(self, user_id: UserId) -> None:
        """Leave no copy of an account's windows; its count goes on here, for the service counts on as well."""
        name = key_of_account(user_id)
        for key in [key for key in self._changed if key[0] == name]:
            del self._changed[key]
        self._gone.add(name)
        await self.save()

    def requests_left(self, name: AccountKey, version: Version) -> BudgetLeft:
        """Return what may still be sent."""
        return self._budgets.requests_left(name, version, self._clock.monotonic(), self._clock.origin())

    async def link_token(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose token it is."""
        now = self._clock.monotonic()
        if self._budgets.link_token(token, user_id, now) and self._copy is not None:
            self._gone.add(token)
            for _, version in [key for key in self._changed if key[0] == token]:
                del self._changed[token, version]
                self._changed[key_of_account(user_id), version] = self._budgets.get(token, version, now)

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the account's own name, as far as it is known."""
        return self._budgets.account_of(name)

    async def _save_before_sending(self, ticket: Permit) -> None:
        try:
            await self.save()
        except asyncio.CancelledError:  # nobody is left to send it
            now = self._clock.monotonic()
            self._budgets.get(ticket.account, ticket.version, now).return_unsent(now)
            raise

    async def _save_regularly(self) -> None:
        while True:
            await asyncio.sleep(_SAVE_INTERVAL_SECONDS)
            await self.save()
