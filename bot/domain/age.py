"""The age of shown data, and why there is nothing newer."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter

from bot.domain.errors import BotError, BudgetSpent

_FETCHED_AT = attrgetter("fetched_at")
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Age:
    """When data was fetched, and why it could not be refreshed."""

    fetched_at: datetime
    """The moment at which the data was known to be current."""
    trouble: BotError | None = None
    """Why this is only the last known answer; None if it is current."""
    sent_at: datetime | None = None
    """When the service sent it, if that was earlier: since then it has only confirmed that nothing changed."""

    @property
    def is_stale(self) -> bool:
        """Whether the service could not be asked now."""
        return self.trouble is not None


def oldest(*ages: Age) -> Age:
    """Return the age of data combined from several answers: the oldest, of the stale ones if there are any."""
    stale = [age for age in ages if age.trouble is not None]
    first = min(stale or ages, key=_FETCHED_AT)
    return replace(first, trouble=max((age.trouble for age in stale), key=_lasts_until)) if stale else first


def _lasts_until(trouble: BotError | None) -> datetime:
    return trouble.retry_at if isinstance(trouble, BudgetSpent) else _NEVER
