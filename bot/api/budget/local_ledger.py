"""The ledger of a process that shares its budgets with no other, with copies for the next one."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self, TypeVar

from bot.api.budget.accounts import BudgetRegistry, key_of_account
from bot.api.budget.budget import AccountKey, Budget, BudgetLeft, Granted, Permit, Priority
from bot.api.budget.ledger import WindowBackup
from bot.base.clock import SteadyClock
from bot.domain.errors import CannotKeep
from bot.domain.ids import UserId
from bot.wire.versions import Version

T = TypeVar("T")

logger = logging.getLogger(__name__)

_SAVE_INTERVAL_SECONDS: Final = 1.0
"""How often copies are stored; one that is a little old does no harm while much is left."""


class LocalLedger:
    """Decides about all budgets in memory, and stores copies of them.

    The lock is the event loop: nothing else runs while a budget is changed. Copies are stored every second, and before
    a request is sent where so little is left that each one matters.
    """

    def __init__(self, budgets: BudgetRegistry, clock: SteadyClock, copy: WindowBackup | None = None) -> None:
        self.counts = Counter[str]()
        self._budgets = budgets
        self._clock = clock
        self._copy = copy
        self._changed: dict[tuple[AccountKey, Version], Budget] = {}
        self._gone: set[AccountKey] = set()
        """Accounts and tokens whose copies are to be deleted."""
        self._saving = asyncio.Lock()
        self._saver: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self._copy is not None:
            for kept in await self._copy.load():
                self._budgets.restore_backup(kept, self._clock.monotonic(), self._clock.origin())
            self._saver = asyncio.create_task(self._save_regularly())
        return self

    async def __aexit__(self, *_: object) -> None:
        saver, self._saver = self._saver, None
        if saver is not None:
            saver.cancel()
            with suppress(asyncio.CancelledError):
                await saver
        await self.save()

    @property
    def leases_held(self) -> int:
        """Always 0: there are no leases."""
        return 0

    async def acquire_lease(self, name: AccountKey, priority: Priority, deadline: float) -> None:
        """Return at once: no other process decides."""

    async def update_budget(self, name: AccountKey, version: Version, decide: Callable[[Budget], T]) -> T:
        """Let `decide` change a budget, store the copy where little is left, and return what was decided."""
        budget = self._budgets.get(name, version, self._clock.monotonic())
        decision = decide(budget)
        if self._copy is not None:
            self._changed[self._budgets.account_of(name), version] = budget
            if isinstance(decision, Granted) and budget.is_scarce():
                await self._save_before_sending(decision.permit)
        return decision

    async def record_outcome(self, permit: Permit, change: Callable[[Budget], T]) -> T:
        """Let `change` record the outcome of a request in its budget; return what `change` returns."""
        return await self.update_budget(permit.account, permit.version, change)

    def may_send(self, permit: Permit) -> bool:  # noqa: ARG002 - no other process decides
        """Return that a permit is still good."""
        return True

    async def save(self) -> None:
        """Store the copies of all budgets that have changed; where that fails, it is tried again later."""
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
                logger.debug("the copy of the budgets waits")  # the store has logged why, once
            except Exception:
                logger.exception("the copy of the budgets could not be written")
            finally:
                if not is_stored:  # also if the caller who waited for it gave up
                    self._changed = changed | self._changed
                    self._gone |= gone

    async def release_account(self, user_id: UserId) -> None:
        """Delete the copies of an account; its budget stays in memory, because the service keeps counting."""
        name = key_of_account(user_id)
        for key in [key for key in self._changed if key[0] == name]:
            del self._changed[key]
        self._gone.add(name)
        await self.save()

    def requests_left(self, name: AccountKey, version: Version) -> BudgetLeft:
        """Return how many requests may still be sent."""
        return self._budgets.requests_left(name, version, self._clock.monotonic(), self._clock.origin())

    async def link_token(self, token: AccountKey, user_id: UserId) -> None:
        """Note whose account a token is: what was sent with the token counts for the account from now on."""
        now = self._clock.monotonic()
        if self._budgets.link_token(token, user_id, now) and self._copy is not None:
            self._gone.add(token)
            for _, version in [key for key in self._changed if key[0] == token]:
                del self._changed[token, version]
                self._changed[key_of_account(user_id), version] = self._budgets.get(token, version, now)

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the key of the account that a token belongs to, where that is known; otherwise the key itself."""
        return self._budgets.account_of(name)

    async def _save_before_sending(self, permit: Permit) -> None:
        try:
            await self.save()
        except asyncio.CancelledError:  # nobody is left to send it
            now = self._clock.monotonic()
            self._budgets.get(permit.account, permit.version, now).return_unsent(now)
            raise

    async def _save_regularly(self) -> None:
        while True:
            await asyncio.sleep(_SAVE_INTERVAL_SECONDS)
            await self.save()
