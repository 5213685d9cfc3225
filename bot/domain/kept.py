"""What outlives a restart of the bot, besides links and daily posts."""

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
    """What is known about one account's requests to one version of the service."""

    account: str
    """Names an account, or a token without giving it away."""
    version: str
    limit: int
    remaining: int
    lost: int
    """What requests without an answer may have cost at most."""
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
    """The right of one process to decide about an account's requests, and what it goes on from."""

    name: str
    """The key of an account, or of a token without giving it away."""
    owner: int
    fence: int
    """Only the newest is still good for anything."""
    state: Mapping[str, Any] | None
    """The state by version, in moments of the database's clock; None where nothing is known."""
    inherited: int
    """What another process may have spent in each version, of which the state knows nothing."""
    now: float
    """When it was had, by the database's clock."""
