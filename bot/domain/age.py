"""How old the data is that is shown, and why nothing newer could be had."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter

from bot.domain.errors import BotError, BudgetSpent

_FETCHED_AT = attrgetter("fetched_at")
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Age:
    """When the service said it, and what came of asking anew."""

    fetched_at: datetime
    """As of when it is known to be so."""
    trouble: BotError | None = None
    """Why this is the last known answer; None where it is as good as new."""
    sent_at: datetime | None = None
    """When the service has sent it, where that was earlier: since then it has only said that nothing had changed."""

    @property
    def is_stale(self) -> bool:
        """Whether the service could not be asked now."""
        return self.trouble is not None


def oldest(*ages: Age) -> Age:
    """Return the age of what is made of several answers: of the stale ones, where there are any."""
    stale = [age for age in ages if age.trouble is not None]
    first = min(stale or ages, key=_FETCHED_AT)
    return replace(first, trouble=max((age.trouble for age in stale), key=_lasts_until)) if stale else first


def _lasts_until(trouble: BotError | None) -> datetime:
    return trouble.retry_at if isinstance(trouble, BudgetSpent) else _NEVER
