"""Values that are stored across restarts, besides links and daily posts."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bot.domain.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """The last answer that the service gave an account about itself."""

    account: UserId
    """The asker's."""
    question: str
    body: bytes = field(repr=False)
    fetched_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptWindow:
    """The stored request window of one account in one version of the service."""

    account: str
    """The key of an account, or of a token without revealing it."""
    version: str
    limit: int
    remaining: int
    lost: int
    """The most that requests without a reply can have cost."""
    reset_at: datetime | None
    """When the window ends, by the service's clock."""
    ends_at: datetime | None
    """When the window ends, by our clock."""
    sent_at: datetime
    """When the last request was sent."""
    spacing: float
    """Learned seconds between two requests."""
    dearest: int
    """The highest price that one request has had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetLease:
    """The right of one process to decide about an account's requests, with the state to continue from."""

    name: str
    """The key of an account, or of a token without revealing it."""
    owner: int
    fence: int
    """The fencing token: only the newest lease is valid."""
    state: Mapping[str, Any] | None
    """The state by version, in moments of the database's clock; None if nothing is known."""
    inherited: int
    """The requests per version that another process may have spent beyond the state."""
    now: float
    """When the lease was taken, by the database's clock."""
