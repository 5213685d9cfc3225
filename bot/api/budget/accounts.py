"""The budgets of all accounts, each under every name that it is known by; idle ones are dropped."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.api.budget.budget import (
    ASSUMED_LIMITS,
    RESERVED_PERCENT,
    AccountKey,
    Budget,
    BudgetLeft,
    Priority,
    SerialCounter,
)
from bot.api.budget.pacing import RequestPacing
from bot.domain.ids import UserId
from bot.domain.kept import KeptWindow
from bot.wire.versions import Version

_EVICTED_PER_NEWCOMER: Final = 2
"""Each new account evicts this many idle ones, so that memory follows the number of active accounts."""
_CHARGED_ACCOUNTS_NEEDED: Final = 2
"""Newcomers expect to be charged once this many accounts were: the token of one may be used by another program too."""


class _Account:
    """The budgets of one account, one for each version that it has asked."""

    __slots__ = ("budgets", "names")

    def __init__(self, name: AccountKey) -> None:
        self.names: tuple[AccountKey, ...] = (name,)
        """The name of the account, where it is known, then those of its tokens."""
        self.budgets: tuple[Budget, ...] = ()

    def find(self, version: Version) -> Budget | None:
        for budget in self.budgets:
            if budget.version == version:
                return budget
        return None


class BudgetRegistry:
    """Holds all budgets in memory and finds them by account or token: all tokens of an account share one budget."""

    def __init__(self, *, kept_percent: Mapping[Priority, int] = RESERVED_PERCENT) -> None:
        self._kept_percent = kept_percent
        self._accounts: dict[AccountKey, _Account] = {}
        self.serials = SerialCounter()
        """Numbers all requests and queue entries."""
        self._charged: dict[Version, dict[AccountKey, RequestPacing]] = {}
        """The pacing of the last two accounts that were charged for quick succession, and that no other program uses."""

    def __len__(self) -> int:
        return len({id(account) for account in self._accounts.values()})

    def get(self, name: AccountKey, version: Version, now: float) -> Budget:
        """Return the budget of an account in a version; a full one is made where nothing is known."""
        account = self._accounts.get(name)
        if account is None:
            self._evict_idle(now)
            account = self._accounts[name] = _Account(name)
        budget = account.find(version) or self._add(account, version)
        if budget.pace.was_charged_for_haste:
            self._note_charged(account.names[0], version, budget.pace)
        return budget

    def get_all(self, name: AccountKey) -> Sequence[Budget]:
        """Return the budgets of an account in all versions that it has asked."""
        account = self._accounts.get(name)
        return account.budgets if account else ()

    def requests_left(self, name: AccountKey, version: Version, now: float, origin: datetime) -> BudgetLeft:
        """Return how many requests an account may still send for certain, and when its limit is full again."""
        account = self._accounts.get(name)
        budget = account.find(version) if account else None
        if budget is None:
            return BudgetLeft(ASSUMED_LIMITS[version], ASSUMED_LIMITS[version], None)
        return budget.requests_left(now, origin)

    def fractions_left(self, now: float) -> Iterator[tuple[Version, float]]:
        """Yield for each account and version that it has asked which fraction of the limit is left for certain, 0 to 1."""
        for account in {id(each): each for each in self._accounts.values()}.values():
            for budget in account.budgets:
                yield budget.version, budget.fraction_left(now)

    def account_of(self, name: AccountKey) -> AccountKey:
        """Return the key of the account that a token belongs to, where that is known; otherwise the key itself."""
        account = self._accounts.get(name)
        return account.names[0] if account else name

    def link_token(self, token: AccountKey, user_id: UserId, now: float) -> bool:
        """Note whose account a token is, and merge the budgets that it had of its own; return whether there were any.

        Those that it shared with another account stay with that one.
        """
        name = key_of_account(user_id)
        known, account = self._accounts.get(token), self._accounts.get(name)
        if known is not None and known is account:
            return False
        if account is None:
            self._evict_idle(now)
            known = self._accounts.get(token)
            account = self._accounts[name] = _Account(name)
        for charged in self._charged.values():
            charged.pop(token, None)  # what it was charged is recorded under the account's name
        if known is not None:
            # A token that belonged to another account takes nothing along: its old account keeps the budget.
            if known.names == (token,):
                for budget in known.budgets:
                    (account.find(budget.version) or self._add(account, budget.version)).merge(budget)
            else:
                known.names = tuple(each for each in known.names if each != token)
                for budget in known.budgets:
                    budget.clear_queue()  # entries of this queue would block the others
        self._accounts[token] = account
        account.names = (*account.names, token)
        return known is not None and known.names == (token,)

    def restore_backup(self, kept: KeptWindow, now: float, origin: datetime) -> None:
        """Restore a budget from the copy that a former process has stored."""
        if kept.version in ASSUMED_LIMITS:
            self.get(AccountKey(kept.account), kept.version, now).restore_backup(kept, now, origin)

    def _add(self, account: _Account, version: Version) -> Budget:
        budget = Budget(
            account.names[0],
            version,
            pace=self._pacing_of_newcomer(version),
            serials=self.serials,
            kept_percent=self._kept_percent,
        )
        account.budgets = (*account.budgets, budget)
        return budget

    def _pacing_of_newcomer(self, version: Version) -> RequestPacing:
        """Return the pacing of a newcomer: if two accounts were charged for haste, the service charges everybody."""
        paces = [pace for pace in self._charged.get(version, {}).values() if pace.was_charged_for_haste]
        if len(paces) < _CHARGED_ACCOUNTS_NEEDED:
            return RequestPacing()
        return RequestPacing(min(pace.spacing for pace in paces), min(pace.highest_cost for pace in paces))

    def _note_charged(self, name: AccountKey, version: Version, pace: RequestPacing) -> None:
        charged = self._charged.setdefault(version, {})
        charged.pop(name, None)
        charged[name] = pace
        if len(charged) > _CHARGED_ACCOUNTS_NEEDED:
            del charged[next(iter(charged))]

    def _evict_idle(self, now: float) -> None:
        for _ in range(_EVICTED_PER_NEWCOMER):
            name = next(iter(self._accounts), None)
            if name is None:  # one account may have had all the names
                return
            account = self._accounts[name]
            if all(budget.is_idle(now) for budget in account.budgets):
                for each in account.names:
                    del self._accounts[each]
            else:
                self._accounts[name] = self._accounts.pop(name)  # to the end of the line


def key_of_token(token: str) -> AccountKey:
    """Return the key of a token: a hash, which does not give the token away."""
    return AccountKey(f"token:{hashlib.blake2b(token.encode(), digest_size=16).hexdigest()}")


def key_of(token: str, user_id: UserId | None) -> AccountKey:
    """Return the key of the account, where it is known, else that of the token."""
    return key_of_token(token) if user_id is None else key_of_account(user_id)


def key_of_account(user_id: UserId) -> AccountKey:
    """Return the key of an account."""
    return AccountKey(f"account:{user_id}")
